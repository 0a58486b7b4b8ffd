package dev.veilgate.secret;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A secret key: compared in constant time, never printed, of no use once it is destroyed. Its subclasses hold its
 * parts and are safe for use by several threads.
 */
@Secret
public abstract class HiddenKey implements AutoCloseable {
    private final Object[] shown;

    /** @param shown what is public of it, which is printed and hashed; perhaps nothing */
    protected HiddenKey(Object... shown) {
        this.shown = shown.clone();
    }

    /**
     * Canonical encoding, with all that makes two keys of the class different. In clear: the caller seals it with
     * authenticated encryption, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public abstract byte[] encode();

    /** Erases or forgets the key; every later use throws {@link IllegalStateException}. */
    public abstract void destroy();

    /** {@link #destroy}. */
    @Override
    public final void close() {
        destroy();
    }

    /** Refuses a use of the parts of a key that was destroyed. */
    protected static void requireAlive(boolean destroyed) {
        if (destroyed) {
            throw new IllegalStateException("the secret key was destroyed");
        }
    }

    /**
     * Whether both are the same key, in constant time for encodings of one length; a destroyed key equals only
     * itself.
     */
    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof HiddenKey that
                        && getClass() == that.getClass()
                        && sameEncoding(this::encode, that::encode);
    }

    /** False, too, if one of them throws {@link IllegalStateException}, as a destroyed key does; both are wiped. */
    private static boolean sameEncoding(Supplier<byte[]> one, Supplier<byte[]> other) {
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
