package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.extract.ExtractorProfile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinePartsTest {
    private static final String TIME = "2026-11-28T10:00:00Z ";

    private final List<String> records = new ArrayList<>();
    private int given;

    private void take(byte[] buffer, int from, int to, int count) {
        records.add(new String(buffer, from, to - from, StandardCharsets.UTF_8));
        given += count;
    }

    private void lines(LineParts parts, String... lines) {
        for (String line : lines) {
            byte[] bytes = ("x" + line + "x").getBytes(StandardCharsets.UTF_8);
            parts.line(bytes, 1, bytes.length - 1, this::take);
        }
    }

    private static List<String> keywords(String record) {
        return LogExtractor.of(ExtractorProfile.defaults().withRules(2), LogFormat.AUTO)
                .extract(record.getBytes(StandardCharsets.UTF_8))
                .keywords()
                .stream()
                .map(keyword -> keyword.field() + ':' + keyword.value())
                .toList();
    }

    @Test
    void joinsPartsOfMixedStreams() {
        LineParts parts = new LineParts(1 << 20);
        lines(
                parts,
                TIME + "stdout P {\"level\":\"err",
                TIME + "stderr P error wa",
                "a line of another kind",
                TIME + "stdout P or\",\"us",
                TIME + "stderr F s here",
                TIME + "stdout F er\":\"eve\"}",
                TIME + "stdout F whole");
        assertThat(parts.waiting()).isZero();
        assertThat(given).isEqualTo(7);
        assertThat(records).hasSize(4);
        assertThat(records.getFirst()).isEqualTo("a line of another kind");
        assertThat(records.get(1)).isEqualTo(TIME + "stderr P error wa\n" + TIME + "stderr F s here");
        assertThat(keywords(records.get(1)))
                .contains("word:was", "stream:stderr")
                .doesNotContain("word:wa");
        assertThat(keywords(records.get(2))).contains("level:error", "user:eve", "stream:stdout");
        assertThat(records.get(3)).isEqualTo(TIME + "stdout F whole");
    }

    @Test
    void joinsPiecesOfDocker() {
        LineParts parts = new LineParts(1 << 20);
        lines(
                parts,
                "{\"log\":\"2026-11-28 10:00:00 ERROR back\\\\\",\"stream\":\"stdout\",\"time\":\"2026-11-28T10:00Z\"}",
                "{\"log\":\"warn \\\"x\\\"\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-28T10:00:00Z\"}",
                "{\"log\":\"nslash user=b\",\"stream\":\"stdout\",\"time\":\"2026-11-28T10:00:01Z\"}",
                "{\"log\":\"ob\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-28T10:00:01Z\"}");
        assertThat(records).hasSize(2);
        assertThat(given).isEqualTo(4);
        assertThat(keywords(records.get(1)))
                .contains("level:error", "user:bob", "word:nslash", "stream:stdout", "time:2026-11")
                .doesNotContain("user:b", "word:ob");
    }

    /** A line that ends with a backslash and the letter n, as text, goes on. */
    @Test
    void tellsALineEndFromABackslash() {
        LineParts parts = new LineParts(1 << 20);
        lines(parts, "{\"log\":\"C:\\\\n\",\"stream\":\"stdout\"}");
        assertThat(parts.waiting()).isOne();
        lines(parts, "{\"log\":\"\\n\",\"stream\":\"stdout\"}");
        assertThat(records).hasSize(1);
        lines(parts, "{\"log\":\"a\\\\\\n\",\"stream\":\"stdout\"}", "{\"log\":\"\",\"stream\":\"stdout\"}");
        assertThat(records).hasSize(2);
        parts.end(this::take);
        assertThat(records).hasSize(3);
        assertThat(parts.waiting()).isZero();
    }

    @Test
    void keepsNoMoreThanItsBound() {
        LineParts parts = new LineParts(1000);
        String part = TIME + "stdout P " + "a".repeat(300);
        for (int i = 0; i < 100; i++) {
            lines(parts, part);
            assertThat(parts.waiting()).isLessThan(4);
        }
        parts.end(this::take);
        assertThat(given).isEqualTo(100);
        assertThat(records).hasSize(34).allMatch(record -> record.length() <= 1000);
        lines(parts, TIME + "stdout P " + "a".repeat(5000));
        assertThat(parts.waiting()).isZero();
        assertThatThrownBy(() -> new LineParts(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keepsNoMoreLinesThanItsBound() {
        LineParts parts = new LineParts(1 << 20);
        for (int i = 0; i < 1000; i++) {
            lines(parts, TIME + "stdout P ");
            assertThat(parts.waiting()).isLessThan(LineParts.MOST_LINES);
        }
        assertThat(records).hasSize(1000 / LineParts.MOST_LINES);
        parts.end(this::take);
        assertThat(given).isEqualTo(1000);
    }

    private static String shown(String record) {
        byte[] line = LineParts.line(record.getBytes(StandardCharsets.UTF_8));
        return new String(line, StandardCharsets.UTF_8);
    }

    @Test
    void showsARecordAsTheLineThatWasCut() {
        assertThat(shown(TIME + "stdout P {\"level\":\"err\n" + TIME + "stdout P or\",\n" + TIME + "stdout F \"a\":1}"))
                .isEqualTo(TIME + "stdout P {\"level\":\"error\",\"a\":1}");
        assertThat(shown("{\"log\":\"ERR\",\"stream\":\"stdout\",\"time\":\"1\"}\n"
                        + "{\"log\":\"OR\\n\",\"stream\":\"stdout\",\"time\":\"2\"}"))
                .isEqualTo("{\"log\":\"ERROR\\n\",\"stream\":\"stdout\",\"time\":\"1\"}");
    }

    /** A record of other lines is shown as it is: nothing of it is left out. */
    @Test
    void showsOtherRecordsAsTheyAre() {
        for (String record : List.of(
                "",
                "\n",
                "one line",
                "two\nlines",
                TIME + "stdout F whole",
                TIME + "stdout F whole\n" + TIME + "stdout F another",
                TIME + "stdout P a\n" + TIME + "stderr F of the other stream",
                TIME + "stdout P a\nof no container",
                "{\"log\":\"a\",\"stream\":\"stdout\"}\nof no container",
                "{\"log\":\"a\\n\",\"stream\":\"stdout\"}\n{\"log\":\"b\",\"stream\":\"stdout\"}",
                "{\"log\":\"a\",\"stream\":\"stdout\"}\n" + TIME + "stdout F b")) {
            assertThat(shown(record)).isEqualTo(record);
        }
    }

    /** Every line is in one record, in its order within its stream, whatever the lines are. */
    @Test
    void losesNoLineOfRandomOnes() {
        Random random = new Random(Long.getLong("veilgate.seed", 1));
        String[] kinds = {
            TIME + "stdout P ",
            TIME + "stderr F ",
            TIME + "stdout ",
            "{\"log\":\"",
            "{\"log\":\"\",\"stream\":\"std",
            "",
            "x"
        };
        LineParts parts = new LineParts(200);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String line = kinds[random.nextInt(kinds.length)]
                    + "\\n\",\"stream\":\"stdout\"".substring(random.nextInt(21)) + i + "#";
            lines.add(line);
            lines(parts, line);
        }
        parts.end(this::take);
        assertThat(given).isEqualTo(lines.size());
        List<String> back = new ArrayList<>();
        records.forEach(record -> back.addAll(List.of(record.split("\n"))));
        assertThat(back.stream().sorted().toList())
                .isEqualTo(lines.stream().sorted().toList());
    }
}
