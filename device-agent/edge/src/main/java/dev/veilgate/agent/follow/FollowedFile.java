package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One open file and how far it was read. It stays open when it is renamed or deleted, so its end is not missed; the
 * open file also keeps its
 * inode from being given to another.
 */
final class FollowedFile implements AutoCloseable {
    private static final int COMPARED_BYTES = 1 << 16;
    private static final int FEW_LINES = 4;
    private static final int LEAST_HEAD_BYTES = 256;
    /** Less than this is the beginning of many a log. */
    private static final int LEAST_BEGINNING_BYTES = 128;

    private static final byte[] NO_BYTES = {};

    private final String path;
    private final String source;
    private final Lane lane;
    private final FileId id;
    private final boolean compressed;
    private boolean searched;
    private FileChannel channel;
    /** As the compressed file was when it was opened. */
    private FileId.@Nullable Status packedStatus;
    /** Not unpacked yet; the channel is that of the compressed file then. */
    private @Nullable PackedFile packed;

    private long offset;
    private DataEnd dataEnd;
    /** Zeros behind the offset that are before the next record; they are passed over together with it. */
    private long padding;
    /** Up to where there is no further line feed. */
    private long scanned;
    /** The largest end of its data seen: what is between the offset and it was there for certain. */
    private long largest;

    /** The first bytes of what was read, until as many are sealed; then their digest is kept. */
    private byte[] head;

    private @Nullable Digest longHead;
    private LastBytes read;
    /** As {@link #read}, of what was sealed. */
    private LastBytes sealed;
    /** The last bytes before the place at which the file was taken up again; null once more was read. */
    private @Nullable Digest resumedTail;

    private TextForm form;
    private String line;
    private int part;
    /** Up to where other files were found to have the same bytes. */
    private final Map<FileId, Long> compared = new HashMap<>();

    private FollowedFile(
            Lane lane, FileChannel channel, FilePosition at, byte[] head, LastBytes last, boolean compressed)
            throws IOException {
        this.path = at.path();
        this.source = FileNames.shown(path);
        this.lane = lane;
        this.channel = channel;
        this.compressed = compressed;
        this.id = at.id();
        this.offset = at.offset();
        this.dataEnd = new DataEnd(at.offset());
        this.scanned = at.offset();
        this.largest = at.offset();
        this.head = at.head().length() == Digest.HEAD_BYTES ? NO_BYTES : head;
        this.read = last;
        this.sealed = last;
        this.longHead = at.head().length() == Digest.HEAD_BYTES ? at.head() : null;
        this.resumedTail = at.tail();
        this.form = at.offset() > 0 ? formOf(at.offset()) : TextForm.BYTES;
        this.line = at.line();
        this.part = at.part();
    }

    /** As it was when bytes up to a place were read. */
    private TextForm formOf(long place) throws IOException {
        TextForm now = TextForm.of(channel);
        return place % now.unit() == 0 ? now : TextForm.BYTES;
    }

    /**
     * Opens a file if it is the one of a position.
     *
     * @param name where it is now
     * @return null if it is another one, or shorter than it was
     */
    static @Nullable FollowedFile open(LogFiles files, Path name, Lane lane, FilePosition at) throws IOException {
        FileChannel channel = files.open(name, at.id());
        boolean same = false;
        try {
            byte[] head = Digest.read(channel, 0, (int) Math.min(at.offset(), Digest.HEAD_BYTES));
            LastBytes last = LastBytes.before(channel, at.offset());
            same = isAt(channel, at); // and was when these were read
            return same ? new FollowedFile(lane, channel, at, head, last, false) : null;
        } finally {
            if (!same) {
                channel.close();
            }
        }
    }

    /**
     * A file of which some parts are in another one, which is deleted when this is closed.
     *
     * @param channel with the parts that the position speaks of, and all that is behind it, at their places
     */
    static FollowedFile unpacked(FileChannel channel, Lane lane, FilePosition at) throws IOException {
        byte[] head = Digest.read(channel, 0, (int) Math.min(at.offset(), Digest.HEAD_BYTES));
        return new FollowedFile(lane, channel, at, head, LastBytes.before(channel, at.offset()), true);
    }

