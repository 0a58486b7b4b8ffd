/**
 * Dynamic searchable encryption with small client storage, by Demertzis, Ghareh Chamani, Papadopoulos and Papamanthou
 * (NDSS 2020): static indexes of doubling size, merged under fresh keys, so that an addition tells nothing about words
 * that were searched before. {@code sda} merges at once, {@code sdd} an entry at a time. Start at
 * {@link dev.veilgate.sse.sdd.SdaScheme} and {@link dev.veilgate.sse.sdd.SddScheme}.
 */
@NullMarked
package dev.veilgate.sse.sdd;

import org.jspecify.annotations.NullMarked;
