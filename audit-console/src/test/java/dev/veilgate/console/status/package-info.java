@NullMarked
package dev.veilgate.console.status;

import org.jspecify.annotations.NullMarked;
