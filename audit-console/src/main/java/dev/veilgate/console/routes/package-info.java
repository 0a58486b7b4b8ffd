/** Standing routes: searches that the gateway runs on whatever arrives. */
@NullMarked
package dev.veilgate.console.routes;

import org.jspecify.annotations.NullMarked;
