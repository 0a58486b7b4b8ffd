/**
 * FABEO: attribute-based encryption of Riepl and Wee (CCS 2022), with policies in ciphertexts ({@link dev.veilgate.abe.fabeo22.Fabeo22Cp}) or in keys
 * ({@link dev.veilgate.abe.fabeo22.Fabeo22Kp}). Specification: {@code docs/spec/fabeo22.md}.
 *
 * <p>Depends on {@code abe.kem}, {@code abe.policy}, {@code abe.sharing}, {@code math.pairing}, {@code random}, {@code encoding}, {@code secret}; on no other scheme. Not exported: what
 * leaves the engine goes through {@code dev.veilgate.abe}, which adds security against chosen ciphertexts.
 */
@NullMarked
package dev.veilgate.abe.fabeo22;

import org.jspecify.annotations.NullMarked;
