package dev.veilgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands in a process of their own, as the library is of a whole process. ./verify makes it by native/install-liboqs.
 */
class NativeLibraryTest {
    private static final Path LIBRARY =
            Path.of("native/target/liboqs/liboqs.so").toAbsolutePath();

    @TempDir
    private Path folder;

    private record Outcome(int exitCode, String text) {}

    private Outcome run(Path library, String... arguments) throws Exception {
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx72m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        command.command().addAll(List.of(arguments));
        command.environment().put("VEILGATE_NATIVE_LIBOQS", library.toString());
        Process process = command.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), text);
    }

    @Test
    void aCommandUsesTheLibraryThatTheEnvironmentNames() throws Exception {
        Path identity = folder.resolve("press-4.identity");
        Outcome made = run(LIBRARY, "identity", "init", identity.toString(), "--sender", "press-4");
        assertThat(made.exitCode()).as(made.text()).isZero();
        assertThat(identity).isRegularFile();
    }

    @Test
    void aLibraryThatIsUnfitEndsTheCommandBeforeItDoesAnything() throws Exception {
        Path damaged = Files.writeString(folder.resolve("liboqs.so"), "no library");
        Path identity = folder.resolve("press-4.identity");
        Outcome refused = run(damaged, "identity", "init", identity.toString(), "--sender", "press-4");
        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.text())
                .endsWith("veilgate-edge: VEILGATE_NATIVE_LIBOQS: " + damaged
                        + " cannot be loaded as a library of this system\n");
        assertThat(identity).doesNotExist();
    }

    @Test
    void helpNeedsNoLibrary() throws Exception {
        assertThat(run(folder.resolve("absent"), "identity", "init", "--help").exitCode())
                .isZero();
    }

    @Test
    void theSettingsFileNamesTheLibraryOfAnAgent() throws Exception {
        Path settings = Files.writeString(folder.resolve("veilgate.yaml"), """
                bundle: %1$s/acme.vgb
                authority: %2$s
                identity: %1$s/press-4.identity
                native:
                  liboqs: %1$s/absent.so
                agent:
                  state: %1$s/state
                  scope: plant-7
                  mqtt:
                    url: mqtt://127.0.0.1:1
                  sources:
                    - files: %1$s/a.log
                """.formatted(folder, "0".repeat(64)));
        Outcome refused = run(Path.of(""), "agent", "run", "--config", settings.toString());
        assertThat(refused.text()).contains("native.liboqs: there is no file " + folder + "/absent.so");
        assertThat(refused.exitCode()).isEqualTo(78);
    }
}