    /** A compressed file of which nothing was read; {@link #unpack} comes before all reading. */
    static FollowedFile packed(PackedFile packed, FileId.Status status, Lane lane, FilePosition start)
            throws IOException {
        FollowedFile file = new FollowedFile(lane, packed.channel(), start, NO_BYTES, LastBytes.NONE, true);
        file.packed = packed;
        file.packedStatus = status;
        return file;
    }

    /** Whether it was compressed, so that nobody writes to it any more. */
    boolean isCompressed() {
        return compressed;
    }

    FileId.@Nullable Status packedStatus() {
        return packedStatus;
    }

    /** Whether nobody has asked yet to which folder it was moved; once. */
    boolean isToBeSearched() {
        boolean first = !searched;
        searched = true;
        return first;
    }

    /** Unpacks it, unless that is done. */
    void unpack() throws IOException {
        PackedFile from = packed;
        if (from == null) {
            return;
        }
        FileChannel unpacked = from.unpack(position());
        if (unpacked != null) {
            from.close();
            channel = unpacked;
            dataEnd = new DataEnd(offset);
            packed = null;
        }
    }

    /**
     * Whether all of a compressed file is in this one, which then is read here.
     *
     * @param head of what was compressed
     * @throws CutException if this file was cut since, so that the compressed one is what it was before
     */
    boolean hasAll(PackedFile other, byte[] head) throws IOException {
        if (compressed) {
            return false;
        }
        if (Arrays.equals(head, Digest.read(channel, 0, head.length)) && other.isIn(channel)) {
            return true;
        }
        if (wasTruncated() && offset > 0 && other.restOf(position()) != PackedFile.Rest.NONE) {
            throw new CutException();
        }
        return false;
    }

    private static boolean isAt(FileChannel channel, FilePosition at) throws IOException {
        return channel.size() >= at.offset()
                && at.head().isAt(channel, 0)
                && at.tail().isAt(channel, at.offset() - at.tail().length());
    }

    /**
     * Whether another file is the copy, or a part of it, that is made of this one before it is cut: not longer, and
     * all its bytes are this one's. What was compared once is not
     * compared again, once there is a tail by which a cut is seen.
     *
     * @throws CutException if this file was cut by now: a copy of what it was looks like any other file then
     */
    boolean looksLike(LogFiles files, Path other, FileId.Status status) throws IOException {
        if (packed != null) {
            return false;
        }
        boolean same;
        try (FileChannel copy = files.open(other, status.id())) {
            long length = files.dataEnd(copy, status, 0);
            same = length > 0
                    && length <= channel.size()
                    && hasBytesOf(copy, status.id(), length)
                    && (length < offset || isAt(copy, position()));
        }
        if (wasTruncated()) {
            throw new CutException();
        }
        return same;
    }

    /** Log files have equal beginnings of any length, such as the names of columns: only all bytes prove a copy. */
    private boolean hasBytesOf(FileChannel copy, FileId id, long end) throws IOException {
        // of a file of which nothing was read nobody sees that it was cut, so what was compared may be gone
        long before = offset == 0 ? 0 : compared.getOrDefault(id, 0L);
        // another file may have the inode of one that was compared
        boolean further = before <= end && hasSameEnds(copy, before);
        long at = further ? before : 0;
        while (at < end) {
            int length = (int) Math.min(COMPARED_BYTES, end - at);
            byte[] bytes = Digest.read(copy, at, length);
            if (bytes.length < length || !Arrays.equals(bytes, Digest.read(channel, at, length))) {
                compared.remove(id);
                return false;
            }
            at += length;
        }
        compared.put(id, at);
        return true;
    }

    private boolean hasSameEnds(FileChannel copy, long length) throws IOException {
        int few = (int) Math.min(length, Digest.HEAD_BYTES);
        return Arrays.equals(Digest.read(copy, 0, few), Digest.read(channel, 0, few))
                && Arrays.equals(Digest.read(copy, length - few, few), Digest.read(channel, length - few, few));
    }

