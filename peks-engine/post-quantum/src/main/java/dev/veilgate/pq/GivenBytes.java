package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;

/** Source of randomness that gives the bytes it was given, once, for libraries that take coins from a source only. */
@Secret
final class GivenBytes extends SecureRandom implements AutoCloseable {
    private static final long serialVersionUID = 1L;

    private final transient byte[] bytes;
    private transient int used;

    /** @param bytes copied */
    GivenBytes(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    @Override
    public void nextBytes(byte[] out) {
        if (out.length > bytes.length - used) {
            throw new IllegalStateException("the algorithm takes more random bytes than its standard says");
        }
        System.arraycopy(bytes, used, out, 0, out.length);
        used += out.length;
    }

    /** @throws IllegalStateException if some were not taken */
    void requireAllTaken() {
        if (used != bytes.length) {
            throw new IllegalStateException("the algorithm takes fewer random bytes than its standard says");
        }
    }

    /** Erases them. */
    @Override
    public void close() {
        Arrays.fill(bytes, (byte) 0);
    }
}
