package dev.veilgate.archive.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
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

    @Test
    void aLineOfAsciiHasTheSameWordsAsBytesAndAsText() {
        SplittableRandom random = TestSeed.of(getClass()).random("lines");
        for (int i = 0; i < 3_000; i++) {
            String line = line(random, random.nextInt(30));
            SortedMap<Keyword, Integer> expected = ofText(line);
            assertThat(words.clear().asciiLine(line.getBytes(StandardCharsets.US_ASCII)))
                    .isTrue();
            assertThat(words.counts().toMap()).as(line).isEqualTo(expected);
        }
    }

    @Test
    void otherLinesAreNotTakenAsAscii() {
        for (String line : new String[] {"K\u00e4uzchen", "owl\rlark", "\ufeffowl"}) {
            assertThat(words.clear().asciiLine(line.getBytes(StandardCharsets.UTF_8)))
                    .isFalse();
            assertThat(words.counts().size()).isZero();
        }
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
