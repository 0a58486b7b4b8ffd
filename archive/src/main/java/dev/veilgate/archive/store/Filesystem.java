package dev.veilgate.archive.store;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The steps that an archive's folder is changed and read by, each of which can fail, lie or be the last one. */
interface Filesystem {
    /** A file or folder of that name. */
    record Entry(boolean folder, long bytes, Instant changed) {}

    /**
     * Makes a file with its content, synchronised with the disk. It may be there in part if this fails.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one
     */
    void create(Path file, DurableFiles.Content content) throws IOException;

    /**
     * Gives a file a second name.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
     */
    void link(Path name, Path file) throws IOException;

    /** Gives a file another name in the same file system, which a file that has it loses. */
    void rename(Path file, Path name) throws IOException;

    /** Removes a name if it is there. */
    void delete(Path file) throws IOException;

    /** Makes a folder if it is not there. */
    void createFolder(Path folder) throws IOException;

    /** Removes a folder if it is there and empty. */
    void deleteFolder(Path folder) throws IOException;

    /** Makes names in a folder durable. */
    void force(Path folder) throws IOException;

    /** Sets the time at which a file was changed. */
    void touch(Path file, Instant changed) throws IOException;

    /**
     * Opens a file to be read.
     *
     * @throws java.nio.file.NoSuchFileException if it is not there
     */
    FileChannel open(Path file) throws IOException;

    /** Looks a name up; empty if it is not there. */
    Optional<Entry> look(Path path) throws IOException;

    /**
     * The names in a folder, in no order.
     *
     * @throws java.nio.file.NoSuchFileException if there is no such folder
     */
    List<String> names(Path folder) throws IOException;
}
