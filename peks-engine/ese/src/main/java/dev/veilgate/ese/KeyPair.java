package dev.veilgate.ese;

import dev.veilgate.secret.Secret;

/**
 * What key generation gives.
 *
 * @param publicKey for everybody; with it everybody can also guess messages
 * @param secretKey for whoever decrypts
 * @param <P>       public key of the instance
 * @param <S>       secret key of the instance
 */
@Secret
public record KeyPair<P extends EsePublicKey, S extends EseSecretKey<P>>(P publicKey, S secretKey) {}
