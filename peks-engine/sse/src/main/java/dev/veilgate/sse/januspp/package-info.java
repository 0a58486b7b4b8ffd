/**
 * Janus++, by Sun and others (CCS 2018): entries under keys that are punctured at deleted tags. Start at
 * {@link dev.veilgate.sse.januspp.Puncturable}.
 */
@NullMarked
package dev.veilgate.sse.januspp;

import org.jspecify.annotations.NullMarked;
