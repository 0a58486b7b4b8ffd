package dev.veilgate.peks.pairing.bdop04;

/**
 * What key generation gives.
 *
 * @param publicKey for everybody
 * @param secretKey for the authority alone
 */
public record KeyPair(PublicKey publicKey, SecretKey secretKey) {}
