package dev.veilgate.secret;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A secret key that is held in an {@link Erasable}: compared in constant time, never printed, safe for use by several threads. A key of arrays, which can be erased, holds
 * them itself and takes only {@link #sameEncoding} from here.
 */
@Secret
public abstract class ErasableKey implements AutoCloseable {
    private final Erasable<?> secret;
    private final Object[] shown;

    /**
     * A key that is alive.
     *
     * @param secret encoded with all that makes two keys of the class different
     * @param shown  what is public of it, which is printed and hashed; perhaps nothing
     */
    protected ErasableKey(Erasable<?> secret, Object... shown) {
        this.secret = secret;
        this.shown = shown.clone();
    }

    /**
     * Canonical encoding. In clear: the caller seals it with authenticated encryption, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public final byte[] encode() {
        return secret.encode();
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        secret.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public final void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time for encodings of one length; a destroyed key equals only itself. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof ErasableKey that
                        && getClass() == that.getClass()
                        && sameEncoding(this::encode, that::encode);
    }

    /**
     * Whether two keys have one encoding, in constant time for encodings of one length; both are wiped.
     *
     * @return false, too, if one of them throws {@link IllegalStateException}, as a destroyed key does
     */
    public static boolean sameEncoding(Supplier<byte[]> one, Supplier<byte[]> other) {
        byte[] mine = new byte[0];
        byte[] theirs = new byte[0];
        try {
            mine = one.get();
            theirs = other.get();
            return MessageDigest.isEqual(mine, theirs);
        } catch (IllegalStateException e) {
            return false;
        } finally {
            Arrays.fill(mine, (byte) 0);
            Arrays.fill(theirs, (byte) 0);
        }
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(shown);
    }

    @Override
    public final String toString() {
        return Stream.concat(Stream.of("hidden"), Stream.of(shown).map(Object::toString))
                .collect(Collectors.joining(", ", getClass().getSimpleName() + "[", "]"));
    }
}
