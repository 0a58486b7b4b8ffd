package dev.veilgate.abe.cp.bsw07;

/**
 * What the authority makes once.
 *
 * @param publicKey for senders, and for readers who delegate
 * @param masterKey never leaves the authority
 */
public record KeyPair(PublicKey publicKey, MasterKey masterKey) {}
