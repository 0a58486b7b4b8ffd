package dev.veilgate.benchmarks.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Sealed envelopes one behind the other, each after its number of lines and its length in bytes; they go to a socket without a copy. */
public final class EnvelopeFile implements AutoCloseable {
    private static final int HEAD_BYTES = 8;

    private final FileChannel file;
    private long position;
    private int lines;
    private int length;

    private EnvelopeFile(FileChannel file) {
        this.file = file;
    }

    /** For reading, from the first envelope on. */
    public static EnvelopeFile open(Path path) throws IOException {
        return new EnvelopeFile(FileChannel.open(path, StandardOpenOption.READ));
    }

    /** An empty one. */
    public static EnvelopeFile create(Path path) throws IOException {
        return new EnvelopeFile(FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
    }

    /** Adds one. */
    public void add(int linesOf, byte[] envelope) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES)
                .putInt(linesOf)
                .putInt(envelope.length)
                .flip();
        ByteBuffer[] both = {head, ByteBuffer.wrap(envelope)};
        while (both[1].hasRemaining()) {
            file.write(both);
        }
    }

    /** Goes to the next envelope; false if there is none. */
    public boolean next() throws IOException {
        position += length;
        length = 0;
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        if (file.read(head, position) < HEAD_BYTES) {
            return false;
        }
        position += HEAD_BYTES;
        lines = head.getInt(0);
        length = head.getInt(4);
        return true;
    }

    /** Of this envelope. */
    public int lines() {
        return lines;
    }

    /** Bytes of this envelope. */
    public int length() {
        return length;
    }

    void transferTo(GatheringByteChannel socket) throws IOException {
        long done = 0;
        while (done < length) {
            long sent = file.transferTo(position + done, length - done, socket);
            if (sent <= 0) {
                throw new EOFException("cut off");
            }
            done += sent;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
