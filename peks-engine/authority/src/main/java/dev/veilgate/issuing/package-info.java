/**
 * The authority's issuing log: an append-only record of who was allowed to search what, and which trapdoors and keys ever left, that nobody can alter unseen
 * once a signed head of it was handed out. Formats and limits: docs/spec/issuing-log.md.
 *
 * <p>{@link dev.veilgate.issuing.IssuingLog} keeps it, {@link dev.veilgate.issuing.LogVerifier} checks it with the authority's public key alone. Depends on
 * {@link dev.veilgate.envelope} for signatures and sealing, on {@link dev.veilgate.files} and {@link dev.veilgate.encoding}.
 */
@NullMarked
package dev.veilgate.issuing;

import org.jspecify.annotations.NullMarked;
