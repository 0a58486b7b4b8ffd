package dev.veilgate.peks.pairing.zi07;

/**
 * What key generation gives.
 *
 * @param publicKey for everybody
 * @param secretKey for the authority alone
 */
public record KeyPair(PublicKey publicKey, SecretKey secretKey) {}
