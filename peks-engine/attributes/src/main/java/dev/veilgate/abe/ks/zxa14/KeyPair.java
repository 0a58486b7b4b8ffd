package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.secret.Secret;

/**
 * What setup gives.
 *
 * @param publicKey for everybody; with a policy, {@link IndexPublicKey}, it is what keywords are sealed under
 * @param masterKey for the authority alone
 */
@Secret
public record KeyPair(PublicKey publicKey, MasterKey masterKey) {}
