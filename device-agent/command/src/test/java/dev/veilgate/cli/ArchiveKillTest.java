package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TestSeed;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that adds, killed at random moments: nothing that was found is lost, and the same command goes on. */
class ArchiveKillTest {
    /** More by {@code -Dveilgate.kills}. */
    private static final int KILLS = Integer.getInteger("veilgate.kills", 2);

    /** Exit code of a process that was ended by signal 9. */
    private static final int KILLED = 128 + 9;

    private static final int LINES = 400;
    private static final int BATCH = 20;

    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();
    private final Set<String> names = new TreeSet<>();
    private Path documents;

    private void writeDocuments() throws IOException {
        documents = Files.createDirectory(folder.resolve("documents"));
        StringBuilder log = new StringBuilder();
        StringBuilder rows = new StringBuilder("name,city\n");
        for (int i = 1; i <= LINES; i++) {
            log.append("owl event ").append(i).append('\n');
            rows.append("owl").append(i % 9).append(",owl\n");
            names.add(documents + "/app.log#" + i);
            names.add(documents + "/rows.csv#" + i);
        }
        Files.writeString(documents.resolve("app.log"), log);
        Files.writeString(documents.resolve("rows.csv"), rows);
        for (int i = 0; i < 30; i++) {
            names.add(Files.writeString(documents.resolve("note" + i + ".txt"), "an owl " + i)
                    .toString());
        }
        run.environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        run.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    }

    private Process start(Path archive) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of("archive", "add", "--batch", "" + BATCH, archive.toString(), documents.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().putAll(run.environment);
        return builder.start();
    }

    /** Number of the states of an archive, below 1,000. */
    private static long states(Path archive) {
        String[] newest = archive.resolve("manifests/0").toFile().list();
        return newest == null ? 0 : newest.length;
    }

    /** Kills the command somewhere behind a number of commits of it; false if it was faster. */
    private boolean kill(Path archive, SplittableRandom random) throws Exception {
        long commits = states(archive) + 1 + random.nextInt(2 * LINES / BATCH);
        Process process = start(archive);
        while (process.isAlive() && states(archive) < commits) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(5_000)));
        process.toHandle().destroyForcibly();
        int code = process.waitFor();
        assertThat(code).as(Files.readString(folder.resolve("errors"))).isIn(ExitCode.OK, KILLED);
        return code == KILLED;
    }

    /** The names of all documents that are found; each once. */
    private Set<String> found(Path archive) {
        CommandRun.Result result = run.run("archive", "search", "--names", "--top", 0, archive, "owl*");
        assertThat(result.code()).as(result.err()).isIn(ExitCode.OK, ExitCode.NO_MATCH);
        List<String> lines = result.out().lines().toList();
        assertThat(lines).doesNotHaveDuplicates().isSubsetOf(names);
        return new TreeSet<>(lines);
    }

    @Test
    void nothingThatWasFoundIsLostByKill9AndTheSameCommandGoesOn() throws Exception {
        SplittableRandom random = TestSeed.of(getClass()).random("kills");
        writeDocuments();
        Path archive = folder.resolve("archive");
        run.ok("archive", "create", archive);
        Set<String> before = Set.of();
        int killed = 0;
        for (int kill = 1; kill <= KILLS; kill++) {
            killed += kill(archive, random) ? 1 : 0;
            assertThat(found(archive)).containsAll(before);
            before = found(archive);
            run.ok("archive", "verify", archive);
            if (kill == KILLS || random.nextInt(4) == 0) {
                requireWhole(archive);
                archive = folder.resolve("archive-" + kill);
                run.ok("archive", "create", archive);
                before = Set.of();
            }
        }
        System.out.printf("%d of %d commands were killed before their end%n", killed, KILLS);
        assertThat(killed).isGreaterThan(KILLS / 4);
    }

    private void requireWhole(Path archive) {
        run.ok("archive", "add", archive, documents);
        assertThat(found(archive)).isEqualTo(names);
        assertThat(run.ok("archive", "stats", "--json", archive).out()).contains("\"documents\":" + names.size() + ",");
        assertThat(run.ok("archive", "add", archive, documents).out()).startsWith("0 added");
        run.ok("archive", "verify", archive);
        run.ok("archive", "compact", archive);
        run.ok("archive", "verify", archive);
        assertThat(found(archive)).isEqualTo(names);
    }
}
