package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are: rules 2 have an answer, the same each time, in a time that grows with the length alone. */
class FormFuzzTest {
    private static final ExtractorProfile RULES_2 = ExtractorProfile.defaults().withRules(2);
    private static final int LONG = 1 << 20;

    private static Extraction check(LogExtractor extractor, byte[] record) {
        Extraction found = extractor.extract(record);
        assertThat(new HashSet<>(found.keywords())).hasSameSizeAs(found.keywords());
        assertThat(found.messageFrom()).isBetween(0, record.length);
        assertThat(found.messageTo()).isBetween(found.messageFrom(), record.length);
        return found;
    }

    private static List<byte[]> lines() throws Exception {
        List<byte[]> lines = new ArrayList<>(Loghub.synthetic(50));
        FormTable.forms().forEach(form -> form.lines().forEach(line -> lines.add(line.bytes())));
        return lines;
    }

    @Test
    void readsEveryLineCutAnywhere() throws Exception {
        for (LogFormat format : LogFormat.values()) {
            LogExtractor extractor = LogExtractor.of(RULES_2, format);
            for (byte[] line : lines()) {
                for (int length = 0; length <= line.length; length++) {
                    check(extractor, Arrays.copyOf(line, length));
                    check(extractor, Arrays.copyOfRange(line, length, line.length));
                }
            }
        }
    }

    @Test
    void readsDamagedAndJoinedLines() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        Random random = new Random(seed);
        List<byte[]> lines = lines();
        String special = "{}[]\"<>|=:%\\*\0\u001b\n\t '-0";
        LogExtractor extractor = LogExtractor.of(RULES_2, LogFormat.AUTO);
        for (int i = 0; i < 60_000; i++) {
            byte[] first = lines.get(random.nextInt(lines.size()));
            byte[] second = lines.get(random.nextInt(lines.size()));
            int cut = random.nextInt(first.length + 1);
            byte[] record = Arrays.copyOf(first, cut + second.length);
            System.arraycopy(second, 0, record, cut, second.length);
            for (int n = random.nextInt(6); n > 0; n--) {
                record[random.nextInt(record.length)] = random.nextBoolean()
                        ? (byte) random.nextInt(256)
                        : (byte) special.charAt(random.nextInt(special.length()));
            }
            Extraction found = check(extractor, record);
            if (i % 60 == 0) {
                assertThat(check(LogExtractor.of(RULES_2, LogFormat.AUTO), record))
                        .as("seed " + seed)
                        .isEqualTo(found);
            }
        }
    }

    /** Each of these a million bytes long, behind each beginning of a form. */
    @Test
    void longLinesTakeTimeByTheirLength() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        String[] beginnings = {
            "",
            "{\"log\":\"",
            "2026-11-28T10:00:00Z stdout F ",
            "2026-11-28T10:00:00Z stdout P ",
            "CEF:0|a|b|c|d|e|5|",
            "LEEF:2.0|a|b|c|d|^|",
            "10.2.3.4 - - [28/Nov/2026:10:00:00 +0000] \"",
            "<Event xmlns='",
            "<134>Nov 28 10:00:00 h a: ",
            "*Nov 28 10:00:00: %",
            "{\"a\":\"{",
            "Nov 28 10:00:00 h a[1]: {\"a\":"
        };
        String[] pieces = {
            "a",
            "7",
            " ",
            "=",
            "a=",
            "a=b ",
            "user=",
            "|",
            "\\",
            "\\\\",
            "{",
            "{\"",
            "{\"a\":",
            "{\"a\":\"b\"}",
            "[",
            "]",
            "<",
            "<a ",
            "<a b='",
            "</",
            "&amp;",
            "\u001b",
            "\u001b[",
            "\u001b[31m",
            "\u001b]",
            "\u001b]a\u0007",
            "%",
            "%a-5-b",
            "\0",
            "\n",
            "2026-11-28T10:00:00Z stdout P a\n",
            "\"{}\",",
            "\\\"",
            "\u00e9",
            "cef:",
            ": ",
            "@1"
        };
        for (String beginning : beginnings) {
            for (String piece : pieces) {
                byte[] head = beginning.getBytes(StandardCharsets.UTF_8);
                byte[] unit = piece.getBytes(StandardCharsets.UTF_8);
                byte[] record = Arrays.copyOf(head, LONG);
                for (int i = head.length; i < LONG; i++) {
                    record[i] = unit[(i - head.length) % unit.length];
                }
                LogExtractor extractor = LogExtractor.of(RULES_2, LogFormat.AUTO);
                long start = threads.getCurrentThreadCpuTime();
                check(extractor, record);
                assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start))
                        .as(beginning + " and " + piece)
                        .isLessThan(Duration.ofSeconds(2));
            }
        }
    }

    /** A line in a line, and so on: what is deeper than is read has its words. */
    @Test
    void readsAFewLayersAndTheWordsOfOthers() {
        String line = "user=deepest word";
        for (int i = 0; i < 12; i++) {
            line = "2026-11-28T10:00:00Z stdout F " + line;
            Extraction found = check(LogExtractor.of(RULES_2, LogFormat.AUTO), line.getBytes(StandardCharsets.UTF_8));
            assertThat(found.keywords().toString()).as("layers " + i).contains("Keyword");
            assertThat(found.keywords().stream().map(keyword -> keyword.field() + ':' + keyword.value()))
                    .contains("word:deepest", "word:word");
        }
    }
}
