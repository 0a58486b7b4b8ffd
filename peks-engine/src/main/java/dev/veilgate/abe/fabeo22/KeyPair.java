package dev.veilgate.abe.fabeo22;

/**
 * What the authority makes once.
 *
 * @param publicKey for senders
 * @param masterKey never leaves the authority
 */
public record KeyPair(PublicKey publicKey, MasterKey masterKey) {}
