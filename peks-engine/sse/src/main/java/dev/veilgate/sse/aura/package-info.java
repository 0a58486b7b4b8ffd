/**
 * Aura, by Sun and others (NDSS 2021), repaired: deletions that a server carries out itself, without losing what is
 * not deleted. Start at {@link dev.veilgate.sse.aura.Aura}.
 */
@NullMarked
package dev.veilgate.sse.aura;

import org.jspecify.annotations.NullMarked;
