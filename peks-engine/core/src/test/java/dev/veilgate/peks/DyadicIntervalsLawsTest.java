package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Holds the law that range search stands on: a number lies in a range exactly if one keyword of the number is among the
 * range's, exhaustively for small fields and at random for the widest ones.
 */
class DyadicIntervalsLawsTest {
    private static final TestSeed SEED = TestSeed.of(DyadicIntervalsLawsTest.class);

    @Test
    void inRangeExactlyIfAnIntervalIsCommon() {
        for (int bits = 1; bits <= 6; bits++) {
            for (long origin : new long[] {0, -5, -64, 1_000_000_007L}) {
                DyadicIntervals field = new DyadicIntervals("n", origin, bits);
                List<Set<Keyword>> ofNumber = new ArrayList<>();
                for (long x = origin; x <= field.last(); x++) {
                    List<Keyword> keywords = field.keywordsOf(x);
                    ofNumber.add(new HashSet<>(keywords));
                    assertThat(ofNumber.getLast()).hasSize(bits + 1).hasSameSizeAs(keywords);
                }
                for (long from = origin; from <= field.last(); from++) {
                    for (long to = from; to <= field.last(); to++) {
                        List<Keyword> range = field.keywordsOfRange(from, to);
                        assertTiles(field, range, from, to);
                        for (long x = origin; x <= field.last(); x++) {
                            long common = range.stream()
                                    .filter(ofNumber.get((int) (x - origin))::contains)
                                    .count();
                            assertThat(common).isEqualTo(from <= x && x <= to ? 1 : 0);
                        }
                    }
                }
            }
        }
    }

    @Test
    void holdsForTheWidestFields() {
        SplittableRandom random = SEED.random("data");
        for (int bits : new int[] {31, 32, 33, 61, 62}) {
            for (long origin : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE - ((1L << bits) - 1), -(1L << 61)}) {
                DyadicIntervals field = new DyadicIntervals("n", origin, bits);
                for (int i = 0; i < 300; i++) {
                    long a = number(field, random);
                    long b = number(field, random);
                    long from = Math.min(a, b);
                    long to = Math.max(a, b);
                    List<Keyword> range = field.keywordsOfRange(from, to);
                    assertTiles(field, range, from, to);
                    Set<Keyword> ofRange = new HashSet<>(range);
                    for (long x : new long[] {from, to, from - 1, to + 1, number(field, random)}) {
                        if (x < field.origin() || x > field.last() || (x == from - 1 && x > from)) {
                            continue;
                        }
                        long common = field.keywordsOf(x).stream()
                                .filter(ofRange::contains)
                                .count();
                        assertThat(common).isEqualTo(from <= x && x <= to ? 1 : 0);
                    }
                }
            }
        }
    }

    /** Edges, powers of two and their neighbours more often than chance has it. */
    private static long number(DyadicIntervals field, SplittableRandom random) {
        long size = field.last() - field.origin();
        long offset = switch (random.nextInt(4)) {
            case 0 -> random.nextLong(Math.min(size, 5));
            case 1 -> size - random.nextLong(Math.min(size, 5));
            case 2 -> Math.min(size, Math.max(0, (1L << random.nextInt(field.bits())) + random.nextInt(3) - 1));
            default -> random.nextLong(size);
        };
        return field.origin() + offset;
    }

    /** At most 2·bits intervals, side by side from {@code from} to {@code to}, without gap or overlap. */
    private static void assertTiles(DyadicIntervals field, List<Keyword> range, long from, long to) {
        assertThat(range).hasSizeBetween(1, 2 * field.bits());
        List<BigInteger[]> intervals = new ArrayList<>();
        for (Keyword keyword : range) {
            BigInteger size = BigInteger.ONE.shiftLeft(keyword.level());
            BigInteger start = new BigInteger(keyword.value()).multiply(size).add(BigInteger.valueOf(field.origin()));
            intervals.add(new BigInteger[] {start, start.add(size)});
        }
        intervals.sort(Comparator.comparing(i -> i[0]));
        BigInteger at = BigInteger.valueOf(from);
        for (BigInteger[] interval : intervals) {
            assertThat(interval[0]).isEqualTo(at);
            at = interval[1];
        }
        assertThat(at).isEqualTo(BigInteger.valueOf(to).add(BigInteger.ONE));
    }

    @Test
    void theWholeFieldIsOneInterval() {
        assertThat(new DyadicIntervals("n", -3, 62).keywordsOfRange(-3, -3 + ((1L << 62) - 1)))
                .hasSize(1);
        assertThat(new DyadicIntervals("n", 0, 1).keywordsOfRange(0, 1)).hasSize(1);
    }

    @Test
    void fieldsSeparate() {
        List<Keyword> a = new DyadicIntervals("a", 0, 8).keywordsOf(7);
        List<Keyword> b = new DyadicIntervals("b", 0, 8).keywordsOf(7);
        assertThat(a).doesNotContainAnyElementsOf(b);
    }

    @Test
    void whatIsNoFieldIsRefused() {
        for (int bits : new int[] {0, -1, 63, 64, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> new DyadicIntervals("n", 0, bits)).isInstanceOf(IllegalArgumentException.class);
        }
        new DyadicIntervals("n", Long.MAX_VALUE - 1, 1);
        assertThatThrownBy(() -> new DyadicIntervals("n", Long.MAX_VALUE, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DyadicIntervals("n", 1L << 62, 62).keywordsOf(0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void numbersAndRangesOutsideAreRefused() {
        DyadicIntervals field = new DyadicIntervals("n", -8, 4);
        assertThat(field.last()).isEqualTo(7);
        for (long x : new long[] {-9, 8, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> field.keywordsOf(x)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> field.keywordsOfRange(Math.min(x, 0), Math.max(x, 0)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> field.keywordsOfRange(3, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}
