package dev.veilgate.application.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

/** Each in a process of its own, for it ends with the process. */
class ApplicationCommandTest {
    /** What an application is, without Spring. */
    @Command(name = "veilgate-sample", versionProvider = SampleVersion.class, mixinStandardHelpOptions = true)
    static final class Sample extends ApplicationCommand {
        public static void main(String... arguments) {
            execute(new Sample(), arguments);
        }

        @Command(name = "fail")
        int fail() {
            throw new IllegalStateException("wrapping", new IllegalArgumentException("the port is taken"));
        }

        @Command(name = "refuse")
        int refuse() {
            return NO;
        }
    }

    static final class SampleVersion extends JarVersion {
        SampleVersion() {
            super("veilgate-sample");
        }
    }

    private record Ended(int status, String said) {}

    private static Ended run(String... arguments) throws IOException, InterruptedException {
        return runCalled(null, arguments);
    }

    private static Ended runCalled(@Nullable String name, String... arguments)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Sample.class.getName()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        if (name != null) {
            builder.environment().put("VEILGATE_COMMAND", name);
        }
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    @Test
    void whatFailsIsSaidInALineWithItsCause() throws IOException, InterruptedException {
        Ended ended = run("fail");
        assertThat(ended.status()).isEqualTo(ApplicationCommand.FAILED);
        assertThat(ended.said().strip()).isEqualTo("veilgate-sample fail: the port is taken");
    }

    @Test
    void anAnswerIsTheStatus() throws IOException, InterruptedException {
        assertThat(run("refuse").status()).isEqualTo(ApplicationCommand.NO);
    }

    @Test
    void withoutACommandItAsksForOne() throws IOException, InterruptedException {
        Ended ended = run();
        assertThat(ended.status()).isEqualTo(ApplicationCommand.USAGE);
        assertThat(ended.said()).startsWith("which command? See veilgate-sample --help");
    }

    @Test
    void theVersionNamesTheCommand() throws IOException, InterruptedException {
        Ended ended = run("--version");
        assertThat(ended.status()).isEqualTo(ApplicationCommand.OK);
        assertThat(ended.said()).startsWith("veilgate-sample development");
    }

    /** In a checkout the script {@code ./veilgate} starts it, as {@code veilgate gateway}. */
    @Test
    void namesItselfAsItWasCalled() throws IOException, InterruptedException {
        assertThat(runCalled("veilgate sample", "--version").said()).startsWith("veilgate sample development");
        assertThat(runCalled("veilgate sample", "fail").said().strip())
                .isEqualTo("veilgate sample fail: the port is taken");
    }
}
