@NullMarked
package dev.veilgate.console.search;

import org.jspecify.annotations.NullMarked;
