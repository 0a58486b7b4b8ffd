package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.archive.store.SweptArchive.ClockedFiles;
import dev.veilgate.random.TestSeed;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Committers, sweeps, sweeps with old names, and readers at once, while a third of a day passes with each commit. */
final class SweepRaceTest {
    private static final int COMMITTERS = 3;
    private static final int COMMITS = Integer.getInteger("veilgate.numbers", 60);
    private static final int OBJECTS = 24;
    private static final int NAMED = 6;

    /** Age, in manifests, of the names of a sweep that stood still. */
    private static final int OLDER = 3;

    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(30));

    @TempDir
    private Path folder;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final AtomicBoolean ended = new AtomicBoolean();

    private SweptArchive archive() throws Exception {
        return new SweptArchive(new ClockedFiles(ahead), folder);
    }

    @Test
    void whatIsNamedCanBeRead() throws Exception {
        SplittableRandom seeds = TestSeed.of(getClass()).random("race");
        assertThat(archive().commit("first", 1, Set.of(0))).isTrue();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> others = new ArrayList<>();
            others.add(threads.submit(untilTheEnd(archive -> archive.sweep())));
            others.add(threads.submit(untilTheEnd(archive -> archive.sweep())));
            others.add(threads.submit(untilTheEnd(archive -> archive.sweep(OLDER))));
            others.add(threads.submit(untilTheEnd(SweepRaceTest::read)));
            others.add(threads.submit(untilTheEnd(SweepRaceTest::read)));
            List<Future<?>> committers = new ArrayList<>();
            for (int i = 0; i < COMMITTERS; i++) {
                String name = "committer" + i;
                SplittableRandom random = seeds.split();
                committers.add(threads.submit(() -> commit(name, random)));
            }
            try {
                for (Future<?> committer : committers) {
                    committer.get();
                }
            } finally {
                ended.set(true);
            }
            for (Future<?> other : others) {
                other.get();
            }
        }
        SweptArchive archive = archive();
        read(archive);
        archive.sweep();
        assertThat(archive.objects.list()).containsAll(SweptArchive.names(archive.named(archive.manifests.newest())));
    }

    @FunctionalInterface
    private interface Work {
        void run(SweptArchive archive) throws Exception;
    }

    private Callable<Boolean> untilTheEnd(Work work) {
        return () -> {
            SweptArchive archive = archive();
            while (!ended.get()) {
                work.run(archive);
            }
            return true;
        };
    }

    private boolean commit(String name, SplittableRandom random) throws Exception {
        SweptArchive archive = archive();
        for (long number = 2; number <= COMMITS; number = archive.manifests.newest() + 1) {
            Set<Integer> named = new TreeSet<>();
            random.ints(NAMED, 0, OBJECTS).forEach(named::add);
            if (archive.commit(name, number, named)) {
                ahead.updateAndGet(before -> before.plusHours(8));
            }
        }
        return true;
    }

    /** Reads all that the newest manifest names; a committer may have to put again what went while it committed. */
    private static void read(SweptArchive archive) throws Exception {
        long number = archive.manifests.newest();
        for (int object : archive.named(number)) {
            assertThat(PATIENCE.await(() -> {
                        try {
                            boolean done = archive.isThere(object) || archive.manifests.newest() > number;
                            return done ? Optional.of(true) : Optional.empty();
                        } catch (NoSuchFileException e) {
                            return Optional.empty();
                        }
                    }))
                    .as("object %d of manifest %d", object, number)
                    .isPresent();
        }
    }
}
