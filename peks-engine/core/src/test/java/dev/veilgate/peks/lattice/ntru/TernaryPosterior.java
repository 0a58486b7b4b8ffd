package dev.veilgate.peks.lattice.ntru;

/**
 * One uniform ternary coefficient after a Gaussian observation.
 *
 * @param mean posterior mean
 * @param variance posterior variance
 * @param likeliest probability of the likeliest value
 */
record TernaryPosterior(double mean, double variance, double likeliest) {
    /** Variance of a uniform ternary coefficient. */
    static final double PRIOR_VARIANCE = 2.0 / 3;

    private static final double LEAST_VARIANCE = 1e-10;

    /** The coefficient was seen as N(seen, 1/precision). */
    static TernaryPosterior of(double seen, double precision) {
        double up = precision * (seen - 0.5);
        double down = precision * (-seen - 0.5);
        double top = Math.max(0, Math.max(up, down));
        double plus = Math.exp(up - top);
        double minus = Math.exp(down - top);
        double zero = Math.exp(-top);
        double sum = plus + minus + zero;
        double variance = ((plus + minus) * zero + 4 * plus * minus) / (sum * sum); // no cancellation
        return new TernaryPosterior((plus - minus) / sum, Math.max(variance, LEAST_VARIANCE), 1 / sum);
    }
}
