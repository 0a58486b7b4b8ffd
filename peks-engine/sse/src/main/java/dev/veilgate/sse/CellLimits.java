package dev.veilgate.sse;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Limits of cells in every store. For those who write one. */
public final class CellLimits {
    private CellLimits() {}

    /** @throws IllegalArgumentException if a cell is too large */
    public static void check(byte[] key, byte[] value) {
        if (key.length > CellStore.MAX_KEY_BYTES || value.length > CellStore.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("a cell has a key of at most " + CellStore.MAX_KEY_BYTES
                    + " bytes and a value of at most " + CellStore.MAX_VALUE_BYTES);
        }
    }

    /** The first key that is behind all that begin with a prefix; null if there is none. */
    public static byte @Nullable [] after(byte[] prefix) {
        for (int length = prefix.length; length > 0; length--) {
            if (prefix[length - 1] != (byte) 0xff) {
                byte[] after = Arrays.copyOf(prefix, length);
                after[length - 1]++;
                return after;
            }
        }
        return null;
    }

    /** Whether a key begins with a prefix. */
    public static boolean beginsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
