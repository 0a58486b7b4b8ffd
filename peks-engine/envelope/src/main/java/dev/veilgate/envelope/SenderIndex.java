package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where each entry of a registry lies, by name, and a short digest of it: 32 bytes an entry. Names are kept as 40 bits of their SHA-256, so that two of them may look alike: who looks
 * one up reads the entries and compares.
 */
final class SenderIndex {
    private static final int PLACE_BITS = 24;
    private static final long PLACES = (1L << PLACE_BITS) - 1;

    private final long[] names;
    private final long[] offsets;
    private final long[] digests;
    private int size;

    SenderIndex(int capacity) {
        if (capacity > PLACES) {
            throw new IllegalArgumentException("at most " + PLACES + " entries");
        }
        names = new long[capacity];
        offsets = new long[capacity];
        digests = new long[2 * capacity];
    }

    /** @param fingerprint SHA-256 of the entry, of which half is kept */
    void add(String name, long offset, byte[] fingerprint) {
        names[size] = hash(name) | size;
        offsets[size] = offset;
        ByteBuffer digest = ByteBuffer.wrap(fingerprint);
        digests[2 * size] = digest.getLong();
        digests[2 * size + 1] = digest.getLong();
        size++;
    }

    /** To be called when all have been added. */
    void sort() {
        Arrays.sort(names, 0, size);
    }

    /** Places of the entries whose name may be this one. */
    int[] candidates(String name) {
        long hash = hash(name);
        int at = Arrays.binarySearch(names, 0, size, hash);
        int from = at < 0 ? -at - 1 : at;
        int to = from;
        while (to < size && (names[to] & ~PLACES) == hash) {
            to++;
        }
        int[] places = new int[to - from];
        for (int i = from; i < to; i++) {
            places[i - from] = (int) (names[i] & PLACES);
        }
        return places;
    }

    long offset(int place) {
        return offsets[place];
    }

    boolean isDigest(int place, byte[] fingerprint) {
        ByteBuffer digest = ByteBuffer.wrap(fingerprint);
        return digests[2 * place] == digest.getLong() && digests[2 * place + 1] == digest.getLong();
    }

    /** Signed order of longs is as good as any. */
    private static long hash(String name) {
        return ByteBuffer.wrap(Hashes.sha256(ByteWriter.utf8(name))).getLong() & ~PLACES;
    }
}
