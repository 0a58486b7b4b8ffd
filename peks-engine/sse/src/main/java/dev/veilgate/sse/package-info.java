/**
 * Symmetric searchable encryption: one owner indexes documents at a server that cannot read them, and searches them
 * with the same key. What a scheme is, start at {@link dev.veilgate.sse.SseScheme}; each has a package of its own below
 * this one, and none uses another.
 *
 * <p>Owner and server exchange messages ({@link dev.veilgate.sse.Exchange}) over any channel, and keep their state in
 * cells ({@link dev.veilgate.sse.CellStore}), so that one scheme runs in memory, in a file and in a database. Of
 * {@link dev.veilgate.peks} it needs only {@link dev.veilgate.peks.Keyword}.
 */
@NullMarked
package dev.veilgate.sse;

import org.jspecify.annotations.NullMarked;
