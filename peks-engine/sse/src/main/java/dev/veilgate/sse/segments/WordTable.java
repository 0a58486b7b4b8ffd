package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.Keyword;
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
    private static final int LENGTH_BYTES = 2;

    private final long seed;
    private final long factor;
    private final ByteBag words = new ByteBag();
    private int[] places = new int[1 << 10];
    private long[] slots = new long[1 << 11]; // hash << 32 | number + 1
    private int size;
    private final byte[] scratch = new byte[WordBytes.MAX_BYTES + 8]; // read in words of 8 bytes
    private String lastField = "";
    private int lastHead;

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

    /** Where the bytes of a word begin. */
    int place(int word) {
        return places[word] + LENGTH_BYTES;
    }

    /** How many bytes a word has. */
    int length(int word) {
        byte[] bytes = words.bytes;
        return (bytes[places[word]] & 0xff) << 8 | bytes[places[word] + 1] & 0xff;
    }

    /** The number of a word. */
    int number(Keyword word) {
        int length = encode(word);
        int hash = hash(length);
        int mask = slots.length - 1;
        int at = hash & mask;
        for (long slot = slots[at]; slot != 0; slot = slots[at]) {
            if ((int) (slot >>> 32) == hash && is((int) slot - 1, length)) {
                return (int) slot - 1;
            }
            at = at + 1 & mask;
        }
        slots[at] = (long) hash << 32 | size + 1;
        return append(length);
    }

    private boolean is(int word, int length) {
        int place = place(word);
        return length(word) == length && Arrays.equals(words.bytes, place, place + length, scratch, 0, length);
    }

    private int append(int length) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size] = words.length;
        words.room(LENGTH_BYTES + length);
        words.bytes[words.length++] = (byte) (length >> 8);
        words.bytes[words.length++] = (byte) length;
        words.put(scratch, 0, length);
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

    /** {@link WordBytes#of} into the scratch array; the field's bytes are there already if it is the last one's. */
    private int encode(Keyword word) {
        String field = word.field();
        if (!field.equals(lastField)) {
            byte[] utf8 = ByteWriter.utf8(field);
            scratch[0] = (byte) utf8.length;
            System.arraycopy(utf8, 0, scratch, 1, utf8.length);
            lastHead = 3 + utf8.length;
            lastField = field;
        }
        scratch[lastHead - 2] = (byte) (word.isInterval() ? WordBytes.INTERVAL : WordBytes.TEXT);
        scratch[lastHead - 1] = (byte) word.level();
        String value = word.value();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                byte[] utf8 = ByteWriter.utf8(value);
                System.arraycopy(utf8, 0, scratch, lastHead, utf8.length);
                return lastHead + utf8.length;
            }
            scratch[lastHead + i] = (byte) c;
        }
        return lastHead + value.length();
    }

    private int hash(int length) {
        long hash = seed ^ length;
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            hash = fold(hash ^ (long) LONGS.get(scratch, at), factor);
        }
        if (at < length) {
            long tail = (long) LONGS.get(scratch, at) & -1L >>> 8 * (8 - (length - at));
            hash = fold(hash ^ tail, factor);
        }
        return (int) (fold(hash, ODD) >>> 16);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }
}
