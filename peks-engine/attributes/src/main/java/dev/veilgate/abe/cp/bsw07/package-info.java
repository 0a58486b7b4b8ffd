/**
 * Ciphertext-policy attribute-based encryption of Bethencourt, Sahai and Waters (S&amp;P 2007): start at {@link dev.veilgate.abe.cp.bsw07.Bsw07}.
 * Specification: {@code docs/spec/bsw07.md}.
 *
 * <p>Depends on {@code abe.kem}, {@code abe.policy}, {@code abe.sharing}, {@code math.pairing}, {@code random}, {@code encoding}, {@code secret}; on no other scheme.
 * Not exported: what leaves the engine goes through {@code dev.veilgate.abe}, which adds security against chosen ciphertexts.
 */
@NullMarked
package dev.veilgate.abe.cp.bsw07;

import org.jspecify.annotations.NullMarked;
