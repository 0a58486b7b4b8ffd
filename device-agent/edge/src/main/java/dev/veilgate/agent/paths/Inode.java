package dev.veilgate.agent.paths;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Type, owner and rights of a file, folder or link.
 *
 * @param device number of the file system
 * @param number of the inode in it
 * @param owner  user id
 * @param mode   type and rights, as stat(2) has them
 * @param names  how many names it has
 * @param born   when it was made, in nanoseconds since 1970; 0 if that was not asked, or is not known
 */
public record Inode(long device, long number, int owner, int mode, int names, long born) {
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;
    private static final int WRITTEN_BY_OTHERS = 022;

    /** @throws IOException if there is nothing of this name, or nobody says what it is */
    public static Inode of(Path path, LinkOption... options) throws IOException {
        Map<String, Object> is = Files.readAttributes(path, "unix:dev,ino,uid,mode,nlink", options);
        return new Inode(
                (Long) asked(is, "dev"),
                (Long) asked(is, "ino"),
                (Integer) asked(is, "uid"),
                (Integer) asked(is, "mode"),
                (Integer) asked(is, "nlink"),
                0);
    }

    private static Object asked(Map<String, Object> attributes, String name) {
        return Objects.requireNonNull(attributes.get(name)); // all that was asked for is there
    }

    boolean isFolder() {
        return (mode & TYPE) == FOLDER;
    }

    boolean isLink() {
        return (mode & TYPE) == LINK;
    }

    /** Whether it has bytes to read, which a pipe or a device has not. */
    boolean isRegular() {
        return (mode & TYPE) == REGULAR;
    }

    boolean isSameAs(Inode other) {
        return device == other.device && number == other.number;
    }

    /**
     * Whether users other than its owner may write, by their group or as anybody; of a folder: may give and take
     * names.
     */
    boolean isWrittenByOthers() {
        return (mode & WRITTEN_BY_OTHERS) != 0;
    }
}
