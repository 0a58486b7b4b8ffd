package dev.veilgate.benchmarks.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.benchmarks.gateway.Programs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README's first command, to its end. */
class DemoTest {
    @TempDir
    Path folder;

    @Test
    void showsMailAndLogsThroughTheGatewayAndLeavesNothingRunning() throws Exception {
        Path said = folder.resolve("said");
        ProcessBuilder demo = new ProcessBuilder(List.of(
                        "sh",
                        Programs.edge(),
                        "demo",
                        "--exit",
                        "--folder",
                        folder.resolve("site").toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        demo.environment().put("JAVA_HOME", System.getProperty("java.home"));
        demo.environment().putAll(Programs.homes());
        int status = demo.start().waitFor();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(status).as(text).isZero();
        assertThat(text)
                .contains("10 of 10 arrived in alice's mailbox")
                .contains("the pager got 2 of them")
                .contains("press-2 controller: ERROR")
                .contains("gate sshd")
                .contains("URGENT: furnace 2 is leaking")
                .contains("Furnace 2 again")
                .containsPattern("ready after [0-9.]+ s: http://localhost:[0-9]+\\R"
                        + "log in there with the password veilgate-demo as\\R"
                        + "  ada  .*\\R  ben  .*\\R  eve  .*\\R  kim  .*oli, .*\\R")
                .doesNotContain("Lunch on Thursday");
        assertThat(ProcessHandle.allProcesses()
                        .filter(process -> process.info()
                                .commandLine()
                                .filter(line -> line.contains(folder.toString()))
                                .isPresent())
                        .toList())
                .isEmpty();
    }
}
