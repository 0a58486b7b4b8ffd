/**
 * SUISE, by Hahn and Kerschbaum (CCS 2014): an index that gets faster by what was searched, and tells the server as
 * much. Start at {@link dev.veilgate.sse.suise.Suise}.
 */
@NullMarked
package dev.veilgate.sse.suise;

import org.jspecify.annotations.NullMarked;
