/** The tenant's keys: opened with a passphrase, used by one at a time, erased at the end. */
@NullMarked
package dev.veilgate.console.custody;

import org.jspecify.annotations.NullMarked;
