package dev.veilgate.archive.store;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Manifests as files of a folder, a thousand in a subfolder. A manifest is written beside its place, synchronised with
 * the disk, linked to its number, and the folder synchronised: after a crash it is whole or not there.
 *
 * <p>Any number of processes on any number of devices may write, if hard links never replace a file there. Those of one
 * device may write where there are no hard links, see {@link #singleWriter}.
 */
public final class FolderManifests implements ManifestStore {
    private final Filesystem files;
    private final ManifestPlaces places;
    private final ExclusiveNames names;

    /** A number that was taken when it was looked up last. */
    private final AtomicLong known = new AtomicLong();

    /** Subfolders that are durable themselves. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    private final Set<Path> cleaned = ConcurrentHashMap.newKeySet();

    FolderManifests(Filesystem files, Path folder, Patience patience, boolean singleWriter) {
        this.files = files;
        places = new ManifestPlaces(files, folder);
        names = new ExclusiveNames(files, folder, patience, singleWriter);
    }

    /** Opens a folder that is there, for any number of writers. Nothing is written until a manifest is. */
    public static FolderManifests open(Path folder) throws IOException {
        return open(folder, Patience.USUAL.bound());
    }

    /**
     * Opens a folder that is there, for any number of writers.
     *
     * @param patience how long a number that is taken may not be readable, since clients of network file systems may
     *     take a name for absent for a minute
     */
    public static FolderManifests open(Path folder, Duration patience) throws IOException {
        return open(folder, patience, false);
    }

    /**
     * Opens a folder that is there, for processes of one device that write in turns, by a lock of the operating system;
     * others may read. Without hard links a manifest is renamed to its number.
     *
     * @param patience how long a writer waits for its turn, and a number that is taken may not be readable
     */
    public static FolderManifests singleWriter(Path folder, Duration patience) throws IOException {
        return open(folder, patience, true);
    }

    private static FolderManifests open(Path folder, Duration patience, boolean singleWriter) throws IOException {
        Filesystem files = new SystemFiles();
        Path absolute = folder.toAbsolutePath();
        Filesystem.Entry entry = files.look(absolute).orElseThrow(() -> new NoSuchFileException(folder.toString()));
        if (!entry.folder()) {
            throw new NotDirectoryException(folder.toString());
        }
        return new FolderManifests(files, absolute, new Patience(patience), singleWriter);
    }

    @Override
    public long newest() throws IOException {
        long newest = places.newest(known.get());
        known.set(newest);
        return newest;
    }

    @Override
    public Optional<byte[]> read(long number) throws IOException {
        return names.read(places.file(number));
    }

    @Override
    public boolean create(long number, byte[] manifest) throws IOException {
        Optional<byte[]> there = read(number);
        if (there.isEmpty()) {
            there = Optional.of(put(number, manifest));
        }
        if (!Arrays.equals(there.get(), manifest)) {
            return false;
        }
        try {
            force(number);
        } catch (IOException e) {
            throw new UnsettledException(
                    "manifest " + number + " stands, but may not be durable: " + e.getMessage(), e);
        }
        return true;
    }

    /** Puts a manifest under a number if it can, and gives what stands there afterwards. */
    private byte[] put(long number, byte[] manifest) throws IOException {
        if (number > 1 && !places.taken(number - 1)) {
            throw new IOException("manifest " + number + " cannot be put: there is none before it");
        }
        Path file = places.file(number);
        try (LockFile _ = names.turn()) {
            files.createFolder(DurableFiles.folderOf(file));
            Path aside = ExclusiveNames.aside(file);
            try {
                write(aside, manifest);
                removeLeftovers(aside);
                return names.give(file, aside);
            } finally {
                names.remove(aside);
            }
        }
    }

    private void write(Path aside, byte[] bytes) throws IOException {
        files.create(aside, out -> {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                out.write(left);
            }
        });
    }

    @Override
    public void force(long number) throws IOException {
        Path subfolder = places.folderOf(number);
        if (!durable.contains(subfolder)) { // whoever made it, or ended the one before, may have been killed
            if (number >= ManifestPlaces.IN_A_FOLDER) {
                forceIfThere(places.folderOf(number - ManifestPlaces.IN_A_FOLDER));
            }
            files.force(places.folder());
        }
        files.force(subfolder);
        durable.add(subfolder);
    }

    private void forceIfThere(Path subfolder) throws IOException {
        if (files.look(subfolder).isPresent()) {
            files.force(subfolder);
        }
    }

    /** Once a subfolder. The file that was just made tells the time there. */
    private void removeLeftovers(Path made) throws IOException {
        Path subfolder = DurableFiles.folderOf(made);
        Optional<Filesystem.Entry> entry = files.look(made);
        if (entry.isPresent() && cleaned.add(subfolder)) {
            Leftovers.remove(files, subfolder, ExclusiveNames.ASIDE, entry.get().changed());
        }
    }

    @Override
    public void shorten(long number, byte[] expected, byte[] head) throws IOException {
        Path file = places.file(number);
        if (!places.taken(number + 1)) {
            throw new ConflictException("manifest " + number + " is not shortened: there is none behind it");
        }
        if (Arrays.equals(require(number, expected, head), head)) {
            return;
        }
        try (LockFile _ = names.turn()) {
            Path aside = ExclusiveNames.aside(file);
            try {
                write(aside, head);
                require(number, expected, head);
                files.rename(aside, file);
            } finally {
                files.delete(aside); // a renaming that is carried out late finds nothing
            }
        }
    }

    private byte[] require(long number, byte[] expected, byte[] head) throws IOException {
        byte[] there = read(number).orElseThrow(() -> new ConflictException("manifest " + number + " is not there"));
        if (!Arrays.equals(there, expected) && !Arrays.equals(there, head)) {
            throw new ConflictException("manifest " + number + " is another one than expected");
        }
        return there;
    }

    @Override
    public void close() {}

    /**
     * Moves what stands under the newest number to a name of its own, where nobody looks for a manifest; the number is
     * free then. For bytes that are no manifest, and only if somebody says so, since what others built on it is lost.
     *
     * @param rubbish what stands there now
     * @return where it is now
     * @throws ConflictException if it is not the newest number, or other bytes stand there
     */
    public Path setAside(long number, byte[] rubbish) throws IOException {
        Path file = places.file(number);
        try (LockFile _ = names.turn()) {
            if (places.taken(number + 1)) {
                throw new ConflictException("manifest " + number + " is not set aside: there is one behind it");
            }
            require(number, rubbish, rubbish);
            Path aside = file.resolveSibling(number + ".aside-" + UUID.randomUUID());
            files.rename(file, aside);
            Optional<byte[]> moved = names.read(aside);
            if (moved.isPresent() && !Arrays.equals(moved.get(), rubbish)) { // the number was given in between
                names.putBack(file, aside);
                throw new ConflictException(
                        "manifest " + number + " is another one than expected; it stands in " + aside + " too");
            }
            files.force(DurableFiles.folderOf(file));
            return aside;
        }
    }
}
