package dev.veilgate.gateway.journal;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of entries, in segments. A position is the number of bytes written before, since the beginning; it never repeats.
 *
 * <p>{@link #append} returns when all its entries are on the disk (fsync). What a crash tore is cut off when the journal is opened; it was never
 * acknowledged. After a failed write or fsync everything since the last success is cut off and a new segment begins, since what the system keeps
 * of pages that it could not write is not known; entries before stay.
 *
 * <p>Safe for use by several threads; appends do not overlap, so callers collect what waits and append it together.
 */
public final class Journal implements AutoCloseable {
    private static final int MAX_WRITE_BYTES = 1 << 20;

    private final Path folder;
    private final long segmentBytes;
    private final LockFile lock;
    private final TreeSet<Segment> segments = new TreeSet<>();
    private FileChannel channel;
    private volatile long start;
    private volatile long end;
    /** Set while the last failure could not be undone. */
    private boolean torn;

    private Journal(Path folder, long segmentBytes, LockFile lock) throws IOException {
        this.folder = folder;
        this.segmentBytes = segmentBytes;
        this.lock = lock;
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(Segment::isOne).map(Segment::of).forEach(segments::add);
        }
        if (segments.isEmpty()) {
            segments.add(Segment.at(folder, 0));
        }
        this.start = segments.first().start();
        this.end = recover();
        this.channel = openLast();
    }

    /**
     * Opens a journal, a new one if the folder has none.
     *
     * @param segmentBytes from which size on a new segment begins
     * @throws IOException if another process has it open, or an entry that is not the last is damaged
     */
    public static Journal open(Path folder, long segmentBytes) throws IOException {
        DurableFiles.createFolder(folder);
        LockFile lock = LockFile.tryLock(folder.resolve("lock"))
                .orElseThrow(() -> new IOException(folder + " is in use by another process"));
        try {
            return new Journal(folder, segmentBytes, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private long recover() throws IOException {
        long expected = segments.first().start();
        for (Segment segment : segments) {
            if (segment.start() != expected) {
                throw new IOException(folder + ": the journal misses what is between " + expected + " and "
                        + segment.start() + "; restore it from a backup");
            }
            if (segment.equals(segments.last())) {
                return Files.exists(segment.file()) ? cutTail(segment) : segment.start();
            }
            expected = segment.end();
        }
        throw new IllegalStateException("there is a last segment");
    }

    /** Cuts off what a crash tore. */
    private static long cutTail(Segment last) throws IOException {
        long whole = last.read(last.start(), (position, next, payload) -> true);
        try (FileChannel file = FileChannel.open(last.file(), StandardOpenOption.WRITE)) {
            if (file.size() > whole - last.start()) {
                file.truncate(whole - last.start());
                file.force(true);
            }
        }
        return whole;
    }

    private FileChannel openLast() throws IOException {
        boolean isNew = Files.notExists(segments.last().file());
        FileChannel opened =
                FileChannel.open(segments.last().file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        opened.position(opened.size());
        if (isNew) {
            DurableFiles.forceFolder(folder);
        }
        return opened;
    }

    /** The position behind the last entry. */
    public long end() {
        return end;
    }

    /** The position of the first entry that is still there. */
    public long start() {
        return start;
    }

    /** Bytes that are still there. Safe for any thread, as {@link #end} and {@link #start} are. */
    public long retainedBytes() {
        return end - start;
    }

    /**
     * Appends and synchronises.
     *
     * @return the position behind each entry
     * @throws IOException if they are not durable; none of them is there then
     */
    public synchronized List<Long> append(List<byte[]> payloads) throws IOException {
        if (torn) {
            beginAgain();
        }
        List<ByteBuffer> buffers = new ArrayList<>(payloads.size() * 2);
        List<Long> ends = new ArrayList<>(payloads.size());
        long at = end;
        for (byte[] payload : payloads) {
            if (payload.length > Segment.MAX_PAYLOAD_BYTES) {
                throw new IllegalArgumentException("an entry has at most " + Segment.MAX_PAYLOAD_BYTES + " bytes");
            }
            buffers.add(ByteBuffer.allocate(Segment.HEAD_BYTES)
                    .putInt(payload.length)
                    .putInt(Segment.checksum(payload))
                    .flip());
            buffers.add(ByteBuffer.wrap(payload));
            at += Segment.HEAD_BYTES + payload.length;
            ends.add(at);
        }
        try {
            writeAll(buffers.toArray(ByteBuffer[]::new));
            channel.force(false);
        } catch (IOException e) {
            torn = true;
            tryBeginAgain(e);
            throw e;
        }
        end = at;
        if (end - segments.last().start() >= segmentBytes) {
            torn = true; // until the new segment is there; the entries are durable whatever happens
            tryBeginAgain(null);
        }
        return ends;
    }

    /** A large one by itself and a mebibyte at a time: Java copies what it writes at once into memory beside the heap, and keeps that. */
    private void writeAll(ByteBuffer[] buffers) throws IOException {
        int first = 0;
        while (first < buffers.length) {
            int small = first;
            while (small < buffers.length && small - first < 1024 && buffers[small].remaining() <= MAX_WRITE_BYTES) {
                small++;
            }
            if (small > first) {
                channel.write(buffers, first, small - first);
            } else {
                writeSome(buffers[first]);
            }
            while (first < buffers.length && !buffers[first].hasRemaining()) {
                first++;
            }
        }
    }

    private void writeSome(ByteBuffer large) throws IOException {
        int limit = large.limit();
        large.limit(Math.min(limit, large.position() + MAX_WRITE_BYTES));
        try {
            channel.write(large);
        } finally {
            large.limit(limit);
        }
    }

    private void tryBeginAgain(@Nullable IOException cause) {
        try {
            beginAgain();
        } catch (IOException e) {
            if (cause != null) {
                cause.addSuppressed(e); // the next append tries again
            }
        }
    }

    /** Cuts the present segment at the last durable entry and goes on in a new one. */
    private void beginAgain() throws IOException {
        channel.close();
        Segment last = segments.last();
        try (FileChannel file = FileChannel.open(last.file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.truncate(end - last.start());
            file.force(true);
        }
        if (end > last.start()) {
            segments.add(Segment.at(folder, end));
        }
        channel = openLast();
        torn = false;
    }

    /** The position at which an entry begins that ends at another. */
    public static long begin(long next, byte[] payload) {
        return next - payload.length - Segment.HEAD_BYTES;
    }

    /** What {@link #replay} calls. */
    public interface Reader {
        /** @param next the position behind the entry */
        void entry(long next, byte[] payload) throws IOException;
    }

    /** What {@link #read} calls. */
    public interface Taker {
        /**
         * @param next the position behind the entry
         * @return whether it takes another one
         */
        boolean take(long next, byte[] payload) throws IOException;
    }

    /**
     * Reads all entries from a position on, in order.
     *
     * @throws IOException if they are not all there, or one is damaged
     */
    public void replay(long from, Reader reader) throws IOException {
        read(from, (next, payload) -> {
            reader.entry(next, payload);
            return true;
        });
    }

    /**
     * Reads entries from a position on, in order, until there are no more or no more is taken. Appends go on meanwhile; what they append is not
     * read. Nobody may {@link #release} meanwhile.
     *
     * @throws IOException if they are not all there, or one is damaged
     */
    public void read(long from, Taker taker) throws IOException {
        List<Segment> present;
        long durable;
        synchronized (this) {
            requireHeld(from);
            present = List.copyOf(segments);
            durable = end;
        }
        long at = from;
        boolean[] more = {from < durable};
        for (int i = 0; i < present.size() && more[0]; i++) {
            Segment segment = present.get(i);
            long to = i + 1 < present.size() ? present.get(i + 1).start() : durable;
            if (to <= at) {
                continue;
            }
            at = segment.read(at, (position, next, payload) -> {
                more[0] = taker.take(next, payload);
                return more[0] && next < to;
            });
            if (more[0] && at != to) {
                throw new IOException(segment.file() + " is damaged at " + at + "; restore it from a backup");
            }
        }
    }

    /**
     * Makes sure that it can be read from a position on.
     *
     * @throws IOException saying what to do, if it cannot
     */
    public synchronized void requireHeld(long position) throws IOException {
        if (position < start || position > end) {
            throw new IOException(
                    "the journal holds " + start + " to " + end + ", not " + position
                            + ": store, database and journal are not of one gateway, or one was restored without the others; restore all of one backup");
        }
    }

    /** Deletes segments all of whose entries end at or before a position. */
    public synchronized void release(long position) throws IOException {
        while (segments.size() > 1) {
            Segment first = segments.first();
            if (first.end() > position) {
                return;
            }
            Files.deleteIfExists(first.file());
            segments.remove(first);
            start = segments.first().start();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        try (lock) {
            channel.close();
        }
    }
}
