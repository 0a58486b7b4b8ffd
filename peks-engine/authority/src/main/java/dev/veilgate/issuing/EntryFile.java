package dev.veilgate.issuing;

import dev.veilgate.files.DurableFiles;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Entries one behind the other, each framed: length (4 bytes), CRC-32C of length and entry (4 bytes), entry. The first frame is the log's header. The checksum
 * tells accidents; nothing else rests on it.
 *
 * <p>Not a {@link java.nio.channels.FileChannel}: an interrupt of one reader would close it for all.
 */
final class EntryFile implements Closeable {
    static final String NAME = "entries.vgl";
    static final int FRAME_BYTES = 8;

    private final Path file;
    private final RandomAccessFile handle;
    private long end;

    private EntryFile(Path file, RandomAccessFile handle, long end) {
        this.file = file;
        this.handle = handle;
        this.end = end;
    }

    /** Opens the file, or makes one with that header. */
    static EntryFile open(Path folder, byte[] header) throws IOException {
        Path file = folder.resolve(NAME);
        if (Files.notExists(file)) {
            DurableFiles.replace(folder, NAME, null, frame(header));
        }
        RandomAccessFile handle = new RandomAccessFile(file.toFile(), "rw");
        return new EntryFile(file, handle, handle.length());
    }

    static byte[] frame(byte[] content) {
        return ByteBuffer.allocate(FRAME_BYTES + content.length)
                .putInt(content.length)
                .putInt(checksum(content))
                .put(content)
                .array();
    }

    private static int checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(4).putInt(0, content.length));
        crc.update(content);
        return (int) crc.getValue();
    }

    /** Where the next frame will be. */
    synchronized long end() {
        return end;
    }

    /**
     * Adds frames, durably. If they cannot be written, what was written of them is taken away again.
     *
     * @throws SyncFailedException if it is not known what is on the disk now
     */
    synchronized void append(byte[] frames) throws IOException {
        try {
            handle.seek(end);
            handle.write(frames);
        } catch (IOException e) { // a full disk
            try {
                cut(end);
            } catch (IOException second) {
                e.addSuppressed(second);
                throw new SyncFailedException(e);
            }
            throw e;
        }
        try {
            handle.getFD().sync();
        } catch (IOException e) {
            throw new SyncFailedException(e);
        }
        end += frames.length;
    }

    /** What the system keeps of pages that it could not write is not known. */
    static final class SyncFailedException extends IOException {
        private static final long serialVersionUID = 1L;

        SyncFailedException(IOException cause) {
            super("the issuing log could not be written to disk; open it again", cause);
        }
    }

    /** Takes away what is behind a place. */
    synchronized void cut(long length) throws IOException {
        handle.setLength(length);
        handle.getFD().sync();
        end = length;
    }

    /** The content of the frame at a place; empty if there is no whole one. */
    synchronized Optional<byte[]> read(long offset) throws IOException {
        if (offset < 0 || offset > end - FRAME_BYTES) {
            return Optional.empty();
        }
        handle.seek(offset);
        byte[] head = new byte[FRAME_BYTES];
        handle.readFully(head);
        int length = ByteBuffer.wrap(head).getInt();
        if (length < 0 || length > LogFormat.MAX_ENTRY_BYTES || length > end - offset - FRAME_BYTES) {
            return Optional.empty();
        }
        byte[] content = new byte[length];
        handle.readFully(content);
        return ByteBuffer.wrap(head).getInt(4) == checksum(content) ? Optional.of(content) : Optional.empty();
    }

    /** Reads frame after frame, from a place on. */
    Scan scan(long offset) throws IOException {
        FileInputStream in = new FileInputStream(file.toFile());
        in.skipNBytes(offset);
        return new Scan(new DataInputStream(new BufferedInputStream(in, 1 << 16)), offset);
    }

    /** A walk through the file. */
    static final class Scan implements Closeable {
        private final DataInputStream in;
        private long offset;

        private Scan(DataInputStream in, long offset) {
            this.in = in;
            this.offset = offset;
        }

        /** Where the next frame begins. */
        long offset() {
            return offset;
        }

        /** The next frame's content; empty at the end, and where no whole frame is. */
        Optional<byte[]> next() throws IOException {
            try {
                int length = in.readInt();
                int checksum = in.readInt();
                if (length < 0 || length > LogFormat.MAX_ENTRY_BYTES) {
                    return Optional.empty();
                }
                byte[] content = in.readNBytes(length);
                if (content.length != length || checksum(content) != checksum) {
                    return Optional.empty();
                }
                offset += FRAME_BYTES + length;
                return Optional.of(content);
            } catch (EOFException e) {
                return Optional.empty();
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        handle.close();
    }
}
