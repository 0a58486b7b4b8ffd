package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import java.io.ByteArrayInputStream;
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
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many sources share envelopes; every line says where it came from, to who opens it and to who searches for it. */
class AgentOriginsTest {
    @TempDir
    Path folder;

    private TestTenant.Sender files;
    private Path logs;

    @BeforeEach
    void begin() throws IOException {
        files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        logs = Files.createDirectory(folder.resolve("logs"));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(logs.resolve(name), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Lines by origin. */
    private static Map<String, List<String>> byOrigin(List<Envelope> envelopes) throws Exception {
        Map<String, List<String>> lines = new TreeMap<>();
        for (Envelope envelope : envelopes) {
            List<String> origins = TestTenant.origins(envelope);
            if (!envelope.mediaType().equals("text/plain")) {
                assertThat(origins).isEmpty(); // a catalogue is of no file
                continue;
            }
            List<byte[]> records = TestTenant.open(envelope);
            assertThat(origins).hasSameSizeAs(records);
            for (int i = 0; i < records.size(); i++) {
                lines.computeIfAbsent(origins.get(i), name -> new ArrayList<>())
                        .add(new String(records.get(i), StandardCharsets.UTF_8));
            }
        }
        return lines;
    }

    @Test
    void linesOfManyFilesKeepTheirFilesNameThroughRotation() throws Exception {
        write("a.log", "a1\na2\n");
        write("b.log", "b1\n");
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent agent = RunningAgent.start(new RunningAgent.Setup(files, folder, broker.url()))) {
            Await.until("lines", 120, () -> receiver.lineCount() == 3, agent::log);
            write("a.log", "a3\n");
            Files.move(logs.resolve("a.log"), logs.resolve("a.log.1"));
            write("a.log.1", "a4\n"); // of a writer that has not noticed
            write("a.log", "a5\n");
            Await.until("rotated lines", 120, () -> receiver.lineCount() == 6, agent::log);
            assertThat(byOrigin(receiver.envelopes()))
                    .isEqualTo(Map.of(
                            logs.resolve("a.log").toString(), List.of("a1", "a2", "a3", "a4", "a5"),
                            logs.resolve("b.log").toString(), List.of("b1")));
        }
    }

    @Test
    void everyLineSaysInWhichFormatItWasRead() throws Exception {
        write("a.log", "{\"user\":\"eve\"}\n");
        write("b.log", "user=eve\n");
        write("c.log", "eve\n");
        Map<String, String> formats = new TreeMap<>();
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = new RunningAgent.Setup(files, folder, broker.url());
            setup.sources = List.of(
                    Map.of("files", List.of(logs + "/a.log"), "format", List.of("json")),
                    Map.of("files", List.of(logs + "/b.log"), "format", List.of("key-value")),
                    Map.of("files", List.of(logs + "/c.log")));
            try (RunningAgent agent = RunningAgent.start(setup)) {
                Await.until("lines", 120, () -> receiver.lineCount() == 3, agent::log);
            }
            for (Envelope envelope : receiver.envelopes()) {
                List<String> origins = TestTenant.origins(envelope);
                List<String> some = TestTenant.formats(envelope);
                assertThat(some).as("none of a catalogue").hasSameSizeAs(origins);
                for (int i = 0; i < origins.size(); i++) {
                    formats.put(Path.of(origins.get(i)).getFileName().toString(), some.get(i));
                }
            }
        }
        assertThat(formats).isEqualTo(Map.of("a.log", "json", "b.log", "key-value", "c.log", "auto"));
    }

    @Test
    void aSearchForASourceFindsItsLinesOnly() throws Exception {
        write("a.log", "pump 1\npump 2\n");
        write("b.log", "{\"source\":\"" + logs.resolve("a.log") + "\"}\n"); // what a line claims does not count
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = new RunningAgent.Setup(files, folder, broker.url());
            setup.sources = List.of(Map.of("files", List.of(logs + "/*.log")), Map.of("stdin", List.of("true")));
            setup.in = new ByteArrayInputStream("pump 3\n".getBytes(StandardCharsets.UTF_8));
            try (RunningAgent agent = RunningAgent.start(setup)) {
                Await.until("lines", 120, () -> receiver.lineCount() == 4, agent::log);
            }
            assertThat(byOrigin(receiver.envelopes()).get("stdin")).containsExactly("pump 3");
            assertThat(found("source:" + logs.resolve("a.log"), receiver)).containsExactly("pump 1", "pump 2");
            assertThat(found("source:STDIN", receiver)).containsExactly("pump 3");
            assertThat(found("pump source:stdin", receiver)).containsExactly("pump 3");
        }
    }

    private List<String> found(String query, Receiver receiver) throws Exception {
        PreparedSearch search = PreparedSearch.of(TestTenant.request(query, folder), IndexSchemes.load());
        List<String> found = new ArrayList<>();
        for (Envelope envelope : receiver.envelopes()) {
            List<byte[]> records = TestTenant.open(envelope);
            search.match(envelope, IndexAdmission.trust(envelope, IndexSchemes.load()))
                    .ordinals()
                    .forEach(i -> found.add(new String(records.get(i), StandardCharsets.UTF_8)));
        }
        found.sort(null);
        return found;
    }
}
