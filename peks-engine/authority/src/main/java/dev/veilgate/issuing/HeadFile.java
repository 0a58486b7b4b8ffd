package dev.veilgate.issuing;

import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Signed heads, one behind the other, each written durably before anybody sees it. */
final class HeadFile implements Closeable {
    static final String NAME = "heads.vgl";

    private final Path file;
    private final RandomAccessFile handle;
    private long end;
    private Optional<SignedTreeHead> last = Optional.empty();

    private HeadFile(Path file, RandomAccessFile handle) {
        this.file = file;
        this.handle = handle;
    }

    /**
     * Opens the file, or makes an empty one; the beginning of a head that a crash left at its end is taken away.
     *
     * @throws IssuingLogException if the last head is not signed by the authority, or one is no head
     */
    static HeadFile open(Path folder, String fingerprint) throws IOException {
        Path path = folder.resolve(NAME);
        if (Files.notExists(path)) {
            DurableFiles.replace(folder, NAME, null, new byte[0]);
        }
        HeadFile heads = new HeadFile(path, new RandomAccessFile(path.toFile(), "rw"));
        boolean whole = false;
        try {
            heads.readAll();
            if (heads.last.isPresent() && !heads.last.get().isSignedBy(fingerprint)) {
                throw new IssuingLogException(
                        LogProblem.BAD_HEAD, 0, path + ": the last head is not signed by the authority");
            }
            whole = true;
            return heads;
        } finally {
            if (!whole) {
                heads.close();
            }
        }
    }

    private void readAll() throws IOException {
        try (Reader reader = new Reader(file, Long.MAX_VALUE)) {
            for (Optional<SignedTreeHead> next = reader.next(); next.isPresent(); next = reader.next()) {
                last = next;
                end = reader.position;
            }
        } catch (MalformedEncodingException e) {
            if (!(e.getCause() instanceof EOFException) && !isUnwritten()) {
                throw new IssuingLogException(LogProblem.DAMAGED, 0, file + ": " + e.getMessage());
            }
            handle.setLength(end);
        }
    }

    /** Whether a crash of the machine left room for a head, and no head in it. */
    private boolean isUnwritten() throws IOException {
        long rest = handle.length() - end;
        if (rest > SignedTreeHead.MAX_BYTES) {
            return false;
        }
        byte[] bytes = new byte[(int) rest];
        handle.seek(end);
        handle.readFully(bytes);
        return Arrays.equals(bytes, new byte[bytes.length]);
    }

    /** The last one. */
    Optional<SignedTreeHead> last() {
        return last;
    }

    void append(SignedTreeHead head) throws IOException {
        byte[] encoded = head.encode();
        handle.seek(end);
        handle.write(encoded);
        handle.getFD().sync();
        end += encoded.length;
        last = Optional.of(head);
    }

    /** All that there are now, from the first on. */
    Reader read() throws IOException {
        return new Reader(file, end);
    }

    /** A walk through the heads. */
    static final class Reader implements Closeable {
        private final InputStream in;
        private final CborSequence heads;
        private final long end;
        private long position;

        private Reader(Path file, long end) throws IOException {
            this.in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            this.heads = new CborSequence("tree-heads", in, SignedTreeHead.MAX_BYTES);
            this.end = end;
        }

        Optional<SignedTreeHead> next() throws IOException, MalformedEncodingException {
            if (position >= end) {
                return Optional.empty();
            }
            Optional<byte[]> next = heads.next();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            position += next.get().length;
            return Optional.of(SignedTreeHead.decode(next.get()));
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    @Override
    public void close() throws IOException {
        handle.close();
    }
}
