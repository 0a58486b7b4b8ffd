package dev.veilgate.console.logsink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogEntry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyslogFormTest {
    private static final byte[] SECRET = new byte[32];

    private static LogEntry entry(String actor, Map<String, String> details, int sealedBytes) {
        return new LogEntry(
                7,
                new byte[32],
                Instant.parse("2026-11-30T12:00:00.050Z"),
                EntryKind.ATTRIBUTE_KEY,
                actor,
                new TreeMap<>(details),
                new byte[sealedBytes]);
    }

    private static String message(LogEntry entry, int maxBytes) {
        byte[] framed =
                new SyslogForm(SinkBench.JSON, "console.example.org", 32473, maxBytes).encode("acme", entry, SECRET);
        String all = new String(framed, StandardCharsets.UTF_8);
        int blank = all.indexOf(' ');
        byte[] message = all.substring(blank + 1).getBytes(StandardCharsets.UTF_8);
        assertThat(Integer.parseInt(all.substring(0, blank)))
                .as("length in bytes")
                .isEqualTo(message.length);
        assertThat(message.length).isLessThanOrEqualTo(maxBytes);
        return new String(message, StandardCharsets.UTF_8);
    }

    @Test
    void hasHeaderStructuredDataAndJson() {
        String message = message(entry("ada", Map.of("reader", "bob"), 0), 8192);
        assertThat(message)
                .startsWith("<109>1 2026-11-30T12:00:00.050Z console.example.org veilgate-console - attribute-key"
                        + " [veilgate@32473 tenant=\"acme\" number=\"7\" mark=\"")
                .contains(" kind=\"attribute-key\" actor=\"ada\"] \uFEFF{\"tenant\":\"acme\",\"number\":7,")
                .endsWith("\"details\":{\"reader\":\"bob\"}}");
    }

    @Test
    void escapesStructuredDataAndMarksUtf8() {
        String message = message(entry("a\"b\\c]d é\n", Map.of("name", "Zoë]\n"), 0), 8192);
        assertThat(message).contains("actor=\"a\\\"b\\\\c\\]d é\n\"] \uFEFF{");
        assertThat(message).as("JSON has its own escapes").contains("Zoë]\\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 8192})
    void leavesOutTheSealedPartThenTheLongestDetails(int most) {
        String sealedOut = message(entry("ada", Map.of("reader", "bob"), 9000), most);
        assertThat(sealedOut).contains("\"sealedLeftOut\":true").contains("bob").doesNotContain("\"sealed\":");
        Map<String, String> many = new TreeMap<>();
        for (int i = 0; i < 9; i++) {
            many.put("detail-" + i, "ü".repeat(200 * (i + 1)));
        }
        String detailsOut = message(entry("ada", many, 9000), most);
        assertThat(detailsOut)
                .contains("\"detailsLeftOut\":")
                .contains("\"detail-0\":")
                .doesNotContain("\"detail-8\":");
    }

    @Test
    void anEntryOfTheLongestNamesFitsTheShortestMessage() {
        Map<String, String> many = new TreeMap<>();
        for (int i = 0; i < 32; i++) {
            many.put("a".repeat(60) + (char) ('a' + i % 26) + (i / 26), "\u0001".repeat(1500));
        }
        assertThat(message(entry("\"".repeat(255), many, 9000), 2048)).contains("\"detailsLeftOut\":32");
    }
}
