/**
 * Numbered envelopes of registered senders: fetched one by one, what was ever seen of each chain, and alarms about what
 * a gateway kept back of one. Sweeps and rechecks of searches draw from them.
 */
@NullMarked
package dev.veilgate.console.chains;

import org.jspecify.annotations.NullMarked;
