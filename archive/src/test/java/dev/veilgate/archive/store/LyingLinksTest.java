package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ManifestStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Manifests where a hard link's outcome is not what the file system says, as network file systems' clients do it. */
final class LyingLinksTest {
    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(20));
    private static final int WRITERS = 6;
    private static final int NUMBERS = Integer.getInteger("veilgate.numbers", 50);

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
                    int micros = random.nextInt(3000);
                    later.execute(() -> {
                        try {
                            Thread.sleep(Duration.ofNanos(1000L * micros));
                            linkInSilence(name, file);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
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

    private ManifestStore store(Liar liar) {
        return new FolderManifests(liar, folder, PATIENCE, false);
    }

    @ParameterizedTest
    @EnumSource
    void givesEachNumberOnceAndSaysSoToItsWriter(Lie lie) throws Exception {
        Map<Long, byte[]> given = new ConcurrentHashMap<>();
        SplittableRandom seeds = TestSeed.of(getClass()).random("lies " + lie);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                ManifestStore own = store(new Liar(lie, new Random(seeds.nextLong()), threads));
                int writer = i;
                running.add(threads.submit(() -> write(own, writer, given)));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        }
        ManifestStore honest = FolderManifests.open(folder);
        assertThat(honest.newest()).isGreaterThanOrEqualTo(NUMBERS);
        for (long number = 1; number <= honest.newest(); number++) {
            assertThat(honest.read(number)).as("number %d", number).hasValue(given.get(number));
        }
        assertThat(given).hasSize((int) honest.newest());
    }

    /** A failed attempt is told by an exception, behind which the same writer tries again. */
    private static boolean write(ManifestStore own, int writer, Map<Long, byte[]> given) throws IOException {
        int attempt = 0;
        for (long number = own.newest() + 1; number <= NUMBERS; number = own.newest() + 1) {
            byte[] mine = ManifestStoreContractTest.bytes(writer + " attempt " + attempt++ + " at " + number);
            boolean created;
            try {
                created = own.create(number, mine);
            } catch (IOException e) {
                assertThat(e).hasStackTraceContaining("timed out");
                continue;
            }
            if (created) {
                assertThat(given.put(number, mine)).as("number %d", number).isNull();
            }
        }
        return true;
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
