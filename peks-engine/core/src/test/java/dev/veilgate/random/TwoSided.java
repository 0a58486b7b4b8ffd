package dev.veilgate.random;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two-sided statistics: a result that is too far from what is expected is an outlier, and so is one that is too near to
 * be chance. A check collects its outliers here instead of throwing, so that the same check can be run on a saboteur,
 * which must have some.
 *
 * <p>The limit is {@value #LIMIT} standard deviations: an honest sampler passes for every seed but one in about 10^8.
 */
public final class TwoSided {
    /** Standard deviations that a result may be off. */
    public static final double LIMIT = 6;

    /** Bins that expect fewer are put together. */
    private static final double LEAST_EXPECTED = 12;

    private final List<String> outliers = new ArrayList<>();

    /** Descriptions of what was out of bounds. */
    public List<String> outliers() {
        return List.copyOf(outliers);
    }

    /** A standard normal variable. */
    public void normal(String what, double z) {
        if (!(Math.abs(z) <= LIMIT)) { // NaN too
            outliers.add("%s: %.2f standard deviations off".formatted(what, z));
        }
    }

    /** The mean of {@code count} independent variables of known mean and variance. */
    public void mean(String what, double sum, long count, double mean, double variance) {
        normal(what, (sum / count - mean) / Math.sqrt(variance / count));
    }

    /** A chi-square variable. */
    public void chiSquare(String what, double x, double degrees) {
        normal(what, wilsonHilferty(x, degrees));
    }

    /** A mean of squares of {@code count} independent normal variables of mean 0 and known variance. */
    public void variance(String what, double sumOfSquares, long count, double variance) {
        chiSquare(what, sumOfSquares / variance, count);
    }

    /**
     * Pearson's test of counts; neighbouring bins of small expectation are put together.
     *
     * @param probability of each bin, summing to 1
     */
    public void counts(String what, long[] observed, double[] probability) {
        long total = 0;
        for (long count : observed) {
            total += count;
        }
        double x = 0;
        int bins = 0;
        double expected = 0;
        double seen = 0;
        double left = total;
        for (int i = 0; i < observed.length; i++) {
            expected += probability[i] * total;
            seen += observed[i];
            boolean last = i == observed.length - 1;
            if (expected >= LEAST_EXPECTED && left - expected >= LEAST_EXPECTED || last) {
                x += (seen - expected) * (seen - expected) / Math.max(expected, Double.MIN_NORMAL);
                bins++;
                left -= expected;
                expected = 0;
                seen = 0;
            }
        }
        if (bins < 2) {
            outliers.add(what + ": too few samples for a test");
            return;
        }
        chiSquare(what, x, bins - 1);
    }

    /** Pearson's test of counts that are all equally likely. */
    public void equalCounts(String what, long[] observed) {
        double[] probability = new double[observed.length];
        Arrays.fill(probability, 1.0 / observed.length);
        counts(what, observed, probability);
    }

    /** Wilson and Hilferty (1931): the cube root of a chi-square variable is nearly normal. */
    private static double wilsonHilferty(double x, double degrees) {
        double c = 2 / (9 * degrees);
        return (Math.cbrt(x / degrees) - (1 - c)) / Math.sqrt(c);
    }
}
