package dev.veilgate.envelope;

import dev.veilgate.secret.Secret;

/** Secret key of a hybrid key encapsulation mechanism, expanded from its seed. */
@Secret
interface HybridSecretKey {
    /** A copy of the public key. */
    byte[] publicKey();

    /** The shared secret; of a ciphertext that is not honest, one that nobody knows. The caller erases it. */
    byte[] decapsulate(byte[] ciphertext);

    /** Erases it; nobody may use it any more. */
    void destroy();
}
