@NullMarked
package dev.veilgate.extract;

import org.jspecify.annotations.NullMarked;
