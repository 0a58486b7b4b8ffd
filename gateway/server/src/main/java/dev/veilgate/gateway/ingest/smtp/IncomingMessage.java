package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.transport.smtp.DataReader;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * A message between DATA and its end: keeps what {@link DataReader} finds of it, within the limits of size and memory.
 * It grows by pieces, so that nothing is copied as it does.
 */
final class IncomingMessage {
    private static final int FIRST_BYTES = 16 << 10;
    private static final int PIECE_BYTES = 256 << 10;
    /** Bytes that may be left of a lost message for it to be read to its end. */
    private static final long IN_VAIN_BYTES = 1 << 20;

    /** Faults of a message; the first counts. */
    enum Fault {
        NONE,
        BARE_END,
        LONG_LINE,
        TOO_LARGE,
        NO_MEMORY
    }

    private final MessageMemory.Share memory;
    private final int maxBytes;
    private final long declaredBytes;
    private final Runnable inVain;
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    private int reserved;
    private int size;
    private int start;
    private final DataReader data = new DataReader(DataReader.MAX_LINE_BYTES);
    private Fault fault = Fault.NONE;

    /**
     * @param received the field of this hop, with CR LF; does not count towards the size
     * @param maxBytes longest message
     * @param declaredBytes what the client says it has; 0 if it does not say
     * @param inVain   run when there is no memory for it and much of it is still to come
     */
    IncomingMessage(byte[] received, int maxBytes, long declaredBytes, MessageMemory.Share memory, Runnable inVain) {
        this.memory = memory;
        this.maxBytes = maxBytes;
        this.declaredBytes = declaredBytes;
        this.inVain = inVain;
        this.start = received.length;
        keep(ByteBuffer.wrap(received));
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
        while (fault == Fault.NONE && part.hasRemaining() && reserve(part.remaining())) {
            byte[] last = pieces.getLast();
            int at = last.length - (reserved - size);
            int count = Math.min(part.remaining(), last.length - at);
            part.get(last, at, count);
            size += count;
        }
    }

    /** Makes room for some of these bytes at least. */
    private boolean reserve(int more) {
        if (size < reserved) {
            return true;
        }
        long most = (long) maxBytes + start;
        if ((long) size + more > most) {
            fail(Fault.TOO_LARGE);
            return false;
        }
        int piece = (int) Math.min(Math.clamp(size + more, FIRST_BYTES, PIECE_BYTES), most - size);
        if (!memory.take(piece)) {
            boolean isMuchLeft = declaredBytes - size > IN_VAIN_BYTES;
            fail(Fault.NO_MEMORY);
            if (isMuchLeft) {
                inVain.run();
            }
            return false;
        }
        pieces.add(new byte[piece]);
        reserved += piece;
        return true;
    }

    private void fail(Fault why) {
        if (fault == Fault.NONE) {
            fault = why;
            forget();
        }
    }

    /** The first fault of it. */
    Fault fault() {
        return fault;
    }

    /** Bytes of the message behind our field, and of that. */
    int size() {
        return size;
    }

    /**
     * The message behind our field; only of one without fault, and once, as its pieces go while they are put together.
     * What it takes of the memory stays taken until {@link #forget}, as the array does.
     */
    byte[] takeBytes() {
        byte[] bytes = new byte[size];
        int at = 0;
        while (!pieces.isEmpty()) {
            byte[] piece = pieces.remove();
            int count = Math.min(piece.length, size - at);
            System.arraycopy(piece, 0, bytes, at, count);
            at += count;
        }
        return bytes;
    }

    /** Bytes that it takes of the memory of all messages. */
    int reserved() {
        return reserved;
    }

    /** Gives its memory back. */
    void forget() {
        if (reserved > 0) {
            memory.giveBack(reserved);
        }
        pieces.clear();
        reserved = 0;
        size = 0;
        start = 0;
    }
}
