/** The gateway as a process of its own. */
@NullMarked
package dev.veilgate.gateway.whole;

import org.jspecify.annotations.NullMarked;
