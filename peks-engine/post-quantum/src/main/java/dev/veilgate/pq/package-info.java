/**
 * The post-quantum algorithms that others have defined: ML-KEM-768, FrodoKEM-976, ML-DSA-65 and SLH-DSA-SHA2-128f,
 * through one contract. {@link dev.veilgate.pq.PostQuantum#current} names who computes them: {@code platform}, which is
 * the Java runtime and Bouncy Castle, or {@code native}, which is liboqs by the foreign-function interface of Java, and
 * for SLH-DSA the same Bouncy Castle. Both give the same bytes for the same keys and coins. NTRU-PEKS is our own and is
 * not among them.
 */
@NullMarked
package dev.veilgate.pq;

import org.jspecify.annotations.NullMarked;
