package dev.veilgate.agent.paths;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;

/** The file behind a path, held so that it can be opened whatever its names are by then, and how the path led to it. */
public interface ResolvedFile extends AutoCloseable {
    /**
     * A symbolic link that was gone through.
     *
     * @param link   itself
     * @param folder in which it is
     */
    record Step(Inode link, Inode folder) {}

    /** The links on the way, the first first. */
    List<Step> steps();

    /** The folders on the way, the last of them that of the file. */
    List<Inode> folders();

    /** The file itself. */
    Inode inode();

    /** The path without links. */
    Path real();

    /** A name that stands for the file as long as this is not closed, for asking the system about it. */
    Path held();

    /** Opens the file for reading; to be called of regular files alone. */
    FileChannel open() throws IOException;

    @Override
    void close();

    /** Follows the names of a path. */
    interface Resolver {
        /** @throws IOException if there is nothing of this name, or not ours to see */
        ResolvedFile resolve(Path path) throws IOException;
    }
}
