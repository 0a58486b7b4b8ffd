/** The gateway that is searched, as the console reaches it. */
@NullMarked
package dev.veilgate.console.gateway;

import org.jspecify.annotations.NullMarked;
