package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Manifests where a hard link's outcome is not what the file system says, as network file systems' clients do it. */
final class LyingLinksTest {
    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(20));
    private static final int WRITERS = 6;
    private static final int NUMBERS = Integer.getInteger("veilgate.numbers", 50);

    /** Runs with all lies mixed; more by {@code -Dveilgate.runs}. */
    private static final int RUNS = Integer.getInteger("veilgate.runs", 100);

    @TempDir
    private Path folder;

    private enum Lie {
        /** Success though another file has the name: an error after a retry is taken for the retry's. */
        DONE_BUT_NOT,
        /** An error though the name was given: the answer was lost. */
        FAILED_BUT_DONE,
        /** The name is taken, by the file itself: the answer was lost and the request repeated. */
        EXISTS_BUT_OWN,
        /** An error, and the name is given a little later: a mount that does not wait. */
        DONE_LATER,
        /** The same, but just before the file is removed. */
        DONE_AT_THE_LAST_MOMENT,
        /** The same, with a file that was looked up before it was removed, and still has another name then. */
        DONE_BEHIND_THE_REMOVAL,
        /** The name is taken, and for a while not to be found: the client remembers that it was not there. */
        TAKEN_BUT_UNSEEN,
        /** Each of these now and then, and the truth. */
        ANY
    }

    /** The client of one writer. */
    private static final class Liar extends FaultyFiles {
        private static final Lie[] LIES = Lie.values();

        private final Lie lie;
        private final Random random;
        private final ExecutorService later;
        private final Map<Path, Long> unseen = new HashMap<>();
        private final Map<Path, List<Path>> atTheLastMoment = new HashMap<>();

        Liar(Lie lie, Random random, ExecutorService later) {
            this.lie = lie;
            this.random = random;
            this.later = later;
        }

        @Override
        public void link(Path name, Path file) throws IOException {
            switch (lie == Lie.ANY ? LIES[random.nextInt(LIES.length)] : lie) {
                case DONE_BUT_NOT -> linkInSilence(name, file);
                case FAILED_BUT_DONE -> {
                    linkInSilence(name, file);
                    throw new IOException("timed out");
                }
                case EXISTS_BUT_OWN -> {
                    linkInSilence(name, file);
                    throw new FileAlreadyExistsException(name.toString());
                }
                case DONE_LATER -> {
                    later(() -> linkInSilence(name, file));
                    throw new IOException("timed out");
                }
                case DONE_BEHIND_THE_REMOVAL -> {
                    if (Files.size(file) == 0) { // nothing tells it from a file that another writer is making
                        later(() -> linkInSilence(name, file));
                        throw new IOException("timed out");
                    }
                    Object inode = inode(file);
                    byte[] content = Files.readAllBytes(file);
                    later(() -> {
                        for (Path same : withContent(file.getParent(), content)) {
                            if (inode.equals(inode(same))) {
                                linkInSilence(name, same);
                            }
                        }
                    });
                    throw new IOException("timed out");
                }
                case DONE_AT_THE_LAST_MOMENT -> {
                    atTheLastMoment
                            .computeIfAbsent(file, _ -> new ArrayList<>())
                            .add(name);
                    throw new IOException("timed out");
                }
                case TAKEN_BUT_UNSEEN -> {
                    try {
                        files.link(name, file);
                    } catch (FileAlreadyExistsException e) {
                        unseen.put(name, System.nanoTime() + 1000L * random.nextInt(40_000));
                        throw e;
                    }
                }
                case ANY -> files.link(name, file);
            }
        }

        /** Another file may get it when this one is removed. */
        private static Object inode(Path file) {
            try {
                return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            } catch (IOException e) {
                return "removed";
            }
        }

        private void later(Runnable work) {
            int micros = random.nextInt(3000);
            later.execute(() -> {
                try {
                    Thread.sleep(Duration.ofNanos(1000L * micros));
                    work.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        private void linkInSilence(Path name, Path file) {
            try {
                files.link(name, file);
            } catch (IOException e) {
                // as if it was not told
            }
        }

        @Override
        public void delete(Path file) throws IOException {
            List<Path> names = atTheLastMoment.remove(file);
            if (names != null) {
                names.forEach(name -> linkInSilence(name, file));
            }
            files.delete(file);
        }

        private boolean isUnseen(Path path) {
            Long until = unseen.get(path);
            return until != null && System.nanoTime() < until;
        }

        @Override
        public FileChannel open(Path file) throws IOException {
            if (isUnseen(file)) {
                throw new NoSuchFileException(file.toString());
            }
            return files.open(file);
        }

        @Override
        public Optional<Entry> look(Path path) throws IOException {
            return isUnseen(path) ? Optional.empty() : files.look(path);
        }
    }

    /** Names of a file, or of its copies: a writer's bytes are its own. */
    private static List<Path> withContent(Path folder, byte[] content) {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                if (Files.size(each) == content.length && Arrays.equals(Files.readAllBytes(each), content)) {
                    found.add(each);
                }
            }
        } catch (IOException e) {
            // a file was removed meanwhile
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource
    void givesEachNumberOnceAndSaysSoToItsWriter(Lie lie) throws Exception {
        SplittableRandom seeds = TestSeed.of(LyingLinksTest.class).random("lies " + lie);
        for (int run = 0; run < (lie == Lie.ANY ? RUNS : 1); run++) {
            Path own = Files.createDirectory(folder.resolve("run" + run));
            try {
                write(own, lie, seeds);
            } catch (Throwable e) {
                throw new AssertionError("run " + run, e);
            }
        }
    }

    private static void write(Path folder, Lie lie, SplittableRandom seeds) throws Exception {
        Map<Long, byte[]> given = new ConcurrentHashMap<>();
        Set<String> failed = ConcurrentHashMap.newKeySet();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Liar liar = new Liar(lie, new Random(seeds.nextLong()), threads);
                ManifestStore own = new FolderManifests(liar, folder, PATIENCE, false);
                int writer = i;
                running.add(threads.submit(() -> write(own, writer, given, failed)));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        }
        ManifestStore honest = FolderManifests.open(folder);
        assertThat(honest.newest()).isGreaterThanOrEqualTo(NUMBERS);
        for (long number = 1; number <= honest.newest(); number++) {
            String there = new String(honest.read(number).orElseThrow(), StandardCharsets.UTF_8);
            assertThat(failed)
                    .as("manifests whose writers were told that they failed")
                    .doesNotContain(there);
            assertThat(given.get(number)).as("number %d", number).isEqualTo(there.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(given).hasSize((int) honest.newest());
    }

    /** A writer puts other bytes behind an attempt that failed, and the same ones while it is open. */
    private static boolean write(ManifestStore own, int writer, Map<Long, byte[]> given, Set<String> failed)
            throws IOException {
        int attempt = 0;
        for (long number = own.newest() + 1; number <= NUMBERS; number = own.newest() + 1) {
            String text = writer + " attempt " + attempt++ + " at " + number;
            byte[] mine = text.getBytes(StandardCharsets.UTF_8);
            try {
                if (settled(own, number, mine)) {
                    assertThat(given.put(number, mine)).as("number %d", number).isNull();
                } else {
                    failed.add(text);
                }
            } catch (IOException e) {
                assertThat(e).hasStackTraceContaining("timed out");
                failed.add(text);
            }
        }
        return true;
    }

    private static boolean settled(ManifestStore own, long number, byte[] mine) throws IOException {
        while (true) {
            try {
                return own.create(number, mine);
            } catch (UnsettledException e) {
                assertThat(e).hasStackTraceContaining("timed out");
            }
        }
    }

    /** A link that its client gave up on, for a file that was looked up. */
    private record Request(Path name, Path file, byte[] content) {}

    /**
     * The order of events that once told a writer of a failure that was none: the link of the number fails and is still
     * under way, one more link of the same file is carried out though its name was removed, the file is removed and the
     * number not there; then the first link finds the file, since it has a name.
     */
    @Test
    void aLinkThatIsCarriedOutBehindTheAnswerFindsNothing() throws Exception {
        List<Request> requests = new ArrayList<>();
        FaultyFiles slow = new FaultyFiles() {
            @Override
            public void link(Path name, Path file) throws IOException {
                requests.add(new Request(name, file, Files.readAllBytes(file)));
                throw new IOException("timed out");
            }

            @Override
            public void delete(Path file) throws IOException {
                files.delete(file);
                for (Request each : requests) {
                    if (each.name.equals(file) && Files.exists(each.file)) {
                        files.link(each.name, each.file);
                    }
                }
            }
        };
        ManifestStore store = new FolderManifests(slow, folder, PATIENCE, false);
        assertThatThrownBy(() -> store.create(1, ManifestStoreContractTest.bytes("1")))
                .isNotInstanceOf(UnsettledException.class)
                .hasStackTraceContaining("timed out");
        assertThat(requests).hasSizeGreaterThan(1);
        for (Path same : withContent(folder.resolve("0"), requests.getFirst().content)) {
            new SystemFiles().link(requests.getFirst().name, same);
        }
        assertThat(FolderManifests.open(folder).newest()).isZero();
    }

    @Test
    void saysThatItIsOpenWhetherANumberIsGivenWhereItsFileCannotBeRemoved() throws Exception {
        List<Path> late = new ArrayList<>();
        FaultyFiles stuck = new FaultyFiles() {
            @Override
            public void link(Path name, Path file) throws IOException {
                late.add(file);
                throw new IOException("timed out");
            }

            @Override
            public void delete(Path file) throws IOException {
                throw new IOException("the server does not answer");
            }
        };
        byte[] one = ManifestStoreContractTest.bytes("1");
        ManifestStore store = new FolderManifests(stuck, folder, PATIENCE, false);
        assertThatThrownBy(() -> store.create(1, one))
                .isInstanceOf(UnsettledException.class)
                .hasMessageContaining("0/1");
        ManifestStore honest = FolderManifests.open(folder);
        assertThat(honest.newest()).isZero();
        new SystemFiles().link(folder.resolve("0/1"), late.getFirst());
        assertThat(honest.create(1, one)).isTrue();
        assertThat(honest.create(1, ManifestStoreContractTest.bytes("other"))).isFalse();
    }

    @Test
    void saysThatATakenNumberCannotBeRead() throws Exception {
        FolderManifests.open(folder).create(1, ManifestStoreContractTest.bytes("1"));
        FaultyFiles unseen = new FaultyFiles() {
            @Override
            void before(Step step, Path path) throws IOException {
                if ((step == Step.OPEN || step == Step.LOOK) && path.endsWith("1")) {
                    throw new NoSuchFileException(path.toString());
                }
            }
        };
        ManifestStore store = new FolderManifests(unseen, folder, new Patience(Duration.ofMillis(50)), false);
        assertThatThrownBy(() -> store.create(1, ManifestStoreContractTest.bytes("1")))
                .hasMessageContaining(folder.resolve("0/1").toString())
                .hasMessageContaining("could not be read");
        assertThat(Files.list(folder.resolve("0"))).containsExactly(folder.resolve("0/1"));
    }
}
