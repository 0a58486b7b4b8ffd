@NullMarked
package dev.veilgate.console.saved;

import org.jspecify.annotations.NullMarked;
