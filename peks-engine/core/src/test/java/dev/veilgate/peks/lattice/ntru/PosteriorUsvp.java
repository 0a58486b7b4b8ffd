package dev.veilgate.peks.lattice.ntru;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The primal attack on (r, e1) after inference, which may also guess the coefficients that inference is surest of.
 *
 * <p>The lattice is rescaled by the posterior covariance C, so that det(C)^(1/(2·dim)) takes the place of the standard
 * deviation. A guessed coefficient, of r or of e1, is a perfect hint: one dimension less at the same volume. Guessing
 * costs the inverse of the probability that all guesses are right, which is counted as time (time over probability).
 *
 * <p>Source: Dachman-Soled, Ducas, Gong, Rossi, "LWE with Side Information", CRYPTO 2020 (hints and guesses).
 */
final class PosteriorUsvp {
    private final int dimension;
    private final Integer[] order; // coefficients, the least sure first
    private final double[] cost; // [k]: -log2 of the probability that the k surest are what they seem
    private final double[][] precision; // C^-1 in that order, lower triangle

    /**
     * Independent coefficients; {@link #addOutput} ties them.
     *
     * @param likeliest posterior probability of each coefficient's likeliest value
     * @param priorPrecision what the prior contributes to the posterior precision of each
     */
    PosteriorUsvp(double[] likeliest, double[] priorPrecision) {
        dimension = likeliest.length;
        order = new Integer[dimension];
        Arrays.setAll(order, c -> c);
        Arrays.sort(order, Comparator.comparingDouble(c -> likeliest[c]));
        cost = new double[dimension];
        precision = new double[dimension][dimension];
        for (int k = 0; k < dimension; k++) {
            precision[k][k] = priorPrecision[order[k]];
            cost[k] = k == 0 ? 0 : cost[k - 1] - Math.log(likeliest[order[dimension - k]]) / Math.log(2);
        }
    }

    /** Adds what is known of one linear form: its coefficients and the precision. */
    void addOutput(double[] form, double formPrecision) {
        double[] row = new double[dimension];
        Arrays.setAll(row, k -> form[order[k]]);
        for (int a = 0; a < dimension; a++) {
            double x = formPrecision * row[a];
            double[] line = precision[a];
            for (int b = 0; b <= a; b++) {
                line[b] += x * row[b];
            }
        }
    }

    /** Evaluates the determinants, in O(dimension^3): the leading minors of C^-1 leave out the surest coefficients. */
    Bits evaluate() {
        double[] minors = new PositiveDefinite(precision, 1, 0).logMinors();
        double[] logVariance = new double[dimension];
        Arrays.setAll(logVariance, k -> -minors[dimension - k] / (dimension - k));
        return new Bits(logVariance, cost);
    }

    /**
     * What is left when the k surest coefficients are guessed.
     *
     * @param logVariance ln det(C of the others, given those) per coefficient
     * @param cost bits of guessing
     */
    record Bits(double[] logVariance, double[] cost) {
        /**
         * Core-SVP bits, classical, of finding r and e1 of degree n: every coefficient measured stands for n/N.
         *
         * @param guessed how many of the 2N coefficients measured are guessed
         */
        double of(int n, double log2Q, int guessed) {
            int copies = 2 * n / logVariance.length;
            double sigma = Math.exp(0.5 * logVariance[guessed]);
            int beta = PrimalUsvp.blockSize(n - copies * guessed, n, log2Q, sigma);
            return PrimalUsvp.classicalBits(beta) + copies * cost[guessed];
        }

        /** The least over all numbers of guesses that leave a lattice. */
        double least(int n, double log2Q) {
            double least = of(n, log2Q, 0);
            for (int k = 1; k < logVariance.length / 2; k++) {
                least = Math.min(least, of(n, log2Q, k));
            }
            return least;
        }
    }
}
