package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.agent.spool.SpoolDisk;
import dev.veilgate.envelope.ChainVerifier;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.sender.BundleServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Full disks, full spools, clocks that go back, bundles that expire, sources other than files. */
class AgentFaultTest {
    @TempDir
    Path folder;

    private TestTenant.Sender files;
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void begin() throws IOException {
        files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        Files.createDirectory(folder.resolve("logs"));
    }

    private void write(int lines) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            String line = "event " + written.size() + " z".repeat(50);
            written.add(line);
            text.append(line).append('\n');
        }
        Files.writeString(folder.resolve("logs/a.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private RunningAgent.Setup setup(Mosquitto broker) {
        return new RunningAgent.Setup(files, folder, broker.url());
    }

    private void awaitAll(Receiver receiver, RunningAgent agent) {
        Await.until("all lines", 120, () -> receiver.lineCount() >= written.size(), agent::log);
        assertThat(receiver.lines()).isEqualTo(written);
    }

    /** A clock that a test sets. */
    private static final class SetClock extends Clock {
        private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

        @Override
        public Instant instant() {
            return now.get();
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @Test
    void whatNobodySubscribedToStays() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"))) {
            write(10);
            try (RunningAgent agent = RunningAgent.start(setup(broker))) {
                Await.until(
                        "the refusal",
                        () -> agent.agent().publisher().status().problem().contains("nobody has subscribed"));
                assertThat(agent.agent().spool().size()).isPositive();
                try (Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
                    awaitAll(receiver, agent);
                }
            }
        }
    }

    @Test
    void dropOldestGoesOnUnderABrokerThatRefuses() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"))) {
            RunningAgent.Setup setup =
                    setup(broker).with("agent.spool.when-full", "drop-oldest").with("agent.spool.max", "1 MiB");
            try (RunningAgent agent = RunningAgent.start(setup)) {
                Await.until(
                        "the first refusal",
                        () -> agent.agent().publisher().status().refused() > 0);
                for (int i = 0; i < 40; i++) {
                    write(256);
                }
                Await.until(
                        "all sealed",
                        120,
                        () -> agent.agent().counters().records.get() >= written.size(),
                        agent::log);
                assertThat(agent.agent().counters().lostRecords.get()).isPositive();
            }
        }
    }

    @Test
    void anAgentThatFailsEnds() throws Exception {
        String name = folder.resolve("logs") + "/j$(printf '\\303\\266').log";
        assertThat(new ProcessBuilder("bash", "-c", "echo one line > \"" + name + "\"")
                        .start()
                        .waitFor())
                .isZero();
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            for (int run = 0; run < 2; run++) { // without a locale Java cannot find again what it has followed
                Process agent = ChildAgent.start(
                        folder.resolve("agent.log"),
                        List.of("env", "LC_ALL=C"),
                        "--once",
                        "--bundle=" + files.bundle(),
                        "--authority=" + files.authority(),
                        "--identity=" + files.identity(),
                        "--state=" + folder.resolve("state"),
                        "--scope=plant",
                        "--mqtt-url=" + broker.url(),
                        "--file=" + folder.resolve("logs") + "/*.log");
                try {
                    assertThat(agent.waitFor(120, TimeUnit.SECONDS)).isTrue();
                } finally {
                    agent.destroyForcibly();
                }
            }
            Await.until("the line", () -> receiver.lineCount() > 0);
            assertThat(receiver.lineCount()).isEqualTo(1);
        }
    }

    @Test
    void aFullDiskIsWaitedFor() throws Exception {
        AtomicReference<String> full = new AtomicReference<>("");
        SpoolDisk disk = new SpoolDisk() {
            @Override
            public void write(Path aside, byte[]... contents) throws IOException {
                if (!full.get().isEmpty()) {
                    Files.write(aside, new byte[] {1, 2, 3}); // a part fits
                    throw new IOException(full.get());
                }
                SpoolDisk.REAL.write(aside, contents);
            }
        };
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = setup(broker);
            setup.disk = disk;
            try (RunningAgent agent = RunningAgent.start(setup)) {
                write(10);
                awaitAll(receiver, agent);
                full.set("No space left on device");
                write(500);
                Await.until(
                        "it to wait", () -> agent.agent().counters().waitsFor.contains("No space left"));
                full.set("");
                awaitAll(receiver, agent);
            }
            assertThat(receiver.findings(files.sender())).isEmpty();
        }
    }

    @Test
    void aLimitOfTheSystemOnFilesIsWaitedForToo() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            write(256);
            Process agent = ChildAgent.start(
                    folder.resolve("agent.log"),
                    // blocks of 1,024 bytes; Java's own files must fit
                    List.of("bash", "-c", "ulimit -S -f 16; exec \"$@\"", "agent"),
                    "--bundle=" + files.bundle(),
                    "--authority=" + files.authority(),
                    "--identity=" + files.identity(),
                    "--state=" + folder.resolve("state"),
                    "--scope=plant",
                    "--mqtt-url=" + broker.url(),
                    "--file=" + folder.resolve("logs") + "/*.log");
            try {
                Await.until(
                        "a write that fails",
                        () -> text(folder.resolve("agent.log")).contains("waits: the disk"));
                assertThat(receiver.lineCount()).isZero();
                assertThat(new ProcessBuilder("prlimit", "--pid=" + agent.pid(), "--fsize=unlimited:unlimited")
                                .start()
                                .waitFor())
                        .isZero();
                Await.until("all lines", () -> receiver.lineCount() >= written.size());
                assertThat(receiver.lines()).isEqualTo(written);
                agent.destroy();
                assertThat(agent.waitFor(120, TimeUnit.SECONDS)).isTrue();
                assertThat(agent.exitValue()).isZero();
            } finally {
                agent.destroyForcibly();
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void aFullSpoolMakesSourcesWait() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent agent = RunningAgent.start(setup(broker).with("agent.spool.max", "1 MiB"))) {
            broker.stop();
            write(30_000);
            Await.until("it to wait", () -> agent.agent().counters().waitsFor.equals("the spool is full"));
            assertThat(agent.agent().spool().bytes()).isLessThan(2 << 20);
            broker.start();
            awaitAll(receiver, agent);
        }
    }

    @Test
    void dropNewestReportsWhatItDropped() throws Exception {
        dropped("drop-newest", false);
    }

    @Test
    void dropOldestReportsWhatItDroppedAndLeavesAGap() throws Exception {
        dropped("drop-oldest", true);
    }

    private void dropped(String policy, boolean gap) throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            try (RunningAgent agent = RunningAgent.start(
                    setup(broker).with("agent.spool.max", "1 MiB").with("agent.spool.when-full", policy))) {
                write(1);
                awaitAll(receiver, agent);
                broker.stop();
                write(30_000);
                Await.until(
                        "all read",
                        () -> agent.agent().counters().lostRecords.get() > 0
                                && agent.agent().counters().records.get()
                                                + (gap
                                                        ? 0
                                                        : agent.agent()
                                                                .counters()
                                                                .lostRecords
                                                                .get())
                                        == written.size());
                broker.start();
                Await.until("all published", () -> agent.agent().spool().size() == 0);
                write(1);
                Await.until("the last line", () -> receiver.lines().contains(written.getLast()));
            }
            long lost = receiver.envelopes().stream()
                    .flatMap(e -> e.loss().stream())
                    .filter(report -> report.reason().equals("spool-full"))
                    .mapToLong(report -> report.records())
                    .sum();
            assertThat(receiver.lines().size()).isEqualTo(written.size() - lost);
            assertThat(new HashSet<>(receiver.lines())).hasSize(receiver.lines().size());
            assertThat(receiver.findings(files.sender()))
                    .extracting(ChainVerifier.Finding::problem)
                    .contains(ChainVerifier.Problem.LOSS_REPORTED)
                    .satisfies(problems -> assertThat(problems.contains(ChainVerifier.Problem.MISSING))
                            .isEqualTo(gap));
        }
    }

    /** The state behind each envelope says what changed, not where each of many files stands; a crash at any moment loses and repeats nothing. */
    @Test
    void stateOfManyFilesIsWrittenAsWhatChanged() throws Exception {
        int files = 1500;
        for (int i = 0; i < files; i++) {
            written.add("line of file " + i);
            Files.writeString(folder.resolve("logs/host-" + (10_000 + i) + ".log"), written.getLast() + "\n");
        }
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"))) {
            RunningAgent.Setup setup = setup(broker).with("agent.max-files", "2000");
            Path saved = folder.resolve("saved");
            try (RunningAgent agent = RunningAgent.start(setup)) { // nobody has subscribed, so all stays in the spool
                Await.until(
                        "all sealed", 60, () -> agent.agent().counters().records.get() == files, agent::log);
                for (int i = 0; i < 20; i++) {
                    String line = "more of " + i;
                    Path log = folder.resolve("logs/host-" + (10_000 + 7 * i) + ".log");
                    Files.writeString(log, line + "\n", StandardOpenOption.APPEND);
                    written.add(line);
                    int all = files + i + 1;
                    Await.until(
                            "one more",
                            60,
                            () -> agent.agent().counters().records.get() == all,
                            agent::log);
                }
                long spool = agent.agent().spool().bytes();
                long envelopes = agent.agent().counters().envelopeBytes.get();
                assertThat((spool - envelopes) / agent.agent().spool().size()).isLessThan(40_000);
                copyFolder(folder.resolve("state"), saved); // as after a power cut
            }
            deleteFolder(folder.resolve("state"));
            Files.move(saved, folder.resolve("state"));
            try (Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                    RunningAgent agent = RunningAgent.start(setup)) {
                Await.until("all", 120, () -> receiver.lineCount() >= written.size(), agent::log);
                Files.writeString(folder.resolve("logs/host-10000.log"), "last\n", StandardOpenOption.APPEND);
                written.add("last");
                Await.until("the last", 120, () -> receiver.lines().contains("last"), agent::log);
                assertThat(receiver.lines()).containsExactlyInAnyOrderElementsOf(written);
            }
        }
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void aClockThatGoesBackDoesNotTurnTimesRound() throws Exception {
        SetClock clock = new SetClock();
        RunningAgent.Setup setup;
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            setup = setup(broker);
            setup.clock = clock;
            for (int i = 0; i < 2; i++) { // the second time after a restart
                try (RunningAgent agent = RunningAgent.start(setup)) {
                    write(5);
                    awaitAll(receiver, agent);
                    clock.now.updateAndGet(now -> now.minus(Duration.ofMinutes(4)));
                    write(5);
                    awaitAll(receiver, agent);
                }
            }
            List<Envelope> envelopes = receiver.envelopes();
            for (int i = 1; i < envelopes.size(); i++) {
                assertThat(envelopes.get(i).last())
                        .isAfterOrEqualTo(envelopes.get(i - 1).last());
                long time = envelopes.get(i).id().getMostSignificantBits() >>> 16;
                assertThat(time)
                        .isGreaterThanOrEqualTo(envelopes.get(i - 1).id().getMostSignificantBits() >>> 16);
            }
            assertThat(receiver.findings(files.sender())).isEmpty();
        }
    }

    @Test
    void aBundleThatExpiresStopsSealingUntilThereIsAnother() throws Exception {
        SetClock clock = new SetClock();
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = setup(broker);
            setup.clock = clock;
            try (RunningAgent agent = RunningAgent.start(setup)) {
                write(5);
                awaitAll(receiver, agent);
                clock.now.updateAndGet(now -> now.plus(Duration.ofDays(31)));
                write(5);
                Await.until(
                        "it to wait", () -> agent.agent().counters().waitsFor.contains("expired"));
                assertThat(receiver.lineCount()).isEqualTo(5);
                Files.write(files.bundle(), TestTenant.newBundle(clock.instant(), Duration.ofDays(30)));
                awaitAll(receiver, agent);
            }
        }
    }

    @Test
    void itStartsWithAnExpiredBundleAndGoesOnWithTheNext() throws Exception {
        Instant before = Instant.now().minus(Duration.ofHours(2));
        Files.write(files.bundle(), TestTenant.newBundle(before, Duration.ofHours(1)));
        write(5);
        int port = Mosquitto.freePort();
        Path log = folder.resolve("agent.log");
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            Process agent = expired(log, broker, "--monitor-port=" + port, "--directory=" + folder.resolve("other"));
            try {
                Await.until("it to wait", 120, () -> text(log).contains("waits: the bundle expired"), () -> text(log));
                HttpResponse<String> health = get(port, "/health");
                assertThat(health.statusCode()).isEqualTo(503);
                assertThat(health.body()).contains("the bundle expired at");
                assertThat(receiver.lineCount()).isZero();
                // a rotation that keeps nothing
                Files.delete(folder.resolve("logs/a.log"));
                Files.delete(folder.resolve("other/b.log"));
                Files.write(files.bundle(), TestTenant.newBundle(Instant.now(), Duration.ofDays(30)));
                Await.until("all lines", () -> receiver.lineCount() >= 6);
                assertThat(receiver.lines())
                        .containsAll(written)
                        .contains("of the other source")
                        .hasSize(6);
                Await.until("health", () -> get(port, "/health").statusCode() == 200);
            } finally {
                agent.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void aBundleOfAnAddressIsFollowedAndKept() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = setup(broker).with("bundle-every", "1 s").with("agent.heartbeat", "1 s");
            try (BundleServer console = new BundleServer();
                    RunningAgent agent = RunningAgent.start(setup.with("bundle", served(console)))) {
                byte[] old = console.bundle;
                write(5);
                awaitAll(receiver, agent);
                long first = agent.agent().spool().state().serial();
                console.bundle = TestTenant.newBundle(Instant.now(), Duration.ofDays(30));
                Await.until( // each heartbeat is sealed under what there is
                        "the next bundle", () -> agent.agent().spool().state().serial() > first);
                console.bundle = old;
                Await.until(
                        "the rollback", () -> agent.agent().counters().bundle.contains("was seen before"));
                write(5);
                awaitAll(receiver, agent);
                assertThat(agent.agent().spool().state().serial()).isGreaterThan(first);
            }
            try (RunningAgent agent = RunningAgent.start(setup)) { // the console is away
                write(5);
                awaitAll(receiver, agent);
                assertThat(agent.agent().counters().bundle).isEmpty();
            }
        }
    }

    private String served(BundleServer console) throws IOException {
        console.bundle = Files.readAllBytes(files.bundle());
        return console.url();
    }

    private Process expired(Path log, Mosquitto broker, String... more) throws IOException {
        Files.createDirectory(folder.resolve("other"));
        Files.writeString(folder.resolve("other/b.log"), "of the other source\n");
        List<String> options = new ArrayList<>(List.of(
                "--bundle=" + files.bundle(),
                "--authority=" + files.authority(),
                "--identity=" + files.identity(),
                "--state=" + folder.resolve("state"),
                "--scope=plant",
                "--mqtt-url=" + broker.url(),
                "--file=" + folder.resolve("logs") + "/*.log"));
        options.addAll(List.of(more));
        return ChildAgent.start(log, List.of(), options.toArray(String[]::new));
    }

    @Test
    void aSecondAgentOnTheSameStateIsRefused() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                RunningAgent agent = RunningAgent.start(setup(broker))) {
            assertThatThrownBy(() -> RunningAgent.start(setup(broker))).hasMessageContaining("in use");
            assertThat(agent.agent().counters().waitsFor).isEmpty();
        }
    }

    @Test
    void standardInputIsReadToItsEnd() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = setup(broker);
            String big = "b".repeat(700_000);
            written.addAll(List.of("one", big, "two\r", "three"));
            setup.in = new ByteArrayInputStream(String.join("\n", written).getBytes(StandardCharsets.UTF_8));
            setup.sources = List.of(Map.of("stdin", List.of("true")));
            try (RunningAgent agent = RunningAgent.start(setup)) {
                agent.await();
            }
            Await.until("all", () -> receiver.lines().size() == 4);
            assertThat(receiver.lines()).isEqualTo(written);
        }
    }

    @Test
    void theJournalGoesOnAtItsCursor() throws Exception {
        Path entries = folder.resolve("entries");
        Path calls = folder.resolve("calls");
        Path journalctl = folder.resolve("journalctl");
        Files.writeString(journalctl, """
                #!/usr/bin/env bash
                # a journal of numbered entries: those behind the cursor, then as they come; or it breaks off
                echo "$@" >> '%s'
                from=0
                for option in "$@"; do
                  case $option in --after-cursor=s=*) from=${option#--after-cursor=s=} ;; esac
                done
                exec tail -n +$((from + 1)) -f '%s'
                """.formatted(calls, entries));
        Files.setPosixFilePermissions(journalctl, PosixFilePermissions.fromString("rwx------"));
        journal(entries, 20);
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = setup(broker);
            setup.sources = List.of(Map.of(
                    "journald", List.of("true"),
                    "journalctl", List.of(journalctl.toString()),
                    "match", List.of("_SYSTEMD_UNIT=a.service")));
            for (int i = 0; i < 2; i++) {
                try (RunningAgent agent = RunningAgent.start(setup)) {
                    awaitAll(receiver, agent);
                    journal(entries, 20);
                    awaitAll(receiver, agent);
                }
                journal(entries, 20);
            }
            assertThat(Files.readAllLines(calls)).hasSize(2);
            for (Envelope envelope : receiver.envelopes()) {
                if (envelope.mediaType().equals("text/plain") && envelope.recordCount() > 0) {
                    assertThat(TestTenant.origins(envelope)).containsOnly("journald/a.service");
                }
            }
            assertThat(text(calls)).contains("_SYSTEMD_UNIT=a.service --follow").contains("--after-cursor=s=40");
        }
    }

    private void journal(Path entries, int count) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String entry = "{\"__CURSOR\":\"s=" + (written.size() + 1) + "\",\"MESSAGE\":\"say \\\"__CURSOR\\\": no\","
                    + "\"_SYSTEMD_UNIT\":\"a.service\"}";
            written.add(entry);
            text.append(entry).append('\n');
        }
        Files.writeString(entries, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void healthAndMetricsSayHowItIsAndNothingElse() throws Exception {
        int port = Mosquitto.freePort();
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent agent =
                        RunningAgent.start(setup(broker).with("agent.monitor.port", String.valueOf(port)))) {
            write(5);
            awaitAll(receiver, agent);
            Await.until("health", () -> get(port, "/health").statusCode() == 200);
            String metrics = get(port, "/metrics").body();
            assertThat(metrics)
                    .contains("veilgate_agent_records_sealed_total 5\n")
                    .contains("veilgate_agent_healthy 1");
            broker.stop();
            Await.until("illness", () -> get(port, "/health").statusCode() == 503);
            assertThat(get(port, "/health").body())
                    .contains("\"status\":\"degraded\"")
                    .contains("mqtt: ");
            assertThat(get(port, "/x").statusCode()).isEqualTo(404);
            assertThat(metrics + get(port, "/health").body())
                    .doesNotContain("event")
                    .doesNotContain("a.log");
            broker.start();
            Await.until("health again", () -> get(port, "/health").statusCode() == 200);
        }
    }

    private static HttpResponse<String> get(int port, String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