    FileId id() {
        return id;
    }

    long offset() {
        return offset;
    }

    /** Without the zeros behind its data, as far as they were searched. */
    long size() throws IOException {
        return packed != null ? channel.size() : dataEnd.of(channel);
    }

    /**
     * Whether this file and another one, which was before it, have much in common: at least four lines, and half of
     * those in the first 64 KiB of the shorter; half of the other's if it has fewer.
     */
    boolean hasLinesOf(FollowedFile other) throws IOException {
        Set<String> lines = new HashSet<>(firstLines(other.channel));
        List<String> own = firstLines(channel);
        long common = own.stream().filter(lines::contains).count();
        return lines.size() < FEW_LINES
                ? common > 0 && 2 * common >= lines.size()
                : common >= FEW_LINES && 2 * common >= Math.min(own.size(), lines.size());
    }

    /** Digest of the first bytes by which files are found that may have the same lines; empty if there are too few. */
    Digest beginning() throws IOException {
        byte[] first = compressed ? NO_BYTES : Digest.read(channel, 0, LEAST_BEGINNING_BYTES);
        return first.length < LEAST_BEGINNING_BYTES ? Digest.EMPTY : Digest.of(first, 0, first.length);
    }

    /**
     * Whether this file and another one begin with the same bytes: a kilobyte at least, or all of the shorter one, and
     * more than one line, since many a log begins with the names of its columns.
     */
    boolean beginsWithLinesOf(FollowedFile other) throws IOException {
        return beginsWithLinesOf(other.channel, other.size());
    }

    /** As {@link #beginsWithLinesOf(FollowedFile)}, for one that nobody follows, with as many bytes. */
    boolean beginsWithLinesOf(FileChannel other, long length) throws IOException {
        byte[] own = Digest.read(channel, 0, (int) Math.min(size(), COMPARED_BYTES));
        byte[] others = Digest.read(other, 0, (int) Math.min(length, COMPARED_BYTES));
        int mismatch = Arrays.mismatch(own, others);
        int same = mismatch < 0 ? own.length : mismatch;
        int lines = 0;
        for (int i = 0; i < same; i++) {
            lines += own[i] == '\n' ? 1 : 0;
        }
        return same >= Math.min(Digest.HEAD_BYTES, Math.min(own.length, others.length)) && lines > 1;
    }

