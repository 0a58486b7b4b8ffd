package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * From the bytes of a token to its keyword, without allocation for a token seen lately. Bounded: sets of {@link #WAYS} entries; a new one takes the place of the
 * one that was not seen for longest, but never of one of the current record, so that asking twice within a record gives the same entry twice
 * or nothing twice. The hash is keyed with a random number: whoever writes the records cannot aim at a set.
 */
final class KeywordCache {
    static final int WAYS = 4;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** A keyword and when it was last seen. */
    static final class Entry {
        final Keyword keyword;
        private final byte[] key;
        private final int kind;
        long record;

        Entry(Keyword keyword, byte[] key, int kind) {
            this.keyword = keyword;
            this.key = key;
            this.kind = kind;
        }
    }

    private final long seed = new SecureRandom().nextLong() | 1;
    private final long[] hashes;
    private final @Nullable Entry[] entries;
    private final int mask;

    /** @param sets a power of two */
    KeywordCache(int sets) {
        hashes = new long[sets * WAYS];
        entries = new Entry[sets * WAYS];
        mask = (sets - 1) * WAYS;
    }

    /**
     * The entry of a token.
     *
     * @param kind   a {@link TokenKind}'s ordinal, or -1 for "field, zero byte, value"
     * @param record the current record's number, 1 and more
     * @return null if it is new and all places are taken by other tokens of this record
     */
    @Nullable
    Entry entry(int kind, byte[] bytes, int from, int to, long record) {
        long hash = hash(kind, bytes, from, to);
        int set = (int) (hash >>> 40) * WAYS & mask;
        int oldest = set;
        long oldestRecord = Long.MAX_VALUE;
        for (int i = set; i < set + WAYS; i++) {
            Entry entry = entries[i];
            if (entry == null) {
                oldest = i;
                oldestRecord = 0;
            } else if (hashes[i] == hash
                    && entry.kind == kind
                    && Arrays.equals(entry.key, 0, entry.key.length, bytes, from, to)) {
                return entry;
            } else if (entry.record < oldestRecord) {
                oldest = i;
                oldestRecord = entry.record;
            }
        }
        if (oldestRecord == record) {
            return null;
        }
        Entry entry = new Entry(keyword(kind, bytes, from, to), Arrays.copyOfRange(bytes, from, to), kind);
        hashes[oldest] = hash;
        entries[oldest] = entry;
        return entry;
    }

    /** The keyword of a token. */
    static Keyword keyword(int kind, byte[] bytes, int from, int to) {
        if (kind >= 0) {
            return Keyword.text(KINDS[kind].field(), new String(bytes, from, to - from, StandardCharsets.UTF_8));
        }
        int end = from;
        while (bytes[end] != 0) {
            end++;
        }
        return Keyword.text(
                new String(bytes, from, end - from, StandardCharsets.UTF_8),
                new String(bytes, end + 1, to - end - 1, StandardCharsets.UTF_8));
    }

    private static final TokenKind[] KINDS = TokenKind.values();

    private long hash(int kind, byte[] bytes, int from, int to) {
        long hash = seed + kind * MULTIPLIER ^ (long) (to - from) << 48;
        int at = from;
        for (; at + 8 <= to; at += 8) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at));
        }
        long rest = 0;
        if (at < to) {
            if (at + 8 <= bytes.length) {
                rest = (long) LONGS.get(bytes, at) & -1L >>> 8 * (8 - (to - at));
            } else {
                for (int i = to - 1; i >= at; i--) {
                    rest = rest << 8 | bytes[i] & 0xff;
                }
            }
        }
        return mix(mix(hash ^ rest) + MULTIPLIER);
    }

    private long mix(long value) {
        long odd = seed ^ MULTIPLIER << 1;
        return Math.multiplyHigh(value, odd) ^ value * odd;
    }
}
