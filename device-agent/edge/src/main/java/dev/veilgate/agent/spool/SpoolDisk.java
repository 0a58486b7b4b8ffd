package dev.veilgate.agent.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** What the spool asks of the disk: an interface, so that tests can have one that is full. */
public interface SpoolDisk {
    /** The disk of this machine. */
    SpoolDisk REAL = new SpoolDisk() {};

    /** Writes a file aside and forces it to disk; nothing has its name yet. */
    default void write(Path aside, byte[]... contents) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.deleteIfExists(aside);
        try (FileChannel out = FileChannel.open(aside, options, attributes)) {
            for (byte[] content : contents) {
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
            out.force(true);
        }
    }

    /** Gives a file its name, in place of another. */
    default void rename(Path aside, Path name) throws IOException {
        Files.move(aside, name, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Makes names durable. */
    default void forceFolder(Path folder) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Bytes that this process may still write. */
    default long free(Path folder) throws IOException {
        return folder.toFile().getUsableSpace(); // one call of the system; a FileStore reads the table of mounts first
    }
}
