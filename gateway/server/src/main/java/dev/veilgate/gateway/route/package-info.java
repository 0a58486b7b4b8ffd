/** Standing routes: tested against every arriving envelope, and the actions that follow. */
@NullMarked
package dev.veilgate.gateway.route;

import org.jspecify.annotations.NullMarked;
