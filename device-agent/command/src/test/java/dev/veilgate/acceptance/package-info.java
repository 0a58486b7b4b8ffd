/** The edge as its users meet it: real commands as processes, a real broker, real logs. */
@NullMarked
package dev.veilgate.acceptance;

import org.jspecify.annotations.NullMarked;
