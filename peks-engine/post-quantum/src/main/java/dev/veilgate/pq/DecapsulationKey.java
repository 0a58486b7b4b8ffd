package dev.veilgate.pq;

import dev.veilgate.secret.Secret;

/** Secret key of a key encapsulation mechanism. Nobody may use it while it is closed; {@link #close} erases it. */
@Secret
public interface DecapsulationKey extends AutoCloseable {
    /** A copy of the public key. */
    byte[] publicKey();

    /**
     * The shared secret; of a ciphertext that is not honest, one that nobody knows. The caller erases it.
     *
     * @throws IllegalArgumentException for a wrong length
     */
    byte[] decapsulate(byte[] ciphertext);

    @Override
    void close();
}
