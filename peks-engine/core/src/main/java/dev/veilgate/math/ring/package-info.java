/**
 * The ring {@code R_q = Z_q[x]/(x^N + 1)}: number-theoretic transform, packing, hashing to the ring, small polynomials.
 * Elements are {@code int[N]} with canonical coefficients in [0, q); a name ending in {@code Hat} is in the transform's
 * domain, {@code Mont} carries the Montgomery factor 2^32. Depends on {@code random} and {@code encoding}. Not exported.
 */
@NullMarked
package dev.veilgate.math.ring;

import org.jspecify.annotations.NullMarked;
