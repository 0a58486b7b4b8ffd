/** Opens random envelopes of registered senders, found or not, to see whether their indexes are complete. */
@NullMarked
package dev.veilgate.console.sweep;

import org.jspecify.annotations.NullMarked;
