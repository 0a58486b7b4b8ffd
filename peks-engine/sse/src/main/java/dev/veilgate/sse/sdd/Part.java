package dev.veilgate.sse.sdd;

import java.nio.ByteBuffer;

/**
 * A static index of a level under a key of its own. It has the updates {@code [generation * 2^level, (generation + 1) *
 * 2^level)}, counted from 0, whoever merged them: a part is made once, and its name is known from the number of updates
 * alone.
 */
record Part(int level, int generation) {
    /** Bytes of an encoding. */
    static final int BYTES = 8;

    /** The part that has an update. */
    static Part of(int level, int update) {
        return new Part(level, update >> level);
    }

    /** How many updates it has. */
    int size() {
        return 1 << level;
    }

    /** Number of its first update. */
    int first() {
        return generation << level;
    }

    /** Level and generation, 4 bytes each. */
    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putInt(level).putInt(generation).array();
    }

    /** The encoding and something behind it. */
    byte[] with(byte[] key, int at, int length) {
        byte[] both = new byte[BYTES + length];
        System.arraycopy(encode(), 0, both, 0, BYTES);
        System.arraycopy(key, at, both, BYTES, length);
        return both;
    }
}