    private static List<String> firstLines(FileChannel of) throws IOException {
        String text = new String(Digest.read(of, 0, COMPARED_BYTES), StandardCharsets.ISO_8859_1);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /**
     * Whether the file begins with the bytes by which another one, of a position, is known, and they are more than a
     * line or two, or all that was read of it.
     */
    boolean beginsLike(FilePosition at) throws IOException {
        boolean telling = at.head().length() >= LEAST_HEAD_BYTES || at.head().length() == at.offset();
        return telling
                && at.head().length() > 0
                && !at.head().isOfZeros()
                && at.head().isAt(channel, 0);
    }

    /** Whether a file that was written again has what it had before a place, as one that was edited has. */
    boolean stillHasSomeOf(FilePosition at) throws IOException {
        return beginsLike(at)
                || at.tail().length() > 0
                        && at.tail().isAt(channel, at.offset() - at.tail().length());
    }

    /** Up to where bytes were looked at. */
    long seen() {
        return scanned;
    }

    /** Bytes that were seen behind the offset: certainly lost if the file is cut now and there is no copy. */
    long unread() {
        return largest - offset - padding;
    }

    /** Whether the file was cut, or cut and written again. */
    boolean wasTruncated() throws IOException {
        long size = channel.size();
        if (size < Math.max(offset, largest)) {
            return true;
        }
        Digest resumed = resumedTail;
        return resumed != null && !resumed.isAt(channel, offset - resumed.length())
                || !read.areBefore(offset, channel)
                || !beginsAsItDid();
    }

    private boolean beginsAsItDid() throws IOException {
        return longHead != null ? longHead.isAt(channel, 0) : Arrays.equals(head, Digest.read(channel, 0, head.length));
    }

    /**
     * Passes over all that is behind the offset, if another file has the same bytes there: they are read in it.
     *
     * @return whether it has
     */
    boolean skipWhatIsIn(FollowedFile other) throws IOException {
        long size = dataEnd.ofAll(channel);
        if (other.channel.size() < size) {
            return false;
        }
        for (long at = offset; at < size; ) {
            int length = (int) Math.min(COMPARED_BYTES, size - at);
            byte[] bytes = Digest.read(channel, at, length);
            if (bytes.length < length || !Arrays.equals(bytes, Digest.read(other.channel, at, length))) {
                return false;
            }
            at += length;
        }
        if (longHead == null) {
            head = Digest.read(channel, 0, (int) Math.min(size, Digest.HEAD_BYTES));
        }
        read = LastBytes.before(channel, size);
        sealed = read;
        resumedTail = null;
        offset = size;
        padding = 0;
        form = formOf(size);
        scanned = size;
        largest = size;
        line = "";
        part = 0;
        return true;
    }

    /** What came of a read. */
    enum Read {
        SOME,
        NOTHING,
        /** It was cut while it was read; nothing was taken of what was seen then. */
        CUT
    }

    /** Whether what was read of a file's beginning is what was to be read. */
    interface Check {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Reads what is new. */
    Read read(LineReader reader, RecordSink sink) throws IOException, InterruptedException {
        return read(reader, sink, () -> true);
    }

    /**
     * Reads what is new.
     *
     * @param beginning asked behind a read from the file's beginning: there is nothing before it by which to see that
     *                  it was cut
     */
    Read read(LineReader reader, RecordSink sink, Check beginning) throws IOException, InterruptedException {
        long found = dataEnd.of(channel);
        if (found <= scanned) {
            return Read.NOTHING;
        }
        if (offset == 0) {
            form = TextForm.of(channel);
            if (scanned == 0
                    && form == TextForm.BYTES
                    && TextForm.hasZeros(Digest.read(channel, 0, LEAST_HEAD_BYTES))) {
                sink.notice(
                        "a file has a zero in each character, as UTF-16 has: without a byte order mark none of its words can be found");
            }
        }
        long size = Math.min(channel.size(), (found + form.unit() - 1) / form.unit() * form.unit());
        long before = offset + padding;
        long open = reader.read(channel, before, size, form, new LineReader.Lines() {
            @Override
            public boolean stillThere() throws IOException, InterruptedException {
                // of a file that was cut since its size was asked, other bytes were read than were there then
                boolean there = (offset == 0 ? channel.size() >= size && beginning.holds() : !wasTruncated())
                        && isStillPadded();
                if (there) {
                    largest = Math.max(largest, size); // not of what was written after a cut
                }
                return there;
            }

            @Override
            public void line(byte[] bytes, int consumed) throws IOException, InterruptedException {
                emit(bytes, consumed, End.LINE_FEED, sink);
            }

            @Override
            public void part(byte[] bytes) throws IOException, InterruptedException {
                emit(bytes, bytes.length, End.GOES_ON, sink);
            }

            @Override
            public void broken(byte[] bytes) throws IOException, InterruptedException {
                emit(bytes, bytes.length, End.PADDING, sink);
            }

            @Override
            public void padding(int zeros) {
                padding += zeros;
            }
        });
        if (open == LineReader.GONE) {
            padding = 0;
            scanned = offset;
            return Read.CUT;
        }
        long read = offset + padding;
        scanned = open == LineReader.MORE ? read : read + open;
        largest = Math.max(largest, scanned);
        return read > before ? Read.SOME : Read.NOTHING;
    }

    /** Tells if the zeros that were passed over are zeros still, and nobody has written a line in their place. */
    private boolean isStillPadded() throws IOException {
        int few = (int) Math.min(padding, LineReader.LEAST_PADDING_BYTES);
        return Arrays.equals(new byte[few], Digest.read(channel, offset, few));
    }

    /** Hands over what follows the last line feed, since no more will come. */
    void finish(LineReader reader, RecordSink sink) throws IOException, InterruptedException {
        dataEnd.ofAll(channel);
        Read read = read(reader, sink);
        while (read == Read.SOME) { // to the last line feed
            read = read(reader, sink);
        }
        if (read == Read.CUT || wasTruncated()) {
            return; // what is behind the place is not this file's any more
        }
        long from = offset + padding;
        int rest = (int) (scanned - from); // at most a record, or it would have been cut
        if (rest > 0) {
            byte[] bytes = Digest.read(channel, from, rest);
            emit(bytes, bytes.length, End.OF_FILE, sink);
        }
        scanned = offset;
    }

    /** What is behind a record. */
    private enum End {
        LINE_FEED,
        GOES_ON,
        PADDING,
        OF_FILE
    }

    private void emit(byte[] bytes, int consumed, End end, RecordSink sink) throws IOException, InterruptedException {
        if ((end == End.GOES_ON || end == End.OF_FILE) && line.isEmpty()) {
            line = Integer.toUnsignedString(ThreadLocalRandom.current().nextInt());
            part = 1;
        }
        boolean last = end != End.GOES_ON;
        byte[] record = form.record(bytes, offset == 0 && padding == 0);
        String name = line.isEmpty() ? "" : line + "." + part + (end == End.LINE_FEED ? ".end" : "");
        byte[] raw = end == End.LINE_FEED ? form.withLineFeed(bytes) : bytes;
        boolean isRecord = form == TextForm.BYTES && padding == 0 && end != End.PADDING;
        if (padding > 0) { // as many of its last zeros as are remembered of a beginning or an end
            byte[] padded = new byte[(int) Math.min(padding, Digest.HEAD_BYTES) + raw.length];
            System.arraycopy(raw, 0, padded, padded.length - raw.length, raw.length);
            raw = padded;
        }
        remember(raw);
        offset += padding + consumed;
        padding = 0;
        line = last ? "" : line;
        part = last ? 0 : part + 1;
        byte[] kept = isRecord ? null : raw;
        Mark mark = new Mark(offset, end == End.LINE_FEED, kept, line, part);
        sink.accept(new ReadRecord(lane, source, record, name, mark));
    }

    private void remember(byte[] all) {
        if (longHead == null && head.length < Digest.HEAD_BYTES) {
            int more = Math.min(Digest.HEAD_BYTES - head.length, all.length);
            byte[] longer = Arrays.copyOf(head, head.length + more);
            System.arraycopy(all, 0, longer, head.length, more);
            head = longer;
        }
        read = read.and(all);
        resumedTail = null;
    }

    /** Where it stands. */
    FilePosition position() {
        Digest resumed = resumedTail;
        Digest tailDigest = resumed != null ? resumed : read.digest();
        return new FilePosition(path, id, offset, headAt(offset), tailDigest, line, part, false);
    }

    private Digest headAt(long place) {
        return longHead != null ? longHead : Digest.of(head, 0, (int) Math.min(place, head.length));
    }

    /** Behind a record of this file. */
    private final class Mark implements Origin {
        private final long end;
        private final boolean lineFeed;
        /** What was read, where it is not the record. */
        private final byte @Nullable [] raw;

        private final String inLine;
        private final int nextPart;

        Mark(long end, boolean lineFeed, byte @Nullable [] raw, String inLine, int nextPart) {
            this.end = end;
            this.lineFeed = lineFeed;
            this.raw = raw;
            this.inLine = inLine;
            this.nextPart = nextPart;
        }

        @Override
        public void advance(Positions positions, byte[] record) {
            byte[] last = raw != null ? raw : lineFeed ? form.withLineFeed(record) : record;
            sealed = end == offset ? read : sealed.and(last); // the same bytes; one array then
            if (longHead == null && end >= Digest.HEAD_BYTES) {
                longHead = Digest.of(head, 0, Digest.HEAD_BYTES);
                head = NO_BYTES;
            }
            positions.put(new FilePosition(path, id, end, headAt(end), sealed.digest(), inLine, nextPart, false));
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // was only read
        }
    }
}
