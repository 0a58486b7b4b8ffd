package dev.veilgate.ese;

import dev.veilgate.secret.Secret;

/**
 * A secret key of an instance. Never printed; compared in constant time.
 *
 * @param <P> public key of the instance
 */
@Secret
public interface EseSecretKey<P extends EsePublicKey> extends AutoCloseable {
    /** The public key that belongs to it; also after {@link #destroy}. */
    P publicKey();

    /**
     * Canonical encoding, in clear: the caller seals it, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    byte[] encode();

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    void destroy();

    /** {@link #destroy}. */
    @Override
    default void close() {
        destroy();
    }
}
