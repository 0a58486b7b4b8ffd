/** Where envelopes are kept and searched: one interface without a type of the engine behind it, and Lucene behind it. */
@NullMarked
package dev.veilgate.gateway.store;

import org.jspecify.annotations.NullMarked;
