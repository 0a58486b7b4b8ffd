package dev.veilgate.abe.kem;

/**
 * What an authority makes once.
 *
 * @param publicKey for senders
 * @param masterKey never leaves the authority
 * @param <P>       public key
 * @param <M>       master key
 */
public record KeyPair<P, M>(P publicKey, M masterKey) {}
