package dev.veilgate.console.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of the table, beside columns of time, level and sender. */
class LineBriefTest {
    private static String brief(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        LogExtractor extractor = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO);
        return LineBrief.of(bytes, extractor.extract(bytes), "press-4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "2026-11-28T10:00:00Z press-4 sshd[4711]: Failed login | sshd[4711]: Failed login",
                "Nov 28 10:00:00 other sshd[4711]: Failed login | other sshd[4711]: Failed login",
                "<34>1 2026-11-28T10:00:00Z press-4 su 12 ID47 - it failed | su 12 ID47 - it failed",
                "2026-11-28T10:00:00Z press-2 controller: ERROR pump hot | press-2 controller: pump hot",
                "[2026-11-28 10:00:00,123] [WARN] [main] a.b.C - 404 x | [main] a.b.C - 404 x",
                "nothing but text | nothing but text",
                "{\"@timestamp\": \"2026-11-28T10:00:00Z\", \"message\": \"it failed\", \"user\": {\"name\": \"root\"},"
                        + " \"n\": [1, 2]} | it failed  user.name=root  n=1  n=2",
                "{\"level\": \"error\", \"ts\": 1, \"msg\": \"a b\", \"path\": \"/x y\"} | a b  ts=1  path=\"/x y\"",
                "{\"a\": 1} | a=1",
                "{\"broken\": | {\"broken\":",
                "{\"a\": 1} and more | {\"a\": 1} and more",
                "{\"a\": 1} {\"b\": 2} | {\"a\": 1} {\"b\": 2}",
                "{\"time\": \"soon\", \"msg\": \"x\"} | x  time=soon",
                "{\"ts\": \"2026-11-28T10:00:00Z\", \"msg\": \"x\", \"date\": \"1999-01-01\"} | x  date=1999-01-01",
                "{\"a\":{\"b\":{\"c\":{\"d\":[[[[[{\"e\":1}]]]]]}}},\"z\":2} | a.b.c.d.e=1  z=2",
            })
    void theLineIsWithoutWhatColumnsSay(String line, String brief) {
        assertThat(brief(line)).isEqualTo(brief);
    }

    @Test
    void hostileLinesHaveABoundedLine() {
        assertThat(brief("{\"message\": \"" + "x".repeat(100_000) + "\"}")).hasSize(LineBrief.MOST_CHARACTERS);
        assertThat(brief("x".repeat(100_000)).length()).isLessThanOrEqualTo(LineBrief.MOST_CHARACTERS);
        assertThat(brief("{\"a\":".repeat(5_000))).isNotEmpty();
        assertThat(brief("{\"😀\": \"" + "😀".repeat(5_000) + "\"}"))
                .doesNotContain("?")
                .isNotEmpty();
        assertThat(brief("{\"message\": null, \"a\": true}")).isEqualTo("null  a=true");
        assertThat(brief("{}")).isEqualTo("{}");
        assertThat(brief("")).isEmpty();
    }
}
