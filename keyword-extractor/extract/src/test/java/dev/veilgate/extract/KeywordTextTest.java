package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class KeywordTextTest {
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
