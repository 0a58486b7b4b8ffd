@NullMarked
package dev.veilgate.console.sweep;

import org.jspecify.annotations.NullMarked;
