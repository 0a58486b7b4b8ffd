/**
 * BCO: public-key encryption with keyword search over pairings (Boneh, Di Crescenzo, Ostrovsky, Persiano, EUROCRYPT 2004), on BLS12-381. Specification: {@code
 * docs/spec/bdop04.md}.
 *
 * <p>Start at {@link dev.veilgate.peks.pairing.bdop04.Bdop04} (keys, trapdoors, the equations), then {@link dev.veilgate.peks.pairing.bdop04.Bdop04IndexSealer} and
 * {@link dev.veilgate.peks.pairing.bdop04.Bdop04IndexScheme}. Depends on {@code peks}, {@code peks.pairing}, {@code math.pairing}, {@code random}, {@code
 * encoding}, {@code secret}; no other scheme.
 */
@NullMarked
package dev.veilgate.peks.pairing.bdop04;

import org.jspecify.annotations.NullMarked;
