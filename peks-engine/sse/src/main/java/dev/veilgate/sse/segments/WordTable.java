package dev.veilgate.sse.segments;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Numbers words from 0 on as they are first seen, without an object for each. Their hash has random keys, so that
 * words which somebody chose do not collide.
 */
final class WordTable {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ODD = 0x9e37_79b9_7f4a_7c15L;
    /** Bytes of a word's length, the higher first. */
    static final int LENGTH_BYTES = 2;

    private static final int SMALL = 1 << 7;

    private final long seed;
    private final long factor;
    private final ByteBag words = new ByteBag();
    private int[] places = new int[SMALL];
    private long[] slots = new long[2 * SMALL]; // hash << 32 | number + 1
    private int size;

    WordTable(SecureRandom random) {
        seed = random.nextLong();
        factor = random.nextLong() | 1;
    }

    /** How many words there are. */
    int size() {
        return size;
    }

    /** The bytes of all words, each at its place. */
    byte[] bytes() {
        return words.bytes;
    }

    /** All words by their numbers, each behind its length, and room behind them. */
    byte[] encoded(int room) {
        return Arrays.copyOf(words.bytes, Math.addExact(words.length, room));
    }

    /** Where the bytes of a word begin. */
    int place(int word) {
        return places[word] + LENGTH_BYTES;
    }

    /** How many bytes a word has. */
    int length(int word) {
        byte[] bytes = words.bytes;
        return (bytes[places[word]] & 0xff) << 8 | bytes[places[word] + 1] & 0xff;
    }

    /** Forgets all words. */
    void clear() {
        words.clear();
        if (size > SMALL) {
            slots = new long[2 * SMALL];
        } else {
            Arrays.fill(slots, 0);
        }
        size = 0;
    }

    /**
     * The number of a word.
     *
     * @param length of the word, at most {@link WordBytes#MAX_BYTES}
     */
    int number(byte[] bytes, int from, int length) {
        int hash = hash(bytes, from, length);
        int mask = slots.length - 1;
        int at = hash & mask;
        for (long slot = slots[at]; slot != 0; slot = slots[at]) {
            if ((int) (slot >>> 32) == hash && is((int) slot - 1, bytes, from, length)) {
                return (int) slot - 1;
            }
            at = at + 1 & mask;
        }
        slots[at] = (long) hash << 32 | size + 1;
        return append(bytes, from, length);
    }

    private boolean is(int word, byte[] bytes, int from, int length) {
        int place = place(word);
        return length(word) == length && Arrays.equals(words.bytes, place, place + length, bytes, from, from + length);
    }

    private int append(byte[] bytes, int from, int length) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size] = words.length;
        words.room(LENGTH_BYTES + length);
        words.bytes[words.length++] = (byte) (length >> 8);
        words.bytes[words.length++] = (byte) length;
        words.put(bytes, from, length);
        if (2 * ++size > slots.length) {
            grow();
        }
        return size - 1;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
        int mask = slots.length - 1;
        for (long slot : old) {
            if (slot != 0) {
                int at = (int) (slot >>> 32) & mask;
                while (slots[at] != 0) {
                    at = at + 1 & mask;
                }
                slots[at] = slot;
            }
        }
    }

    private int hash(byte[] bytes, int from, int length) {
        long hash = seed ^ length;
        int end = from + length;
        int at = from;
        for (; at + 8 <= end; at += 8) {
            hash = fold(hash ^ (long) LONGS.get(bytes, at), factor);
        }
        if (at < end) {
            long tail = 0;
            for (int i = end - 1; i >= at; i--) {
                tail = tail << 8 | bytes[i] & 0xff;
            }
            hash = fold(hash ^ tail, factor);
        }
        return (int) (fold(hash, ODD) >>> 16);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }
}
