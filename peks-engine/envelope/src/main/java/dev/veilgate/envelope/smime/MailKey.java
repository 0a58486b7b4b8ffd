package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.util.Arrays;

/** The AES-256 key of one sealed mail. Handed to the sealer's caller once, to be wrapped for the tenant; erased by {@link #close}. */
@Secret
public final class MailKey implements AutoCloseable {
    /** Length of a key. */
    public static final int BYTES = 32;

    private final byte[] key;

    private MailKey(byte[] key) {
        this.key = key;
    }

    /**
     * A key from its bytes, which are copied.
     *
     * @throws IllegalArgumentException if there are not 32
     */
    public static MailKey of(byte[] key) {
        if (key.length != BYTES) {
            throw new IllegalArgumentException("a mail key has " + BYTES + " bytes");
        }
        return new MailKey(key.clone());
    }

    /** A copy, to be erased by the caller. */
    public byte[] toBytes() {
        return key.clone();
    }

    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }

    /** In constant time. */
    @Override
    public boolean equals(Object other) {
        return other instanceof MailKey that && MessageDigest.isEqual(key, that.key);
    }

    /** The same for all, since a hash would tell something of the key. */
    @Override
    public int hashCode() {
        return BYTES;
    }

    @Override
    public String toString() {
        return "MailKey[hidden]";
    }
}
