/**
 * The groups of BLS12-381 with its pairing, on blst's native code by way of jblst. Elements are immutable and written as in papers: G1 and G2
 * additively in code ({@code plus}, {@code times}) where papers multiply and raise. {@code e: G1 x G2 -> GT}, all of prime order r of 255 bits; about 120
 * bits of security, none against quantum computers.
 *
 * <p>What is decoded is on the curve and in the group of order r, or is refused. Arithmetic with a secret is blst's, which takes the same time for all
 * values; {@link dev.veilgate.math.pairing.Gt#power} reads a table at secret places. Depends on {@code random} and {@code encoding}. Not exported.
 */
@NullMarked
package dev.veilgate.math.pairing;

import org.jspecify.annotations.NullMarked;
