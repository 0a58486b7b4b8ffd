/** Who may read by attributes: keys issued and revoked. */
@NullMarked
package dev.veilgate.console.readers;

import org.jspecify.annotations.NullMarked;
