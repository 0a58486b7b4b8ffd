package dev.veilgate.archive.store;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files of the operating system. Files and folders get the permissions of the folder that they are made in: whoever may
 * use an archive's folder may use what others put there.
 */
final class SystemFiles implements Filesystem {
    private static final Set<PosixFilePermission> EXECUTE = EnumSet.of(
            PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    @Override
    public void create(Path file, DurableFiles.Content content) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            permit(file, EXECUTE);
            content.write(out);
            out.force(true);
        }
    }

    @Override
    public void link(Path name, Path file) throws IOException {
        try {
            Files.createLink(name, file);
        } catch (UnsupportedOperationException e) {
            throw new IOException("there are no hard links", e);
        }
    }

    @Override
    public void rename(Path file, Path name) throws IOException {
        Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            if (Files.isDirectory(folder)) {
                return;
            }
            throw new IOException(folder + " is a file, where a folder of an archive has its place", e);
        }
        permit(folder, Set.of());
    }

    @Override
    public void deleteFolder(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // somebody has put a file there
        }
    }

    @Override
    public void force(Path folder) throws IOException {
        DurableFiles.forceFolder(folder);
    }

    @Override
    public void touch(Path file, Instant changed) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(changed));
    }

    @Override
    public FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.READ);
        } catch (FileSystemException e) {
            throw belowFile(file, e);
        }
    }

    @Override
    public Optional<Entry> look(Path path) throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            return Optional.of(new Entry(
                    found.isDirectory(), found.size(), found.lastModifiedTime().toInstant()));
        } catch (FileSystemException e) {
            FileSystemException named = belowFile(path, e);
            if (named instanceof NoSuchFileException) {
                return Optional.empty();
            }
            throw named;
        }
    }

    @Override
    public List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path path : all) {
                names.add(String.valueOf(path.getFileName()));
            }
        } catch (NotDirectoryException e) {
            throw noSuch(folder, e);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Nothing is there if what should be its folder is a file. */
    private static FileSystemException belowFile(Path path, FileSystemException e) {
        Path parent = path.getParent();
        boolean belowFile = parent != null && Files.exists(parent) && !Files.isDirectory(parent);
        return belowFile ? noSuch(path, e) : e;
    }

    private static NoSuchFileException noSuch(Path path, FileSystemException cause) {
        NoSuchFileException none = new NoSuchFileException(path.toString());
        none.initCause(cause);
        return none;
    }

    /** Gives a new file the permissions of its folder, whatever the process's mask, where the file system has such. */
    private static void permit(Path path, Set<PosixFilePermission> without) {
        @Nullable PosixFileAttributeView own = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        @Nullable
        PosixFileAttributeView folder =
                Files.getFileAttributeView(DurableFiles.folderOf(path), PosixFileAttributeView.class);
        if (own == null || folder == null) {
            return;
        }
        try {
            Set<PosixFilePermission> wanted = EnumSet.noneOf(PosixFilePermission.class);
            wanted.addAll(folder.readAttributes().permissions());
            wanted.removeAll(without);
            if (!own.readAttributes().permissions().equals(wanted)) {
                own.setPermissions(wanted);
            }
        } catch (IOException e) {
            // some network file systems have fixed ones
        }
    }
}
