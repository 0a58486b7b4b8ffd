/** What registered senders' chains say: that nothing is missing, or what is. */
@NullMarked
package dev.veilgate.gateway.chain;

import org.jspecify.annotations.NullMarked;
