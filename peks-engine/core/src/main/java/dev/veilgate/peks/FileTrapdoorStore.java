package dev.veilgate.peks;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Issued trapdoors as files, one each: {@code <folder>/<2 hex digits>/<62 hex digits>}, readable by the owner only. A file
 * is written aside, forced to disk, then moved to its name at once, so that a crash leaves either the whole trapdoor or
 * none. Its own digest shows damage, which is an error and never leads to a second trapdoor. One process at a time holds the
 * folder.
 */
public final class FileTrapdoorStore implements TrapdoorStore, AutoCloseable {
    private static final String ASIDE = ".tmp";
    private static final int VERSION = 1;
    private static final int DIGEST_BYTES = 32;

    private static final int MAX_FILE_BYTES = 1 + DIGEST_BYTES + ScopedTrapdoor.MAX_BYTES;

    /**
     * Folders that this process holds. POSIX drops a process's lock on a file as soon as it closes any channel of that file, so a
     * second channel must not even be opened.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel lockFile;
    private final FileLock lock;

    private FileTrapdoorStore(Path folder, FileChannel lockFile, FileLock lock) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Opens the store, creating the folder if needed.
     *
     * @throws IOException if the folder cannot be used or another process holds it
     */
    public static FileTrapdoorStore open(Path folder) throws IOException {
        Files.createDirectories(folder, ownerOnly("rwx------"));
        Path real = folder.toRealPath();
        if (!HELD.add(real)) {
            throw new IOException(folder + " is in use by this process");
        }
        FileTrapdoorStore store = null;
        try {
            store = lock(real);
            return store;
        } finally {
            if (store == null) {
                HELD.remove(real);
            }
        }
    }

    private static FileTrapdoorStore lock(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve("lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                ownerOnly("rw-------"));
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // held by this class under another class loader; closing the channel would drop that lock, so it stays open
            throw new IOException(folder + " is in use by this process", e);
        }
        if (lock == null) {
            channel.close();
            throw new IOException(folder + " is in use by another process");
        }
        return new FileTrapdoorStore(folder, channel, lock);
    }

    /** How many there are in a store's folder, open or not; others may write to it. */
    public static long count(Path folder) throws IOException {
        long[] count = new long[1];
        Files.walkFileTree(folder, Set.of(), 2, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && isTrapdoor(folder, file)) {
                    count[0]++;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
                if (why instanceof NoSuchFileException && !file.equals(folder)) {
                    return FileVisitResult.CONTINUE; // what was written has got its name meanwhile
                }
                throw why;
            }
        });
        return count[0];
    }

    /**
     * The names of all that are kept.
     *
     * @throws IOException if the folder cannot be read, or holds a file that is none
     */
    public synchronized List<byte[]> names() throws IOException {
        requireOpen();
        List<byte[]> names = new ArrayList<>();
        Files.walkFileTree(folder, Set.of(), 2, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (isTrapdoor(folder, file)) {
                    names.add(nameOf(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return names;
    }

    private static byte[] nameOf(Path file) throws IOException {
        try {
            byte[] name = HexFormat.of().parseHex(DurableFiles.folderOf(file).getFileName() + "" + file.getFileName());
            if (name.length == NAME_BYTES) {
                return name;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new IOException(file + " is no trapdoor, and does not belong there");
    }

    private static boolean isTrapdoor(Path folder, Path path) {
        return !folder.equals(path.getParent())
                && !path.getFileName().toString().endsWith(ASIDE);
    }

    @Override
    public synchronized Optional<byte[]> find(byte[] name) throws IOException {
        requireOpen();
        Path file = file(name);
        byte[] content;
        try (InputStream in = Files.newInputStream(file)) {
            content = in.readNBytes(MAX_FILE_BYTES + 1);
        } catch (NoSuchFileException e) {
            if (Files.isSymbolicLink(file)) {
                throw damaged(file); // to what is not mounted, perhaps
            }
            return Optional.empty(); // and nothing else counts as absent: what cannot be read must not be issued again
        }
        if (content.length > MAX_FILE_BYTES) {
            throw damaged(file);
        }
        ByteReader in = new ByteReader("trapdoor-file", content);
        try {
            in.expect("version", VERSION);
            byte[] digest = in.bytes("digest", DIGEST_BYTES);
            byte[] trapdoor = in.bytes("trapdoor", in.remaining());
            if (!MessageDigest.isEqual(digest, digest(name, trapdoor))) {
                throw damaged(file);
            }
            return Optional.of(trapdoor);
        } catch (MalformedEncodingException e) {
            throw damaged(file);
        }
    }

    @Override
    public synchronized byte[] storeIfAbsent(byte[] name, byte[] trapdoor) throws IOException {
        if (trapdoor.length > ScopedTrapdoor.MAX_BYTES) {
            throw new IllegalArgumentException("a trapdoor has at most " + ScopedTrapdoor.MAX_BYTES + " bytes");
        }
        Path file = file(name);
        Path parent = folder.resolve(DurableFiles.folderOf(file).getFileName());
        Optional<byte[]> present = find(name);
        if (present.isPresent()) {
            forceDirectory(parent); // an earlier call may have failed between its move and this
            forceDirectory(folder);
            return present.get();
        }
        if (Files.notExists(parent)) {
            Files.createDirectory(parent, ownerOnly("rwx------"));
        }
        forceDirectory(folder);
        Path aside = Files.createTempFile(parent, "new-", ASIDE, ownerOnly("rw-------"));
        try {
            try (FileChannel out = FileChannel.open(aside, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(new ByteWriter(trapdoor.length + 64)
                        .uint8(VERSION)
                        .bytes(digest(name, trapdoor))
                        .bytes(trapdoor)
                        .toByteArray());
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            forceDirectory(parent);
        } finally {
            Files.deleteIfExists(aside);
        }
        return trapdoor.clone();
    }

    @Override
    public synchronized void close() throws IOException {
        if (lockFile.isOpen()) {
            lockFile.close(); // and with it the lock
            HELD.remove(folder);
        }
    }

    private Path file(byte[] name) {
        if (name.length != NAME_BYTES) {
            throw new IllegalArgumentException("a name has " + NAME_BYTES + " bytes");
        }
        String hex = HexFormat.of().formatHex(name);
        return folder.resolve(hex.substring(0, 2)).resolve(hex.substring(2));
    }

    private void requireOpen() throws IOException {
        if (!lock.isValid()) {
            throw new IOException(folder + " was closed");
        }
    }

    private static IOException damaged(Path file) {
        return new IOException(file + " is damaged; restore it from a backup: a trapdoor is never issued twice");
    }

    private static byte[] digest(byte[] name, byte[] trapdoor) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(name);
            return sha.digest(trapdoor);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** Makes a new name durable; file systems whose folders cannot be opened (Windows) need no such step. */
    private static void forceDirectory(Path directory) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
