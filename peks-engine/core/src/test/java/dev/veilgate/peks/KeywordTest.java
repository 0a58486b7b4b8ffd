package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeywordTest {
    @Test
    void orderAndHashAgreeWithEquality() {
        List<Keyword> keywords = new ArrayList<>();
        for (int twice = 0; twice < 2; twice++) {
            for (String value : new String[] {"0", "1", "Aa", "BB", "\u00e9"}) {
                keywords.add(Keyword.text("a", value));
                keywords.add(Keyword.text("b", value));
            }
            keywords.addAll(new DyadicIntervals("a", 0, 3).keywordsOf(0));
        }
        for (Keyword one : keywords) {
            for (Keyword other : keywords) {
                assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
                assertThat(Integer.signum(one.compareTo(other))).isEqualTo(-Integer.signum(other.compareTo(one)));
                assertThat(!one.equals(other) || one.hashCode() == other.hashCode())
                        .isTrue();
            }
        }
    }

    @Test
    void valuesAreNormalisedAndBounded() {
        assertThat(Keyword.text("word", "\uff41")).isEqualTo(Keyword.text("word", "a"));
        assertThat(Keyword.text("word", "x".repeat(Keyword.MAX_VALUE_BYTES)).value())
                .hasSize(Keyword.MAX_VALUE_BYTES);
        for (String bad : new String[] {"", "x".repeat(Keyword.MAX_VALUE_BYTES + 1), "\u00e9".repeat(2049), "\ud800"}) {
            assertThatThrownBy(() -> Keyword.text("word", bad)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Keyword.text("f".repeat(256), "x")).isInstanceOf(IllegalArgumentException.class);
    }
}
