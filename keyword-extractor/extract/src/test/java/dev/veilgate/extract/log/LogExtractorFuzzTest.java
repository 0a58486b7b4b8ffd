package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.ExtractorProfile.Limits;
import dev.veilgate.extract.Profiles;
import dev.veilgate.peks.Keyword;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are: an answer, the same each time, in bounded time. */
class LogExtractorFuzzTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();
    private static final int LONG = 10 << 20;

    private static Extraction check(LogExtractor extractor, byte[] record) {
        Extraction extraction = extractor.extract(record);
        assertThat(new HashSet<>(extraction.keywords())).hasSameSizeAs(extraction.keywords());
        assertThat(extraction.messageFrom()).isBetween(0, record.length);
        assertThat(extraction.messageTo()).isBetween(extraction.messageFrom(), record.length);
        return extraction;
    }

    private static Extraction fresh(byte[] record, LogFormat format) {
        return check(LogExtractor.of(PROFILE, format), record);
    }

    @Test
    void randomBytesAndDamagedLines() {
        long seed = Long.getLong("veilgate.seed", 1);
        Random random = new Random(seed);
        List<byte[]> lines = Loghub.synthetic(200);
        for (LogFormat format : LogFormat.values()) {
            LogExtractor extractor = LogExtractor.of(PROFILE, format);
            for (int i = 0; i < 4_000; i++) {
                byte[] record = lines.get(random.nextInt(lines.size())).clone();
                if (i % 4 == 0) {
                    record = new byte[random.nextInt(300)];
                    random.nextBytes(record);
                } else {
                    for (int n = random.nextInt(8); n > 0; n--) {
                        record[random.nextInt(record.length)] = (byte) random.nextInt(256);
                    }
                    record = Arrays.copyOf(record, random.nextInt(record.length + 1));
                }
                Extraction extraction = check(extractor, record);
                if (i % 40 == 0) {
                    assertThat(fresh(record, format)).as("seed " + seed).isEqualTo(extraction);
                }
            }
        }
    }

    @Test
    void wordsAmongBinary() {
        byte[] record = "\0\1\2overheat\0xxxy\nzz disk".getBytes(StandardCharsets.ISO_8859_1);
        record[12] = (byte) 0xff;
        record[13] = (byte) 0xe2;
        record[14] = (byte) 0x80;
        assertThat(fresh(record, LogFormat.AUTO).keywords())
                .contains(Keyword.text("word", "overheat"), Keyword.text("word", "y"), Keyword.text("word", "disk"));
    }

    @Test
    void brokenAndDeepJson() {
        String object = "{\"a\":{\"b\":[1,\"x\\ud800\",{\"c\":1e999999999}]},\"d\":\"end\"}";
        for (int length = 0; length <= object.length(); length++) {
            fresh(object.substring(0, length).getBytes(StandardCharsets.UTF_8), LogFormat.JSON);
        }
        assertThat(fresh(object.getBytes(StandardCharsets.UTF_8), LogFormat.AUTO)
                        .keywords())
                .contains(Keyword.text("d", "end"));
        byte[] deep = "{\"a\":".repeat(100_000).getBytes(StandardCharsets.UTF_8);
        assertThat(fresh(deep, LogFormat.AUTO).keywords()).containsExactly(Keyword.text("word", "a"));
        fresh("[".repeat(100_000).getBytes(StandardCharsets.UTF_8), LogFormat.JSON);
        fresh(("{\"n\":" + "9".repeat(100_000) + "}").getBytes(StandardCharsets.UTF_8), LogFormat.JSON);
    }

    @Test
    void longRecordsTakeBoundedWork() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime(); // what else the machine does is not counted
        for (String piece : List.of(
                "7",
                "a",
                ":",
                "1:",
                "::",
                "1.",
                ".",
                "/",
                "/a",
                "=",
                "a=",
                "a=\"",
                "\\",
                "[",
                "{",
                "\u00e9",
                "\ufdfa",
                "x ",
                "10.0.0.1 ",
                "a\u0301 ")) {
            byte[] unit = piece.getBytes(StandardCharsets.UTF_8);
            byte[] record = new byte[LONG];
            for (int i = 0; i < LONG; i++) {
                record[i] = unit[i % unit.length];
            }
            Extraction extraction = fresh(record, LogFormat.AUTO);
            assertThat(extraction.limited()).isTrue();
            assertThat(extraction.messageTo()).isEqualTo(LONG);
        }
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void longRecordIsIndexedUpToTheLimitInWholeWords() {
        ExtractorProfile small = Profiles.limitedTo(new Limits(8192, 32, 32, 16, 1024));
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 3000; i++) {
            text.append("word").append(i).append(' ');
        }
        Extraction extraction =
                LogExtractor.of(small, LogFormat.PLAIN).extract(text.toString().getBytes(StandardCharsets.UTF_8));
        List<String> words = List.of(text.toString().split(" "));
        assertThat(extraction.limited()).isTrue();
        assertThat(extraction.keywords()).hasSizeGreaterThan(100).allMatch(k -> words.contains(k.value()));
    }

    /** Text beyond ASCII is folded in pieces; no word is cut by it. */
    @Test
    void longTextBeyondAsciiKeepsItsWords() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 300_000; i++) {
            text.append("\u00c9t\u00e9").append(i % 3000).append(i % 7 == 0 ? " " : i % 2 == 0 ? "," : "\u2026=");
        }
        Extraction extraction = fresh(text.toString().getBytes(StandardCharsets.UTF_8), LogFormat.PLAIN);
        assertThat(extraction.limited()).isFalse();
        assertThat(extraction.keywords()).hasSize(3000).allMatch(k -> k.value().startsWith("\u00e9t\u00e9"));
    }

    @Test
    void moreKeywordsThanAllowed() {
        ExtractorProfile few = Profiles.limitedTo(new Limits(16, 64, 32, 4, 4096));
        Extraction extraction = LogExtractor.of(few, LogFormat.AUTO)
                .extract("a b c d e f g h i j k l m n o p q r s t".getBytes(StandardCharsets.UTF_8));
        assertThat(extraction.keywords()).hasSize(16);
        assertThat(extraction.limited()).isTrue();
    }

    @Test
    void overlongTokensAreCut() {
        Extraction extraction = fresh(("id " + "9".repeat(5000)).getBytes(StandardCharsets.UTF_8), LogFormat.AUTO);
        assertThat(extraction.limited()).isFalse();
        assertThat(extraction.keywords())
                .contains(Keyword.text("number", "9".repeat(PROFILE.limits().valueBytes())));
    }

    /** More distinct tokens than the cache holds, within records and over them. */
    @Test
    void cacheIsOnlyACache() {
        LogExtractor extractor = LogExtractor.of(PROFILE, LogFormat.PLAIN);
        for (int round = 0; round < 20; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 8000; i++) {
                text.append('w')
                        .append(round * 3000 + i)
                        .append(" w")
                        .append(round * 3000 + i / 2)
                        .append(' ');
            }
            byte[] record = text.toString().getBytes(StandardCharsets.UTF_8);
            assertThat(check(extractor, record)).isEqualTo(fresh(record, LogFormat.PLAIN));
        }
    }
}
