package dev.veilgate.archive.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Lines of a file, each with its line feed, where it begins, and no more of it in memory than a bound. */
final class BoundedLines {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte[] NONE = {};

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;
    private long read;
    private long place;
    private boolean cut;

    /**
     * Reads from where a stream is, which is place 0.
     *
     * @param maxBytes most bytes of a line, its end among them
     */
    BoundedLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Bytes before the line that was read last. */
    long place() {
        return place;
    }

    /** Bytes up to the end of the line that was read last. */
    long end() {
        return read;
    }

    /** Tells if the line that was read last has more bytes than it may have; what it gave has one too many. */
    boolean isCut() {
        return cut;
    }

    /** The next line with its line feed, which the last one may lack; empty at the end of the file. */
    byte[] next() throws IOException {
        place = read;
        cut = false;
        if (!fill()) {
            return NONE;
        }
        int first = endInBuffer();
        if (first < to && first - from < maxBytes) { // most lines
            byte[] whole = Arrays.copyOfRange(buffer, from, first + 1);
            from = first + 1;
            read += whole.length;
            return whole;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream(2 * (first - from));
        while (fill()) {
            int end = endInBuffer();
            boolean whole = end < to;
            int stop = whole ? end + 1 : end;
            int room = maxBytes + 1 - line.size();
            line.write(buffer, from, Math.min(room, stop - from));
            read += stop - from;
            from = stop;
            if (whole) {
                break;
            }
        }
        cut = line.size() > maxBytes;
        return line.toByteArray();
    }

    /** The place of the next line feed in the buffer, or the end of what the buffer has. */
    private int endInBuffer() {
        int end = from;
        while (end < to && buffer[end] != '\n') {
            end++;
        }
        return end;
    }

    private boolean fill() throws IOException {
        if (from == to) {
            from = 0;
            to = Math.max(0, in.read(buffer, 0, buffer.length));
        }
        return from < to;
    }
}
