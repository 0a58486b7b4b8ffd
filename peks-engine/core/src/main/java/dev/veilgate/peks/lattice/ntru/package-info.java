/**
 * NTRU-PEKS: public-key encryption with keyword search over NTRU lattices (Behnia, Ozmen, Yavuz), in the paper's form and as
 * the product's index block of many keywords. Specification: {@code docs/spec/ntru-peks.md}.
 *
 * <p>Start at {@link dev.veilgate.peks.lattice.ntru.NtruPeks} (key generation, trapdoors, the paper's encryption) and
 * {@link dev.veilgate.peks.lattice.ntru.NtruIndexScheme} (index blocks). The loop that everything waits for is {@code
 * TestKernel}. Depends on {@code peks}, {@code math}, {@code random}, {@code encoding}, {@code secret}; no other scheme.
 */
@NullMarked
package dev.veilgate.peks.lattice.ntru;

import org.jspecify.annotations.NullMarked;
