package dev.veilgate.abe.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Policies over bits agree with the comparison of plain integers and days. */
class ComparisonLawsTest {
    private static final SplittableRandom RANDOM =
            TestSeed.of(ComparisonLawsTest.class).random("numbers");
    private static final long MAX = (1L << 32) - 1;

    private static boolean holds(String symbol, int compared) {
        return switch (symbol) {
            case "<" -> compared < 0;
            case "<=" -> compared <= 0;
            case "=" -> compared == 0;
            case ">=" -> compared >= 0;
            default -> compared > 0;
        };
    }

    /** Whether a key that says {@code x = value} satisfies {@code x symbol bound}; null if no policy says that. */
    private static Boolean satisfied(String value, String symbol, String bound) throws PolicySyntaxException {
        Policy policy;
        try {
            policy = Policy.parse("x " + symbol + " " + bound);
        } catch (PolicySyntaxException e) {
            assertThat(e).hasMessageContaining("number satisfies");
            return null;
        }
        policy.requireWithinLimits();
        assertThat(policy.leaves()).hasSizeLessThanOrEqualTo(32);
        assertThat(Policy.parse(policy.toString())).isEqualTo(policy);
        return policy.isSatisfiedBy(AttributeSet.parse("x = " + value));
    }

    @Test
    void integers() throws PolicySyntaxException {
        List<Long> numbers = new ArrayList<>(List.of(0L, 1L, 2L, 3L, 1L << 31, (1L << 31) - 1, MAX - 1, MAX));
        Stream.generate(() -> RANDOM.nextLong(MAX + 1)).limit(6).forEach(numbers::add);
        long near = RANDOM.nextLong(MAX);
        numbers.addAll(List.of(near, near + 1));
        for (long bound : numbers) {
            for (long value : numbers) {
                for (String symbol : List.of("<", "<=", "=", ">=", ">")) {
                    Boolean satisfied = satisfied(Long.toString(value), symbol, Long.toString(bound));
                    boolean holds = holds(symbol, Long.compare(value, bound));
                    if (satisfied == null) {
                        assertThat(bound).isIn(0L, MAX);
                    } else {
                        assertThat(satisfied)
                                .as("%s %s %s", value, symbol, bound)
                                .isEqualTo(holds);
                    }
                }
            }
        }
    }

    @Test
    void days() throws PolicySyntaxException {
        List<LocalDate> days = new ArrayList<>(List.of(
                LocalDate.EPOCH,
                LocalDate.EPOCH.minusDays(1),
                LocalDate.of(2026, 12, 31),
                LocalDate.of(2027, 1, 1),
                LocalDate.of(2024, 2, 29),
                LocalDate.of(-43, 3, 15),
                LocalDate.of(0, 1, 1),
                LocalDate.of(12345, 6, 7)));
        Stream.generate(() -> LocalDate.ofEpochDay(RANDOM.nextLong(-100_000, 100_000)))
                .limit(4)
                .forEach(days::add);
        for (LocalDate bound : days) {
            for (LocalDate value : days) {
                for (String symbol : List.of("<", "<=", "=", ">=", ">")) {
                    assertThat(satisfied(value.toString(), symbol, bound.toString()))
                            .as("%s %s %s", value, symbol, bound)
                            .isEqualTo(holds(symbol, value.compareTo(bound)));
                }
            }
        }
    }

    /** The bits of a day beyond 32 of them would be those of a day that is not meant. */
    @Test
    void daysTooFarOffAreRefused() throws PolicySyntaxException {
        LocalDate last = LocalDate.ofEpochDay((1L << 31) - 1);
        LocalDate first = LocalDate.ofEpochDay(-(1L << 31));
        assertThat(AttributeSet.parse("until = " + last).attributes()).hasSize(33);
        assertThat(AttributeSet.parse("until = " + first).attributes()).hasSize(33);
        for (LocalDate day : List.of(last.plusDays(1), first.minusDays(1), LocalDate.MAX, LocalDate.MIN)) {
            assertThatThrownBy(() -> AttributeSet.parse("until = " + day))
                    .isInstanceOf(PolicySyntaxException.class)
                    .hasMessageContaining("is not a day");
            assertThatThrownBy(() -> Policy.parse("until < " + day)).isInstanceOf(PolicySyntaxException.class);
        }
    }

    /** 5 and 6 have the bits 101 and 110: together they had those of 7 and of 4 as well. */
    @Test
    void numbersHaveOneValueInAnEpoch() throws PolicySyntaxException {
        assertThatThrownBy(() -> AttributeSet.parse("a:x, clearance = 5, clearance = 6"))
                .isInstanceOf(PolicySyntaxException.class)
                .hasMessage("a second value of 'clearance' at character 33");
        List<Attribute> both = new ArrayList<>(AttributeSet.parse("c = 5").attributes());
        both.addAll(AttributeSet.parse("c = 6").attributes());
        assertThatThrownBy(() -> AttributeSet.of(both)).isInstanceOf(IllegalArgumentException.class);
        assertThat(AttributeSet.parse("c = 5, c = 5").attributes()).hasSize(33);
        AttributeSet months = AttributeSet.parse("c@2026-10 = 5, c@2026-11 = 6");
        assertThat(months.attributes()).hasSize(66);
        assertThatThrownBy(() -> AttributeSet.parse("c@2026-11 = 5, c = 6").in("2026-11"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void comparisonsAreOfOneNameKindAndEpoch() throws PolicySyntaxException {
        Policy policy = Policy.parse("level@2026-11 >= 3");
        assertThat(policy.isSatisfiedBy(AttributeSet.parse("level@2026-11 = 4")))
                .isTrue();
        assertThat(policy.isSatisfiedBy(AttributeSet.parse("level = 4"))).isFalse();
        assertThat(policy.isSatisfiedBy(AttributeSet.parse("level = 4").in("2026-11")))
                .isTrue();
        assertThat(policy.isSatisfiedBy(AttributeSet.parse("level@2026-11 = 2026-11-30")))
                .isFalse();
        assertThat(policy.isSatisfiedBy(AttributeSet.parse("other@2026-11 = 4")))
                .isFalse();
        assertThat(Policy.parse("level >= 3").in("2026-11")).isEqualTo(policy);
    }
}
