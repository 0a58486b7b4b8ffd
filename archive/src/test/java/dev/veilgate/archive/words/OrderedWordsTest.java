package dev.veilgate.archive.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TestSeed;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Words of numbers and times stand in the order of what they are of. */
class OrderedWordsTest {
    private final SplittableRandom random = TestSeed.of(getClass()).random("values");

    private static int compare(String word, String other) {
        return Integer.signum(
                Arrays.compareUnsigned(word.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)));
    }

    private BigDecimal number() {
        BigInteger digits = BigInteger.valueOf(random.nextLong() >> random.nextInt(64));
        return new BigDecimal(digits, random.nextInt(-3, 12));
    }

    @Test
    void wordsOfNumbersHaveTheirOrder() {
        List<BigDecimal> numbers = new ArrayList<>(List.of(BigDecimal.ZERO, new BigDecimal("-0.00"), BigDecimal.ONE));
        for (int i = 0; i < 400; i++) {
            BigDecimal number = number();
            numbers.add(number);
            numbers.add(number.negate());
            numbers.add(number.add(new BigDecimal("0.001")));
        }
        for (BigDecimal number : numbers) {
            String word = NumberWords.of(number.toPlainString()).orElseThrow();
            assertThat(NumberWords.of(number.toString())).contains(word);
            for (BigDecimal other : numbers) {
                String another = NumberWords.of(other.toPlainString()).orElseThrow();
                assertThat(compare(word, another)).as(number + " " + other).isEqualTo(number.compareTo(other));
            }
            assertThat(compare(NumberWords.BEGINNING, word)).isNegative();
            assertThat(compare(word, NumberWords.END)).isNegative();
        }
    }

    @Test
    void whatIsNoDecimalNumberHasNoWord() {
        for (String text : new String[] {
            "", "-", "+", "1.", ".5", "1,5", "0x10", "1e", "1e1000", "1e-999", "1 2", "\u0661", "--1", "1".repeat(200)
        }) {
            assertThat(NumberWords.of(text)).as(text).isEmpty();
        }
    }

    @Test
    void aSpanHasExactlyTheMinutesOfItsUnit() {
        for (int i = 0; i < 2_000; i++) {
            LocalDateTime time =
                    LocalDateTime.ofEpochSecond(random.nextLong(-20_000_000_000L, 100_000_000_000L), 0, ZoneOffset.UTC);
            if (time.getYear() < 1000) {
                continue;
            }
            byte[] bytes = new byte[TimeWords.MINUTE_BYTES];
            TimeWords.minute(
                    time.getYear(),
                    time.getMonthValue(),
                    time.getDayOfMonth(),
                    time.getHour(),
                    time.getMinute(),
                    bytes);
            String word = new String(bytes, StandardCharsets.US_ASCII);
            assertThat(TimeWords.minute(time.toInstant(ZoneOffset.UTC))).isEqualTo(word);
            assertThat(TimeWords.ofValue(time.toString())).contains(word);
            for (int length : new int[] {4, 7, 10, 13, 16}) {
                TimeWords.Span span = TimeWords.span(word.substring(0, length)).orElseThrow();
                assertThat(compare(span.from(), word)).isLessThanOrEqualTo(0);
                assertThat(compare(word, span.below())).isNegative();
                LocalDateTime behind = time.plusYears(length == 4 ? 1 : 0)
                        .plusMonths(length == 7 ? 1 : 0)
                        .plusDays(length == 10 ? 1 : 0)
                        .plusHours(length == 13 ? 1 : 0)
                        .plusMinutes(length == 16 ? 1 : 0);
                String later = TimeWords.minute(behind.toInstant(ZoneOffset.UTC));
                assertThat(compare(later, span.below())).as(word + " " + length).isGreaterThanOrEqualTo(0);
            }
        }
        assertThat(TimeWords.span("9999-12").orElseThrow().below()).isEqualTo("a");
        for (String text :
                new String[] {"", "26", "2026-1", "2026-02-30", "2026-11-27T24", "0026", "2026-11-27T12:3"}) {
            assertThat(TimeWords.span(text)).as(text).isEmpty();
        }
    }

    @Test
    void aTimeWithoutYearIsOfTheYearBeforeTheLogWasWritten() {
        Instant written = Instant.parse("2026-03-01T00:00:00Z");
        assertThat(TimeWords.year(2, 28, 23, 59, written)).isEqualTo(2026);
        assertThat(TimeWords.year(3, 2, 23, 59, written)).isEqualTo(2026); // a clock that is ahead
        assertThat(TimeWords.year(3, 4, 0, 0, written)).isEqualTo(2025);
        assertThat(TimeWords.year(1, 1, 0, 0, Instant.parse("2026-12-31T00:00:00Z")))
                .isEqualTo(2027);
    }
}
