/**
 * The post-quantum algorithms that others have defined: ML-KEM-768, ML-DSA-65 and FrodoKEM-976, through one contract.
 * {@link dev.veilgate.pq.PostQuantum#current} names who computes them: {@code platform}, which is the Java runtime and
 * Bouncy Castle, or {@code native}, which is liboqs by the foreign-function interface of Java. Both give the same bytes
 * for the same keys and coins. NTRU-PEKS is our own and is not among them.
 */
@NullMarked
package dev.veilgate.pq;

import org.jspecify.annotations.NullMarked;
