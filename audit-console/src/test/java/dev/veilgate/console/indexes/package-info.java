@NullMarked
package dev.veilgate.console.indexes;

import org.jspecify.annotations.NullMarked;
