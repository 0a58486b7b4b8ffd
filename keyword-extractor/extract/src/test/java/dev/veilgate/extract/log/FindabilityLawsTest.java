package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a simple tokenizer of its own sees in a record is found by searching for it as it is written. */
class FindabilityLawsTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();

    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

    /** An address that is not part of something longer; else a run of letters and digits. */
    private static final Pattern TOKEN = Pattern.compile("(?<![\\p{L}\\p{N}]\\p{M}{0,9})(?<![\\p{L}\\p{N}\\p{M}]\\.)"
            + OCTET + "(?:\\." + OCTET + "){3}(?!\\.?[\\p{L}\\p{N}\\p{M}])" + "|[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*");

    private static final Pattern ADDRESS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");

    private static void check(LogExtractor extractor, byte[] record, String what) throws Exception {
        Set<Keyword> keywords = new HashSet<>(extractor.extract(record).keywords());
        String text = Normalizer.normalize(new String(record, StandardCharsets.UTF_8), Normalizer.Form.NFKC);
        Matcher token = TOKEN.matcher(text);
        while (token.find()) {
            String run = token.group();
            if (!KeywordQuery.parse('"' + run + '"', PROFILE).matches(keywords::contains)) {
                throw new AssertionError(what + ": " + run + " is not found in: " + text);
            }
        }
    }

    @Test
    void everyTokenOfRealLogs() throws Exception {
        for (Map.Entry<String, List<byte[]>> log : Loghub.logs().entrySet()) {
            LogExtractor extractor = LogExtractor.of(PROFILE, LogFormat.AUTO);
            for (byte[] line : log.getValue()) {
                check(extractor, line, log.getKey());
            }
        }
    }

    @Test
    void everyTokenOfRandomLines() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        Random random = new Random(seed);
        String[] pieces = {
            "a",
            "Z9",
            "0",
            "42",
            "007",
            ".",
            ".",
            ":",
            "::",
            "/",
            "\\",
            "-",
            "_",
            "=",
            "\"",
            " ",
            " ",
            "[",
            "]",
            "{",
            "}",
            ",",
            "<",
            ">",
            "10.0.0.1",
            "fe80",
            "C:\\",
            "/var/log",
            "2026-11-21",
            "12:23:01",
            "Nov 21",
            "error",
            "\u00c9t\u00e9",
            "\u1e9e",
            "\ufb01",
            "\u0130",
            "\u00b2",
            "\u0939\u093f",
            "\u6771",
            "\ud83d\ude00",
            "\u0301",
            "\u2122",
            "\t",
            "\0",
            "1795263781",
            "sshd[9]:"
        };
        for (LogFormat format : LogFormat.values()) {
            LogExtractor extractor = LogExtractor.of(PROFILE, format);
            for (int i = 0; i < 8_000; i++) {
                StringBuilder line = new StringBuilder();
                for (int n = random.nextInt(24); n >= 0; n--) {
                    line.append(pieces[random.nextInt(pieces.length)]);
                }
                check(extractor, line.toString().getBytes(StandardCharsets.UTF_8), "seed " + seed);
            }
        }
    }

    /** A record is found by itself, cut in any way at its white space. */
    @Test
    void everyColumnOfRealLogsInQuotes() throws Exception {
        for (Map.Entry<String, List<byte[]>> log : Loghub.logs().entrySet()) {
            LogExtractor extractor = LogExtractor.of(PROFILE, LogFormat.AUTO);
            for (byte[] line : log.getValue()) {
                Set<Keyword> keywords = new HashSet<>(extractor.extract(line).keywords());
                for (String column : new String(line, StandardCharsets.ISO_8859_1).split("\\s+")) {
                    if (column.matches(".*[A-Za-z0-9].*")) {
                        String quoted = '"' + column.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
                        assertThat(KeywordQuery.parse(quoted, PROFILE).matches(keywords::contains))
                                .as(column)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void theSimpleTokenizerSeesAddresses() {
        Matcher token = TOKEN.matcher("x 10.20.30.40:80 1.2.3.4.5 1.2.3.4. v1.2.3.4 300.2.3.4");
        int addresses = 0;
        while (token.find()) {
            addresses += ADDRESS.matcher(token.group()).lookingAt() ? 1 : 0;
        }
        assertThat(addresses).isEqualTo(2);
    }
}
