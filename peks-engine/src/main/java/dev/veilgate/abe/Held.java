package dev.veilgate.abe;

import dev.veilgate.abe.kem.Erasable;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/** A scheme's secret key until it is destroyed, with what the scheme does to it. */
final class Held<T> {
    private final Erasable<T> key;
    private final Function<T, byte[]> encoding;
    private final Consumer<T> destroyer;

    Held(T key, Function<T, byte[]> encoding, Consumer<T> destroyer) {
        this.key = new Erasable<>(key);
        this.encoding = encoding;
        this.destroyer = destroyer;
    }

    T get() {
        return key.get();
    }

    byte[] encode() {
        return encoding.apply(get());
    }

    /** The scheme's own key is destroyed too: somebody may be at work with it. */
    void destroy() {
        try {
            destroyer.accept(key.get());
        } catch (IllegalStateException e) {
            return; // was destroyed already
        }
        key.destroy();
    }

    /** In constant time for encodings of the same length; false if one is destroyed. */
    boolean sameAs(Held<?> other) {
        byte[] mine = new byte[0];
        byte[] theirs = new byte[0];
        try {
            mine = encode();
            theirs = other.encode();
            return MessageDigest.isEqual(mine, theirs);
        } catch (IllegalStateException e) {
            return false;
        } finally {
            Arrays.fill(mine, (byte) 0);
            Arrays.fill(theirs, (byte) 0);
        }
    }
}
