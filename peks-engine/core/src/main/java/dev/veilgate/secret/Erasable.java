package dev.veilgate.secret;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A secret until it is destroyed. Its parts are immutable, most of them objects of the native library's binding: what can be done is to let go of them; their memory, and
 * that of what was computed with them, is the garbage collector's. Never printed. Safe for use by several threads.
 *
 * @param <T> the secret's parts, immutable
 */
@Secret
public final class Erasable<T> {
    private final Function<T, byte[]> encoding;
    private volatile @Nullable T secret;

    /** @param encoding canonical, of a new array */
    public Erasable(T secret, Function<T, byte[]> encoding) {
        this.secret = secret;
        this.encoding = encoding;
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

    /** Its encoding; throws as {@link #get} does. */
    byte[] encode() {
        return encoding.apply(get());
    }

    /** Lets go of it. */
    void destroy() {
        secret = null;
    }
}
