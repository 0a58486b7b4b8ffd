/**
 * Counts of what a tenant's senders and users do, in memory. Depends on no other part, so that every part can count
 * here; {@code status} writes them down.
 */
@NullMarked
package dev.veilgate.gateway.figures;

import org.jspecify.annotations.NullMarked;
