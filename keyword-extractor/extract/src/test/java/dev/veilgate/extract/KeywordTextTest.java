package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KeywordTextTest {
    /** The form of a whole text is that of its parts, wherever they are cut. */
    @Test
    void longTextIsFoldedAsWordsAre() {
        Random random = new Random(1);
        String[] odd = {
            "\u0130",
            "\u00df",
            "\u03a3",
            "\u0390",
            "\u1f80",
            "\ufdfa",
            "e\u0301",
            "\ud835\udc00",
            "\uac00",
            "\u1100\u1161",
            "a"
        };
        for (int round = 0; round < 20; round++) {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                StringBuilder word = new StringBuilder();
                int length = random.nextInt(round % 4 == 0 ? 200 : 8) + 1;
                for (int k = 0; k < length; k++) {
                    word.append(odd[random.nextInt(odd.length)]);
                }
                words.add(word.toString());
            }
            String together = String.join(" ", words);
            assertThat(KeywordText.fold(together))
                    .isEqualTo(words.stream().map(KeywordText::fold).collect(Collectors.joining(" ")));
        }
    }

    /** The runtime copies a text for each capital that becomes longer. */
    @Test
    void textThatGrowsIsFoldedInTimeThatGrowsWithIt() {
        String text = "\u0130 \u00df \u0390".repeat(200_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        assertThat(KeywordText.fold(text)).hasSizeGreaterThan(text.length());
        assertThat(KeywordText.fold(text.replace(" ", ""))).hasSizeGreaterThan(800_000);
        assertThat((threads.getCurrentThreadCpuTime() - before) / 1e9).isLessThan(8);
    }

    @Test
    void foldsCaseAndCompatibilityForms() {
        assertThat(KeywordText.fold("OverHEAT")).isEqualTo("overheat");
        assertThat(KeywordText.fold("Stra\u00dfe"))
                .isEqualTo(KeywordText.fold("STRASSE"))
                .isEqualTo("strasse");
        assertThat(KeywordText.fold("\uff21\uff22\uff11")).isEqualTo("ab1");
        assertThat(KeywordText.fold("\u039f\u0394\u039f\u03a3"))
                .isEqualTo(KeywordText.fold("\u03bf\u03b4\u03bf\u03c2"));
        assertThat(KeywordText.fold("e\u0301")).isEqualTo("\u00e9");
    }

    @Test
    void foldsTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(KeywordText.fold("TITLE \u00c9")).isEqualTo("title \u00e9");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void foldingFoldedTextChangesNothing() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String folded = KeywordText.fold(Character.toString(c));
            if (!KeywordText.fold(folded).equals(folded)) {
                throw new AssertionError("U+" + Integer.toHexString(c));
            }
        }
    }

    @Test
    void unpairedSurrogatesBecomeReplacementCharacters() {
        assertThat(KeywordText.fold("A\ud800b")).isEqualTo("a\ufffdb");
        assertThat(KeywordText.fold("A\udc00")).isEqualTo("a\ufffd");
    }

    @Test
    void cutsValuesBetweenCharacters() {
        assertThat(KeywordText.value("  " + "\u00e9".repeat(100) + " ", 33)).isEqualTo("\u00e9".repeat(16));
        assertThat(KeywordText.value("x".repeat(5000), 4096).getBytes(StandardCharsets.UTF_8))
                .hasSize(4096);
        assertThat(KeywordText.value(" x ", 32)).isEqualTo("x");
    }

    @Test
    void fieldNamesAreFoldedOrRefused() {
        assertThat(KeywordText.field("User.Name")).isEqualTo("user.name");
        assertThat(KeywordText.field("a b")).isEmpty();
        assertThat(KeywordText.field("a:b")).isEmpty();
        assertThat(KeywordText.field("\u00e9".repeat(Keyword.MAX_FIELD_BYTES))).isEmpty();
    }
}
