/**
 * Efficiently searchable encryption over NTRU encryption. Start at {@link dev.veilgate.ese.ntru.NtruEse}; what it leaks is written at {@link
 * dev.veilgate.ese.EncryptWithHash}. Specification: {@code docs/spec/ese.md}. Depends on {@code ese}, {@code peks} for the id of a key, {@code math.ring},
 * {@code random}, {@code encoding}, {@code secret}; not on NTRU-PEKS, whose keys are other keys.
 */
@NullMarked
package dev.veilgate.ese.ntru;

import org.jspecify.annotations.NullMarked;
