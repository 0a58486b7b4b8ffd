package dev.veilgate.extract.log;

import java.io.ByteArrayOutputStream;

/**
 * Joins the parts into which container runtimes cut a long line: takes the lines of one file, in their order, and gives
 * records. Lines of other formats are records at once. A record is the lines of its parts as they were written, with
 * line ends between, which {@link LogReader} reads as one line by rules 2. Parts of the two streams of a container may
 * be mixed; records come in the order of their last lines. Keeps at most {@code mostBytes}, and {@link #MOST_LINES}
 * lines, of each stream. For one thread.
 */
public final class LineParts {
    /** Consumer of the records that were joined. */
    @FunctionalInterface
    public interface Taker {
        /**
         * Takes a record.
         *
         * @param buffer valid during the call only
         * @param from   first byte
         * @param to     behind the last byte, without a line end
         * @param lines  of which it was made, 1 or more
         */
        void record(byte[] buffer, int from, int to, int lines);
    }

    /** Lines that one record is made of at most: a megabyte of the shortest parts that a runtime writes. */
    public static final int MOST_LINES = 128;

    private static final int STREAMS = LinePart.STREAMS;

    private final int mostBytes;
    private final ByteArrayOutputStream[] gathered = new ByteArrayOutputStream[STREAMS];
    private final int[] lines = new int[STREAMS];

    /**
     * Joins lines up to a size.
     *
     * @param mostBytes of a record that is made of several lines; what is longer is several records. From 1
     * @throws IllegalArgumentException if it is less
     */
    public LineParts(int mostBytes) {
        if (mostBytes < 1) {
            throw new IllegalArgumentException("mostBytes must be at least 1");
        }
        this.mostBytes = mostBytes;
        for (int i = 0; i < STREAMS; i++) {
            gathered[i] = new ByteArrayOutputStream();
        }
    }

    /**
     * Shows a record of parts as the line that was cut, with the header, or in the object, of its first part alone.
     *
     * @return the record itself if it is not made of several parts of one line
     */
    public static byte[] line(byte[] record) {
        int end = EscapeSequences.find(record, (byte) '\n', 0, record.length);
        LinePart first = end < 0 ? LinePart.NONE : LinePart.of(record, 0, end);
        if (!first.goesOn()) {
            return record;
        }
        boolean isOfDocker = record[0] == '{';
        ByteArrayOutputStream out = new ByteArrayOutputStream(record.length);
        out.write(record, 0, end);
        LinePart part = first;
        int at = end + 1;
        while (end < record.length) {
            end = EscapeSequences.find(record, (byte) '\n', at, record.length);
            end = end < 0 ? record.length : end;
            boolean isNext = part.goesOn();
            part = LinePart.of(record, at, end);
            if (!isNext || part.stream() != first.stream() || (record[at] == '{') != isOfDocker) {
                return record;
            }
            if (!isOfDocker) {
                int text = ContainerLine.content(record, ContainerLine.stream(record, at, end), end);
                out.write(record, text, end - text);
            }
            at = end + 1;
        }
        return isOfDocker ? DockerLine.joined(record, 0, record.length) : out.toByteArray();
    }

    /** Takes the next line, without its line end. */
    public void line(byte[] buffer, int from, int to, Taker taker) {
        LinePart part = LinePart.of(buffer, from, to);
        if (part == LinePart.NONE) {
            taker.record(buffer, from, to, 1);
            return;
        }
        int stream = part.stream();
        if (lines[stream] > 0 && (long) gathered[stream].size() + 1 + to - from > mostBytes) {
            give(stream, taker);
        }
        boolean isWhole = lines[stream] == 0 && (!part.goesOn() || to - from >= mostBytes);
        if (isWhole) {
            taker.record(buffer, from, to, 1);
            return;
        }
        ByteArrayOutputStream out = gathered[stream];
        if (lines[stream] > 0) {
            out.write('\n');
        }
        out.write(buffer, from, to - from);
        lines[stream]++;
        if (!part.goesOn() || lines[stream] == MOST_LINES) {
            give(stream, taker);
        }
    }

    private void give(int stream, Taker taker) {
        byte[] record = gathered[stream].toByteArray();
        int count = lines[stream];
        gathered[stream] = new ByteArrayOutputStream();
        lines[stream] = 0;
        taker.record(record, 0, record.length, count);
    }

    /** Number of lines that wait for the rest of theirs: none of these was given as a record or a part of one. */
    public int waiting() {
        return lines[0] + lines[1];
    }

    /** Gives what waits as it is: at the end of a file, or when the rest does not come. */
    public void end(Taker taker) {
        for (int stream = 0; stream < STREAMS; stream++) {
            if (lines[stream] > 0) {
                give(stream, taker);
            }
        }
    }
}
