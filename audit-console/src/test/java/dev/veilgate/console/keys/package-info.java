@NullMarked
package dev.veilgate.console.keys;

import org.jspecify.annotations.NullMarked;
