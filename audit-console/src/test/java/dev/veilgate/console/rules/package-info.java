@NullMarked
package dev.veilgate.console.rules;

import org.jspecify.annotations.NullMarked;
