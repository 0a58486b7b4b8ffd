package dev.veilgate.abe.kem;

import dev.veilgate.secret.Secret;

/**
 * What an authority makes once.
 *
 * @param publicKey for senders
 * @param masterKey never leaves the authority
 * @param <P>       public key
 * @param <M>       master key
 */
@Secret
public record KeyPair<P, M>(P publicKey, M masterKey) {}
