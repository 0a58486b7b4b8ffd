package dev.veilgate.pq;

import java.util.Arrays;

/**
 * Tells the calls of a secret key that it was closed, also those that were computing meanwhile: {@link #close} comes
 * before the key is erased, so that a call that saw erased bytes sees this, and what it made goes to nobody. A KEM
 * whose key is zeros would give secrets that anybody can compute.
 */
final class KeyState {
    private volatile boolean closed;

    void close() {
        closed = true;
    }

    /** @throws IllegalStateException if the key was closed */
    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the key is closed");
        }
    }

    /**
     * The result of a call.
     *
     * @throws IllegalStateException if the key was closed meanwhile; the result is erased
     */
    byte[] result(byte[] made) {
        if (closed) {
            Arrays.fill(made, (byte) 0);
        }
        requireOpen();
        return made;
    }
}
