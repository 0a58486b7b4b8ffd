package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.secret.Secret;

/**
 * What key generation gives.
 *
 * @param publicKey for everybody
 * @param secretKey for the authority alone
 */
@Secret
public record KeyPair(PublicKey publicKey, SecretKey secretKey) {}
