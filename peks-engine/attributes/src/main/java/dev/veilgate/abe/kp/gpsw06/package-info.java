/**
 * Key-policy attribute-based encryption of Goyal, Pandey, Sahai and Waters (CCS 2006): start at {@link dev.veilgate.abe.kp.gpsw06.Gpsw06}.
 * Specification: {@code docs/spec/gpsw06.md}.
 *
 * <p>Depends on {@code abe.kem}, {@code abe.policy}, {@code abe.sharing}, {@code math.pairing}, {@code random}, {@code encoding}, {@code secret}; on no other scheme.
 * Not exported: what leaves the engine goes through {@code dev.veilgate.abe}, which adds security against chosen ciphertexts.
 */
@NullMarked
package dev.veilgate.abe.kp.gpsw06;

import org.jspecify.annotations.NullMarked;
