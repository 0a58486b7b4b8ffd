package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.edge.MadeTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fate of the lines of a log that is rotated four times while an agent cannot look, for each way of rotating
 * it: the table of docs/agent.md.
 *
 * <p>{@code -Dveilgate.rotations=all} lets some seconds pass between the rotations, so that times of files tell them
 * apart; else they are made within a moment, and only what is in the files does.
 */
class RotationHabitsTest {
    private static final int ROTATIONS = 4;
    private static final boolean SLOWLY = "all".equals(System.getProperty("veilgate.rotations"));
    private static final int AT_A_TIME = SLOWLY ? 64 : 4;

    @TempDir
    Path folder;

    /** Why the agent does not look. */
    enum Disturbance {
        STOPPED,
        FULL,
        RESTARTED
    }

    /** The end of a habit under a disturbance. */
    record Outcome(Habit habit, Disturbance disturbance, int missing, int twice, Recorder sink) {
        /** Whether nothing is kept silent, and nothing is said of a log that is whole and read. */
        boolean isRight() {
            boolean lossSaid = !sink.losses.isEmpty();
            return (missing > 0 == lossSaid || mayLose() && lossSaid) && twice > 0 == !sink.repeated.isEmpty();
        }

        /** Whether files are deleted before they are read, or put where no agent has seen a log be moved to. */
        boolean mayLose() {
            return habit.deletes() || habit.isElsewhere() && disturbance == Disturbance.RESTARTED;
        }

        String cell() {
            String again = twice == 0 ? "" : sink.repeated.isEmpty() ? ", repeated in silence" : ", repeated and said";
            if (!sink.losses.isEmpty()) {
                return "loss reported" + again;
            }
            return (missing == 0 ? "all" : "lost in silence") + again;
        }

        @Override
        public String toString() {
            return habit.name + " | " + disturbance + " | " + cell() + " | losses " + sink.losses + ", repeated "
                    + sink.repeated;
        }
    }

    private static Outcome run(Habit habit, Disturbance disturbance, Path root) throws Exception {
        Habit.Log log = habit.new Log(Files.createDirectories(root));
        log.append(30);
        try (RestartableSource source =
                new RestartableSource(RestartableSource.following(log.followed().toString(), "*.gz"))) {
            source.poll();
            source.drain();
            log.append(20);
            source.poll();
            source.sink.settle();
            log.append(20);
            switch (disturbance) {
                case STOPPED -> rotate(log, source);
                case FULL -> {
                    int[] records = {0};
                    source.sink.whileFull = () -> {
                        if (++records[0] == 7) {
                            rotate(log, source);
                        }
                    };
                    source.poll();
                }
                case RESTARTED -> {
                    source.poll(); // read, and not sealed
                    source.stop();
                    rotate(log, source);
                    source.start();
                }
            }
            source.drain();
            log.append(10);
            source.drain();
            log.rotate();
            source.drain();
            log.append(10);
            source.drain();
            source.stop();
            source.start();
            source.drain();
            Map<String, Integer> found = new HashMap<>();
            source.sink.sealed.forEach(line -> found.merge(line, 1, Integer::sum));
            int missing = (int) log.written().stream()
                    .filter(line -> !found.containsKey(line))
                    .count();
            int twice = (int) found.values().stream().filter(times -> times > 1).count();
            return new Outcome(habit, disturbance, missing, twice, source.sink);
        }
    }

    private static void rotate(Habit.Log log, RestartableSource source) {
        try {
            source.later(Duration.ofSeconds(10));
            for (int i = 0; i < ROTATIONS; i++) {
                pass();
                log.rotate();
                pass();
                log.append(25);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pass() {
        if (!SLOWLY) {
            return;
        }
        try {
            Thread.sleep(Looks.MARGIN.plusMillis(500));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Outcome> outcomes() throws Exception {
        List<Future<Outcome>> running = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME)) {
            for (Habit habit : Habits.all()) {
                for (Disturbance disturbance : Disturbance.values()) {
                    Path root = folder.resolve("habit-" + running.size());
                    running.add(pool.submit(() -> run(habit, disturbance, root)));
                }
            }
        }
        List<Outcome> all = new ArrayList<>();
        for (Future<Outcome> each : running) {
            all.add(each.get());
        }
        return all;
    }

    @Test
    void nothingIsLostOrRepeatedInSilence() throws Exception {
        List<Outcome> all = outcomes();
        assertThat(all).filteredOn(outcome -> !outcome.isRight()).isEmpty();
        assertThat(all)
                .filteredOn(outcome -> !outcome.mayLose())
                .allSatisfy(outcome ->
                        assertThat(outcome.cell()).as(outcome.toString()).isEqualTo("all"));
        MadeTable.compare("agent.md", "rotations", table(all));
    }

    private static List<String> table(List<Outcome> all) {
        List<String> rows =
                new ArrayList<>(List.of("| a log is | stopped | spool full | restarted |", "|---|---|---|---|"));
        int kinds = Disturbance.values().length;
        for (int i = 0; i < all.size(); i += kinds) {
            StringBuilder row =
                    new StringBuilder("| ").append(all.get(i).habit.name).append(" |");
            all.subList(i, i + kinds)
                    .forEach(each -> row.append(' ').append(each.cell()).append(" |"));
            rows.add(row.toString());
        }
        return rows;
    }
}
