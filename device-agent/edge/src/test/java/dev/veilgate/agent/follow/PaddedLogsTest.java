package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.ProcessorTime;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logs with zeros that nobody wrote as lines: allocated before they are written, or cut while the writer goes on at
 * its old place. Each line is read once, no loss is reported, and no zero is in a record.
 */
class PaddedLogsTest {
    private static final int ALLOCATED = 1 << 16;

    @TempDir
    Path folder;

    private Path log;
    private Recorder sink;
    private RestartableSource source;
    private final List<String> written = new ArrayList<>();
    /** Where the writer goes on. */
    private long place;

    @BeforeEach
    void begin() throws IOException {
        log = folder.resolve("app.log");
        source = new RestartableSource(RestartableSource.following(folder + "/*.log"));
        sink = source.sink;
    }

    @AfterEach
    void end() {
        source.close();
    }

    private static void resize(Path file, long size) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(size);
        }
    }

    private void writeBytes(byte[] bytes) throws IOException {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            place += file.write(ByteBuffer.wrap(bytes), place);
        }
    }

    /** As a writer does that holds the file open and knows its place. */
    private void write(String... lines) throws IOException {
        for (String line : lines) {
            writeBytes((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
            written.add(line);
        }
    }

    private void allOnce() {
        assertThat(sink.sealed).containsExactlyElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).isEmpty();
        assertThat(sink.notices).isEmpty();
    }

    @Test
    void readsALogThatFillsItsZerosFromTheFront() throws Exception {
        resize(log, ALLOCATED);
        source.drain();
        for (int i = 0; i < 20; i++) {
            write("line " + i, "another " + i);
            source.drain();
        }
        allOnce();
    }

    @Test
    void waitsForTheEndOfALineBeforeZeros() throws Exception {
        resize(log, ALLOCATED);
        write("one");
        writeBytes("half of".getBytes(StandardCharsets.ISO_8859_1));
        source.drain();
        assertThat(sink.sealed).containsExactly("one");
        write(" two");
        written.set(1, "half of two");
        source.drain();
        allOnce();
    }

    @Test
    void goesOnInAnAllocatedLogAfterAStop() throws Exception {
        resize(log, ALLOCATED);
        write("one", "two");
        source.drain();
        source.stop();
        write("three");
        source.start();
        source.drain();
        write("four");
        source.drain();
        allOnce();
    }

    @Test
    void aLogThatIsMadeAsShortAsItsDataIsNotCut() throws Exception {
        resize(log, ALLOCATED);
        write("one", "two");
        source.drain();
        resize(log, place);
        source.drain();
        write("three");
        source.drain();
        allOnce();
    }

    @Test
    void aLogThatIsAllocatedAgainIsReadOn() throws Exception {
        write("one");
        source.drain();
        for (int i = 0; i < 4; i++) {
            resize(log, place + ALLOCATED);
            source.drain();
            write("line " + i);
            source.drain();
        }
        allOnce();
    }

    @Test
    void readsARotatedLogWithZerosBehindItOnce() throws Exception {
        for (int i = 0; i < 4; i++) {
            resize(log, ALLOCATED);
            write("line " + i, "another " + i);
            source.drain();
            Files.move(log, folder.resolve("app.log." + i));
            place = 0;
            source.drain();
            source.stop();
            source.start();
            source.drain();
        }
        allOnce();
    }

    @Test
    void readsWhatALateWriterFillsInARotatedLog() throws Exception {
        resize(log, ALLOCATED);
        write("one");
        source.drain();
        Path rotated = folder.resolve("app.log.1");
        Files.move(log, rotated);
        Files.createFile(log);
        source.drain();
        try (FileChannel file = FileChannel.open(rotated, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap("late\n".getBytes(StandardCharsets.ISO_8859_1)), place);
        }
        written.add("late");
        source.drain();
        allOnce();
    }

    @Test
    void aCopyOfAnAllocatedLogIsReadBehindWhatWasRead() throws Exception {
        Path rotated = folder.resolve("app.log.1");
        resize(log, ALLOCATED);
        write("one", "two");
        source.drain();
        Files.copy(log, rotated);
        write("three"); // of which the copy has zeros
        source.drain();
        assertThat(sink.sealed).containsExactly("one", "two", "three");
        assertThat(sink.losses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1500, 5000, 200_000, 3_000_000})
    void passesOverTheZerosBeforeALogThatWasCutUnderItsWriter(int before) throws Exception {
        Path rotated = folder.resolve("app.log.1");
        write("first " + "x".repeat(before % 3000));
        while (place < before) {
            write("line at " + place + " " + "y".repeat(Math.min(3000, before / 100)));
        }
        source.drain();
        for (int i = 0; i < 3; i++) {
            Files.copy(log, rotated, StandardCopyOption.REPLACE_EXISTING);
            resize(log, 0);
            write("behind a cut " + i, "and another " + i);
            source.drain();
            source.stop();
            source.start();
            source.drain();
        }
        assertThat(sink.sealed).containsExactlyElementsOf(written);
        assertThat(sink.repeated).isEmpty();
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void goesOnBehindZerosAfterAStopInTheMiddle() throws Exception {
        place = 10_000;
        write("behind zeros");
        writeBytes("half".getBytes(StandardCharsets.ISO_8859_1));
        source.drain();
        source.stop();
        source.start();
        source.drain();
        write(" a line");
        written.set(1, "half a line");
        source.drain();
        allOnce();
    }

    @Test
    void aLineThatACrashLeftUnfinishedBeforeZerosIsARecord() throws Exception {
        write("one");
        writeBytes("not finis".getBytes(StandardCharsets.ISO_8859_1));
        written.add("not finis");
        source.drain();
        place += 4096;
        write("after the crash");
        source.drain();
        allOnce();
    }

    @Test
    void readsWhatIsWrittenInZerosThatWereSeen() throws Exception {
        place = 10_000;
        writeBytes("half".getBytes(StandardCharsets.ISO_8859_1));
        source.drain();
        place = 0;
        write("at the front");
        source.drain();
        place = 10_004;
        write(" a line");
        written.set(1, "half a line");
        source.drain();
        allOnce();
    }

    @Test
    void keepsFewZerosInALine() throws Exception {
        write("a" + "\0".repeat(63) + "b", "\0".repeat(63), "\0\0c\0");
        source.drain();
        allOnce();
    }

    @Test
    void finishDoesNotHandOverZeros() throws Exception {
        resize(log, ALLOCATED);
        write("one");
        writeBytes("two".getBytes(StandardCharsets.ISO_8859_1));
        written.add("two");
        source.drain();
        Files.move(log, folder.resolve("app.log.1"));
        source.drain();
        allOnce();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void theLastZeroOfALineInUtf16IsData(String charset) throws Exception {
        Charset form = Charset.forName(charset);
        resize(log, ALLOCATED);
        writeBytes("\ufeff".getBytes(form));
        for (int i = 0; i < 5; i++) {
            writeBytes(("line " + i + "\n").getBytes(form));
            written.add("line " + i);
            source.drain();
        }
        allOnce();
    }

    @Test
    void anAllocatedCopyThatIsNotFilledYetWaits() throws Exception {
        Path rotated = folder.resolve("app.log.1");
        source.reopen(RestartableSource.following(folder + "/*.log*"));
        write("one", "two");
        source.drain();
        byte[] all = Files.readAllBytes(log);
        resize(rotated, all.length);
        source.drain();
        Files.write(rotated, all);
        source.drain();
        resize(log, 0);
        place = 0;
        write("three");
        source.drain();
        allOnce();
    }

    @Test
    void aTerabyteOfZerosDoesNotHoldTheOthersUp() throws Exception {
        Path other = folder.resolve("other.log");
        ProcessorTime.bounded(Duration.ofSeconds(60), () -> {
            write("one");
            resize(log, 1L << 40);
            Files.writeString(other, "beside\n");
            written.add("beside");
            source.drain();
            write("two");
            source.drain();
            assertThat(sink.sealed).containsExactlyInAnyOrder("one", "beside", "two");
            Files.move(log, folder.resolve("app.log.1"));
            source.drain();
            return sink;
        });
        assertThat(sink.losses).isEmpty();
    }

    /** Random pieces of data, zeros and line feeds, written in any order of steps, against a plain reading. */
    @Test
    void whateverIsWrittenBetweenZerosIsReadOnce() throws Exception {
        long seed = Long.getLong("veilgate.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 150; i++) {
            int step = random.nextInt(6);
            if (step == 0) {
                place += LineReader.LEAST_PADDING_BYTES + random.nextInt(random.nextBoolean() ? 100 : 300_000);
            } else if (step == 1) {
                resize(log, Math.max(place, Files.exists(log) ? Files.size(log) : 0) + random.nextInt(ALLOCATED));
            } else if (step == 2) {
                source.drain();
            } else if (step == 3 && random.nextInt(4) == 0) {
                source.stop();
                source.start();
            } else {
                write(i + " " + "z".repeat(random.nextInt(random.nextBoolean() ? 50 : 4000)));
            }
        }
        source.drain();
        assertThat(sink.sealed).as("seed %d", seed).containsExactlyElementsOf(written);
        assertThat(sink.losses).as("seed %d", seed).isEmpty();
    }
}
