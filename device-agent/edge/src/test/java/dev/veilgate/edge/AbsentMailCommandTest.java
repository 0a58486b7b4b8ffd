package dev.veilgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The program as it is on devices: with the class path of its tests, but without SMTP. */
class AbsentMailCommandTest {
    private record Outcome(int exitCode, String text) {}

    private static Outcome run(String... arguments) throws Exception {
        String withoutSmtp = String.join(
                File.pathSeparator,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(path -> !path.contains("protocols-"))
                        .toList());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                withoutSmtp,
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), text);
    }

    @Test
    void saysInWhichPackageMailIs() throws Exception {
        assertThat(run("mail", "proxy", "--config", "/etc/veilgate/veilgate.yaml"))
                .isEqualTo(new Outcome(
                        2,
                        "veilgate-edge mail: mail commands are not installed here;"
                                + " they are in the package veilgate-edge-mail\n"));
    }

    @Test
    void helpDoesNotOfferIt() throws Exception {
        assertThat(run("--help").text()).contains("  agent ").doesNotContain("  mail ");
        assertThat(run("help", "agent", "run").exitCode()).isZero();
    }

    @Test
    void isThereWithItsLibraries() {
        assertThat(MailLibraries.areInstalled()).isTrue();
    }
}
