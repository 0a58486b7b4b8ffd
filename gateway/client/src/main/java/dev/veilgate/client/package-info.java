/**
 * The gateway over HTTP, for whoever searches: starts and follows searches, fetches envelopes, installs routes, lists senders. Sees ciphertexts and
 * trapdoors only; the commands around it open what it brings.
 */
@NullMarked
package dev.veilgate.client;

import org.jspecify.annotations.NullMarked;
