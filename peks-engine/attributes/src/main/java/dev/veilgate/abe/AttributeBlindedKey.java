package dev.veilgate.abe;

import dev.veilgate.secret.Secret;

/**
 * A reader's key in two halves, which together are the key.
 *
 * @param transformKey for a server, which does the pairings with it
 * @param retrievalKey for the reader, secret
 */
@Secret
public record AttributeBlindedKey(AttributeTransformKey transformKey, AttributeRetrievalKey retrievalKey) {}
