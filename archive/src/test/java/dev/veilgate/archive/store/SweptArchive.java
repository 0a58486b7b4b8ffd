package dev.veilgate.archive.store;

import static dev.veilgate.archive.store.BlobStoreContractTest.body;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** Objects, and manifests that are lists of their names, as one process has them. */
final class SweptArchive {
    /** Nine days: the trash of a day is emptied. */
    static final Duration DAYS = Duration.ofDays(9);

    private static final int BYTES = 300;

    /** A folder whose clock is another one than the system's. Nothing is forced, for there is no power cut. */
    static class ClockedFiles extends FaultyFiles {
        private final AtomicReference<Duration> ahead;

        ClockedFiles(AtomicReference<Duration> ahead) {
            this.ahead = ahead;
        }

        @Override
        public void create(Path file, DurableFiles.Content content) throws IOException {
            before(Step.CREATE, file);
            Path made = file.resolveSibling(".made~" + UUID.randomUUID()); // nobody sees it with another time
            try (FileChannel out = FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                before(Step.WRITE, file);
                content.write(out);
            }
            files.touch(made, Instant.now().plus(ahead.get()));
            files.rename(made, file);
            after(Step.CREATE, file);
        }

        @Override
        public void force(Path folder) throws IOException {
            before(Step.FORCE, folder);
            if (files.look(folder).isEmpty()) {
                throw new NoSuchFileException(folder.toString());
            }
        }
    }

    final FolderBlobs objects;
    final FolderManifests manifests;
    private final Filesystem files;
    private final Path folder;

    /** Takes a folder that is there. */
    SweptArchive(Filesystem files, Path folder) throws IOException {
        this.files = files;
        this.folder = folder.resolve("objects");
        Filesystem system = new SystemFiles();
        system.createFolder(this.folder);
        Path ofManifests = folder.resolve("manifests");
        system.createFolder(ofManifests);
        objects = new FolderBlobs(files, this.folder);
        manifests = new FolderManifests(files, ofManifests, Patience.USUAL, false);
    }

    /** An archive by the system's clock, where nothing is forced. */
    static SweptArchive unforced(Path folder) throws IOException {
        return new SweptArchive(new ClockedFiles(new AtomicReference<>(Duration.ZERO)), folder);
    }

    static byte[] bytes(int object) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) object);
        return bytes;
    }

    static BlobName name(int object) {
        try {
            return BlobName.of(body(bytes(object)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Set<BlobName> names(Set<Integer> numbers) {
        return numbers.stream().map(SweptArchive::name).collect(Collectors.toSet());
    }

    void put(int object) throws IOException {
        try {
            objects.put(name(object), body(bytes(object)));
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** Puts an object that has not been touched for a time. */
    void putOld(int object, Duration age) throws IOException {
        put(object);
        files.touch(places().place(name(object)), Instant.now().minus(age));
    }

    /** Puts an object that was moved to the trash a number of days ago. */
    void putInTrash(int object, int days) throws IOException {
        putOld(object, DAYS);
        LocalDate day = LocalDate.now(ZoneOffset.UTC).minusDays(days);
        files.createFolder(places().trash());
        files.createFolder(places().trash(day));
        files.rename(
                places().place(name(object)),
                places().trash(day).resolve(name(object).value()));
    }

    ObjectPlaces places() {
        return new ObjectPlaces(files, folder);
    }

    Set<Integer> named(long number) throws IOException {
        String text = new String(manifests.read(number).orElseThrow(), StandardCharsets.UTF_8);
        return Arrays.stream(text.substring(text.indexOf(':') + 1).split(","))
                .filter(it -> !it.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names objects in a manifest, as a committer does; false if another one got the number. */
    boolean commit(String writer, long number, Set<Integer> numbers) throws IOException {
        require(numbers);
        String list = numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
        boolean done = manifests.create(number, (writer + ":" + list).getBytes(StandardCharsets.UTF_8));
        if (done) {
            require(numbers);
        }
        return done;
    }

    private void require(Set<Integer> numbers) throws IOException {
        for (int object : numbers) {
            if (!objects.restore(name(object))) {
                put(object);
            }
        }
    }

    ObjectSweep.Swept sweep() throws IOException {
        return sweep(0);
    }

    /** Sweeps with the names of an older manifest, as a process does that stood still. */
    ObjectSweep.Swept sweep(long older) throws IOException {
        ObjectSweep sweep = begin();
        long number = manifests.newest() - older;
        return sweep.sweep(number <= 0 ? Set.of() : names(named(number)));
    }

    ObjectSweep begin() throws IOException {
        return ObjectSweep.begin(files, folder, InstantSource.system());
    }

    boolean isThere(int object) throws IOException {
        BlobStore store = objects;
        return store.length(name(object)).isPresent()
                && Arrays.equals(store.read(name(object), 0, BYTES + 1), bytes(object));
    }
}
