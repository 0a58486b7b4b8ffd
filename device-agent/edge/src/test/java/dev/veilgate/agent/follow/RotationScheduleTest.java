package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A log that is rotated between any two accesses of its reader to the file system: one thread does what both do, and a
 * schedule says before which access the writer goes on, and by how many steps. Before each access some numbers of steps
 * are tried, and before its neighbours the others; {@code -Dveilgate.stride=1} tries all of them before each.
 */
class RotationScheduleTest {
    private static final int ROTATIONS = 3;
    /** Older ones are deleted, so that their inodes are given to new files; the writer waits until they are read. */
    private static final int KEPT = 2;

    private static final int[] BURSTS = {1, 2, 3, 5, 9, 14, 22, 40};
    /** Share of the bursts that is tried before each access, as one in so many; the next accesses try the others. */
    private static final int STRIDE = Integer.getInteger("veilgate.stride", 3);

    private static final int RANDOM_SCHEDULES = Integer.getInteger("veilgate.schedules", 16);

    @TempDir
    Path folder;

    /** One step of the writer; false if it has to wait. */
    private interface Step {
        boolean run() throws IOException;
    }

    /** One log, its writer, and a reader that stops and goes on. */
    private final class Run {
        private final Path log;
        private final Deque<Step> steps = new ArrayDeque<>();
        private final Recorder sink = new Recorder();
        private final IntUnaryOperator schedule;
        private final Path watched;
        private int accesses = Integer.MIN_VALUE;
        private int lines;
        /** Every change has a time of its own that is long ago, so that times tell what changed, as they do of a log that is written rarely. */
        private final boolean aged;

        private Instant clock = Instant.parse("2026-01-01T00:00:00Z");
        private PathFollower follower;

        /** @param schedule how many steps the writer does before an access, by its number since the first lines were read */
        Run(String name, boolean copy, boolean aged, IntUnaryOperator schedule) throws IOException {
            this.schedule = schedule;
            this.aged = aged;
            this.log = Files.createDirectory(folder.resolve(name)).resolve("app.log");
            this.watched = new WatchedFiles(FileSystems.getDefault(), this::access).watched(log);
            this.follower = new PathFollower(watched, sink.shared());
            append("0\n1\n");
            lines = 2;
            int[] ends = new int[ROTATIONS + 1]; // lines up to the end of each rotation's file
            for (int rotation = 1; rotation <= ROTATIONS; rotation++) {
                ends[rotation] = lines;
                rotate(copy, rotation > KEPT ? ends[rotation - KEPT] : 0, Math.min(rotation - 1, KEPT));
                for (int i = 0; i <= rotation; i++) {
                    String line = Integer.toString(lines++);
                    steps.add(() -> append(line));
                    steps.add(() -> append("\n"));
                }
            }
        }

        /** @param unread lines that must be read before the oldest file goes */
        private void rotate(boolean copy, int unread, int kept) {
            if (unread > 0) {
                steps.add(() -> sink.sealed.size() >= unread && Files.deleteIfExists(rotated(KEPT)));
            }
            for (int number = unread > 0 ? KEPT - 1 : kept; number >= 1; number--) {
                int from = number;
                steps.add(() -> Files.move(rotated(from), rotated(from + 1)) != null);
            }
            if (copy) {
                steps.add(() -> Files.createFile(rotated(1)) != null);
                steps.add(() -> Files.write(rotated(1), Files.readAllBytes(log)) != null);
                steps.add(this::cut);
            } else {
                steps.add(() -> Files.move(log, rotated(1)) != null);
            }
        }

        private Path rotated(int number) {
            return log.resolveSibling("app.log." + number);
        }

        private boolean append(String text) throws IOException {
            Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return true;
        }

        private boolean cut() throws IOException {
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            return true;
        }

        private void access() {
            if (accesses++ >= 0) {
                write(schedule.applyAsInt(accesses - 1));
            }
        }

