package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysCheckCommandTest {
    @TempDir
    private Path temporary;

    private CommandRun run;
    private Path store;

    @BeforeEach
    void issueTwo() throws Exception {
        Site site = new Site(temporary);
        run = site.run;
        store = site.keys.resolve("trapdoors");
        run.ok("keys", "log", "--begin");
        trapdoor("alpha");
        trapdoor("beta");
    }

    private Result trapdoor(String word) {
        return run.run("trapdoor", "--scope", "plant-7", "-o", temporary.resolve(word + ".search"), word);
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> all = Files.walk(store, 2)) {
            return all.filter(file -> file.getFileName().toString().length() == 62)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void saysThatAFolderIsWhole() {
        Result whole = run.ok("keys", "check");
        assertThat(whole.out()).isEmpty();
        assertThat(whole.err()).contains("2 trapdoors checked, 2 of these against the log, 0 findings");
    }

    @Test
    void namesWhatWasExchanged() throws Exception {
        List<Path> files = files();
        Files.copy(files.get(0), files.get(1), StandardCopyOption.REPLACE_EXISTING);
        Result found = run.run("keys", "check");
        assertThat(found.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(found.out())
                .startsWith("trapdoor entry ")
                .doesNotContain("alpha")
                .doesNotContain("beta");
        assertThat(run.run("keys", "check", "--json").out()).startsWith("{\"problem\":\"trapdoor\",");
        Files.delete(files.get(1));
        assertThat(run.run("keys", "check").out()).startsWith("trapdoor-missing entry ");
    }
}
