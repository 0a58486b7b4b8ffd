package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Numbers that were sealed in a time are found by the times of some of them, and never too few. */
class SealedRangeTest {
    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    private static SealedRange range(long from, long to, long top) {
        return new SealedRange(at(from), at(to), top);
    }

    /** Asks for all that it wants to know of a chain in which each number is sealed at the second of it, times ten. */
    private static int learn(SealedRange range) {
        int asked = 0;
        for (long number = range.probe(); number > 0; number = range.probe()) {
            range.learn(number, at(number * 10));
            asked++;
        }
        return asked;
    }

    @Test
    void isTheWholeChainWhileNothingIsKnown() {
        SealedRange range = range(100, 200, 1000);
        assertThat(range.low()).isEqualTo(1);
        assertThat(range.high()).isEqualTo(1000);
    }

    @Test
    void findsBothEndsWithFewQuestions() {
        for (long from = 0; from < 130; from += 7) {
            for (long to = from + 1; to < 140; to += 5) {
                SealedRange range = range(from, to, 12);
                learn(range);
                long low = Math.max(1, Math.ceilDiv(from, 10));
                long high = Math.min(12, Math.ceilDiv(to, 10) - 1);
                assertThat(range.size()).as("%d to %d", from, to).isEqualTo(Math.max(0, high - low + 1));
                if (range.size() > 0) {
                    assertThat(range.low()).isEqualTo(low);
                    assertThat(range.high()).isEqualTo(high);
                }
                assertThat(range.unknown()).isZero();
            }
        }
        SealedRange long1 = range(5_000_000, 6_000_000, 1_000_000);
        assertThat(learn(long1)).isLessThan(45);
        assertThat(long1.size()).isEqualTo(100_000);
    }

    @Test
    void whatIsNotKnownIsInIt() {
        SealedRange range = range(100, 200, 100);
        range.learn(8, at(80));
        range.learn(15, at(150));
        range.learn(30, at(300));
        assertThat(range.low()).isEqualTo(9);
        assertThat(range.high()).isEqualTo(29);
        assertThat(range.unknown()).isEqualTo(6 + 14);
    }

    @Test
    void aClockThatWentBackWidensIt() {
        SealedRange range = range(100, 200, 100);
        range.learn(5, at(150));
        range.learn(10, at(20));
        range.learn(20, at(150));
        range.learn(30, at(350));
        range.learn(40, at(199));
        range.learn(50, at(300));
        assertThat(range.isUneven()).isTrue();
        assertThat(range.low()).isEqualTo(1);
        assertThat(range.high()).isEqualTo(49);
    }

    @Test
    void aNumberIsNotYoungerThanALaterOne() {
        SealedRange range = range(100, 200, 100);
        range.learn(20, at(150));
        assertThat(range.notAfter(7)).contains(at(150));
        assertThat(range.notAfter(20)).contains(at(150));
        assertThat(range.notAfter(21)).isEmpty();
        range.learn(101, at(99)); // above the top: nobody has it
        assertThat(range.notAfter(21)).isEmpty();
    }
}
