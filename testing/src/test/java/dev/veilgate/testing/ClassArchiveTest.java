package dev.veilgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
    @TempDir
    Path folder;

    private final AtomicInteger trainings = new AtomicInteger();

    @BeforeEach
    void aProgram() throws IOException {
        compile("one");
    }

    private void compile(String says) throws IOException {
        Path source = Files.createDirectories(folder.resolve("source")).resolve("Program.java");
        Files.writeString(
                source,
                "public class Program { public static void main(String[] a) { System.out.println(\"" + says
                        + "\"); } }");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", folder.resolve("classes").toString(), source.toString()))
                .isZero();
    }

    private List<String> options() throws IOException, InterruptedException {
        String classPath = folder.resolve("classes") + File.pathSeparator + folder.resolve("is-not-there");
        return ClassArchive.options(folder.resolve("archives"), classPath, options -> {
            trainings.incrementAndGet();
            run(options, "one", "two, which is longer");
        });
    }

    /** Runs the program; the line of Java's log that says where its class came from. */
    private static String run(List<String> options, String... mayBeSaid) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-Xlog:class+load=info", "Program"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines()).containsAnyOf(mayBeSaid);
        return said.lines()
                .filter(line -> line.contains(" Program source: "))
                .findAny()
                .orElseThrow();
    }

    @Test
    void classesOfFoldersComeFromTheArchiveThatIsMadeOnce() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(run(options(), "one")).contains("shared objects file");
        }
        assertThat(trainings).hasValue(1);
    }

    @Test
    void aChangedClassGetsAnArchiveOfItsOwnAndTheFormerGoes() throws Exception {
        options();
        compile("two, which is longer");
        assertThat(run(options(), "two, which is longer")).contains("shared objects file");
        assertThat(trainings).hasValue(2);
        try (var archives = Files.list(folder.resolve("archives"))) {
            assertThat(archives).hasSize(2); // that, and the lock
        }
    }

    @Test
    void whereNoArchiveIsMadeTheProgramStartsWithoutOneAndIsNotTrainedAgain() throws Exception {
        String classPath = folder.resolve("classes").toString();
        for (int i = 0; i < 2; i++) {
            List<String> options =
                    ClassArchive.options(folder.resolve("archives"), classPath, without -> trainings.incrementAndGet());
            assertThat(run(options, "one")).doesNotContain("shared objects file");
        }
        assertThat(trainings).hasValue(1);
    }
}
