package dev.veilgate.abe;

/**
 * What an authority makes once.
 *
 * @param publicKey for senders and readers
 * @param masterKey never leaves the authority
 */
public record AttributeKeys(AttributePublicKey publicKey, AttributeMasterKey masterKey) {}
