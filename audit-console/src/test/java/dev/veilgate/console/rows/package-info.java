@NullMarked
package dev.veilgate.console.rows;

import org.jspecify.annotations.NullMarked;
