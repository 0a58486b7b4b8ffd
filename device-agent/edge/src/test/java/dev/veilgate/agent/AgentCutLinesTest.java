package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.sender.SealedLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that container runtimes cut into parts, through the whole agent: read, sealed, spooled and published. */
class AgentCutLinesTest {
    private static final Duration VALID = Duration.ofDays(30);

    @TempDir
    Path folder;

    private TestTenant.Sender files;
    private Path log;

    @BeforeEach
    void begin() throws IOException {
        files = TestTenant.files(folder, Instant.now(), VALID);
        log = Files.createDirectory(folder.resolve("logs")).resolve("0.log");
        write("the first line");
    }

    private void useRules2() throws IOException {
        Files.write(files.bundle(), TestTenant.bundleOfRules2(Instant.now(), VALID));
    }

    private void write(String... lines) throws IOException {
        Files.writeString(log, String.join("\n", lines) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String docker(String stream, String text) {
        return "{\"log\":\"" + text + "\",\"stream\":\"" + stream + "\",\"time\":\"2026-11-28T10:00:00Z\"}";
    }

    private static String cri(String stream, String tag, String text) {
        return "2026-11-28T10:00:00Z " + stream + ' ' + tag + ' ' + text;
    }

    private static List<String> records(Receiver receiver) {
        List<String> records = new ArrayList<>();
        for (Envelope envelope : receiver.envelopes()) {
            if (SealedLines.areIn(envelope)) {
                try {
                    TestTenant.open(envelope)
                            .forEach(record -> records.add(new String(record, StandardCharsets.UTF_8)));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }
        return records;
    }

    private static List<Integer> rules(Receiver receiver) {
        return receiver.envelopes().stream()
                .filter(SealedLines::areIn)
                .map(envelope -> envelope.indexRules().map(IndexRules::rules).orElse(1))
                .toList();
    }

    private List<String> found(String query, ExtractorProfile profile, Receiver receiver) throws Exception {
        PreparedSearch search = PreparedSearch.of(TestTenant.request(query, profile, folder), IndexSchemes.load());
        List<String> found = new ArrayList<>();
        for (Envelope envelope : receiver.envelopes()) {
            List<byte[]> records = TestTenant.open(envelope);
            search.match(envelope, IndexAdmission.trust(envelope, IndexSchemes.load()))
                    .ordinals()
                    .forEach(i -> found.add(new String(records.get(i), StandardCharsets.UTF_8)));
        }
        return found;
    }

    @Test
    void aLineIsFoundByAWordThatWasCutThoughTheAgentStopsInBetween() throws Exception {
        useRules2();
        String[] out = {docker("stdout", "2026-11-28 10:00:00 ERR"), docker("stdout", "OR user=bo")};
        String end = docker("stdout", "b\\n");
        String[] err = {docker("stderr", "2026-11-28 10:00:00 warn over"), docker("stderr", "heat\\n")};
        String whole = String.join("\n", out[0], out[1], end);
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = new RunningAgent.Setup(files, folder, broker.url());
            try (RunningAgent agent = RunningAgent.start(setup)) {
                write(out[0], err[0], out[1], err[1]);
                Await.until("one line", 120, () -> receiver.lineCount() == 2, agent::log);
            }
            assertThat(records(receiver)).containsExactly("the first line", String.join("\n", err));
            try (RunningAgent agent = RunningAgent.start(setup)) {
                write(end);
                Await.until("the other", 120, () -> receiver.lineCount() == 3, agent::log);
            }
            assertThat(records(receiver)).containsExactly("the first line", String.join("\n", err), whole);
            assertThat(found("level:error user:bob stream:stdout", TestTenant.RULES_2, receiver))
                    .containsExactly(whole);
            assertThat(found("overheat", TestTenant.RULES_2, receiver)).containsExactly(String.join("\n", err));
            assertThat(found("user:bo", TestTenant.RULES_2, receiver)).isEmpty();
            assertThat(receiver.findings(files.sender())).isEmpty();
        }
    }

    @Test
    void byRules1EachPartIsARecord() throws Exception {
        String[] lines = {cri("stdout", "P", "over"), cri("stderr", "F", "other"), cri("stdout", "F", "heat")};
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent agent = RunningAgent.start(new RunningAgent.Setup(files, folder, broker.url()))) {
            write(lines);
            Await.until("lines", 120, () -> receiver.lineCount() == 4, agent::log);
            assertThat(records(receiver)).containsExactly("the first line", lines[0], lines[1], lines[2]);
            assertThat(rules(receiver)).containsOnly(1);
        }
    }

    /** Lines that were joined while rules 2 were used are sealed line by line if they are not used any more. */
    @Test
    void rulesMayChangeBetweenReadingAndSealing() throws Exception {
        useRules2();
        String[] lines = {cri("stdout", "P", "over"), cri("stderr", "F", "other"), cri("stdout", "F", "heat")};
        write(lines);
        Path others = Files.createFile(folder.resolve("others.txt"));
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = new RunningAgent.Setup(files, folder, broker.url())
                    .with("agent.batch.time", "1 h")
                    .with("agent.batch.records", "4");
            setup.sources = List.of(
                    Map.of("files", List.of(log.toString())),
                    Map.of("files", List.of(others.toString()), "format", List.of("plain")));
            try (RunningAgent agent = RunningAgent.start(setup)) {
                fillEnvelope(others, receiver, agent);
                assertThat(rules(receiver)).as("of the other file").containsOnly(2);
                Files.write(files.bundle(), TestTenant.newBundle(Instant.now(), VALID));
                while (!rules(receiver).contains(1)) {
                    fillEnvelope(others, receiver, agent);
                }
                assertThat(records(receiver)).allMatch(record -> record.startsWith("of the other file"));
            }
            Await.until("lines", 60, () -> records(receiver).contains(lines[2]), () -> "");
            List<String> sealed = records(receiver);
            sealed.removeIf(record -> record.startsWith("of the other file"));
            assertThat(sealed).containsExactly("the first line", lines[1], lines[0], lines[2]);
        }
    }

    private static void fillEnvelope(Path file, Receiver receiver, RunningAgent agent) throws IOException {
        int before = receiver.lineCount();
        Files.writeString(file, "of the other file\n".repeat(4), StandardOpenOption.APPEND);
        Await.until("an envelope", 120, () -> receiver.lineCount() > before, agent::log);
    }

    /** The agent is killed at random moments: every line arrives once, with all of its parts. */
    @Test
    void anAgentThatIsKilledJoinsEachLineOnce() throws Exception {
        useRules2();
        Random random = new Random(Long.getLong("veilgate.seed", 1));
        List<String> expected = new ArrayList<>(List.of("the first line"));
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            Process agent = startChild(broker);
            try {
                Await.until("the first line", 120, () -> receiver.lineCount() == 1, this::childLog);
                for (int kill = 0; kill < 6; kill++) {
                    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300 + random.nextInt(1500));
                    while (System.nanoTime() - end < 0) {
                        expected.addAll(writeCutLines(random, expected.size()));
                        if (random.nextInt(20) == 0) {
                            Files.move(log, log.resolveSibling("0.log." + expected.size()));
                            String first = "line " + expected.size() + " of a file";
                            write(first);
                            expected.add(first);
                        }
                    }
                    agent.destroyForcibly().waitFor();
                    agent = startChild(broker);
                }
                Await.until("all", 120, () -> receiver.lineCount() >= expected.size(), this::childLog);
                agent.destroy();
                assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                agent.destroyForcibly();
            }
            List<String> records = records(receiver);
            assertThat(without(expected, records)).as("missing").isEmpty();
            assertThat(without(records, expected)).as("not expected").isEmpty();
            assertThat(receiver.findings(files.sender())).isEmpty();
        }
    }

    private static List<String> without(List<String> all, List<String> others) {
        List<String> rest = new ArrayList<>(all);
        others.forEach(rest::remove);
        return rest;
    }

    /** Parts of two streams and whole lines, mixed, with pauses; the records that they are. */
    private List<String> writeCutLines(Random random, int number) throws Exception {
        List<List<String>> streams = new ArrayList<>();
        for (String stream : List.of("stdout", "stderr")) {
            List<String> parts = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                parts.add(cri(stream, i == 0 ? "F" : "P", number + " part " + i + " x".repeat(random.nextInt(200))));
            }
            streams.add(parts);
        }
        List<String> records = new ArrayList<>();
        streams.forEach(parts -> records.add(String.join("\n", parts)));
        while (!streams.stream().allMatch(List::isEmpty)) {
            List<String> stream = streams.get(random.nextInt(2));
            if (!stream.isEmpty()) {
                write(stream.removeFirst());
            }
            if (random.nextInt(4) == 0) {
                String line = "line " + number + ' ' + records.size();
                records.add(line);
                write(line);
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
        }
        return records;
    }

    private Process startChild(Mosquitto broker) throws IOException {
        return ChildAgent.start(
                folder.resolve("agent.log"),
                List.of(),
                "--bundle=" + files.bundle(),
                "--authority=" + files.authority(),
                "--identity=" + files.identity(),
                "--state=" + folder.resolve("state"),
                "--scope=plant",
                "--mqtt-url=" + broker.url(),
                "--batch-time=50 ms",
                "--mqtt-backoff-max=200 ms",
                "--linger=500 ms",
                "--file=" + log);
    }

    private String childLog() {
        try {
            return Files.readString(folder.resolve("agent.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
