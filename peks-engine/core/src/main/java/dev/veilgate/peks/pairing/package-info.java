/**
 * What the schemes of searchable encryption over pairings have in common: not their algebra, but how the slots of a block are made, laid out and opened once a
 * scheme has brought keyword and block to one secret element of GT.
 *
 * <p>Depends on {@code peks}, {@code math.pairing}, {@code random}, {@code encoding}; the schemes below depend on it and not on each other. Not exported.
 */
@NullMarked
package dev.veilgate.peks.pairing;

import org.jspecify.annotations.NullMarked;
