package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.settings.AgentSettings;
import dev.veilgate.terminal.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentPartsTest {
    private static final String START = """
            bundle: /b
            authority: aa
            identity: /i
            agent:
              state: /s
              scope: plant
              mqtt: {url: "mqtt://localhost:1883"}
            """;

    @TempDir
    Path folder;

    private AgentSettings settings(int maxFiles, int sources) throws Exception {
        Path file = folder.resolve("veilgate.yaml");
        Files.writeString(
                file,
                START + "  max-files: " + maxFiles + "\n  sources:\n"
                        + "    - files: /var/log/*.log\n      scope: plant\n".repeat(sources));
        return AgentSettings.load(file, Map.of(), List.of());
    }

    @Test
    void filesOfAllSourcesAreCountedBeforeTheAgentBegins() throws Exception {
        AgentSettings few = settings(1024, 3);
        assertThatCode(() -> AgentParts.requireRoom(few)).doesNotThrowAnyException();
        AgentSettings many = settings(100_000, 30); // 15 GB
        assertThatThrownBy(() -> AgentParts.requireRoom(many))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("3000000 files ")
                .hasMessageContaining("agent.max-files");
    }
}
