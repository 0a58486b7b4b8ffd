package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;

/** The probability to have asked for a hidden envelope is the exact one, and is never said to be more. */
class HiddenOddsTest {
    private static BigInteger choose(long of, long some) {
        BigInteger result = BigInteger.ONE;
        for (long i = 0; i < some; i++) {
            result = result.multiply(BigInteger.valueOf(of - i)).divide(BigInteger.valueOf(i + 1));
        }
        return some > of ? BigInteger.ZERO : result;
    }

    private static BigDecimal exact(long numbers, long drawn, long hidden) {
        BigInteger all = choose(numbers, drawn);
        BigInteger caught = all.subtract(choose(numbers - hidden, drawn));
        return new BigDecimal(caught).divide(new BigDecimal(all), 30, RoundingMode.DOWN);
    }

    @Test
    void isWhatTheFormulaSaysForAllSmallNumbers() {
        for (long numbers = 1; numbers <= 14; numbers++) {
            for (long drawn = 0; drawn <= numbers; drawn++) {
                for (long hidden = 1; hidden <= numbers; hidden++) {
                    BigDecimal exact = exact(numbers, drawn, hidden);
                    BigDecimal said = BigDecimal.valueOf(HiddenOdds.probability(numbers, drawn, hidden));
                    assertThat(said)
                            .as("%d of %d, %d hidden", drawn, numbers, hidden)
                            .isLessThanOrEqualTo(exact);
                    assertThat(exact.subtract(said)).isLessThan(new BigDecimal("0.0000011"));
                }
            }
        }
    }

    @Test
    void aThousandOfAMillionIsATenthOfAPercentForOneHiddenEnvelope() {
        assertThat(HiddenOdds.probability(1_000_000, 1_000, 1)).isEqualTo(0.001);
        assertThat(HiddenOdds.probability(1_000_000, 1_000, 1_000)).isEqualTo(0.632488);
    }

    @Test
    void nothingThatIsLeftOutIsCertain() {
        assertThat(HiddenOdds.probability(1_000_000_000, 999_999_999, 1)).isLessThan(1);
        assertThat(HiddenOdds.probability(20, 10, 10)).isLessThan(1);
        assertThat(HiddenOdds.probability(20, 11, 10)).isEqualTo(1);
    }

    @Test
    void isSaidForOneAHundredthAndATenthRoundedUp() {
        assertThat(HiddenOdds.of(1000, 10, 0)).extracting(HiddenOdds::hidden).containsExactly(1L);
        assertThat(HiddenOdds.of(1000, 10, 11)).extracting(HiddenOdds::hidden).containsExactly(1L, 2L);
        assertThat(HiddenOdds.of(1000, 10, 301)).extracting(HiddenOdds::hidden).containsExactly(1L, 4L, 31L);
        assertThat(HiddenOdds.of(3, 1, 301))
                .as("not more than there are numbers")
                .extracting(HiddenOdds::hidden)
                .containsExactly(1L);
        assertThat(HiddenOdds.of(0, 0, 5)).isEmpty();
    }

    @Test
    void veryManyTakeNoLongTimeAndAreNotSaidToBeMore() {
        assertThat(HiddenOdds.probability(1_000_000_000_000L, 10_000, 1_000_000))
                .isBetween(0.00995, 0.00996);
    }

    @Test
    void rejectsMoreThanThereAre() {
        assertThatThrownBy(() -> HiddenOdds.probability(5, 6, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HiddenOdds.probability(5, 1, 6)).isInstanceOf(IllegalArgumentException.class);
    }
}
