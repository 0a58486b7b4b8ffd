package dev.veilgate.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The statistics that the other tests rest on find what is off on either side, and pass what is not. */
class TwoSidedTest {
    private static final int SAMPLES = 100_000;

    private static final SplittableRandom RANDOM =
            TestSeed.of(TwoSidedTest.class).random("inputs");

    @Test
    void passesWhatItExpects() {
        TwoSided check = new TwoSided();
        double sum = 0;
        double squares = 0;
        long[] counts = new long[10];
        for (int i = 0; i < SAMPLES; i++) {
            double x = RANDOM.nextGaussian();
            sum += x;
            squares += x * x;
            counts[RANDOM.nextInt(10)]++;
        }
        check.mean("mean", sum, SAMPLES, 0, 1);
        check.variance("variance", squares, SAMPLES, 1);
        check.equalCounts("counts", counts);
        assertThat(check.outliers()).isEmpty();
    }

    @Test
    void findsTooLargeAndTooSmall() {
        TwoSided check = new TwoSided();
        check.mean("mean up", 0.03 * SAMPLES, SAMPLES, 0, 1);
        check.mean("mean down", -0.03 * SAMPLES, SAMPLES, 0, 1);
        check.variance("variance up", 1.05 * SAMPLES, SAMPLES, 1);
        check.variance("variance down", 0.95 * SAMPLES, SAMPLES, 1);
        check.variance("no variance", 0, SAMPLES, 1);
        check.normal("not a number", Double.NaN);
        assertThat(check.outliers()).hasSize(6);
    }

    @Test
    void findsCountsThatAreUnequalAndCountsThatAreTooEqual() {
        TwoSided unequal = new TwoSided();
        unequal.equalCounts("unequal", new long[] {10_500, 9_500, 10_500, 9_500, 10_500, 9_500});
        assertThat(unequal.outliers()).hasSize(1);
        TwoSided equal = new TwoSided();
        long[] counts = new long[200];
        Arrays.fill(counts, 1000);
        equal.equalCounts("equal", counts);
        assertThat(equal.outliers()).hasSize(1);
    }

    @Test
    void findsCountsThatCannotBeTested() {
        TwoSided check = new TwoSided();
        check.counts("all of one", new long[] {1000, 0}, new double[] {1, 0});
        check.counts("none", new long[] {0, 0}, new double[] {0.5, 0.5});
        assertThat(check.outliers()).hasSize(2);
    }

    @Test
    void putsRareBinsTogether() {
        double[] probability = {0.499, 0.4999, 0.001, 0.000_05, 0.000_05};
        TwoSided check = new TwoSided();
        check.counts("tail", new long[] {49_850, 50_050, 91, 9, 0}, probability);
        assertThat(check.outliers()).isEmpty();
        check.counts("too heavy a tail", new long[] {49_850, 50_050, 91, 9, 90}, probability);
        assertThat(check.outliers()).hasSize(1);
    }
}
