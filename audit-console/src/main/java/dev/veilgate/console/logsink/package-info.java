/** The issuing log on its way to a receiver elsewhere, as it grows. */
@NullMarked
package dev.veilgate.console.logsink;

import org.jspecify.annotations.NullMarked;
