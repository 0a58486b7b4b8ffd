package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.follow.Positions;
import dev.veilgate.agent.spool.AgentState;
import dev.veilgate.agent.spool.Spool;
import dev.veilgate.agent.spool.SpoolDisk;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent is killed at random moments while logs are written and rotated, by renaming and by copying and cutting. Every line arrives, once, in
 * the order of its log; duplicates of QoS 1 are known by the envelope's id, as the gateway knows them.
 */
class AgentCrashTest {
    private static final int KILLS = Integer.getInteger("veilgate.kills", 8);
    /** Older ones are deleted, once they have arrived and the agent has noted their end; their inodes are given to others. */
    private static final int KEPT = 12;

    @TempDir
    Path folder;

    @Test
    void everyLineArrivesOnceAndInOrder() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("AgentCrashTest: -Dveilgate.seed=" + seed + " -Dveilgate.kills=" + KILLS);
        Random random = new Random(seed);
        TestTenant.Sender files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        Path logs = Files.createDirectory(folder.resolve("logs"));
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                Writer renamed = new Writer(
                        logs.resolve("renamed.log"),
                        "r",
                        false,
                        new Random(random.nextLong()),
                        receiver,
                        this::isNoted);
                Writer copied = new Writer(
                        logs.resolve("copied.log"),
                        "c",
                        true,
                        new Random(random.nextLong()),
                        receiver,
                        this::isNoted)) {
            renamed.start();
            copied.start();
            Process agent = start(broker, files, logs);
            try {
                // before its first start the agent knows of no log, and of none that is rotated away
                Await.until("the first lines", () -> receiver.lineCount() > 100);
                renamed.rotate = true;
                copied.rotate = true;
                for (int i = 0; i < KILLS; i++) {
                    boolean ended = agent.waitFor(300 + random.nextInt(2500), TimeUnit.MILLISECONDS);
                    assertThat(ended)
                            .as(() -> "agent ended by itself: " + log())
                            .isFalse();
                    agent.destroyForcibly().waitFor();
                    agent = start(broker, files, logs);
                }
                renamed.stop();
                copied.stop();
                int expected = renamed.lines() + copied.lines();
                Await.until(
                        expected + " lines",
                        600,
                        () -> receiver.lineCount() >= expected,
                        () -> missing(receiver, renamed, copied) + log());
                agent.destroy();
                assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(agent.exitValue()).isZero();
            } finally {
                agent.destroyForcibly();
            }
            List<String> lines = receiver.lines();
            assertThat(difference(of(lines, "r"), renamed.written())).isEmpty();
            assertThat(difference(of(lines, "c"), copied.written())).isEmpty();
            assertThat(lines).hasSize(renamed.lines() + copied.lines());
            assertThat(receiver.findings(files.sender())).isEmpty();
            System.out.println("AgentCrashTest: " + lines.size() + " lines, " + receiver.size() + " envelopes, "
                    + receiver.twice() + " twice, " + renamed.rotations + "+" + copied.rotations + " rotations");
            assertThat(renamed.rotations).isPositive();
            assertThat(copied.rotations).isPositive();
        }
    }

    /**
     * Whether the state on disk says that a file was read to its end. One that is deleted before that is reported as a possible loss, since nobody can know whether there was more to read.
     */
    private boolean isNoted(Path file) {
        try {
            long inode = (Long) Files.getAttribute(file, "unix:ino");
            Path copy = Files.createTempDirectory(folder, "spool"); // of a spool that another process writes
            try (Stream<Path> all = Files.list(folder.resolve("state").resolve("spool"))) {
                for (Path each : all.filter(Files::isRegularFile).toList()) {
                    Files.copy(each, copy.resolve(each.getFileName()));
                }
            }
            AgentState state = Spool.open(copy, SpoolDisk.REAL).state();
            return Positions.decode(state.positions()).files().values().stream()
                    .noneMatch(at -> at.id().inode() == inode && !at.done());
        } catch (IOException | MalformedEncodingException e) {
            return false; // removed meanwhile: another time
        }
    }

    private Process start(Mosquitto broker, TestTenant.Sender files, Path logs) throws IOException {
        return ChildAgent.start(
                folder.resolve("agent.log"),
                List.of(),
                "--bundle=" + files.bundle(),
                "--authority=" + files.authority(),
                "--identity=" + files.identity(),
                "--state=" + folder.resolve("state"),
                "--scope=plant",
                "--mqtt-url=" + broker.url(),
                "--batch-time=100 ms",
                "--mqtt-backoff-max=200 ms",
                "--linger=500 ms",
                "--file=" + logs + "/*.log");
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("agent.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String missing(Receiver receiver, Writer... writers) {
        List<String> lines = receiver.lines();
        StringBuilder out = new StringBuilder(lines.size() + " lines came; ");
        for (Writer writer : writers) {
            List<String> missing = new ArrayList<>(writer.written());
            missing.removeAll(new HashSet<>(lines));
            out.append(missing.size()).append(" missing, first ");
            out.append(missing.isEmpty() ? "none" : missing.getFirst()).append("; ");
        }
        return out.append('\n').toString();
    }

    /** Where two lists begin to differ, in a few lines: the lists have tens of thousands. */
    private static String difference(List<String> arrived, List<String> written) {
        int at = 0;
        while (at < arrived.size() && at < written.size() && arrived.get(at).equals(written.get(at))) {
            at++;
        }
        if (at == arrived.size() && at == written.size()) {
            return "";
        }
        return arrived.size() + " arrived, " + written.size() + " written; from " + at + " on\n" + part(arrived, at)
                + "\ninstead of\n" + part(written, at);
    }

    private static List<String> part(List<String> lines, int at) {
        return lines.subList(Math.max(0, Math.min(at - 2, lines.size())), Math.min(at + 5, lines.size()));
    }

    private static List<String> of(List<String> lines, String prefix) {
        return lines.stream().filter(line -> line.startsWith(prefix + " ")).toList();
    }

    /** Writes numbered lines in pieces, and rotates. */
    private static final class Writer implements AutoCloseable {
        private final Path file;
        private final String prefix;
        private final boolean copyTruncate;
        private final Random random;
        private final List<String> written = new ArrayList<>();
        private final Thread thread;
        private volatile boolean stopped;
        private final List<String> lastLines = new ArrayList<>();
        private final Receiver receiver;
        private volatile boolean rotate;
        private volatile int rotations;
        private volatile Throwable failure = new Throwable("none");
        private final Predicate<Path> mayGo;

        /** @param mayGo whether a rotated file may be deleted */
        Writer(
                Path file,
                String prefix,
                boolean copyTruncate,
                Random random,
                Receiver receiver,
                Predicate<Path> mayGo) {
            this.receiver = receiver;
            this.mayGo = mayGo;
            this.file = file;
            this.prefix = prefix;
            this.copyTruncate = copyTruncate;
            this.random = random;
            this.thread = new Thread(this::run, "writer-" + prefix);
        }

        void start() {
            thread.start();
        }

        void stop() throws InterruptedException {
            stopped = true;
            thread.join();
            assertThat(failure).hasMessage("none");
        }

        int lines() {
            return written().size();
        }

        synchronized List<String> written() {
            return List.copyOf(written);
        }

        private void run() {
            try {
                int next = 0;
                while (!stopped) {
                    int lines = 1 + random.nextInt(40);
                    try (OutputStream out =
                            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                        for (int i = 0; i < lines; i++) {
                            write(out, next++);
                        }
                    }
                    Thread.sleep(random.nextInt(30));
                    if (rotate && random.nextInt(25) == 0) {
                        rotate();
                    }
                }
            } catch (Exception e) {
                failure = e;
            }
        }

        private void write(OutputStream out, int number) throws IOException {
            String line = prefix + " " + number + " " + "x".repeat(random.nextInt(80)) + " user=" + random.nextInt(50);
            byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
            int cut = random.nextInt(bytes.length); // a line comes in two pieces
            out.write(bytes, 0, cut);
            out.write(bytes, cut, bytes.length - cut);
            synchronized (this) {
                written.add(line);
            }
        }

        private void rotate() throws IOException {
            int oldest = lastLines.size() - KEPT;
            if (oldest >= 0 && !receiver.lines().contains(lastLines.get(oldest))) {
                return;
            }
            Path last = file.resolveSibling(file.getFileName() + "." + (KEPT + 1));
            if (Files.exists(last) && !mayGo.test(last)) {
                return;
            }
            synchronized (this) {
                lastLines.add(written.getLast());
            }
            for (int i = KEPT; i >= 1; i--) {
                Path from = file.resolveSibling(file.getFileName() + "." + i);
                if (Files.exists(from)) {
                    Path to = file.resolveSibling(file.getFileName() + "." + (i + 1));
                    Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Path first = file.resolveSibling(file.getFileName() + ".1");
            if (copyTruncate) {
                Files.copy(file, first, StandardCopyOption.REPLACE_EXISTING);
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            } else {
                Files.move(file, first, StandardCopyOption.ATOMIC_MOVE);
            }
            rotations++;
        }

        @Override
        public void close() {
            stopped = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
