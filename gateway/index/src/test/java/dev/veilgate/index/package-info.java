@NullMarked
package dev.veilgate.index;

import org.jspecify.annotations.NullMarked;
