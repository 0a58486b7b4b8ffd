@NullMarked
package dev.veilgate.reading;

import org.jspecify.annotations.NullMarked;
