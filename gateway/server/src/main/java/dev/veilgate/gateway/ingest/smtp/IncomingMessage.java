package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.transport.smtp.DataReader;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A message between DATA and its end: keeps what {@link DataReader} finds of it, within the limits of size and memory. */
final class IncomingMessage {
    private static final int FIRST_BYTES = 16 << 10;

    /** What was wrong with it, the first only. */
    enum Fault {
        NONE,
        BARE_END,
        LONG_LINE,
        TOO_LARGE,
        NO_MEMORY
    }

    private final MessageMemory.Share memory;
    private final int maxBytes;
    private byte[] bytes = new byte[0];
    private int size;
    private int start;
    private final DataReader data = new DataReader(DataReader.MAX_LINE_BYTES);
    private Fault fault = Fault.NONE;

    /**
     * @param received the field of this hop, with CR LF; does not count towards the size
     * @param maxBytes longest message
     */
    IncomingMessage(byte[] received, int maxBytes, MessageMemory.Share memory) {
        this.memory = memory;
        this.maxBytes = maxBytes;
        this.start = received.length;
        if (reserve(received.length)) {
            System.arraycopy(received, 0, bytes, 0, received.length);
            size = received.length;
        }
    }

    /**
     * Takes what belongs to the message, dots removed as RFC 5321, section 4.5.2, says.
     *
     * @return whether it ended; then what is left in the buffer is the next command
     */
    boolean take(ByteBuf in) {
        ByteBuffer bytes = in.nioBuffer();
        int start = bytes.position();
        boolean ended = data.take(bytes, this::keep);
        in.skipBytes(bytes.position() - start);
        switch (data.fault()) {
            case BARE_END -> fail(Fault.BARE_END);
            case LONG_LINE -> fail(Fault.LONG_LINE);
            case NONE -> {}
        }
        return ended;
    }

    private void keep(ByteBuffer part) {
        int count = part.remaining();
        if (fault == Fault.NONE && reserve(count)) {
            part.get(bytes, size, count);
            size += count;
        }
    }

    private boolean reserve(int more) {
        if (size + more <= bytes.length) {
            return true;
        }
        if ((long) size + more - start > maxBytes) {
            fail(Fault.TOO_LARGE);
            return false;
        }
        int capacity = (int) Math.min(Math.max(FIRST_BYTES, 2L * (size + more)), (long) maxBytes + start);
        if (!memory.take(capacity - bytes.length)) {
            fail(Fault.NO_MEMORY);
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }

    private void fail(Fault why) {
        if (fault == Fault.NONE) {
            fault = why;
            forget();
        }
    }

    /** What was wrong with it. */
    Fault fault() {
        return fault;
    }

    /** The message behind our field; only of one without fault. */
    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** Bytes that it takes of the memory of all messages. */
    int reserved() {
        return bytes.length;
    }

    /** Gives its memory back. */
    void forget() {
        if (bytes.length > 0) {
            memory.giveBack(bytes.length);
        }
        bytes = new byte[0];
        size = 0;
        start = 0;
    }
}
