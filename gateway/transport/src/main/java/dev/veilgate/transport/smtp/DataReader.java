package dev.veilgate.transport.smtp;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Finds the end of a message between DATA and its end, and takes away the dots that were doubled (RFC 5321, section 4.5.2). Only CR LF . CR LF ends a message, and only CR LF a
 * line. The bytes may come cut anywhere. For one message; reads and writes nothing itself.
 *
 * <p>A CR or LF alone is no end of line here and may be one for a server behind, or the other way round; whoever could make the two disagree could smuggle a
 * second mail into a first. So it is a fault, and a message with one is to be refused as a whole.
 */
public final class DataReader {
    /** Longest line without CR LF (RFC 5321, section 4.5.3.1.6): a server behind would cut a longer one. */
    public static final int MAX_LINE_BYTES = 998;

    private static final byte CR = '\r';
    private static final byte LF = '\n';

    /** What is wrong with a message, the first only. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** A CR or a LF stood alone. */
        BARE_END,
        /** A line is longer than those that are taken. */
        LONG_LINE
    }

    private enum At {
        LINE_START,
        TEXT,
        CR,
        DOT,
        DOT_CR,
        END
    }

    private final long maxLineBytes;
    private long lineBytes;
    private At at = At.LINE_START;
    private Fault fault = Fault.NONE;

    /** @param maxLineBytes longest line without CR LF that is taken */
    public DataReader(long maxLineBytes) {
        this.maxLineBytes = maxLineBytes;
    }

    /** What was wrong with what came so far. */
    public Fault fault() {
        return fault;
    }

    /**
     * Takes what belongs to the message.
     *
     * @param in   is read to its end, or up to the end of the message: what is left then is the next command
     * @param text gets the bytes of the message, in order, the CR LF of the last line included; nothing any more behind a fault. Each part
     *             is what is between a buffer's position and limit, until it returns
     * @return whether the message ended
     */
    public boolean take(ByteBuffer in, Consumer<ByteBuffer> text) {
        while (in.hasRemaining() && at != At.END) {
            switch (at) {
                case LINE_START -> {
                    at = in.get(in.position()) == '.' ? At.DOT : At.TEXT;
                    in.position(in.position() + (at == At.DOT ? 1 : 0));
                }
                case DOT -> at = skip(in, CR) ? At.DOT_CR : At.TEXT;
                case DOT_CR -> {
                    if (skip(in, LF)) {
                        at = At.END;
                    } else {
                        bareCr();
                    }
                }
                case CR -> {
                    if (skip(in, LF)) {
                        endLine(ByteBuffer.wrap(new byte[] {CR, LF}), text);
                    } else {
                        bareCr();
                    }
                }
                default -> takeText(in, text);
            }
        }
        return at == At.END;
    }

    private static boolean skip(ByteBuffer in, byte expected) {
        boolean is = in.get(in.position()) == expected;
        in.position(in.position() + (is ? 1 : 0));
        return is;
    }

    /** The byte behind it is looked at again, as text: it may be another CR. */
    private void bareCr() {
        fail(Fault.BARE_END);
        at = At.TEXT;
    }

    /** Up to the next CR or LF at once, with the CR LF if both are there. */
    private void takeText(ByteBuffer in, Consumer<ByteBuffer> text) {
        int start = in.position();
        int limit = in.limit();
        int end = start;
        while (end < limit && in.get(end) != CR && in.get(end) != LF) {
            end++;
        }
        lineBytes += end - start;
        if (end + 1 < limit && in.get(end) == CR && in.get(end + 1) == LF) {
            in.limit(end + 2);
            endLine(in, text);
            in.limit(limit);
            in.position(end + 2);
            return;
        }
        in.limit(end);
        hand(in, text);
        in.limit(limit);
        in.position(end);
        if (end < limit) {
            if (in.get() == CR) {
                at = At.CR;
            } else {
                fail(Fault.BARE_END);
            }
        }
    }

    private void endLine(ByteBuffer rest, Consumer<ByteBuffer> text) {
        if (lineBytes > maxLineBytes) {
            fail(Fault.LONG_LINE);
        }
        hand(rest, text);
        lineBytes = 0;
        at = At.LINE_START;
    }

    private void hand(ByteBuffer part, Consumer<ByteBuffer> text) {
        if (fault == Fault.NONE && part.hasRemaining()) {
            text.accept(part);
        }
    }

    private void fail(Fault why) {
        if (fault == Fault.NONE) {
            fault = why;
        }
    }
}
