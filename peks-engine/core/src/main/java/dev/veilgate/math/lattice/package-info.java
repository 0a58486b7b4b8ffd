/**
 * NTRU lattices: short bases (key generation) and Gaussian sampling of short preimages (trapdoors). All floating-point
 * work is IEEE double arithmetic in a fixed order with {@link java.lang.StrictMath}, so that results are the same bits on
 * every JVM, interpreted or compiled. Depends on {@code math.ring} and {@code random}. Not exported.
 */
@NullMarked
package dev.veilgate.math.lattice;

import org.jspecify.annotations.NullMarked;
