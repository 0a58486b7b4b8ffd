@NullMarked
package dev.veilgate.console.identity;

import org.jspecify.annotations.NullMarked;
