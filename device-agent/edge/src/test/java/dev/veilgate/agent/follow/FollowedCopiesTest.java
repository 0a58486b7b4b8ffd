package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.ProcessorTime;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of logs under names that are followed as well are read and said; rotations and logs alike are not. */
class FollowedCopiesTest {
    private static final Duration LINGER = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Path log;
    private Path copy;
    private Recorder sink;
    private RestartableSource source;

    @BeforeEach
    void begin() {
        log = folder.resolve("app.log");
        copy = folder.resolve("app-copy.log");
        source = new RestartableSource(new FileSource.Options(
                List.of(folder + "/*.log"), List.of(), false, 4096, LINGER, 1000, Recorder.RULE));
        sink = source.sink;
    }

    @AfterEach
    void end() {
        source.close();
    }

    private static void append(Path file, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            Files.writeString(
                    file,
                    "line " + i + " of a service, written by " + i % 7 + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    private static void cut(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    /** Looks at names, without that enough time passes for a new file to be judged. */
    private void look() throws Exception {
        for (int i = 0; i < 10; i++) {
            source.later(Duration.ofMillis(300));
            while (source.poll()) {
                // to the end of all files
            }
        }
        sink.settle();
    }

    private void assertSaid(Path path, Path other) {
        assertThat(sink.copied).containsExactly(path + " " + other);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 20, 3000})
    void saysWhichFileIsACopyOfWhich(int lines) throws Exception {
        append(log, 0, lines);
        source.drain();
        Files.copy(log, copy);
        source.drain();
        append(log, lines, lines + 5);
        source.drain();
        assertSaid(copy, log);
        assertThat(sink.sealed).hasSize(2 * lines + 5);
    }

    @Test
    void saysItOnceThroughStops() throws Exception {
        append(log, 0, 50);
        source.drain();
        Files.copy(log, copy);
        source.drain();
        source.stop();
        source.start();
        source.drain();
        assertSaid(copy, log);
    }

    @Test
    void saysItOnceOfTwoThatAreNew() throws Exception {
        append(log, 0, 50);
        Files.copy(log, copy);
        source.drain();
        assertThat(sink.copied).hasSize(1);
    }

    @Test
    void theOneThatCameLaterIsTheCopy() throws Exception {
        append(log, 0, 50);
        look(); // not for long enough that the log itself is judged
        Files.copy(log, copy);
        source.drain();
        assertSaid(copy, log);
    }

    @Test
    void saysItOfACopyThatIsWrittenOn() throws Exception {
        append(log, 0, 50);
        source.drain();
        Files.copy(log, copy);
        append(copy, 1000, 1100);
        append(log, 50, 60);
        source.drain();
        assertSaid(copy, log);
    }

    @Test
    void nothingIsSaidOfACopyWhoseLogIsCutThen() throws Exception {
        append(log, 0, 50);
        source.drain();
        Files.copy(log, copy);
        look();
        assertThat(sink.copied).isEmpty();
        cut(log);
        append(log, 100, 110);
        source.drain();
        assertThat(sink.copied).isEmpty();
    }

    /** Beside the log it is left out; once the log is renamed nothing tells it from a file that came and went. */
    @Test
    void saysThatACopyUnderANameOfRotationIsReadOnceItsLogIsRotated() throws Exception {
        source.reopen(new FileSource.Options(
                List.of(folder + "/*.log*"), List.of(), false, 4096, LINGER, 1000, Recorder.RULE));
        append(log, 0, 50);
        source.drain();
        Path saved = folder.resolve("app.log.bak");
        Files.copy(log, saved);
        source.drain();
        assertThat(sink.copied).isEmpty();
        assertThat(sink.sealed).hasSize(50);
        Path rotated = folder.resolve("app.log.1");
        Files.move(log, rotated);
        append(log, 100, 110);
        source.drain();
        assertThat(sink.sealed).hasSize(110);
        assertSaid(saved, rotated);
    }

    @Test
    void nothingIsSaidOfRotatedLogs() throws Exception {
        for (int i = 0; i < 3; i++) {
            append(log, 100 * i, 100 * i + 50);
            source.drain();
            Files.move(log, folder.resolve("app-2026112" + i + ".log"));
            append(log, 100 * i + 50, 100 * i + 60);
            source.drain();
            Files.copy(log, folder.resolve("app-2026113" + i + ".log"));
            cut(log);
            source.drain();
        }
        assertThat(sink.copied).isEmpty();
    }

    @Test
    void nothingIsSaidOfALogThatIsReadUnderAnotherName() throws Exception {
        append(log, 0, 50);
        source.drain();
        Files.move(log, copy);
        source.drain();
        Files.createLink(log, copy);
        source.drain();
        assertThat(sink.copied).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 200, 5000})
    void nothingIsSaidOfLogsThatShareTheNamesOfColumns(int bytes) throws Exception {
        String header = "c".repeat(bytes) + "\n";
        Files.writeString(log, header);
        Files.writeString(copy, header);
        source.drain();
        append(log, 0, 50);
        append(copy, 100, 150);
        Path third = folder.resolve("third.log");
        Files.writeString(third, header);
        append(third, 200, 250);
        source.drain();
        assertThat(sink.copied).isEmpty();
    }

    @Test
    void manyLogsThatBeginAlikeAreJudgedInTime() throws Exception {
        for (int i = 0; i < 800; i++) {
            Files.writeString(
                    folder.resolve("unit-" + (char) ('a' + i % 26) + i + "x.log"), "c".repeat(2000) + "\n" + i + "\n");
        }
        ProcessorTime.bounded(Duration.ofSeconds(60), () -> {
            source.drain();
            return sink;
        });
        assertThat(sink.copied).isEmpty();
    }
}
