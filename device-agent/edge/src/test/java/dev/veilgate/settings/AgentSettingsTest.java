package dev.veilgate.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentSettingsTest {
    private static final String GOOD = """
            bundle: /b
            authority: aa
            identity: /i
            agent:
              state: /s
              scope: plant
              mqtt: {url: "mqtt://localhost:1883"}
              sources:
                - files: /var/log/a.log
            """;

    @TempDir
    Path folder;

    private AgentSettings load(String text, Map<String, String> options) throws SettingsException, IOException {
        Path file = folder.resolve("veilgate.yaml");
        Files.writeString(file, text);
        return AgentSettings.load(file, options, List.of());
    }

    private void refuses(String text, String... parts) {
        assertThatThrownBy(() -> load(text, Map.of()))
                .isInstanceOf(SettingsException.class)
                .message()
                .contains(parts);
    }

    @Test
    void readsTheSampleWhichHasEveryKey() throws Exception {
        Path sample = Stream.of("device-agent/edge/src/main/dist/veilgate.yaml", "src/main/dist/veilgate.yaml")
                .map(Path::of)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        AgentSettings settings = AgentSettings.load(sample, Map.of(), List.of());
        assertThat(settings.sources()).hasSize(3);
        String text = Files.readString(sample);
        Stream.concat(AgentKeys.ALL.stream(), AgentKeys.OF_A_SOURCE.stream()).forEach(setting -> {
            String name = setting.key().substring(setting.key().lastIndexOf('.') + 1);
            assertThat(text).containsPattern("(?m)^[ #-]*" + name + ":");
            if (!setting.standard().isEmpty()) {
                assertThat(setting.refusal(setting.standard()))
                        .as(setting.key())
                        .isEmpty();
            }
        });
    }

    private static String anyOf(String name, int attributes) {
        return IntStream.range(0, attributes).mapToObj(i -> name + ":" + i).collect(Collectors.joining(" OR "));
    }

    /** Else the agent would end with the first envelope. */
    @Test
    void refusesReadersThatNoEnvelopeHasRoomFor() throws Exception {
        String sources =
                "    - files: /var/log/a.log\n      readers: \"%s\"\n    - files: /var/log/b.log\n      readers: \"%s\"\n";
        String many = GOOD.substring(0, GOOD.indexOf("    - files")) + sources;
        refuses(many.formatted(anyOf("a", 2_000), ""), "agent.sources.readers: ", "at most 65536");
        load(many.formatted(anyOf("a", 600), anyOf("a", 600)), Map.of());
        refuses(many.formatted(anyOf("a", 600), anyOf("b", 600)), "all sources together", "at most 65536");
        refuses(
                GOOD.replace("scope: plant", "scope: plant\n  readers: \"" + anyOf("a", 2_000) + "\""),
                "agent.readers");
    }

    @Test
    void hasDefaultsAndLetsOptionsWin() throws Exception {
        AgentSettings settings = load(GOOD, Map.of("agent.heartbeat", "5 min"));
        assertThat(settings.heartbeat()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.batch().records()).isEqualTo(256);
        assertThat(settings.spool().whenFull()).isEqualTo(AgentSettings.WhenFull.BLOCK);
        assertThat(settings.sources().getFirst().patterns()).containsExactly("/var/log/a.log");
        assertThat(settings.sources().getFirst().scope()).isEqualTo("plant");
    }

    @Test
    void namesLineKeyAndWhatIsAllowed() {
        refuses(GOOD + "  heartbeat: soon\n", "veilgate.yaml:10: ", "agent.heartbeat", "a time such as");
        refuses(GOOD + "  batch: {records: 257}\n", "agent.batch.records: must be 1 to 256");
        refuses(GOOD + "  spool: {when-full: panic}\n", "block or drop-oldest or drop-newest");
        refuses(GOOD + "  spool:\n    max: 12 parsec\n", "veilgate.yaml:11: ", "a size such as 64 KiB");
    }

    @Test
    void saysWhatAnUnknownKeyMayHaveMeant() {
        refuses(GOOD + "  heartbeet: 5 s\n", "agent.heartbeet: no such key; did you mean agent.heartbeat?");
        refuses(GOOD + "      exlude: x\n", "agent.sources.exlude: no such key; did you mean agent.sources.exclude?");
        refuses("xyzzyplugh: 1\n", "xyzzyplugh: no such key");
    }

    @Test
    void refusesWhatDoesNotGoTogether() {
        refuses(GOOD.replace("mqtt://localhost:1883", "http://localhost"), "agent.mqtt.url: must be mqtts://");
        refuses(GOOD.replace("mqtt://localhost:1883", "mqtt://u:secret@localhost"), "keys of their own");
        refuses(GOOD.replace("/var/log/a.log", "a.log"), "paths must be absolute");
        refuses(GOOD.replace("  scope: plant\n", ""), "agent.scope: is needed");
        refuses(GOOD.replace("bundle: /b\n", ""), "bundle: is needed", "--bundle");
        refuses(GOOD.replace("/b\n", "http://audit.example.org/bundle\n"), "bundle: must be a file, or an address");
        refuses(
                GOOD.replace("    - files: /var/log/a.log\n", "    - stdin: true\n      files: /a\n"),
                "each item has one of");
        refuses(GOOD.replace("{url:", "{ca: /c, url:"), "certificates need mqtts://");
    }

    @Test
    void refusesWhatIsNoPlainYaml() {
        refuses("bundle: [\n", "veilgate.yaml:", "is not YAML");
        refuses("bundle: /a\nbundle: /b\n", "bundle: is there twice");
        refuses("bundle: {a: b}\n", "bundle: must be one value");
        refuses("- a\n", "must be a map");
        refuses("bundle: /b\nagent: {sources: {}}\n", "agent.sources: must be a list");
    }

    @Test
    void passesOverSectionsOfOtherPrograms() throws Exception {
        assertThat(load(GOOD + "mail:\n  anything: [1, 2]\n", Map.of()).scope()).isEqualTo("plant");
    }
}
