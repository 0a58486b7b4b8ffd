package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Cuts the bytes of files into records: at line feeds, and lines longer than the limit into parts, if possible behind a space, so that few words
 * are cut. Long runs of zeros are padding: no record has them. One buffer for all files: a line that has no end yet is read again when the file
 * grew.
 */
class LineReader {
    private static final int LEAST_BUFFER_BYTES = 1 << 17;
    private static final int BYTES_A_TURN = 1 << 20;
    /** As many zeros are no part of a line: a writer has left them out, or has not written them yet. */
    static final int LEAST_PADDING_BYTES = 64;

    static final long MORE = -1;
    static final long GONE = -2;

    /** Takes what was cut. */
    interface Lines {
        /** Asked between reading bytes and handing them over: whether they are what was to be read. If not, they are dropped. */
        boolean stillThere() throws IOException, InterruptedException;

        /**
         * A line, or the last part of one.
         *
         * @param consumed bytes of the file that it took, with its line feed
         */
        void line(byte[] bytes, int consumed) throws IOException, InterruptedException;

        /** A part of a line that goes on. */
        void part(byte[] bytes) throws IOException, InterruptedException;

        /** A line that has no line feed, since padding is behind it. */
        void broken(byte[] bytes) throws IOException, InterruptedException;

        /** Notes zeros that are before the next record, and not in it; each time that many more. */
        void padding(int zeros);
    }

    private final int maxRecordBytes;
    private final Joining joining;
    private final ByteBuffer buffer;

    LineReader(int maxRecordBytes) {
        this(maxRecordBytes, Joining.NONE);
    }

    /** @param joining of the lines that were cut before they were written, which is left to who takes them */
    LineReader(int maxRecordBytes, Joining joining) {
        this.maxRecordBytes = maxRecordBytes;
        this.joining = joining;
        this.buffer = ByteBuffer.allocate(Math.max(LEAST_BUFFER_BYTES, maxRecordBytes + 1));
    }

    /** How lines of its files are joined. */
    Joining joining() {
        return joining;
    }

    /** Bytes that a record may have that is made of several lines; 0 if there are none now. */
    int mostJoinedBytes() {
        return Math.min(maxRecordBytes, joining.mostBytes());
    }

    /**
     * Reads lines from a place on, for about a megabyte.
     *
     * @param from a multiple of the form's unit
     * @param to   where the file's data ends
     * @return how many bytes behind the last record were seen and have no line end yet; {@link #MORE} if there is more to read, {@link #GONE} if
     *         what was read is not there any more
     */
    long read(FileChannel file, long from, long to, TextForm form, Lines lines)
            throws IOException, InterruptedException {
        long at = from;
        while (at - from < BYTES_A_TURN) {
            buffer.clear();
            buffer.limit(Math.clamp(to - at, 0, buffer.capacity()));
            while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) > 0) {
                // until full or at the end
            }
            if (!lines.stillThere()) {
                return GONE;
            }
            boolean end = buffer.position() < buffer.capacity();
            int used = cut(buffer.position(), form, lines);
            if (end) {
                return (long) buffer.position() - used;
            }
            at += used;
        }
        return MORE;
    }

    /** Bytes consumed of the first {@code length} of the buffer. */
    private int cut(int length, TextForm form, Lines lines) throws IOException, InterruptedException {
        byte[] bytes = buffer.array();
        int unit = form.unit();
        int from = 0;
        int zeros = 0;
        for (int i = 0; i + unit <= length; i += unit) {
            zeros = form.isZero(bytes, i) ? zeros + unit : 0;
            if (zeros >= LEAST_PADDING_BYTES) {
                int begin = i + unit - zeros;
                int end = i + unit;
                while (end + unit <= length && form.isZero(bytes, end)) {
                    end += unit;
                }
                boolean goesOn = end + unit > length;
                if (goesOn) { // as many stay as it takes to see that there is more of them
                    end -= LEAST_PADDING_BYTES;
                }
                from = parts(bytes, from, begin, form, lines);
                if (from < begin) {
                    lines.broken(Arrays.copyOfRange(bytes, from, begin));
                }
                lines.padding(end - begin);
                from = end;
                if (goesOn) {
                    return from;
                }
                i = end - unit;
                zeros = 0;
            } else if (form.isLineFeed(bytes, i)) {
                from = parts(bytes, from, i, form, lines);
                lines.line(Arrays.copyOfRange(bytes, from, i), i + unit - from);
                from = i + unit;
            }
        }
        return parts(bytes, from, length, form, lines);
    }

    private int parts(byte[] bytes, int from, int to, TextForm form, Lines lines)
            throws IOException, InterruptedException {
        int most = form.rawBytes(maxRecordBytes);
        int unit = form.unit();
        int at = from;
        while (to - at > most) {
            int end = at + most;
            int least = end - most / 8;
            int space = end;
            while (space > least && !form.isSpace(bytes, space - unit)) {
                space -= unit;
            }
            end = space > least ? space : form.isInside(bytes, end) ? end - unit : end;
            lines.part(Arrays.copyOfRange(bytes, at, end));
            at = end;
        }
        return at;
    }
}
