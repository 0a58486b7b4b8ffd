package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of programs from Windows: in UTF-16, with a byte order mark. */
class TextFormTest {
    /** The last byte of some of these is that of a line feed, and so is the first of others. */
    private static final String[] WORDS = {
        "pump", "\u4e0a", "\u0a05", "\u0a0a", "\ud83d\ude00", "Pr\u00fcfung", "\u010a"
    };

    @TempDir
    Path folder;

    private Path log;
    private Recorder sink;
    private FileSource source;
    private boolean fromEnd;
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> written = new ArrayList<>();
    private final Random random = new Random(Long.getLong("veilgate.seed", 1));

    @BeforeEach
    void begin() {
        log = folder.resolve("ERRORLOG.log");
        sink = new Recorder();
        sink.positions.beginFiles();
    }

    private FileSource open() {
        FileSource.Options options = new FileSource.Options(
                List.of(folder + "/*.log"), List.of(), fromEnd, 64, Duration.ZERO, 100, Recorder.RULE);
        return new FileSource(
                new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get, System::nanoTime);
    }

    private void drain() throws Exception {
        for (int quiet = 0; quiet < 6; ) {
            if (source.poll(sink)) {
                quiet = 0;
            } else {
                quiet++;
                nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        }
        sink.settle();
    }

    private void append(byte[] bytes) throws IOException {
        Files.write(log, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void append(Charset charset, int lines) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            String line = written.size() + " " + WORDS[random.nextInt(WORDS.length)] + " "
                    + WORDS[random.nextInt(WORDS.length)];
            written.add(line);
            text.append(line).append("\n");
        }
        append(text.toString().getBytes(charset));
    }

    private List<String> read() {
        return sink.sealed.stream()
                .map(line -> new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void linesOfUtf16AreReadAsUtf8AcrossStartsCutsAndHalfCharacters(String name) throws Exception {
        Charset charset = Charset.forName(name);
        byte[] mark = "\ufeff".getBytes(charset);
        source = open();
        append(new byte[] {mark[0]});
        drain();
        append(new byte[] {mark[1]});
        for (int round = 0; round < 20; round++) {
            append(charset, 1 + random.nextInt(5));
            drain();
            byte[] half = "rest \ud83d\ude00".getBytes(charset);
            int cut = 1 + random.nextInt(half.length - 1);
            append(java.util.Arrays.copyOf(half, cut));
            drain();
            append(java.util.Arrays.copyOfRange(half, cut, half.length));
            append("\n".getBytes(charset));
            written.add("rest \ud83d\ude00");
            if (round % 3 == 0) {
                source.close();
                sink.open.clear();
                sink.positions = Positions.decode(sink.saved);
                source = open();
            }
            if (round % 5 == 4) { // by renaming; the new file has a mark of its own
                Files.move(log, folder.resolve("ERRORLOG.log." + round));
                append(mark);
            }
        }
        drain();
        assertThat(read()).containsExactlyElementsOf(written);
        source.close();
    }

    @Test
    void longLinesAreCutBetweenCharacters() throws Exception {
        String line = "\ud83d\ude00".repeat(200) + " end";
        append(("\ufeff" + line + "\n").getBytes(StandardCharsets.UTF_16LE));
        source = open();
        drain();
        assertThat(String.join("", read())).isEqualTo(line);
        assertThat(sink.sealed.size()).isGreaterThan(5);
        assertThat(sink.sealed).allSatisfy(part -> assertThat(part.length()).isLessThanOrEqualTo(64));
        source.close();
    }

    @Test
    void fromTheEndBeginsBehindTheLastLineFeedOfUtf16() throws Exception {
        sink = new Recorder();
        fromEnd = true;
        append("\ufeff".getBytes(StandardCharsets.UTF_16LE));
        append(StandardCharsets.UTF_16LE, 5);
        written.clear();
        source = open();
        drain();
        append(StandardCharsets.UTF_16LE, 3);
        drain();
        assertThat(read()).containsExactlyElementsOf(written);
        source.close();
    }

    @Test
    void otherFilesStayAsTheirBytesAre() throws Exception {
        byte[] line = {(byte) 0xff, (byte) 0xfe, 0, 0, 'a', (byte) 0xe4, 0, 'b', '\n'};
        append(line);
        source = open();
        drain();
        assertThat(sink.sealed).containsExactly("\u00ff\u00fe\0\0a\u00e4\0b");
        source.close();
    }

    @Test
    void zerosInEachCharacterWithoutAMarkAreSaid() throws Exception {
        append("a line without a mark\n".getBytes(StandardCharsets.UTF_16LE));
        source = open();
        drain();
        assertThat(sink.notices).anyMatch(said -> said.contains("UTF-16"));
        source.close();
    }
}