        private void write(int most) {
            try {
                for (int i = 0; i < most && !steps.isEmpty() && steps.element().run(); i++) {
                    steps.remove();
                    age();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void age() throws IOException {
            if (!aged) {
                return;
            }
            clock = clock.plusSeconds(1);
            try (Stream<Path> files = Files.list(log.getParent())) {
                for (Path file : files.toList()) {
                    if (Files.getLastModifiedTime(file).toInstant().isAfter(clock)) {
                        Files.setLastModifiedTime(file, FileTime.from(clock));
                    }
                }
            }
            Files.setLastModifiedTime(log.getParent(), FileTime.from(clock));
        }

        void begin() throws Exception {
            age();
            follower.beginAtFirstStart();
            poll(4);
            accesses = 0;
        }

        private void poll(int times) throws Exception {
            for (int i = 0; i < times; i++) {
                follower.poll(sink);
                sink.settle();
            }
        }

        /** As after a crash. */
        void restart() throws Exception {
            follower.close();
            sink.positions = Positions.decode(sink.saved);
            List<FilePosition> before = sink.positions.files().values().stream()
                    .filter(position -> !position.done())
                    .toList();
            follower = new PathFollower(watched, sink.shared());
            follower.resume(before, sink);
            follower.begin(sink);
        }

        /** To the end of what is written. */
        void finish() throws Exception {
            poll(6);
            for (int i = 0; i < ROTATIONS; i++) {
                write(Integer.MAX_VALUE);
                poll(12);
            }
            follower.close();
        }

        void check(String name) {
            List<String> all =
                    IntStream.range(0, lines).mapToObj(Integer::toString).toList();
            assertThat(sink.sealed).as(name).isEqualTo(all);
            assertThat(sink.lost).as(name).isZero();
        }
    }

    /** Counted, so that no schedule ends before the last access. */
    private int accessesOf(boolean copy, boolean aged, boolean restarted) throws Exception {
        Run run = new Run("counted-" + restarted, copy, aged, access -> 0);
        run.begin();
        if (restarted) {
            run.restart();
        }
        run.poll(6);
        return run.accesses;
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void isReadOnceAndInOrderWhereverARunOfStepsComesIn(boolean copy, boolean aged) throws Exception {
        List<String> failures = new ArrayList<>();
        for (boolean restarted : new boolean[] {false, true}) {
            int accesses = accessesOf(copy, aged, restarted);
            for (int at = 0; at < accesses; at++) {
                for (int number = at % STRIDE; number < BURSTS.length; number += STRIDE) {
                    int burst = BURSTS[number];
                    String name = (restarted ? "restart-" : "run-") + at + "-" + burst;
                    int place = at;
                    int steps = burst;
                    Run run = new Run(name, copy, aged, access -> access == place ? steps : 0);
                    run.begin();
                    if (restarted) {
                        run.restart();
                    }
                    run.finish();
                    note(run, name, failures);
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void isReadOnceAndInOrderUnderRandomSchedules(boolean copy, boolean aged) throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < RANDOM_SCHEDULES; i++) {
            Random random = new Random(seed + i);
            int rarity = 2 + random.nextInt(30);
            int burst = 1 + random.nextInt(8);
            Run run = new Run(
                    "random-" + i, copy, aged, access -> random.nextInt(rarity) == 0 ? 1 + random.nextInt(burst) : 0);
            run.begin();
            for (int again = random.nextInt(4); again > 0; again--) {
                run.restart();
                run.poll(random.nextInt(5));
            }
            run.finish();
            note(run, "seed " + (seed + i), failures);
        }
        assertThat(failures).isEmpty();
    }

    private static void note(Run run, String name, List<String> failures) {
        try {
            run.check(name);
        } catch (AssertionError e) {
            failures.add(name + ": " + run.sink.sealed + " of " + run.lines + ", lost " + run.sink.lost);
        }
    }
}
