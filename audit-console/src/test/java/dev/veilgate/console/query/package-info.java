@NullMarked
package dev.veilgate.console.query;

import org.jspecify.annotations.NullMarked;
