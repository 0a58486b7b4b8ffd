package dev.veilgate.abe;

import dev.veilgate.secret.Secret;

/**
 * What an authority makes once.
 *
 * @param publicKey for senders and readers
 * @param masterKey never leaves the authority
 */
@Secret
public record AttributeKeys(AttributePublicKey publicKey, AttributeMasterKey masterKey) {}
