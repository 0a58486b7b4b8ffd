package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that come and go between two looks: what nobody could read is said, and nothing else is. */
@Timeout(120)
class FolderEventsTest {
    @TempDir
    Path folder;

    private Path log;
    private RestartableSource source;
    private Recorder sink;

    @BeforeEach
    void begin() throws Exception {
        log = folder.resolve("app.log");
        source = new RestartableSource(RestartableSource.following(folder + "/*.log", "*.gz"));
        sink = source.sink;
        append(log, "one");
        for (int i = 0; i < 10; i++) { // until it is of no matter that it was there first
            source.drain();
        }
    }

    @AfterEach
    void end() {
        source.close();
    }

    private static void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Until the system has told of all that was. */
    private void settle() throws Exception {
        Thread.sleep(1000); // on a busy machine the system's own thread is late
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (System.nanoTime() < end) {
            Thread.sleep(100); // as an agent that has nothing to do
            source.drain();
        }
    }

    @Test
    void aFileThatCameAndWentIsReported() throws Exception {
        Path job = folder.resolve("job.log");
        append(job, "never read");
        Files.delete(job);
        settle();
        assertThat(sink.losses).containsExactly("missing-file " + job);
        assertThat(sink.sealed).containsExactly("one");
    }

    @Test
    void aLogThatWasReplacedTwiceIsReported() throws Exception {
        Files.move(log, folder.resolve("app.log.1"));
        append(log, "never read");
        Files.delete(log);
        append(log, "three");
        settle();
        assertThat(sink.sealed).containsExactly("one", "three");
        assertThat(sink.losses).containsExactly("missing-file " + log);
    }

    @Test
    void rotationsAreNoLosses() throws Exception {
        for (int round = 0; round < 5; round++) {
            for (int i = 4; i > 0; i--) {
                Path older = folder.resolve("app.log." + i);
                if (Files.exists(older)) {
                    Files.move(older, folder.resolve("app.log." + (i + 1)));
                }
            }
            Files.move(log, folder.resolve("app.log.1"));
            append(log, "line " + round);
        }
        settle();
        Files.delete(folder.resolve("app.log.5"));
        settle();
        assertThat(sink.sealed).contains("line 0", "line 3", "line 4").hasSize(6);
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void aFileThatIsMadeUnderAnotherNameIsNoLoss() throws Exception {
        for (int i = 0; i < 20; i++) {
            Path made = folder.resolve("part" + i + ".log");
            append(made, "line " + i);
            Files.move(made, folder.resolve("done" + i + ".log"));
        }
        settle();
        assertThat(sink.sealed).hasSize(21);
        assertThat(sink.losses).isEmpty();
    }

    /** The system's thread may have told of the name that is left alone when the agent asks. */
    @Test
    void aRenamedFileIsNotGoneHoweverItsEventsComeApart() throws Exception {
        Path made = folder.resolve(".made.log.tmp");
        Path named = folder.resolve("made.log");
        try (FolderEvents events = new FolderEvents()) {
            events.watch(List.of(folder));
            CompletableFuture<?> writer = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 0; i < 20_000; i++) {
                        Files.writeString(made, "line\n");
                        Files.move(made, named, StandardCopyOption.ATOMIC_MOVE);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Map<Path, Integer> gone = new HashMap<>();
            while (!writer.isDone() || events.hasNews()) {
                gone.putAll(events.vanished(path -> true));
            }
            writer.join();
            assertThat(gone).isEmpty();
            Files.writeString(made, "never read\n");
            Files.delete(made);
            while (gone.isEmpty()) { // a minute at most, by the class's limit
                gone.putAll(events.vanished(path -> true));
            }
            assertThat(gone).containsExactly(Map.entry(made, 1));
        }
    }

    @Test
    void aFileThatWasReadBeforeItWentIsNoLoss() throws Exception {
        for (int i = 0; i < 10; i++) {
            Path job = folder.resolve("job" + i + ".log");
            append(job, "line " + i);
            source.drain();
            Files.delete(job);
        }
        settle();
        assertThat(sink.sealed).hasSize(11);
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void aLogThatIsWrittenToAndCutIsReported() throws Exception {
        source.later(Duration.ofSeconds(3));
        append(log, "two");
        source.drain();
        Files.writeString(log, "", StandardOpenOption.TRUNCATE_EXISTING);
        append(log, "three");
        source.later(Duration.ofMillis(100));
        settle();
        assertThat(sink.sealed).containsExactly("one", "two", "three");
        assertThat(sink.losses).containsExactly("truncated-file " + log);
    }

    @Test
    void aLogThatWasQuietAndIsCutLostNothing() throws Exception {
        source.later(Duration.ofMillis(1900));
        source.poll();
        source.later(Duration.ofMillis(1900));
        Files.writeString(log, "", StandardOpenOption.TRUNCATE_EXISTING);
        append(log, "three");
        settle();
        assertThat(sink.sealed).containsExactly("one", "three");
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void namesThatNobodyAskedForAreNone() throws Exception {
        Path other = folder.resolve("other.txt");
        append(other, "text");
        Files.delete(other);
        settle();
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void withoutRoomForMoreWatchesItSaysSoOnceAndGoesOn() throws Exception {
        Path below = Files.createDirectory(folder.resolve("below"));
        try (FolderEvents events = new FolderEvents((path, service) -> {
            if (path.equals(below)) {
                throw new IOException("User limit of inotify watches reached");
            }
            return path.register(service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
        })) {
            events.watch(List.of(folder, below));
            events.watch(List.of(folder, below));
            assertThat(events.problem()).contains("User limit of inotify watches reached");
            assertThat(events.problem()).isEmpty();
            assertThat(events.describe()).isEqualTo(", without file events of 1 folders");
            Path job = folder.resolve("job.log");
            append(job, "text");
            Files.delete(job);
            Thread.sleep(300);
            assertThat(events.vanished(path -> true)).containsOnlyKeys(job);
        }
    }

    /** Makes and deletes files of a folder, five thousand times a second each; prints how often. */
    static final class Flood {
        private Flood() {}

        public static void main(String[] arguments) throws Exception {
            long begun = System.nanoTime();
            AtomicLong made = new AtomicLong();
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> System.out.println(made.get() * 2_000_000_000L / (System.nanoTime() - begun))));
            while (true) {
                if (made.get() * 200_000 > System.nanoTime() - begun) {
                    Thread.sleep(1);
                    continue;
                }
                Path file = Path.of(arguments[0], "x" + made.incrementAndGet() % 50 + ".log");
                Files.createFile(file);
                Files.delete(file);
            }
        }
    }

    /** Ten thousand events a second, for some seconds. */
    @Test
    void aFloodOfEventsCostsLittleAndIsSaid() throws Exception {
        var cpu = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Process flood = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Flood.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        long before = cpu.getProcessCpuTime();
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(8)) {
            source.poll();
            Thread.sleep(100);
        }
        double share = (double) (cpu.getProcessCpuTime() - before) / (System.nanoTime() - begun);
        flood.toHandle().destroy();
        String rate = new String(flood.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.println("a flood of " + rate.strip() + " events a second: " + share + " of a core, "
                + sink.losses.size() + " reports");
        assertThat(share).isLessThan(0.5);
        assertThat(sink.losses.size()).isLessThan(1000);
        assertThat(sink.notices).anyMatch(line -> line.startsWith("more files came and went"));
    }
}
