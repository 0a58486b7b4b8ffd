/**
 * Attribute-based keyword search of Zheng, Xu and Ateniese (INFOCOM 2014), with policies in ciphertexts, on BLS12-381. Specification: {@code docs/spec/zxa14.md}.
 *
 * <p>Start at {@link dev.veilgate.abe.ks.zxa14.Zxa14} (keys, tokens, the equations), then {@link dev.veilgate.abe.ks.zxa14.Zxa14IndexSealer} and {@link
 * dev.veilgate.abe.ks.zxa14.Zxa14IndexScheme}. Depends on {@code peks}, {@code peks.pairing}, {@code abe.kem}, {@code abe.policy}, {@code abe.sharing}, {@code
 * math.pairing}, {@code random}, {@code encoding}, {@code secret}; on no other scheme.
 */
@NullMarked
package dev.veilgate.abe.ks.zxa14;

import org.jspecify.annotations.NullMarked;
