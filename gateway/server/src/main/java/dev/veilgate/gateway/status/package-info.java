/** How the gateway is: health, metrics, what it holds. */
@NullMarked
package dev.veilgate.gateway.status;

import org.jspecify.annotations.NullMarked;
