/**
 * The one durable point: an append-only log in segments, synchronised for many entries at once. It knows bytes only.
 */
@NullMarked
package dev.veilgate.gateway.journal;

import org.jspecify.annotations.NullMarked;
