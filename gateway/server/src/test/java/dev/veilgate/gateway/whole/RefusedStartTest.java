package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.FreePort;
import dev.veilgate.transport.supervision.ServiceExit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose settings forbid a start: what it says on standard error, and with which status it ends. */
class RefusedStartTest {
    private record Ended(int status, String said) {}

    @TempDir
    private Path folder;

    private Ended run(Path settings, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                GatewayProcess.classPath(),
                "dev.veilgate.gateway.command.Main",
                "run",
                "--config",
                settings.toString(),
                "server.port=" + FreePort.choose(),
                "veilgate.data-dir=" + folder.resolve("data")));
        command.addAll(List.of(more));
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(command)
                .redirectError(errors.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Ended(process.waitFor(), Files.readString(errors, StandardCharsets.UTF_8));
    }

    /** The settings of the package, in which nothing is filled in. */
    @Test
    void theShippedSettingsAreRefusedWithASentence() throws Exception {
        Path settings = Path.of("gateway/server/src/main/dist/gateway.yaml").toAbsolutePath();
        Ended ended = run(settings, "veilgate.mqtt.embedded.listen=127.0.0.1:" + FreePort.choose());
        assertThat(ended.said())
                .contains("veilgate-gateway run: there is no file /etc/veilgate/acme.vgb, which veilgate.tenants names:"
                        + " veilgate keys bundle -o acme.vgb writes the tenant's public bundle; put it there")
                .contains("(settings: " + settings + ")");
        assertThat(ended.status()).isEqualTo(ServiceExit.CONFIG);
    }

    @Test
    void settingsThatAreNoYamlAreSaidByTheirLineAndNotByTheirText() throws Exception {
        Path settings = Files.writeString(folder.resolve("gateway.yaml"), "veilgate:\n  password: [hunter2\n");
        Ended ended = run(settings);
        assertThat(ended.said())
                .contains("veilgate-gateway run: the settings are no YAML, in line")
                .doesNotContain("hunter2");
        assertThat(ended.status()).isEqualTo(ServiceExit.CONFIG);
    }

    @Test
    void aPortInUseMayPass() throws Exception {
        Path settings = Files.writeString(folder.resolve("gateway.yaml"), "veilgate:\n  hostname: gateway.example\n");
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ended ended = run(settings, "veilgate.mqtt.embedded.listen=127.0.0.1:" + used.getLocalPort());
            assertThat(ended.said()).contains("veilgate-gateway run: ", Integer.toString(used.getLocalPort()));
            assertThat(ended.status()).isEqualTo(ServiceExit.TEMPORARY);
        }
    }
}
