package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.paths.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class FileMemoryTest {
    private static final int FILES = 1500;

    @TempDir
    Path folder;

    /** Takes records and keeps none of them. */
    private static final class Sealed implements RecordSink {
        private final Positions positions;
        private int records;

        Sealed(Positions positions) {
            this.positions = positions;
        }

        @Override
        public void accept(ReadRecord record) {
            records++;
            record.origin().advance(positions, record.bytes());
        }

        @Override
        public void settle() {}

        @Override
        public void lost(String reason, String source, long records, long bytes) {}

        @Override
        public void repeated(String source, long bytes) {}

        @Override
        public void leftOut(LeftOut reason, long bytes) {}

        @Override
        public void copied(String path, String other) {}

        @Override
        public void refused(String path, Refusal refusal) {}

        @Override
        public void notice(String what) {}
    }

    private static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1500})
    void aFollowedFileTakesNoMoreThanTheCheckCountsWith(int lineBytes) throws Exception {
        Path logs = folder.resolve("a-folder-with-a-name-of-common-length");
        Files.createDirectories(logs);
        FileSource.Options options = new FileSource.Options(
                List.of(logs + "/*.log"), List.of(), false, 4096, Duration.ZERO, FILES, Recorder.RULE);
        Positions positions = new Positions();
        positions.beginFiles();
        Sealed sink = new Sealed(positions);
        for (int i = 0; i < FILES; i++) {
            Files.writeString(
                    logs.resolve("service-%05d.log".formatted(i)), (i + "x".repeat(lineBytes) + "\n").repeat(20));
        }
        long before = used();
        try (FileSource source = new FileSource(new Lane("s", "text/plain", "auto"), options, positions)) {
            while (sink.records < 20 * FILES) {
                source.poll(sink);
            }
            source.poll(sink);
            long each = (used() - before) / FILES;
            System.out.println("bytes of heap a file, lines of " + lineBytes + " bytes: " + each);
            assertThat(each).isPositive().isLessThan(FileMemory.BYTES_A_FILE);
            assertThat(source.waiting()).isZero();
        }
    }

    @Test
    void whatIsTooLittleIsSaidWithWhatToDo() {
        assertThat(FileMemory.lacking(1024, 72L << 20, 1 << 20)).isEmpty();
        assertThat(FileMemory.lacking(20_000, 72L << 20, 1 << 20))
                .isEqualTo("20000 files need 138 MB of memory, and Java was given 72: set VEILGATE_JAVA_OPTS=-Xmx146m,"
                        + " or lower agent.max-files");
        assertThat(FileMemory.lacking(20_000, 146L << 20, 4096))
                .contains("4096")
                .contains("LimitNOFILE")
                .contains("20200");
        assertThat(FileMemory.lacking(20_000, 146L << 20, 20_200)).isEmpty();
    }
}
