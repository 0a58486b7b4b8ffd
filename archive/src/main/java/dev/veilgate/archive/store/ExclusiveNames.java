package dev.veilgate.archive.store;

import dev.veilgate.files.LockFile;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Names that are given to one file, by a hard link, which takes no name that there is. File systems say that a link
 * failed that was made, that one was made that failed, and make some later; hence a name is read after each attempt,
 * and what was written is removed before it is given up, so that nothing is left that could be linked later.
 *
 * @param singleWriter whether writers take turns by a lock in the folder; a file system without hard links will do then
 */
record ExclusiveNames(Filesystem files, Path folder, Patience patience, boolean singleWriter) {
    /** Beginning of names of files that are not whole, or whose name is not theirs yet. */
    static final String ASIDE = ".manifest~";

    private static final String LOCK = ".writer";

    /** Most bytes of a file, against one that is no manifest. */
    private static final int MAX_BYTES = 1 << 28;

    private static final int READ_ATTEMPTS = 3;

    /** A lock that is held while something is written; null where links are enough. */
    @Nullable
    LockFile turn() throws IOException {
        if (!singleWriter) {
            return null;
        }
        Path lock = folder.resolve(LOCK);
        return patience.await(() -> LockFile.tryLock(lock))
                .orElseThrow(() -> new IOException("another process has been writing in " + folder + " for "
                        + patience.bound().toSeconds() + " s"));
    }

    /** A name in the folder of a file that nobody else has. */
    static Path aside(Path file) {
        return file.resolveSibling(ASIDE + UUID.randomUUID());
    }

    /** The bytes of a file; empty if it is not there. */
    Optional<byte[]> read(Path file) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try (FileChannel in = files.open(file)) {
                if (in.size() > MAX_BYTES) {
                    throw new IOException(file + " is too large for a manifest: " + in.size() + " bytes");
                }
                return Optional.of(Channels.newInputStream(in).readAllBytes());
            } catch (NoSuchFileException e) {
                return Optional.empty();
            } catch (IOException e) { // as when it was replaced in between
                if (attempt == READ_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Gives a file a name, unless another has it. The file must have no other name than its own, so that a link which
     * is carried out late finds nothing once that is removed.
     *
     * @param aside the file, which loses the name that it has before this gives up
     * @return the bytes that have the name now
     * @throws UnsettledException if it is not known who has the name, or this file may get it later
     * @throws IOException if no file has it now, and this one will not
     */
    byte[] give(Path name, Path aside) throws IOException {
        IOException refusal = link(name, aside);
        boolean taken = refusal == null || refusal instanceof FileAlreadyExistsException;
        Optional<byte[]> there;
        try {
            there = taken ? patience.await(() -> read(name)) : read(name);
            boolean gone = refusal instanceof NoSuchFileException; // taken for a leftover: the computer slept for days
            if (there.isEmpty() && !taken && !gone && linksOnlyFail(name)) {
                refusal = singleWriter ? rename(name, aside) : noLinks(refusal);
                there = read(name);
            }
            if (there.isEmpty()) {
                files.delete(aside); // a link that is carried out late finds nothing to link
                there = read(name);
            }
        } catch (IOException e) {
            throw new UnsettledException("it is not known whether " + name + " was written: " + e.getMessage(), e);
        }
        IOException cause = refusal;
        return there.orElseThrow(() -> cause == null || taken ? unreadable(name, cause) : cause);
    }

    private UnsettledException unreadable(Path name, @Nullable IOException cause) {
        String message = name + " is taken, but could not be read for "
                + patience.bound().toSeconds() + " s";
        return new UnsettledException(message, cause);
    }

    private @Nullable IOException link(Path name, Path aside) {
        try {
            files.link(name, aside);
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** Under the lock, so that nobody takes the name between the two steps. */
    private @Nullable IOException rename(Path name, Path aside) {
        try {
            if (files.look(name).isEmpty()) {
                files.rename(aside, name);
            }
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** Gives a file its name again unless another has it by now; its own one stays if there are links. */
    void putBack(Path name, Path file) throws IOException {
        IOException refusal = link(name, file);
        if (refusal != null && singleWriter) {
            refusal = rename(name, file);
        }
        if (refusal != null) {
            throw new IOException(name + " was moved to " + file, refusal);
        }
    }

    /**
     * Tells a file system without hard links from a full or read-only one: files can be made there, links not. Asked of
     * a file of its own, for what is written must have no other name: a link of it that is carried out late would find
     * the file by that, though it was removed.
     */
    private boolean linksOnlyFail(Path name) throws IOException {
        Path file = aside(name);
        Path link = aside(name);
        try {
            files.create(file, _ -> {});
        } catch (IOException e) {
            return false;
        }
        try {
            files.link(link, file);
            return false;
        } catch (IOException e) {
            return files.look(link).isEmpty();
        } finally {
            remove(file);
            remove(link);
        }
    }

    /** Removes a file on which nothing depends any more; one that remains is a leftover. */
    void remove(Path aside) {
        try {
            files.delete(aside);
        } catch (IOException e) {
            // what was done is done
        }
    }

    private IOException noLinks(@Nullable IOException cause) {
        return new IOException(
                "files can be made in " + folder
                        + ", but no hard links of them; if its file system has none, one device"
                        + " at a time can write there, opened for a single writer",
                cause);
    }
}
