package dev.veilgate.archive.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DocumentWordsTest {
    private static final String[] PIECES = {
        " ",
        "\t",
        "\u000b",
        "\f",
        "/",
        "\\",
        ":",
        "::",
        ".",
        "-",
        "_",
        "#",
        "=",
        "\"",
        "[",
        "10.0.0.1",
        "fe80::1",
        "3.14",
        "Owl",
        "LARK",
        "c3po",
        "7",
        "0042",
        "/var/log",
        "C:\\Temp",
        "\u0000",
        "\u001f",
        "a".repeat(300)
    };

    private final DocumentWords words = new DocumentWords();

    private SortedMap<Keyword, Integer> ofText(String text) {
        return words.clear().text(text).counts().toMap();
    }

    private static String line(SplittableRandom random, int pieces, String... more) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            int drawn = random.nextInt(PIECES.length + more.length);
            line.append(drawn < PIECES.length ? PIECES[drawn] : more[drawn - PIECES.length]);
        }
        return line.toString();
    }

    private static final Instant WRITTEN = Instant.parse("2026-11-27T12:00:00Z");

    private Set<Keyword> ofLine(String line) {
        byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
        words.clear().line(utf8, 0, utf8.length, WRITTEN);
        return words.counts().toMap().keySet();
    }

    private static Keyword time(String word) {
        return Keyword.text("time:", word);
    }

    private static Keyword word(String field, String value) {
        return Keyword.text(field, value);
    }

    @Test
    void aLineHasTheWordsOfItsText() {
        SplittableRandom random = TestSeed.of(getClass()).random("lines");
        for (int i = 0; i < 3_000; i++) {
            String line = line(random, random.nextInt(30), "Stra\u00dfe", "\u4e2d\u6587", "\u00e9");
            Set<Keyword> expected = ofText(line).keySet();
            Set<Keyword> found = ofLine(line);
            assertThat(found).as(line).containsAll(expected);
            if (line.indexOf('\\') < 0) { // else what is behind an escape is a word too
                assertThat(found.stream().filter(word -> word.field().equals("text")))
                        .as(line)
                        .allMatch(expected::contains);
            }
        }
    }

    /** A word is one letter or more; of a longer one than a keyword can have the beginning is kept. */
    @Test
    void theShortestAndTheLongestWordsAreKept() {
        int most = DocumentWords.profile().limits().valueBytes();
        for (String letter : new String[] {"y", "\u00fc"}) {
            int bytes = letter.getBytes(StandardCharsets.UTF_8).length;
            assertThat(ofText("a " + letter.repeat((1 << 20) / bytes)).keySet())
                    .containsExactlyInAnyOrder(
                            Keyword.text("text", "a"), Keyword.text("text", letter.repeat(most / bytes)));
        }
    }

    @Test
    void aLineOfSyslogHasItsHeaderAsFieldsAndTheYearInWhichItWasWritten() {
        assertThat(ofLine("Nov 27 11:59:01 press-4 sshd[4711]: error: Failed password for root from 10.0.0.7"))
                .contains(
                        word("host", "press-4"),
                        word("app", "sshd"),
                        word("pid", "4711"),
                        word("text", "4711"),
                        word("level", "error"),
                        word("text", "10.0.0.7"),
                        time("2026-11-27t11:59"));
        assertThat(ofLine("Nov 29 11:00:00 a b: c")).contains(time("2026-11-29t11:00"));
        assertThat(ofLine("Dec 31 23:59:59 a b: c")).contains(time("2025-12-31t23:59"));
    }

    @Test
    void aLineOfJsonHasItsKeysAsFieldsAndItsNumbersInTheirOrder() {
        String line = "{\"@timestamp\":\"2026-11-27T12:34:56.1+02:00\",\"level\":\"WARN\",\"status\":503,"
                + "\"user\":{\"name\":\"Ada Lovelace\"},\"msg\":\"disk\\nfull\",\"seconds\":-0.25}";
        assertThat(ofLine(line))
                .contains(
                        time("2026-11-27t10:34"),
                        word("level", "warn"),
                        word("status", "503"),
                        word("status:", "p502503"),
                        word("user.name", "lovelace"),
                        word("user", "ada"),
                        word("text", "full"),
                        word("text", "disk"),
                        word("seconds:", "n50074~"))
                .noneMatch(word -> word.field().startsWith("msg"));
    }

    @Test
    void pairsAreFieldsAndWordsWithoutOrderAreLeftOutWhereNobodyCanAskForThem() {
        String line = "time=2026-11-27T12:34:56Z level=info bytes=1200 path=/var/log/owl";
        assertThat(ofLine(line)).contains(word("bytes", "1200"), word("bytes:", "p50312"), time("2026-11-27t12:34"));
        DocumentWords plain = new DocumentWords(false);
        byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
        plain.line(utf8, 0, utf8.length, WRITTEN);
        assertThat(plain.counts().toMap().keySet())
                .contains(word("bytes", "1200"), word("level", "info"))
                .noneMatch(word -> word.field().endsWith(":"));
    }

    @Test
    void numbersAndTimesOfTablesAndMailsHaveTheirOrder() {
        words.clear()
                .value("Price EUR", " 12.50 ")
                .value("created", "2026-11-27 12:34")
                .value("name", "7 owls");
        assertThat(words.counts().toMap().keySet())
                .contains(word("price_eur:", "p501125"), word("created:", "2026-11-27t12:34"))
                .doesNotContain(time("2026-11-27t12:34"))
                .noneMatch(word -> word.field().equals("name:"));
        words.clear().value("date", "2026-11-27T23:30:00-0100");
        assertThat(words.counts().toMap().keySet()).contains(time("2026-11-28t00:30"));
        words.clear().mail(List.of(word("date", "2026-11-27"), word("date", "2026-11")));
        assertThat(words.counts().toMap().keySet()).contains(time("2026-11-27"));
    }

    @Test
    void aLongLineHasTheWordsOfItsParts() {
        SplittableRandom random = TestSeed.of(getClass()).random("parts");
        StringBuilder joined = new StringBuilder();
        StringBuilder apart = new StringBuilder();
        while (joined.length() < 300_000) {
            String part = line(random, 10, "Stra\u00dfe", "\u0301", "\ufb01", "\u4e2d\u6587")
                    .strip();
            joined.append(part).append(random.nextInt(4) == 0 ? '\t' : ' ');
            apart.append(part).append('\n');
        }
        assertThat(ofText(joined.toString())).isEqualTo(ofText(apart.toString()));
    }
}
