/**
 * Efficiently searchable encryption over ElGamal in G1 of BLS12-381. Start at {@link dev.veilgate.ese.elgamal.ElGamalEse}; what it leaks is written at {@link
 * dev.veilgate.ese.EncryptWithHash}. Specification: {@code docs/spec/ese.md}. Depends on {@code ese}, {@code peks} for the id of a key, {@code math.pairing},
 * {@code random}, {@code encoding}, {@code secret}.
 */
@NullMarked
package dev.veilgate.ese.elgamal;

import org.jspecify.annotations.NullMarked;
