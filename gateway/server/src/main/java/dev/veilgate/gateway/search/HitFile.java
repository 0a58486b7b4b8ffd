package dev.veilgate.gateway.search;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Hits of one search, numbered from 1: a file of them one after the other, and a file of where each ends. Any number of them takes the same memory. Written by one thread at a time,
 * read by many; deleted when closed.
 */
final class HitFile implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel hits;
    private final FileChannel ends;
    private final ByteArrayOutputStream hitBuffer = new ByteArrayOutputStream();
    private final ByteBuffer endBuffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long end;
    private volatile long count;

    HitFile(Path folder, String name) throws IOException {
        this.hits = open(folder.resolve(name + ".hits"));
        try {
            this.ends = open(folder.resolve(name + ".ends"));
        } catch (IOException e) {
            hits.close();
            throw e;
        }
    }

    /** The files have no name any more as soon as they are open (Linux), so that a crash leaves nothing. */
    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Readers see it after the next {@link #flush} at the latest. */
    void add(byte[] hit) throws IOException {
        hitBuffer.writeBytes(hit);
        end += hit.length;
        endBuffer.putLong(end);
        if (hitBuffer.size() >= BUFFER_BYTES || !endBuffer.hasRemaining()) {
            flush();
        }
    }

    void flush() throws IOException {
        long added = endBuffer.position() / Long.BYTES;
        if (added == 0) {
            return;
        }
        writeFully(hits, ByteBuffer.wrap(hitBuffer.toByteArray()));
        hitBuffer.reset();
        writeFully(ends, endBuffer.flip());
        endBuffer.clear();
        count += added; // one thread writes it
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** How many can be read. */
    long count() {
        return count;
    }

    /**
     * Hits in order.
     *
     * @param after number of the hit before the first
     * @param limit most hits; fewer where there are no more, or where many bytes would come together
     */
    List<byte[]> read(long after, int limit) throws IOException {
        int wanted = Math.clamp(count - after, 0, limit);
        if (wanted == 0) {
            return List.of();
        }
        long from = after == 0
                ? 0
                : readAt(ends, (after - 1) * Long.BYTES, Long.BYTES).getLong();
        ByteBuffer until = readAt(ends, after * Long.BYTES, wanted * Long.BYTES);
        List<byte[]> read = new ArrayList<>(wanted);
        long at = from;
        while (until.hasRemaining()) {
            long next = until.getLong();
            if (next - from > (1 << 20) && !read.isEmpty()) {
                break;
            }
            read.add(readAt(hits, at, (int) (next - at)).array());
            at = next;
        }
        return read;
    }

    private static ByteBuffer readAt(FileChannel channel, long from, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, from + buffer.position()) < 0) {
                throw new EOFException("a hit file ends early");
            }
        }
        return buffer.flip();
    }

    @Override
    public void close() throws IOException {
        try (ends) {
            hits.close();
        }
    }
}
