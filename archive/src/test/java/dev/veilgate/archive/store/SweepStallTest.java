package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.archive.store.SweptArchive.ClockedFiles;
import dev.veilgate.random.TestSeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Committers, sweeps and readers that stand still before each of their steps while others commit and sweep and days
 * pass by the folder's clock: each object that the newest manifest names can be read, and stays.
 */
final class SweepStallTest {
    private static final int MOST_STEPS = 300;

    /** A run tries each tenth step, from a first one that the seed gives; all by {@code -Dveilgate.stride=1}. */
    private static final int STRIDE = Integer.getInteger("veilgate.stride", 10);

    /** In manifest 1 and 2. */
    private static final int KEPT = 1;

    /** In manifest 1 only. */
    private static final int DROPPED = 2;

    /** An object that stands unnamed for long, and that manifest 2 names. */
    private static final int LATE = 3;

    /** Objects that are in the trash, for long and since yesterday, and that manifest 2 names. */
    private static final int TRASHED = 4;

    private static final int TRASHED_YESTERDAY = 5;

    /** An object that is put for manifest 2. */
    private static final int FRESH = 6;

    /** An object in the trash that nobody names. */
    private static final int RUBBISH = 7;

    private static final Set<Integer> SECOND = Set.of(KEPT, LATE, TRASHED, TRASHED_YESTERDAY, FRESH);

    @TempDir
    private Path folder;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    /** Events while somebody stands still. */
    private enum Meanwhile {
        TWO_SWEEPS(0, 0),
        DAYS_PASS(9),
        SWEEP_DAYS_PASS_SWEEP(0, 9),
        TWO_SWEEPS_DAYS_APART(9, 9),
        CLOCK_AHEAD_AND_RIGHT_AGAIN(10, -10),
        CLOCK_BEHIND_AND_RIGHT_AGAIN(-10, 10);

        /** Days after which there is a sweep. */
        private final int[] days;

        Meanwhile(int... days) {
            this.days = days;
        }
    }

    /** Does something before a step, counted from 0. */
    private static final class Stalled extends ClockedFiles {
        private final List<Integer> stalls;
        private final Runnable event;
        private int steps;

        Stalled(AtomicReference<Duration> ahead, List<Integer> stalls, Runnable event) {
            super(ahead);
            this.stalls = stalls;
            this.event = event;
        }

        @Override
        void before(Step step, Path path) {
            if (stalls.contains(steps++)) {
                event.run();
            }
        }
    }

    private static int first(String use) {
        return TestSeed.of(SweepStallTest.class).random(use).nextInt(STRIDE);
    }

    private SweptArchive begin(Path own) throws IOException {
        ahead.set(Duration.ZERO);
        Files.createDirectory(own);
        SweptArchive archive = new SweptArchive(new ClockedFiles(ahead), own);
        for (int object : new int[] {KEPT, DROPPED, LATE}) {
            archive.putOld(object, Duration.ofDays(3));
        }
        archive.putInTrash(TRASHED, 30);
        archive.putInTrash(TRASHED_YESTERDAY, 1);
        archive.putInTrash(RUBBISH, 30);
        archive.manifests.create(1, ManifestProcess.bytes("first:" + KEPT + "," + DROPPED));
        return archive;
    }

    private void sweepAfter(SweptArchive archive, int days) {
        ahead.updateAndGet(before -> before.plusDays(days));
        try {
            archive.sweep();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void check(SweptArchive archive, Set<Integer> named) throws IOException {
        for (int object : named) {
            assertThat(archive.isThere(object)).as("object %d", object).isTrue();
        }
    }

    /** At the end all that is named stays where it is, and nothing else. */
    private void settle(SweptArchive archive) throws IOException {
        check(archive, SECOND);
        ahead.set(Duration.ofDays(40)); // behind what was put by a clock that was ahead
        for (int i = 0; i < 2; i++) {
            sweepAfter(archive, 9);
            check(archive, SECOND);
        }
        assertThat(archive.objects.list()).containsExactlyInAnyOrderElementsOf(SweptArchive.names(SECOND));
        assertThat(archive.isThere(DROPPED)).isFalse();
        assertThat(archive.isThere(RUBBISH)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void committerStandsStill(Meanwhile meanwhile) throws Exception {
        boolean stalled = true;
        for (int stall = first("committer " + meanwhile); stalled; stall += STRIDE) {
            assertThat(stall).isLessThan(MOST_STEPS);
            Path own = folder.resolve(Integer.toString(stall));
            SweptArchive archive = begin(own);
            Stalled files = new Stalled(ahead, List.of(stall), () -> {
                for (int days : meanwhile.days) {
                    sweepAfter(archive, days);
                }
            });
            SweptArchive committer = new SweptArchive(files, own);
            committer.put(FRESH);
            assertThat(committer.commit("second", 2, SECOND)).isTrue();
            stalled = files.steps > stall;
            settle(archive);
        }
    }

    /** Two events, since the names that a sweep has are older after each. */
    @ParameterizedTest
    @EnumSource
    void sweepStandsStill(Meanwhile meanwhile) throws Exception {
        boolean stalled = true;
        for (int stall = first("sweep " + meanwhile); stalled; stall += STRIDE) {
            assertThat(stall).isLessThan(MOST_STEPS);
            for (boolean daysFirst : new boolean[] {true, false}) {
                Path own = folder.resolve(stall + " " + daysFirst);
                SweptArchive archive = begin(own);
                Stalled files = new Stalled(ahead, List.of(stall), () -> {
                    if (daysFirst) {
                        ahead.updateAndGet(before -> before.plusDays(meanwhile.days[0]));
                    }
                    commitSecond(archive);
                    for (int days : meanwhile.days) {
                        sweepAfter(archive, days);
                    }
                });
                SweptArchive sweeper = new SweptArchive(files, own);
                sweeper.sweep();
                stalled = files.steps > stall;
                if (!stalled) {
                    commitSecond(archive);
                }
                settle(archive);
            }
        }
    }

    private static void commitSecond(SweptArchive archive) {
        try {
            archive.put(FRESH);
            assertThat(archive.commit("second", 2, SECOND)).isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Before one or two of the steps the object is moved to the trash, or back. */
    @ParameterizedTest
    @ValueSource(ints = {KEPT, TRASHED})
    void readerStandsStill(int object) throws Exception {
        SweptArchive archive = begin(folder.resolve("archive"));
        boolean reached = true;
        for (int first = 0; reached; first++) {
            boolean again = true;
            for (int second = first; again; second++) {
                Stalled files = new Stalled(ahead, List.of(first, second), () -> toggle(archive, object));
                SweptArchive reader = new SweptArchive(files, folder.resolve("archive"));
                assertThat(reader.isThere(object))
                        .as("moved before %d and %d", first, second)
                        .isTrue();
                again = files.steps > second;
                reached = files.steps > first;
            }
        }
    }

    private static void toggle(SweptArchive archive, int object) {
        try {
            if (Files.exists(archive.places().place(SweptArchive.name(object)))) {
                archive.putInTrash(object, object);
            } else {
                assertThat(archive.objects.restore(SweptArchive.name(object))).isTrue();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
