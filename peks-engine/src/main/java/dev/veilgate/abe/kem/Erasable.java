package dev.veilgate.abe.kem;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds a secret until it is destroyed. Elements of the groups are immutable objects of the native library's binding: what can be done is to let go
 * of them; their memory is the garbage collector's. Never printed. Safe for use by several threads.
 *
 * @param <T> the secret's parts, immutable
 */
public final class Erasable<T> {
    private volatile @Nullable T secret;

    /** @param secret to be held */
    public Erasable(T secret) {
        this.secret = secret;
    }

    /**
     * The secret.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public T get() {
        T held = secret;
        if (held == null) {
            throw new IllegalStateException("the secret key was destroyed");
        }
        return held;
    }

    /** Lets go of it. */
    public void destroy() {
        secret = null;
    }

    /** Whether both hold the same, in constant time for encodings of one length; false if either was destroyed. */
    public boolean sameAs(Erasable<T> other, Function<T, byte[]> encoding) {
        T mine = secret;
        T theirs = other.secret;
        if (mine == null || theirs == null) {
            return false;
        }
        byte[] a = encoding.apply(mine);
        byte[] b = encoding.apply(theirs);
        try {
            return MessageDigest.isEqual(a, b);
        } finally {
            Arrays.fill(a, (byte) 0);
            Arrays.fill(b, (byte) 0);
        }
    }
}
