package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that all begin with the same bytes, more than are kept to know a file by: tables, whose first line names many columns. */
class EqualHeadsTest {
    private static final String HEADER = "column,".repeat(Digest.HEAD_BYTES / 7 + 20);

    @TempDir
    Path folder;

    private Path log;
    private RestartableSource source;
    private Recorder sink;
    private final List<String> rows = new ArrayList<>();

    @BeforeEach
    void begin() {
        log = folder.resolve("table.csv");
        source = new RestartableSource(RestartableSource.following(log.toString()));
        sink = source.sink;
    }

    @AfterEach
    void end() {
        source.close();
    }

    private void restart() throws Exception {
        source.stop();
        source.start();
    }

    private void row() throws IOException {
        if (!Files.exists(log)) {
            Files.writeString(log, HEADER + "\n");
        }
        String row = "row " + rows.size();
        Files.writeString(log, row + "\n", StandardOpenOption.APPEND);
        rows.add(row);
    }

    private void shift() throws IOException {
        for (int number = 200; number >= 1; number--) {
            if (Files.exists(rotated(number))) {
                Files.move(rotated(number), rotated(number + 1));
            }
        }
    }

    private void rotate(boolean copy) throws IOException {
        shift();
        if (!copy) {
            Files.move(log, rotated(1));
            return;
        }
        Files.copy(log, rotated(1));
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        Files.writeString(log, HEADER + "\n", StandardOpenOption.APPEND);
    }

    private Path rotated(int number) {
        return log.resolveSibling("table.csv." + number);
    }

    private List<String> sealedRows() {
        return sink.sealed.stream().filter(line -> line.startsWith("row")).toList();
    }

    /** A shorter file that came and went between two looks, while the present one is longer and begins like it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsAShorterFileThatCameAndWent(boolean stopped) throws Exception {
        row();
        source.drain();
        rotate(false);
        row();
        rotate(false);
        for (int i = 0; i < 100; i++) {
            row();
        }
        if (stopped) {
            restart();
        }
        source.drain();
        assertThat(sealedRows()).isEqualTo(rows);
        assertThat(sink.leftOut).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void randomRotationsLoseAndRepeatNoRow(boolean copy) throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("EqualHeadsTest: -Dveilgate.seed=" + seed);
        Random random = new Random(seed);
        row();
        source.drain();
        for (int step = 0; step < 150; step++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    if (Files.exists(log)) {
                        rotate(copy);
                    }
                }
                case 2 -> restart();
                case 3 -> {
                    source.poll();
                    sink.settle();
                }
                default -> {
                    for (int i = random.nextInt(30); i >= 0; i--) {
                        row();
                    }
                }
            }
        }
        row();
        source.drain();
        assertThat(sealedRows()).isEqualTo(rows);
        assertThat(sink.lost).isZero();
    }

    @Test
    void saysThatItPassedOverACopy() throws Exception {
        row();
        row();
        source.drain();
        Files.copy(log, rotated(1));
        source.drain();
        row();
        source.drain();
        Files.move(rotated(1), rotated(2)); // looked at again
        source.drain();
        assertThat(sealedRows()).isEqualTo(rows);
        assertThat(sink.leftOut).containsExactly("COPY " + Files.size(rotated(2)));
    }

    /** Proven once, not read again at each look: only what the copy has more. */
    @Test
    void followsACopyThatGrows() throws Exception {
        row();
        row();
        source.drain();
        byte[] all = Files.readAllBytes(log);
        for (int end : new int[] {10, 1100, all.length}) {
            Files.write(rotated(1), java.util.Arrays.copyOf(all, end));
            source.drain();
        }
        assertThat(sealedRows()).isEqualTo(rows);
        Files.write(rotated(1), "another end\n".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
        Files.writeString(log, "0123456789ab\n", StandardOpenOption.APPEND);
        Files.createFile(log.resolveSibling("another")); // a name of the folder changes
        source.drain();
        assertThat(sink.sealed).contains("another end");
    }

    @Test
    void reportsARotatedFileThatCannotBeRead() throws Exception {
        WatchedFiles files = new WatchedFiles(FileSystems.getDefault(), () -> {});
        PathFollower.Shared shared = sink.shared();
        row();
        try (PathFollower follower = new PathFollower(files.watched(log), shared)) {
            follower.beginAtFirstStart();
            follower.poll(sink);
            rotate(false);
            row();
            files.deny(log);
            rotate(false);
            row();
            follower.finish(sink);
        }
        shared.leftOut().report(sink);
        shared.leftOut().report(sink);
        assertThat(sealedRows()).containsExactly("row 0", "row 2");
        assertThat(sink.leftOut).containsExactly("UNREADABLE " + Files.size(rotated(1)));
    }
}
