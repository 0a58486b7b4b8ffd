/**
 * Public-key encryption with keyword search in the standard model, as Zhang and Imai (CANS 2007) combine it with public-key encryption: keyword search from Gentry's
 * anonymous identity-based encryption, on BLS12-381. Specification: {@code docs/spec/zi07.md}.
 *
 * <p>Start at {@link dev.veilgate.peks.pairing.zi07.Zi07} (keys, trapdoors, the equations), then {@link dev.veilgate.peks.pairing.zi07.Zi07IndexSealer} and {@link
 * dev.veilgate.peks.pairing.zi07.Zi07IndexScheme}. Depends on {@code peks}, {@code peks.pairing}, {@code math.pairing}, {@code random}, {@code encoding}, {@code secret}; no other
 * scheme.
 */
@NullMarked
package dev.veilgate.peks.pairing.zi07;

import org.jspecify.annotations.NullMarked;
