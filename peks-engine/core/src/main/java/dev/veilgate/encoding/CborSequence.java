package dev.veilgate.encoding;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A stream of CBOR items one after the other (RFC 8742), untrusted: what several envelopes in one file or pipe are. An item says itself
 * where it ends, so it only takes writing them one behind the other to join them.
 *
 * <p>This finds where each item ends, within a bound; the format's own decoder checks everything else. The stream should be buffered.
 */
public final class CborSequence {
    private static final int FIRST_BYTES = 1 << 12;

    private final String what;
    private final InputStream in;
    private final int maxItemBytes;
    private byte[] item = new byte[FIRST_BYTES];
    private int length;

    /**
     * @param what         the format's name, for errors
     * @param maxItemBytes longer items are refused; memory stays within twice this
     */
    public CborSequence(String what, InputStream in, int maxItemBytes) {
        this.what = what;
        this.in = in;
        this.maxItemBytes = maxItemBytes;
    }

    /**
     * The next item's bytes; empty at the end of the stream.
     *
     * @throws MalformedEncodingException if there is no item, a longer one, or only the beginning of one; nothing can be read behind it
     */
    public Optional<byte[]> next() throws IOException, MalformedEncodingException {
        length = 0;
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        long open = 1; // items still to come
        while (true) {
            open += passHead(first) - 1;
            if (open == 0) {
                return Optional.of(Arrays.copyOf(item, length));
            }
            if (open > maxItemBytes) {
                throw malformed("has more items than bytes");
            }
            first = read();
        }
    }

    /** Takes a head and the bytes of a string; the number of items inside. */
    private long passHead(int first) throws IOException, MalformedEncodingException {
        append(first);
        int type = first >> 5;
        int info = first & 0x1f;
        if (info > 27 || type == 6) {
            throw malformed("must have definite lengths and no tags");
        }
        long argument = info;
        if (info >= 24) {
            argument = 0;
            for (int i = 0; i < 1 << info - 24; i++) {
                int next = read();
                append(next);
                argument = argument << 8 | next;
            }
        }
        if (type < 2 || type == 7) {
            return 0;
        }
        if (argument < 0 || argument > maxItemBytes - length) {
            throw malformed("must have at most " + maxItemBytes + " bytes");
        }
        switch (type) {
            case 2, 3 -> {
                appendFromStream((int) argument);
                return 0;
            }
            case 4 -> {
                return argument;
            }
            default -> {
                return 2 * argument;
            }
        }
    }

    private void append(int value) throws MalformedEncodingException {
        room(1);
        item[length++] = (byte) value;
    }

    /** In steps, so that a length that lies does not reserve memory. */
    private void appendFromStream(int bytes) throws IOException, MalformedEncodingException {
        for (int left = bytes; left > 0; ) {
            int step = Math.min(left, 1 << 16);
            room(step);
            if (in.readNBytes(item, length, step) != step) {
                throw cut();
            }
            length += step;
            left -= step;
        }
    }

    private int read() throws IOException, MalformedEncodingException {
        int next = in.read();
        if (next < 0) {
            throw cut();
        }
        return next;
    }

    private void room(int more) throws MalformedEncodingException {
        if (more > maxItemBytes - length) {
            throw malformed("must have at most " + maxItemBytes + " bytes");
        }
        if (more > item.length - length) {
            item = Arrays.copyOf(item, (int) Math.min(maxItemBytes, Math.max(2L * item.length, length + more)));
        }
    }

    private MalformedEncodingException cut() {
        MalformedEncodingException e = malformed("is cut off: the stream ends inside it");
        e.initCause(new EOFException());
        return e;
    }

    private MalformedEncodingException malformed(String allowed) {
        return new MalformedEncodingException(what, allowed);
    }
}
