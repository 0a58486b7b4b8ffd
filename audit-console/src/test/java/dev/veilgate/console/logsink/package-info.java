@NullMarked
package dev.veilgate.console.logsink;

import org.jspecify.annotations.NullMarked;
