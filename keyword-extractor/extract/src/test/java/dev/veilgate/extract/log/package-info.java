@NullMarked
package dev.veilgate.extract.log;

import org.jspecify.annotations.NullMarked;
