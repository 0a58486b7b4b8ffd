@NullMarked
package dev.veilgate.console.readers;

import org.jspecify.annotations.NullMarked;
