package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.extract.log.LinePart;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One open file and how far it was read. It stays open when it is renamed or deleted, so its end is not missed; the
 * open file also keeps its
 * inode from being given to another.
 */
final class FollowedFile implements AutoCloseable {
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

    private final RememberedBytes known;
    private TextForm form;
    private String line;
    private int part;
    /** Lines that were read and are not handed over. */
    private WaitingParts waiting = WaitingParts.NONE;
    /** Handed over, behind the first line that waits. */
    private SealedRanges ahead;
    /** Tells if lines were read that nobody was handed since the last record. */
    private boolean hasPassed;

    private int mostJoined;

    /** Up to where other files were found to have the same bytes. */
    private final Map<FileId, Long> compared = new HashMap<>();

    private FollowedFile(Lane lane, FileChannel channel, FilePosition at, RememberedBytes known, boolean compressed)
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
        this.known = known;
        this.form = at.offset() > 0 ? formOf(at.offset()) : TextForm.BYTES;
        this.line = at.line();
        this.part = at.part();
        this.ahead = at.ahead();
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
            RememberedBytes known = RememberedBytes.of(channel, at);
            same = isAt(channel, at); // and was when these were read
            return same ? new FollowedFile(lane, channel, at, known, false) : null;
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
        return new FollowedFile(lane, channel, at, RememberedBytes.of(channel, at), true);
    }

    /** A compressed file of which nothing was read; {@link #unpack} comes before all reading. */
    static FollowedFile packed(PackedFile packed, FileId.Status status, Lane lane, FilePosition start)
            throws IOException {
        FollowedFile file = new FollowedFile(lane, packed.channel(), start, RememberedBytes.ofNone(start), true);
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
        if (!Beginnings.areSame(copy, channel, further ? before : 0, end)) {
            compared.remove(id);
            return false;
        }
        compared.put(id, end);
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

    /** As {@link Beginnings#haveLinesInCommon}. */
    boolean hasLinesOf(FollowedFile other) throws IOException {
        return Beginnings.haveLinesInCommon(channel, other.channel);
    }

    /** Digest of the first bytes by which files are found that may have the same lines; empty if there are too few. */
    Digest beginning() throws IOException {
        byte[] first = compressed ? NO_BYTES : Digest.read(channel, 0, LEAST_BEGINNING_BYTES);
        return first.length < LEAST_BEGINNING_BYTES ? Digest.EMPTY : Digest.of(first, 0, first.length);
    }

    /** As {@link Beginnings#areAlike}. */
    boolean beginsWithLinesOf(FollowedFile other) throws IOException {
        return beginsWithLinesOf(other.channel, other.size());
    }

    /** As {@link #beginsWithLinesOf(FollowedFile)}, for one that nobody follows, with as many bytes. */
    boolean beginsWithLinesOf(FileChannel other, long length) throws IOException {
        return Beginnings.areAlike(channel, size(), other, length);
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

    /** Bytes that were seen and not handed over: certainly lost if the file is cut now and there is no copy. */
    long unread() {
        return largest - offset - padding + waiting.bytes();
    }

    /** Whether the file was cut, or cut and written again. */
    boolean wasTruncated() throws IOException {
        long size = channel.size();
        if (size < Math.max(offset, largest)) {
            return true;
        }
        return !known.areIn(channel, offset);
    }

    /**
     * Passes over all that is behind the offset, if another file has the same bytes there: they are read in it.
     *
     * @return whether it has
     */
    boolean skipWhatIsIn(FollowedFile other) throws IOException {
        long size = dataEnd.ofAll(channel);
        if (other.channel.size() < size || !Beginnings.areSame(channel, other.channel, offset, size)) {
            return false;
        }
        known.skipTo(channel, size);
        offset = size;
        padding = 0;
        form = formOf(size);
        scanned = size;
        largest = size;
        line = "";
        part = 0;
        waiting.clear();
        ahead = SealedRanges.NONE;
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
        if (found <= scanned && waiting.isEmpty()) {
            return Read.NOTHING;
        }
        mostJoined = reader.mostJoinedBytes();
        try {
            Read read = found <= scanned ? Read.NOTHING : readLines(found, reader, sink, beginning);
            return read != Read.CUT && scanned >= found && giveDue(sink) ? Read.SOME : read;
        } catch (CutException e) {
            return cut();
        }
    }

    private Read cut() {
        padding = 0;
        scanned = offset;
        return Read.CUT;
    }

    private Read readLines(long found, LineReader reader, RecordSink sink, Check beginning)
            throws IOException, InterruptedException {
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
        if (mostJoined > 0 && waiting == WaitingParts.NONE) {
            waiting = new WaitingParts(reader.joining());
        }
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
            return cut();
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

    /** Hands over what waits, and what follows the last line feed, since no more will come. */
    void finish(LineReader reader, RecordSink sink) throws IOException, InterruptedException {
        dataEnd.ofAll(channel);
        Read read = read(reader, sink);
        while (read == Read.SOME) { // to the last line feed
            read = read(reader, sink);
        }
        if (read == Read.CUT || wasTruncated()) {
            return; // what is behind the place is not this file's any more
        }
        giveWaiting(sink);
        long from = offset + padding;
        int rest = (int) (scanned - from); // at most a record, or it would have been cut
        if (rest > 0) {
            byte[] bytes = Digest.read(channel, from, rest);
            emit(bytes, bytes.length, End.OF_FILE, sink);
        }
        scanned = offset;
    }

    /** Hands over the parts of lines as they are; they stay if the file was cut. */
    void giveWaiting(RecordSink sink) throws IOException, InterruptedException {
        try {
            giveAll(sink);
        } catch (CutException e) {
            // is seen by the next read
        }
    }

    /** Bytes of the lines that wait for the rest of theirs. */
    long waitingBytes() {
        return waiting.bytes();
    }

    /** What is behind a record. */
    private enum End {
        LINE_FEED,
        GOES_ON,
        PADDING,
        OF_FILE
    }

    private void emit(byte[] bytes, int consumed, End end, RecordSink sink) throws IOException, InterruptedException {
        if (isTaken(bytes, consumed, end, sink)) {
            return;
        }
        if ((end == End.GOES_ON || end == End.OF_FILE) && line.isEmpty()) {
            line = Integer.toUnsignedString(ThreadLocalRandom.current().nextInt());
            part = 1;
        }
        boolean last = end != End.GOES_ON;
        byte[] record = form.record(bytes, offset == 0 && padding == 0);
        String name = line.isEmpty() ? "" : line + "." + part + (end == End.LINE_FEED ? ".end" : "");
        byte[] raw = end == End.LINE_FEED ? form.withLineFeed(bytes) : bytes;
        if (padding > 0) { // as many of its last zeros as are remembered of a beginning or an end
            byte[] padded = new byte[(int) Math.min(padding, Digest.HEAD_BYTES) + raw.length];
            System.arraycopy(raw, 0, padded, padded.length - raw.length, raw.length);
            raw = padded;
        }
        known.add(raw);
        offset += padding + consumed;
        padding = 0;
        line = last ? "" : line;
        part = last ? 0 : part + 1;
        if (!waiting.isEmpty()) {
            ahead = ahead.with(offset - consumed, offset);
        }
        Origin mark = waiting.isEmpty() && !hasPassed && ahead.isEmpty()
                ? new Mark(offset, known.read(), line, part)
                : placed(null);
        sink.accept(new ReadRecord(lane, source, record, name, mark));
    }

    /**
     * Takes a line that is handed over later, as a part of another, or was before. What waits goes first if it cannot
     * wait behind this.
     */
    private boolean isTaken(byte[] bytes, int consumed, End end, RecordSink sink)
            throws IOException, InterruptedException {
        if (padding == 0 && ahead.has(offset, offset + consumed)) {
            pass(bytes, consumed, end);
            return true;
        }
        boolean isLine = end == End.LINE_FEED && form == TextForm.BYTES && padding == 0 && line.isEmpty();
        LinePart is = isLine && mostJoined > 0 ? LinePart.of(bytes, 0, bytes.length) : LinePart.NONE;
        if (!isLine || mostJoined == 0) {
            giveAll(sink);
        }
        int stream = is.stream();
        if (stream >= 0 && waiting.of(stream).lines() > 0 && waiting.of(stream).bytes() + bytes.length > mostJoined) {
            give(stream, sink);
        }
        boolean goesOn = stream >= 0 && (waiting.of(stream).lines() > 0 || is.goesOn() && bytes.length < mostJoined);
        if (!goesOn) {
            if (!waiting.isEmpty() && waiting.from() == 0) { // a file is known again by what is before a place
                giveAll(sink);
            }
            return false;
        }
        boolean isFull = waiting.add(stream, offset, bytes, known.tail());
        pass(bytes, consumed, end);
        if (isFull || !is.goesOn()) {
            give(stream, sink);
        }
        return true;
    }

    /** Goes on behind a line that nobody is handed now. */
    private void pass(byte[] bytes, int consumed, End end) {
        known.add(end == End.LINE_FEED ? form.withLineFeed(bytes) : bytes);
        offset += consumed;
        hasPassed = true;
    }

    /** Hands over what has waited long enough, at the end of what is there. */
    private boolean giveDue(RecordSink sink) throws IOException, InterruptedException {
        boolean some = false;
        for (int stream = 0; stream < LinePart.STREAMS; stream++) {
            boolean isDue = waiting.of(stream).lines() > 0 && (mostJoined == 0 || waiting.isOver(stream));
            if (isDue) {
                give(stream, sink);
                some = true;
            }
        }
        return some;
    }

    private void giveAll(RecordSink sink) throws IOException, InterruptedException {
        for (int stream = 0; stream < LinePart.STREAMS; stream++) {
            if (waiting.of(stream).lines() > 0) {
                give(stream, sink);
            }
        }
    }

    private void give(int stream, RecordSink sink) throws IOException, InterruptedException {
        for (int other = 0; other < LinePart.STREAMS; other++) {
            WaitingParts.Parts first = waiting.of(other);
            if (other != stream && first.lines() > 0 && first.from(0) == 0) {
                give(other, sink);
            }
        }
        List<byte[]> lines = waiting.of(stream).read(channel);
        if (!waiting.of(stream).are(lines) && wasTruncated()) {
            throw new CutException();
        }
        FilePosition before = position();
        WaitingParts.Parts parts = waiting.take(stream);
        ahead = parts.sealed(ahead, parts.lines());
        Origin mark = placed(new WaitingParts.Joined(before, parts));
        sink.accept(new ReadRecord(lane, source, WaitingParts.joined(lines), "", mark));
    }

    /** A mark where lines were passed, or wait. */
    private Origin placed(WaitingParts.@Nullable Joined joined) {
        FilePosition behind = position();
        ahead = behind.ahead();
        hasPassed = !waiting.isEmpty();
        return new PlacedMark(joined, behind);
    }

    /** Where it stands, once all that was handed over is sealed. */
    FilePosition position() {
        if (!waiting.isEmpty()) {
            long place = waiting.from();
            return new FilePosition(
                    path, id, place, known.head(place), waiting.before(), "", 0, ahead.behind(place), false);
        }
        return new FilePosition(
                path, id, offset, known.head(offset), known.tail(), line, part, ahead.behind(offset), false);
    }

    /** Behind a record of this file. */
    private final class Mark implements Origin {
        private final long end;
        private final LastBytes last;
        private final String inLine;
        private final int nextPart;

        Mark(long end, LastBytes last, String inLine, int nextPart) {
            this.end = end;
            this.last = last;
            this.inLine = inLine;
            this.nextPart = nextPart;
        }

        private FollowedFile file() {
            return FollowedFile.this;
        }

        @Override
        public boolean isPassedBy(Origin next) {
            return next instanceof Mark other && other.file() == file();
        }

        @Override
        public void advance(Positions positions, byte[] record) {
            known.seal(end);
            positions.put(new FilePosition(path, id, end, known.head(end), last.digest(), inLine, nextPart, false));
        }
    }

    /** Behind a record where the lines of the file are not all handed over in their order. */
    private final class PlacedMark implements Origin {
        private final WaitingParts.@Nullable Joined joined;
        private final FilePosition behind;

        PlacedMark(WaitingParts.@Nullable Joined joined, FilePosition behind) {
            this.joined = joined;
            this.behind = behind;
        }

        @Override
        public void advance(Positions positions, byte[] record) {
            known.seal(behind.offset());
            positions.put(behind);
        }

        @Override
        public boolean isOfSeveral() {
            return joined != null && joined.parts().lines() > 1;
        }

        @Override
        public List<ReadRecord> apart(ReadRecord record) {
            return joined != null ? joined.apart(record) : List.of(record);
        }
    }

    @Override
    public void close() {
        waiting.clear();
        try {
            channel.close();
        } catch (IOException e) {
            // was only read
        }
    }
}
