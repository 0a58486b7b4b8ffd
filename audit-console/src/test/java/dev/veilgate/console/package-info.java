@NullMarked
package dev.veilgate.console;

import org.jspecify.annotations.NullMarked;
