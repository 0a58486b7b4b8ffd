package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.paths.FileNames;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs whose names are no UTF-8, through rotation and restarts: every line once, and each of its own log. */
class NamesOfBytesTest {
    @TempDir
    Path folder;

    private RestartableSource source;
    private Recorder sink;
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void begin() {
        source = new RestartableSource(RestartableSource.following(folder + "/*.log", "*.gz"));
        sink = source.sink;
    }

    @AfterEach
    void end() {
        source.close();
    }

    /** A byte that is no UTF-8 is written as U+DC00 and its value. */
    private Path named(String name) {
        return FileNames.path(folder + "/" + name);
    }

    private void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        written.add(line);
    }

    private void allOnce() throws Exception {
        source.drain();
        assertThat(sink.sealed).containsExactlyInAnyOrderElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).isEmpty();
    }

    private void restart() throws Exception {
        source.stop();
        source.start();
    }

    @Test
    void aLogIsFollowedThroughRestartsAndRotation() throws Exception {
        Path log = named("caf\uDCE9.log");
        append(log, "one");
        allOnce();
        restart();
        allOnce();
        append(log, "two");
        allOnce();
        append(log, "three");
        Files.move(log, named("caf\uDCE9.log.1"));
        append(log, "four");
        allOnce();
        source.stop();
        append(log, "five");
        Files.move(log, named("caf\uDCE9.log.2"));
        append(log, "six");
        source.start();
        allOnce();
        assertThat(sink.sources).isEqualTo(Set.of(folder + "/caf\\xe9.log"));
    }

    @Test
    void whatIsCompressedIsFound() throws Exception {
        Path log = named("a\uDCFF\uDC80.log");
        append(log, "one");
        allOnce();
        source.stop();
        append(log, "two");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(named("a\uDCFF\uDC80.log.1.gz")))) {
            Files.copy(log, out);
        }
        Files.delete(log);
        append(log, "three");
        source.start();
        source.later(Duration.ofMinutes(1));
        allOnce();
    }

    @Test
    void logsThatDifferInSuchABytesAloneAreTwo() throws Exception {
        Path one = named("x\uDCFE.log");
        Path other = named("x\uDCFF.log");
        append(one, "of one");
        append(other, "of the other");
        allOnce();
        append(one, "more of one");
        Files.move(one, named("x\uDCFE.log.1"));
        append(one, "new of one");
        append(other, "more of the other");
        allOnce();
        restart();
        allOnce();
        assertThat(sink.sources).isEqualTo(Set.of(folder + "/x\\xfe.log", folder + "/x\\xff.log"));
    }

    @Test
    void aFolderMayHaveSuchANameToo() throws Exception {
        Path below = Files.createDirectory(named("d\uDCE4"));
        source.reopen(RestartableSource.following(folder + "/*/*.log", "*.gz"));
        Path log = below.resolve("app.log");
        append(log, "one");
        allOnce();
        append(log, "two");
        Files.move(log, below.resolve("app.log.1"));
        append(log, "three");
        restart();
        allOnce();
        assertThat(sink.sources).isEqualTo(Set.of(folder + "/d\\xe4/app.log"));
    }
}
