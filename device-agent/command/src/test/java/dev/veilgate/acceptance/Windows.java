package dev.veilgate.acceptance;

import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Finds whether bytes hold a part of a plaintext: any 8 bytes in a row of one of its longer words, as written or in small letters. Random bytes are
 * one of a million such parts with a probability of 2^-44.
 */
final class Windows {
    private static final int LENGTH = 8;

    private final Set<Long> windows = new HashSet<>();

    /** Adds the parts of all runs of such bytes in a text. */
    void addWords(byte[] text, IntPredicate isWordByte) {
        int from = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i == text.length || !isWordByte.test(text[i])) {
                for (int at = from; at + LENGTH <= i; at++) {
                    windows.add(window(text, at, false));
                    windows.add(window(text, at, true));
                }
                from = i + 1;
            }
        }
    }

    private static long window(byte[] bytes, int at, boolean small) {
        long window = 0;
        for (int i = at; i < at + LENGTH; i++) {
            int b = bytes[i] & 0xff;
            window = window << 8 | (small && b >= 'A' && b <= 'Z' ? b + 32 : b);
        }
        return window;
    }

    int size() {
        return windows.size();
    }

    /** Where the first part is in some bytes; -1 if nowhere. */
    int indexIn(byte[] bytes) {
        for (int i = 0; i + LENGTH <= bytes.length; i++) {
            if (windows.contains(window(bytes, i, false))) {
                return i;
            }
        }
        return -1;
    }
}
