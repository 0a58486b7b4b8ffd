package dev.veilgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exit codes of what a service manager runs, by which it starts that again or not, and of what people run. */
class ServiceExitCodesTest {
    @TempDir
    private Path folder;

    private int run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text).isNotBlank();
        return process.waitFor();
    }

    /** The settings of the package, in which nothing is filled in. */
    private String settings() throws Exception {
        String shipped = Files.readString(Path.of("device-agent/edge/src/main/dist/veilgate.yaml"));
        return Files.writeString(
                        folder.resolve("veilgate.yaml"),
                        shipped.replace("/etc/veilgate", folder.resolve("etc").toString())
                                .replace("/var/lib", folder.resolve("lib").toString()))
                .toString();
    }

    @Test
    void aServiceWhoseSettingsForbidAStartIsNotStartedAgain() throws Exception {
        String settings = settings();
        assertThat(run("agent", "run", "--config", settings)).isEqualTo(ExitCode.CONFIG);
        assertThat(run("mail", "proxy", "--config", settings)).isEqualTo(ExitCode.CONFIG);
        assertThat(run("agent", "run", "--config", folder.resolve("nowhere").toString()))
                .isEqualTo(ExitCode.CONFIG);
        assertThat(run("agent", "run", "--heartbeat", "soon")).isEqualTo(ExitCode.CONFIG);
    }

    @Test
    void commandsKeepTheirCodes() throws Exception {
        String settings = settings();
        assertThat(run("agent", "check", "--offline", "--config", settings)).isEqualTo(ExitCode.IO);
        assertThat(run("agent", "run", "--once", "--config", settings)).isEqualTo(ExitCode.IO);
        assertThat(run("agent", "check", "--heartbeat", "soon")).isEqualTo(ExitCode.USAGE);
    }
}
