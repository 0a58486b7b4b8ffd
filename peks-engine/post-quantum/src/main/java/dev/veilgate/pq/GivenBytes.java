package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A source of randomness that gives the bytes that it was given, once, for libraries that take their coins from a
 * source only.
 */
@Secret
final class GivenBytes extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final transient byte[] bytes;
    private transient int used;

    /** @param bytes copied */
    GivenBytes(byte[] bytes) {
        super(
                new java.security.SecureRandomSpi() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void engineSetSeed(byte[] seed) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    protected void engineNextBytes(byte[] out) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    protected byte[] engineGenerateSeed(int count) {
                        throw new UnsupportedOperationException();
                    }
                },
                null);
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

    /** Erases them; all must have been taken. */
    void close() {
        Arrays.fill(bytes, (byte) 0);
        if (used != bytes.length) {
            throw new IllegalStateException("the algorithm takes fewer random bytes than its standard says");
        }
    }
}
