package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import java.security.SecureRandom;

/** Secret key of a signature scheme. Nobody may use it while it is closed; {@link #close} erases it. */
@Secret
public interface SignatureSecretKey extends AutoCloseable {
    /** A copy of the public key. */
    byte[] publicKey();

    /**
     * A signature of a message.
     *
     * @param random gives what is mixed in, so that a fault during signing does not give the key away
     */
    byte[] sign(byte[] message, SecureRandom random);

    @Override
    void close();
}
