package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compressed files that are being made, damaged, of another program, or made to do harm; and an agent that is killed
 * while it reads them.
 */
class CompressedLogsTest {
    @TempDir
    Path folder;

    private Path log;
    private RestartableSource source;
    private Recorder sink;
    private int lines;

    @BeforeEach
    void begin() throws Exception {
        log = folder.resolve("app.log");
        source = new RestartableSource(RestartableSource.following(log.toString(), "*.gz"));
        sink = source.sink;
        append(20);
        source.drain();
    }

    @AfterEach
    void end() {
        source.close();
    }

    private String append(int count) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("line %05d of the log, and what happened\n".formatted(lines++));
        }
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return text.toString();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private byte[] packedLog() throws IOException {
        byte[] packed = gzip(Files.readAllBytes(log));
        Files.delete(log);
        return packed;
    }

    private void everyLineOnce() {
        assertThat(sink.sealed).hasSize(lines).doesNotHaveDuplicates();
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).isEmpty();
    }

    /** As a rotation that compresses in the background leaves it for seconds. */
    @Test
    void aFileThatIsBeingCompressedIsWaitedForAndReadOnce() throws Exception {
        Files.move(log, folder.resolve("app.log.2"));
        append(300);
        byte[] packed = packedLog();
        Files.delete(folder.resolve("app.log.2"));
        append(5);
        Path archive = folder.resolve("app.log.1.gz");
        for (int length : new int[] {0, 5, 100, packed.length / 2, packed.length - 1}) {
            Files.write(archive, Arrays.copyOf(packed, length));
            source.drain();
            assertThat(sink.sealed).hasSize(25);
        }
        Files.write(archive, packed);
        source.drain();
        everyLineOnce();
        source.stop();
        source.start();
        source.drain();
        everyLineOnce();
    }

    @Test
    void aDamagedFileIsReportedWithItsSizeAndTheNextIsRead() throws Exception {
        append(50);
        byte[] packed = packedLog();
        packed[packed.length / 2] ^= 0x55;
        Files.write(folder.resolve("app.log.2.gz"), packed);
        append(30);
        Files.write(folder.resolve("app.log.1.gz"), packedLog());
        append(5);
        for (int i = 0; i < 30; i++) {
            source.drain();
        }
        assertThat(sink.sealed)
                .contains("line 00099 of the log, and what happened")
                .hasSize(20 + 50 + 30 + 5); // that one was open
        append(30);
        byte[] other = packedLog();
        other[other.length / 2] ^= 0x55;
        source.stop();
        Files.write(folder.resolve("app.log.0.gz"), other);
        append(1);
        source.start();
        for (int i = 0; i < 30; i++) {
            source.drain();
        }
        assertThat(sink.losses).isNotEmpty();
        assertThat(sink.sealed).doesNotHaveDuplicates();
    }

    /** A hundred lines of 1,048,575 x each, made by bzip2 1.0.8; the library that reads it takes a minute for that. */
    private static final String BOMB = "QlpoOTFBWSZTWaSj8GkBWcPAgIAYAEAACCAAUGaaBSgyk0pOhSRSckwVBZpEqVUnmKCskyms26Xcr"
            + "AAqfuBAQAwAIAAEEAAoM00ClBhTQp1IqKDslQkTKTQSpVSeYoKyTKazhPSCVABkMIEBADAAgAAQQACgzTQKUGS0l1UqoXYAiLC0qlBF"
            + "4u5IpwoSB8xeR6A=";

    /** Less than a kilobyte that is a hundred megabytes. */
    @Test
    void aFileThatHoldsMoreThanAnyLogOfItsSizeIsReported() throws Exception {
        Path bomb =
                Files.write(folder.resolve("app.log.1.bz2"), Base64.getDecoder().decode(BOMB));
        assertThat(Files.size(bomb)).isLessThan(1_000);
        append(5);
        for (int i = 0; i < 30; i++) {
            source.drain();
        }
        assertThat(sink.losses).containsExactly("unreadable-file " + bomb);
        assertThat(sink.sealed).hasSize(25);
    }

    /** Each of them begins as a compressed file does, and none is one. */
    @Test
    void whateverIsInAFileTheOthersAreRead() throws Exception {
        Random random = new Random(1);
        append(30);
        Files.write(folder.resolve("app.log.9.gz"), packedLog());
        append(5);
        byte[][] beginnings = {
            {0x1f, (byte) 0x8b, 8},
            {(byte) 0xfd, '7', 'z', 'X', 'Z', 0},
            {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd},
            {'B', 'Z', 'h', '9'}
        };
        List<String> suffixes = List.of(".gz", ".xz", ".zst", ".bz2");
        for (int i = 0; i < 40; i++) {
            byte[] bytes = new byte[100 + random.nextInt(5000)];
            random.nextBytes(bytes);
            byte[] begin = beginnings[i % 4];
            System.arraycopy(begin, 0, bytes, 0, i % 3 == 0 ? 0 : begin.length);
            Files.write(folder.resolve("app.log-202611%02d".formatted(i) + suffixes.get(i % 4)), bytes);
        }
        for (int i = 0; i < 30; i++) {
            source.drain();
        }
        assertThat(sink.sealed).hasSize(55).doesNotHaveDuplicates();
        assertThat(sink.losses).hasSize(40);
    }

    /** The processor time of a look is that of a few system calls a name. */
    @ParameterizedTest
    @ValueSource(strings = {"other-%06d.log.gz", "app-%06d.log.gz"})
    void aFolderOfAHundredThousandFilesIsLookedAtInSeconds(String name) throws Exception {
        source.stop();
        Path first = folder.resolve("first");
        Files.write(first, gzip("of another program\n".getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < 100_000; i++) {
            if (i % 10_000 == 9_999) { // a file has not more names
                first = Files.copy(first, folder.resolve("first" + i));
            }
            Files.createLink(folder.resolve(name.formatted(i)), first);
        }
        append(10);
        Files.write(folder.resolve("app.log.1.gz"), packedLog());
        append(5);
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        long begun = thread.getCurrentThreadCpuTime();
        source.start();
        for (int polls = 0; sink.sealed.size() < lines && polls < 100; polls++) {
            source.poll();
            sink.settle();
        }
        assertThat(sink.sealed).contains("line 00034 of the log, and what happened");
        Duration took = Duration.ofNanos(thread.getCurrentThreadCpuTime() - begun);
        System.out.println("100,000 files " + name + ": " + took);
        assertThat(took).isLessThan(Duration.ofSeconds(60));
    }

    /** Killed at any moment, with or without what it read being sealed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void anAgentThatIsKilledWhileItReadsThemReadsEachLineOnce(int seed) throws Exception {
        Random random = new Random(seed);
        append(30);
        for (int i = 5; i > 0; i--) {
            Files.write(folder.resolve("app.log." + i + ".gz"), packedLog());
            append(10 + random.nextInt(60));
        }
        for (int step = 0; step < 60; step++) {
            source.poll();
            if (random.nextInt(3) == 0) {
                sink.settle();
            }
            if (random.nextInt(4) == 0) {
                source.stop();
                source.start();
            }
            if (step == 20 || step == 40) {
                Files.write(folder.resolve("app.log-" + step + ".gz"), packedLog());
                append(10);
            }
        }
        source.drain();
        everyLineOnce();
    }
}
