package dev.veilgate.files;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Files that are whole after a crash, and readable by their owner only. */
public final class DurableFiles {
    private static final String ASIDE = ".tmp";

    private DurableFiles() {}

    /**
     * The folder of a file.
     *
     * @throws NullPointerException if the path is a single name or a root, which no absolute path of a file is
     */
    public static Path folderOf(Path file) {
        return Objects.requireNonNull(file.getParent(), () -> file + " is in no folder");
    }

    /** A folder of the owner's, with its parents, if it is not there. */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, ownerOnly("rwx------"));
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            forceFolder(parent);
        }
    }

    /**
     * A new empty file of the owner's.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one
     */
    public static void createFile(Path file) throws IOException {
        Files.createFile(file, ownerOnly("rw-------"));
    }

    /**
     * Replaces a file at once: whoever reads it, and whatever is found after a crash, sees all of the old or all of the new one. What earlier
     * crashes left aside is removed, so the caller holds a lock.
     *
     * @param previousName where the old one is kept; null for nowhere
     */
    public static void replace(Path folder, String name, @Nullable String previousName, byte[] content)
            throws IOException {
        removeLeftovers(folder, name);
        Path file = folder.resolve(name);
        Path aside = write(folder, name, content);
        try {
            if (previousName != null && Files.exists(file)) {
                Path copy = write(folder, name, Files.readAllBytes(file));
                Files.move(copy, folder.resolve(previousName), StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside); // a folder has the name: nobody else would remove it
        }
        forceFolder(folder);
    }

    /** What a file is to hold. */
    @FunctionalInterface
    public interface Content {
        /** Writes it, from the beginning; may go back in it. */
        void write(FileChannel out) throws IOException;
    }

    /**
     * Replaces a file as {@link #replace(Path, String, String, byte[])} does, by one that is written piece by piece.
     *
     * @param content if it fails, the file is as it was
     */
    public static void replace(Path folder, String name, Content content) throws IOException {
        removeLeftovers(folder, name);
        Path aside = write(folder, name, content);
        Files.move(aside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        forceFolder(folder);
    }

    /** A new empty file that nobody else finds: where the file system allows it, it has no name any more. It goes when it is closed. */
    public static RandomAccessFile unnamed(Path folder) throws IOException {
        Path named = Files.createTempFile(folder, ".unnamed~", ASIDE, ownerOnly("rw-------"));
        try {
            return new RandomAccessFile(named.toFile(), "rw");
        } finally {
            if (posix()) {
                Files.delete(named);
            } else {
                named.toFile().deleteOnExit(); // an open file cannot be deleted there
            }
        }
    }

    private static Path write(Path folder, String name, byte[] content) throws IOException {
        return write(folder, name, (FileChannel out) -> {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        });
    }

    private static Path write(Path folder, String name, Content content) throws IOException {
        Path aside = Files.createTempFile(folder, asidePrefix(name), ASIDE, ownerOnly("rw-------"));
        boolean whole = false;
        try (FileChannel out = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            content.write(out);
            out.force(true);
            whole = true;
        } finally {
            if (!whole) { // a full disk
                Files.deleteIfExists(aside);
            }
        }
        return aside;
    }

    private static void removeLeftovers(Path folder, String name) throws IOException {
        Pattern leftover = Pattern.compile(Pattern.quote(asidePrefix(name)) + "\\d+" + Pattern.quote(ASIDE));
        DirectoryStream.Filter<Path> ofThisName =
                path -> leftover.matcher(path.getFileName().toString()).matches();
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder, ofThisName)) {
            for (Path path : leftovers) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static String asidePrefix(String name) {
        return "." + name + "~";
    }

    /** Whether the group or others may read the file; false where files have no such permissions. */
    public static boolean readableByOthers(Path file) throws IOException {
        if (!posix()) {
            return false;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        return permissions.contains(PosixFilePermission.GROUP_READ)
                || permissions.contains(PosixFilePermission.OTHERS_READ);
    }

    /** Makes the content of a file durable. */
    public static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Makes new names durable; file systems whose folders cannot be opened (Windows) need no such step. */
    public static void forceFolder(Path folder) throws IOException {
        if (posix()) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    static FileAttribute<?>[] ownerOnly(String permissions) {
        return posix()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean posix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
