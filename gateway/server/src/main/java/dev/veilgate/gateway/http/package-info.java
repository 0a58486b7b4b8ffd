/** What all of the HTTP interface shares: bearer tokens, errors, and submitting and fetching envelopes. */
@NullMarked
package dev.veilgate.gateway.http;

import org.jspecify.annotations.NullMarked;
