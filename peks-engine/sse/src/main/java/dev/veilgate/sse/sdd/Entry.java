package dev.veilgate.sse.sdd;

import java.nio.ByteBuffer;

/**
 * An update: a word was added to a document, or deleted from it.
 *
 * @param high first half of the word's handle
 * @param low  second half of it
 * @param id   of the document
 */
record Entry(long high, long low, long id, boolean deletion) {
    /** Bytes of an encoding. */
    static final int BYTES = 28;

    /** The word's handle alone. */
    Handle handle() {
        return new Handle(high, low);
    }

    /** Writes {@value #BYTES} bytes. */
    void write(ByteBuffer out) {
        out.putLong(high).putLong(low).putLong(id).putInt(deletion ? 1 : 0);
    }

    /** The bytes that {@link #write} writes. */
    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        write(out);
        return out.array();
    }

    /** The inverse of {@link #write}; what was written was authentic. */
    static Entry read(ByteBuffer in) {
        return new Entry(in.getLong(), in.getLong(), in.getLong(), in.getInt() != 0);
    }

    /** Shows nothing: with the archive's key the handle names the word. */
    @Override
    public String toString() {
        return "Entry[hidden]";
    }

    /** A word as the owner's structures have it: 16 bytes that a pseudorandom function gives. */
    record Handle(long high, long low) {
        /** Bytes of an encoding. */
        static final int BYTES = 16;

        /** Shows nothing. */
        @Override
        public String toString() {
            return "Handle[hidden]";
        }

        byte[] encode() {
            return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
        }
    }
}
