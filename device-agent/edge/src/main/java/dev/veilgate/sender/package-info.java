/**
 * What a sender keeps on its machine: its identity, its place in its chain, the authority that it pins. Used by the agent, the mail proxy and {@code
 * veilgate seal}.
 */
@NullMarked
package dev.veilgate.sender;

import org.jspecify.annotations.NullMarked;
