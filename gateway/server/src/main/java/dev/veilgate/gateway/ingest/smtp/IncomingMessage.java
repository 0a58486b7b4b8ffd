package dev.veilgate.gateway.ingest.smtp;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.util.Arrays;

/**
 * A message between DATA and its end. Only CR LF . CR LF ends it.
 *
 * <p>A CR or LF alone is no end of line for us and may be one for a server behind us, or the other way round; whoever could make the two
 * disagree could smuggle a second mail into a first. So a message with one is refused as a whole.
 */
final class IncomingMessage {
    /** Longest line without CR LF (RFC 5321, section 4.5.3.1.6): a server behind us would cut a longer one. */
    static final int MAX_LINE_BYTES = 998;

    private static final int FIRST_BYTES = 16 << 10;

    private enum At {
        LINE_START,
        TEXT,
        CR,
        DOT,
        DOT_CR
    }

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
    private int lineStart;
    private At at = At.LINE_START;
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
            lineStart = size;
        }
    }

    /**
     * Takes what belongs to the message, dots removed as RFC 5321, section 4.5.2, says.
     *
     * @return whether it ended; then what is left in the buffer is the next command
     */
    boolean take(ByteBuf in) {
        while (in.isReadable()) {
            if (at == At.TEXT) {
                takeText(in);
            } else if (step(in.readByte())) {
                return true;
            }
        }
        return false;
    }

    /** Up to the next CR or LF at once. */
    private void takeText(ByteBuf in) {
        int end = in.forEachByte(ByteProcessor.FIND_CRLF);
        int count = (end < 0 ? in.writerIndex() : end) - in.readerIndex();
        if (fault == Fault.NONE && reserve(count)) {
            in.readBytes(bytes, size, count);
            size += count;
        } else {
            in.skipBytes(count);
        }
        if (end >= 0) {
            if (in.readByte() == '\r') {
                at = At.CR;
            } else {
                fail(Fault.BARE_END);
            }
        }
    }

    private boolean step(byte b) {
        switch (at) {
            case LINE_START, TEXT -> {
                if (b == '.' && at == At.LINE_START) {
                    at = At.DOT;
                } else {
                    text(b);
                }
            }
            case DOT -> {
                if (b == '\r') {
                    at = At.DOT_CR;
                } else {
                    text(b);
                }
            }
            case CR -> {
                if (b == '\n') {
                    endLine();
                } else {
                    fail(Fault.BARE_END);
                    at = b == '\r' ? At.CR : At.TEXT;
                }
            }
            case DOT_CR -> {
                if (b == '\n') {
                    return true;
                }
                fail(Fault.BARE_END);
                at = b == '\r' ? At.CR : At.TEXT;
            }
        }
        return false;
    }

    private void text(byte b) {
        if (b == '\r') {
            at = At.CR;
        } else {
            if (b == '\n') {
                fail(Fault.BARE_END);
            }
            put(b);
            at = At.TEXT;
        }
    }

    private void endLine() {
        if (size - lineStart > MAX_LINE_BYTES) {
            fail(Fault.LONG_LINE);
        }
        put((byte) '\r');
        put((byte) '\n');
        lineStart = size;
        at = At.LINE_START;
    }

    private void put(byte b) {
        if (fault == Fault.NONE && reserve(1)) {
            bytes[size++] = b;
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
        lineStart = 0;
    }
}
