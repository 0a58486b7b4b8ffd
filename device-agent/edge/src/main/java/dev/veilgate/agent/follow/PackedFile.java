package dev.veilgate.agent.follow;

import dev.veilgate.files.DurableFiles;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An open compressed file. It stays open when it is renamed or deleted; what was in it is unpacked only where it is
 * to be read, into a file of its owner's alone that is deleted when it is closed.
 */
final class PackedFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    /** After so many the disk is asked for its room. */
    private static final long LOOK_BYTES = 16 << 20;

    private static final long LEAST_LEFT_BYTES = 64 << 20;

    private final FileChannel channel;
    private final Compression form;

    private PackedFile(FileChannel channel, Compression form) {
        this.channel = channel;
        this.form = form;
    }

    /** @throws IOException if the name is another file's by now, or not ours to read */
    static PackedFile open(LogFiles files, Path path, FileId id) throws IOException {
        Compression form = Compression.of(path);
        if (form == null) {
            throw new IllegalArgumentException("not the name of a compressed file");
        }
        return new PackedFile(files.open(path, id), form);
    }

    /** The bytes of the file, compressed as they are. */
    FileChannel channel() {
        return channel;
    }

    /** The first bytes of what was compressed. */
    byte[] head() throws IOException {
        try (InputStream in = form.open(channel)) {
            return in.readNBytes(Digest.HEAD_BYTES);
        }
    }

    /** Whether what was compressed goes on behind the place of a position, if it is the position's file. */
    enum Rest {
        /** Another file, or shorter. */
        NONE,
        /** The position's file, and nothing is behind the place. */
        ENDS,
        GOES_ON
    }

    /** Compares what was compressed with a position, and says whether there is more. */
    Rest restOf(FilePosition at) throws IOException {
        try (InputStream in = form.open(channel)) {
            if (readTo(at, in) == null) {
                return Rest.NONE;
            }
            return in.read() < 0 ? Rest.ENDS : Rest.GOES_ON;
        }
    }

    /** Whether what was compressed has fewer bytes. */
    boolean isShorterThan(long bytes) throws IOException {
        try (InputStream in = form.open(channel)) {
            return !skip(in, bytes);
        }
    }

    /** Whether all that was compressed is what a file begins with, and not nothing. */
    boolean isIn(FileChannel file) throws IOException {
        try (InputStream in = form.open(channel)) {
            long at = 0;
            while (true) {
                byte[] bytes = in.readNBytes(BUFFER_BYTES);
                if (bytes.length == 0) {
                    return at > 0;
                }
                if (!Arrays.equals(bytes, Digest.read(file, at, bytes.length))) {
                    return false;
                }
                at += bytes.length;
            }
        }
    }

    /**
     * Unpacks the rest of a file, from the place of a position on.
     *
     * @return a file with the parts that the position speaks of, and all that is behind it, at their places; null if
     *           it is another one's, or shorter
     * @throws EOFException if it is damaged or not whole, or holds more than any log of its size
     */
    @Nullable
    FileChannel unpack(FilePosition at) throws IOException {
        try (InputStream in = form.open(channel)) {
            Read read = readTo(at, in);
            return read == null ? null : write(in, read, at.offset());
        }
    }

    private static FileChannel write(InputStream in, Read read, long offset) throws IOException {
        Path path = Files.createTempFile("veilgate-rest", "");
        FileChannel unpacked = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        boolean whole = false;
        try {
            writeAll(unpacked, read.head, read.head.length, 0);
            writeAll(unpacked, read.before, read.before.length, offset - read.before.length);
            byte[] buffer = new byte[BUFFER_BYTES];
            long place = offset;
            long looked = 0;
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                if (place - offset >= looked) {
                    leaveSome(DurableFiles.folderOf(path));
                    looked += LOOK_BYTES;
                }
                writeAll(unpacked, buffer, count, place);
                place += count;
            }
            whole = true;
            return unpacked;
        } finally {
            if (!whole) {
                unpacked.close();
            }
        }
    }

    private static void leaveSome(Path on) throws IOException {
        FileStore disk = Files.getFileStore(on);
        if (disk.getUsableSpace() < LEAST_LEFT_BYTES) {
            throw new IOException("no room to unpack a file");
        }
    }

    private static void writeAll(FileChannel file, byte[] bytes, int length, long at) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
        while (buffer.hasRemaining()) {
            file.write(buffer, at + buffer.position());
        }
    }

    /** @param before the last bytes before the place */
    @SuppressWarnings("ArrayRecordComponent")
    private record Read(byte[] head, byte[] before) {}

    /** Reads up to the place of a position; null if it is another file's, or shorter. */
    private static @Nullable Read readTo(FilePosition at, InputStream in) throws IOException {
        byte[] head = in.readNBytes((int) Math.min(at.offset(), Digest.HEAD_BYTES));
        boolean begins = at.head().length() <= head.length
                && Digest.of(head, 0, at.head().length()).equals(at.head());
        if (!begins) {
            return null;
        }
        int length = (int) Math.min(at.offset(), Math.max(at.tail().length(), Digest.TAIL_BYTES));
        long from = at.offset() - length;
        byte[] before = new byte[length];
        int inHead = (int) Math.max(0, head.length - from);
        System.arraycopy(head, head.length - inHead, before, 0, inHead);
        if (!skip(in, from + inHead - head.length)
                || in.readNBytes(before, inHead, length - inHead) < length - inHead) {
            return null;
        }
        Digest tail = Digest.of(before, length - at.tail().length(), length);
        return tail.equals(at.tail()) ? new Read(head, before) : null;
    }

    private static boolean skip(InputStream in, long bytes) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (long left = bytes; left > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                return false;
            }
            left -= count;
        }
        return true;
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
