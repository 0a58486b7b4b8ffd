package dev.veilgate.sse.sdd;

import dev.veilgate.sse.sdd.map.MapShape;
import dev.veilgate.sse.sdd.map.Sealer;
import java.nio.ByteBuffer;

/** Lengths and parts of messages of {@code sdd}. */
final class SddFormat {
    /** Bytes of a sealed entry. */
    static final int SLOT_BYTES = Entry.BYTES + Sealer.OVERHEAD;

    /** Bytes of a bucket in a message: its number, or its generation, and the seal. */
    static final int CELL_BYTES = Integer.BYTES + MapShape.BUCKET_BYTES;

    /** Bytes of a way: level, depth of the first bucket, leaf. */
    static final int WAY_BYTES = 8;

    private static final int SLOT = 0x736c6f74;

    private SddFormat() {}

    /** Bytes that are authentic with a sealed entry. */
    static byte[] context(int level, int entry) {
        return ByteBuffer.allocate(12).putInt(level).putInt(entry).putInt(SLOT).array();
    }

    /** Two numbers as a key of a cell. */
    static byte[] key(int level, int number) {
        return ByteBuffer.allocate(8).putInt(level).putInt(number).array();
    }

    /**
     * Buckets that are read.
     *
     * @param from depth of the first one
     */
    record Way(int level, int from, int leaf) {
        void write(ByteBuffer out) {
            out.put((byte) level).put((byte) from).putShort((short) 0).putInt(leaf);
        }

        static Way read(ByteBuffer in) {
            int level = in.get();
            int from = in.get();
            in.getShort();
            return new Way(level, from, in.getInt());
        }
    }
}
