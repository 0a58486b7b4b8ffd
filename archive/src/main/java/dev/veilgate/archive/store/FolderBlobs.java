package dev.veilgate.archive.store;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Objects as files of a folder, named as they are. An object is written beside its place, synchronised with the disk,
 * moved there at once, and the folder synchronised: after a crash it is whole or not there. Several processes may use a
 * folder at a time, as the same name has the same bytes.
 */
public final class FolderBlobs implements BlobStore {
    private static final int BUFFER_BYTES = 1 << 16;

    /** Beginning of names of files that are not whole; no name of an object begins so. */
    private static final String ASIDE = ".object~";

    private static final Duration LEFTOVER = Duration.ofDays(1);

    private final Path folder;

    private FolderBlobs(Path folder) {
        this.folder = folder;
    }

    /** Opens a folder, which is made if it is not there. */
    public static FolderBlobs open(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        DurableFiles.createFolder(absolute);
        removeLeftovers(absolute);
        return new FolderBlobs(absolute);
    }

    /** Removes what killed processes left; what is younger may be being written by another one. */
    private static void removeLeftovers(Path folder) throws IOException {
        Instant before = Instant.now().minus(LEFTOVER);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ASIDE + "*")) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private Path file(BlobName name) {
        return folder.resolve(name.value());
    }

    @Override
    public void put(BlobName name, Message.Body object) throws IOException, MalformedEncodingException {
        Path aside = Files.createTempFile(folder, ASIDE, "");
        try {
            name.require(write(aside, object));
            Files.move(aside, file(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
        DurableFiles.forceFolder(folder);
    }

    private static BlobName write(Path file, Message.Body object) throws IOException {
        MessageDigest digest = BlobName.sha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = object.open();
                FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
            out.force(true);
        }
        return BlobName.of(digest);
    }

    @Override
    public OptionalLong length(BlobName name) throws IOException {
        try {
            return OptionalLong.of(Files.size(file(name)));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public byte[] read(BlobName name, long from, int length) throws IOException {
        if (from < 0 || length < 0) {
            throw new IllegalArgumentException("a range begins at 0 or behind it and has 0 bytes or more");
        }
        try (FileChannel in = FileChannel.open(file(name), StandardOpenOption.READ)) {
            long left = Math.max(0, in.size() - from);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, left));
            while (bytes.hasRemaining() && in.read(bytes, from + bytes.position()) >= 0) {
                // a read may give less than there is
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    @Override
    public List<BlobName> list() throws IOException {
        TreeSet<BlobName> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (name.matches("[0-9a-f]{64}")) {
                    names.add(new BlobName(name));
                }
            }
        }
        return List.copyOf(names);
    }

    @Override
    public void remove(BlobName name) throws IOException {
        if (Files.deleteIfExists(file(name))) {
            DurableFiles.forceFolder(folder);
        }
    }

    @Override
    public void close() {}
}
