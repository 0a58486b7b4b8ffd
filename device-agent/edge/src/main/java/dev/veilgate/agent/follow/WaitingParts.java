package dev.veilgate.agent.follow;

import dev.veilgate.extract.log.LinePart;
import dev.veilgate.extract.log.LineParts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Lines of one file that wait for the rest of theirs, which a container's runtime cut: where they are, for each stream
 * of the container. Their bytes are read again once the rest is there.
 */
final class WaitingParts {
    /** Parts of one line. */
    static final class Parts {
        private static final long[] NO_PLACES = {};

        /** First byte, and behind the line feed, by turns. */
        private long[] places = NO_PLACES;

        private int lines;
        private long bytes;
        private int checksum;
        private long sinceNanos;
        /** Digest of what is before the first line, as a position has it. */
        private Digest before = Digest.EMPTY;

        int lines() {
            return lines;
        }

        long from(int line) {
            return places[2 * line];
        }

        /** Behind the line feed. */
        long to(int line) {
            return places[2 * line + 1];
        }

        /** Bytes of the lines, with their line feeds. */
        long bytes() {
            return bytes;
        }

        Digest before() {
            return before;
        }

        private void add(long from, long to, byte[] line) {
            if (2 * lines == places.length) {
                places = Arrays.copyOf(places, Math.max(4, 2 * places.length));
            }
            places[2 * lines] = from;
            places[2 * lines + 1] = to;
            lines++;
            bytes += to - from;
            checksum = 31 * checksum + checksum(line);
        }

        private static int checksum(byte[] line) {
            CRC32C sum = new CRC32C();
            sum.update(line);
            return (int) sum.getValue();
        }

        /** Ranges with the first few of these lines. */
        SealedRanges sealed(SealedRanges others, int first) {
            SealedRanges all = others;
            for (int i = 0; i < first; i++) {
                all = all.with(from(i), to(i));
            }
            return all;
        }

        /** The lines as they are in the file now, without their line feeds. */
        List<byte[]> read(FileChannel file) throws IOException {
            List<byte[]> read = new ArrayList<>(lines);
            for (int i = 0; i < lines; i++) {
                read.add(Digest.read(file, from(i), (int) (to(i) - from(i) - 1)));
            }
            return read;
        }

        /** Whether these are the lines that wait. */
        boolean are(List<byte[]> read) {
            int sum = 0;
            for (byte[] line : read) {
                sum = 31 * sum + checksum(line);
            }
            return sum == checksum;
        }
    }

    /**
     * Parts that are one record.
     *
     * @param before where the file stood before the record
     */
    record Joined(FilePosition before, Parts parts) {
        /** Each line as a record: what is behind it is sealed no earlier than it is. */
        List<ReadRecord> apart(ReadRecord whole) {
            List<ReadRecord> lines = new ArrayList<>();
            int from = 0;
            for (int i = 0; i < parts.lines; i++) {
                boolean isLast = i == parts.lines - 1;
                int to = isLast ? whole.bytes().length : from + (int) (parts.to(i) - parts.from(i) - 1);
                byte[] line = Arrays.copyOfRange(whole.bytes(), from, to);
                Origin origin = isLast ? whole.origin()::advance : origin(i);
                lines.add(new ReadRecord(whole.lane(), whole.source(), line, whole.part(), origin));
                from = to + 1;
            }
            return lines;
        }

        private Origin origin(int line) {
            boolean isKnownAgain = before.offset() > 0;
            return isKnownAgain
                    ? (to, bytes) -> to.put(before.with(parts.sealed(before.ahead(), line + 1)))
                    : Origin.NONE;
        }
    }

    /** Nothing waits, and nothing comes to. */
    static final WaitingParts NONE = new WaitingParts(Joining.NONE);

    private final Joining joining;
    private final List<Parts> streams = new ArrayList<>();

    WaitingParts(Joining joining) {
        this.joining = joining;
        for (int i = 0; i < LinePart.STREAMS; i++) {
            streams.add(new Parts());
        }
    }

    /** Makes one record of lines, with line feeds between. */
    static byte[] joined(List<byte[]> lines) {
        if (lines.size() == 1) {
            return lines.getFirst();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            if (out.size() > 0 || line != lines.getFirst()) {
                out.write('\n');
            }
            out.writeBytes(line);
        }
        return out.toByteArray();
    }

    /** The parts of a stream's line. */
    Parts of(int stream) {
        return streams.get(stream);
    }

    boolean isEmpty() {
        for (Parts parts : streams) {
            if (parts.lines > 0) {
                return false;
            }
        }
        return true;
    }

    /** The first line that waits; there must be one. */
    private Parts first() {
        Parts first = null;
        for (Parts parts : streams) {
            boolean isBefore = parts.lines > 0 && (first == null || parts.from(0) < first.from(0));
            first = isBefore ? parts : first;
        }
        if (first == null) {
            throw new IllegalStateException("nothing waits");
        }
        return first;
    }

    /** Where the first line that waits begins; there must be one. */
    long from() {
        return first().from(0);
    }

    /** Digest of what is before {@link #from}. */
    Digest before() {
        return first().before;
    }

    /** Bytes of all lines that wait, with their line feeds. */
    long bytes() {
        return streams.stream().mapToLong(parts -> parts.bytes).sum();
    }

    /**
     * Lets a line wait.
     *
     * @param from   its first byte in the file
     * @param line   without its line feed
     * @param before of what is before it in the file, as a position has it
     * @return whether no other may wait behind it
     */
    boolean add(int stream, long from, byte[] line, Digest before) {
        Parts parts = streams.get(stream);
        if (parts.lines == 0) {
            parts.before = before;
        }
        parts.add(from, from + line.length + 1, line);
        parts.sinceNanos = joining.nanoTime();
        joining.count(1);
        return parts.lines == LineParts.MOST_LINES || !joining.hasRoom();
    }

    /** Whether the parts of a stream have waited as long as they may. */
    boolean isOver(int stream) {
        Parts parts = streams.get(stream);
        return parts.lines > 0 && joining.isOver(parts.sinceNanos);
    }

    /** Takes the parts of a stream's line: they wait no more. */
    Parts take(int stream) {
        Parts taken = streams.set(stream, new Parts());
        joining.count(-taken.lines);
        return taken;
    }

    void clear() {
        for (int i = 0; i < LinePart.STREAMS; i++) {
            take(i);
        }
    }
}
