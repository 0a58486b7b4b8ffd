/**
 * A map of counters at a server that does not see which one is read or changed: an AVL tree whose nodes are blocks of a
 * path ORAM, as Wang et al., Oblivious Data Structures (CCS 2014), build it. Start at
 * {@link dev.veilgate.sse.sdd.map.Increment}.
 */
@NullMarked
package dev.veilgate.sse.sdd.map;

import org.jspecify.annotations.NullMarked;
