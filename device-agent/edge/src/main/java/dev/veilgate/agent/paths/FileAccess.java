package dev.veilgate.agent.paths;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Opens files under names that others give. */
public interface FileAccess {
    /** A condition on the file that is opened, besides that it may be read. */
    @FunctionalInterface
    interface Check {
        /**
         * Tells if it holds.
         *
         * @param file as it is
         * @param held a name that stands for the file that will be opened, and for no other
         */
        boolean holds(Inode file, Path held);
    }

    /**
     * The file to which a name leads by links, and whose files may be read beside it.
     *
     * @param readable a user, or {@link LinkRule#ANYBODY}
     */
    record Target(Path path, int readable) {}

    /**
     * Opens the file behind a name.
     *
     * @throws RefusedFileException               if it may not be read
     * @throws java.nio.file.NoSuchFileException if there is none, or another one than is checked for
     */
    FileChannel open(Path name, Check check) throws IOException;

    /** @throws RefusedFileException if what a name stands for may not be read */
    void require(Path name) throws IOException;

    /** @throws RefusedFileException if files may not be looked for in the folder that a name stands for */
    void requireFolder(Path name) throws IOException;

    /** @throws RefusedFileException if it may not be read */
    Target target(Path name) throws IOException;

    /**
     * Tells if a file may be read in a folder to which another user's link, or his moving a file, has led.
     *
     * @param mover whose files are readable there, or {@link LinkRule#ANYBODY}
     */
    boolean isReadableIn(Path folder, int owner, int mover);
}
