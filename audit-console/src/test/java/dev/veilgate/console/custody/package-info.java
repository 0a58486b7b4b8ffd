@NullMarked
package dev.veilgate.console.custody;

import org.jspecify.annotations.NullMarked;
