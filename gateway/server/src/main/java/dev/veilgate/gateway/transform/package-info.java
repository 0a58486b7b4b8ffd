/** Pairings that the gateway does for readers, with blinded keys that open nothing. */
@NullMarked
package dev.veilgate.gateway.transform;

import org.jspecify.annotations.NullMarked;
