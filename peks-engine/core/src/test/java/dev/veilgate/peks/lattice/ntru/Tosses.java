package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TwoSided;
import java.util.Arrays;

/** Counts of coin tosses, judged by {@link TwoSided}. */
final class Tosses {
    private Tosses() {}

    /** That of so many trials, each succeeding with a probability, about as many succeed as should. */
    static void check(TwoSided check, String what, long successes, long trials, double probability) {
        check.mean(what, successes, trials, probability, probability * (1 - probability));
    }

    /** {@link #check} alone. */
    static void assertShare(String what, long successes, long trials, double probability) {
        TwoSided check = new TwoSided();
        check(check, what, successes, trials, probability);
        assertThat(check.outliers()).isEmpty();
    }

    /** That two samples have one distribution: Pearson's test of a table of two rows. */
    static void checkAlike(TwoSided check, String what, long[] first, long[] second) {
        double a = Arrays.stream(first).sum();
        double b = Arrays.stream(second).sum();
        double x = 0;
        for (int i = 0; i < first.length; i++) {
            double both = first[i] + second[i];
            double d = first[i] * b - second[i] * a;
            x += both == 0 ? 0 : d * d / (a * b * both);
        }
        check.chiSquare(what, x, first.length - 1);
    }
}
