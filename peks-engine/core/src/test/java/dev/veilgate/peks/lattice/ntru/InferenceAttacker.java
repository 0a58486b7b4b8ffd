package dev.veilgate.peks.lattice.ntru;

import java.util.Arrays;

/**
 * Whoever holds trapdoors of many keywords of one index block, and infers the block's secrets (r, e1) from them.
 *
 * <p>The trapdoor (s, t) of a keyword tells, at each kept coefficient j = 0 mod stride, an interval of known width
 * around
 *
 * <pre>  y_j = (r·s - e1·t)_j + e2_j      in Z[x]/(x^N + 1), r and e1 ternary, e2_j uniform in +-flood</pre>
 *
 * <p>This is a generalised linear model with a known prior. The attack is expectation propagation: three modules (the
 * interval's likelihood, the ternary prior, the linear map solved exactly on the ring) exchange Gaussian messages with
 * one variance a side until they agree. Then the posterior covariance, now with a variance of its own per coefficient
 * and per output, goes to a lattice attack that may also guess the surest coefficients ({@link Result#bits}).
 *
 * <p>It uses trapdoors and public data only; {@link Result} compares with the truth afterwards.
 *
 * <pre>
 *   N, L        degree, kept coefficients of a keyword (N/stride)
 *   x, z        the 2N unknowns (r, e1), and the outputs H·x, scaled so that each has about the variance of one unknown
 *   r1, g1      message to the prior: x seen as N(r1, 1/g1);     r2, g2 from the prior
 *   p1, t1      message to the likelihood: z seen as N(p1, 1/t1);  p2, t2 from the likelihood
 * </pre>
 *
 * <p>Sources: Minka, UAI 2001 (expectation propagation); Rangan, Schniter, Fletcher, ISIT 2017, and Schniter, Rangan,
 * Fletcher, Asilomar 2016 (one variance a side, generalised linear models); Dachman-Soled, Ducas, Gong, Rossi, CRYPTO
 * 2020 (hints and guesses in the primal attack).
 */
final class InferenceAttacker {
    private static final PosteriorUsvp.Bits NOT_YET = new PosteriorUsvp.Bits(new double[0], new double[0]);
    private static final int LEAST_ROUNDS = 10;
    private static final int MOST_ROUNDS = 300;
    private static final double NEW_SHARE = 0.7; // damping: of each message to the linear map
    private static final double SETTLED = 1e-6;
    private static final double ALMOST_CERTAIN = 1e-2; // variance below which rounding is tried against all intervals
    private static final double LEAST_PRECISION = 1e-9;
    private static final double MOST_PRECISION = 1e10;
    private static final double LEAST_SHARE = 1e-6; // of a module's own message in its posterior precision
    private static final double ROUNDING_ERROR = 1e-9;

    private final int[][] s;
    private final int[][] t;
    private final int n;
    private final int stride;
    private final FoldedMap map;
    private final IntervalLikelihood likelihood;
    private final double[][] lower; // scaled as the outputs are

    private final double[] r1;
    private final double[] r2;
    private final double[][] p1;
    private final double[][] p2;
    private double g1 = LEAST_PRECISION;
    private double g2 = 1 / TernaryPosterior.PRIOR_VARIANCE;
    private double t1 = 1 / TernaryPosterior.PRIOR_VARIANCE;
    private double t2 = LEAST_PRECISION;
    private double variance = TernaryPosterior.PRIOR_VARIANCE;

    private InferenceAttacker(int[][] s, int[][] t, int stride, double[][] lower, double width, double flood) {
        this.s = s;
        this.t = t;
        this.n = s[0].length;
        this.stride = stride;
        this.map = new FoldedMap(s, t, stride);
        this.likelihood = new IntervalLikelihood(width * map.scale(), flood * map.scale());
        int kept = n / stride;
        this.lower = new double[s.length][kept];
        this.p1 = new double[s.length][kept];
        this.p2 = new double[s.length][kept];
        this.r1 = new double[2 * n];
        this.r2 = new double[2 * n];
        for (int i = 0; i < s.length; i++) {
            for (int l = 0; l < kept; l++) {
                this.lower[i][l] = lower[i][l] * map.scale();
            }
        }
    }

    /**
     * Infers (r, e1) of a block from trapdoors of its keywords.
     *
     * <p>From a real block: v lies in [a, a + width), so y lies in [a - (A·t)_j, ... + width) mod q; the representative
     * to pass is the one whose middle is in [-q/2, q/2).
     *
     * @param s first halves of the trapdoors, one row of N coefficients per keyword
     * @param t second halves
     * @param stride coefficients j = 0 mod stride are kept; N/stride is even
     * @param lower lower[i][l]: lower end of keyword i's interval at coefficient l·stride
     * @param width width of every interval, &gt; 0; 1 stands for exact values
     * @param floodHalfWidth e2 is uniform within +- this; 0 for none
     */
    static Result attack(int[][] s, int[][] t, int stride, double[][] lower, double width, double floodHalfWidth) {
        if (s.length == 0 || s.length != t.length || s.length != lower.length) {
            throw new IllegalArgumentException("s, t and lower must have one row per keyword, and at least one");
        }
        if (stride < 1 || s[0].length % (2 * stride) != 0) {
            throw new IllegalArgumentException("stride must keep an even number of the N coefficients");
        }
        if (!(width > 0) || !(floodHalfWidth >= 0)) {
            throw new IllegalArgumentException("width must be positive and floodHalfWidth not negative");
        }
        return new InferenceAttacker(s, t, stride, lower, width, floodHalfWidth).run();
    }

    private Result run() {
        double[] mean = new double[2 * n];
        int round = 0;
        boolean settled = false;
        while (!settled && round < MOST_ROUNDS) {
            round++;
            double before = variance;
            double share = round == 1 ? 1 : NEW_SHARE;
            observe(share);
            mean = denoise(share);
            settled = round >= LEAST_ROUNDS && Math.abs(variance - before) <= SETTLED * before;
            if (variance < ALMOST_CERTAIN && explains(round(mean))) {
                mean = round(mean);
                variance = 0;
                settled = true;
            } else {
                solve();
            }
        }
        return new Result(Arrays.copyOf(mean, n), Arrays.copyOfRange(mean, n, 2 * n), round);
    }

    private static double[] round(double[] x) {
        return Arrays.stream(x).map(Math::rint).toArray();
    }

    /** Whether every output lies where its interval and the flood allow. */
    private boolean explains(double[] x) {
        double[][] z = map.apply(x);
        for (int i = 0; i < z.length; i++) {
            for (int l = 0; l < z[i].length; l++) {
                if (!likelihood.allows(lower[i][l], z[i][l], ROUNDING_ERROR)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** (p1, t1) to (p2, t2): the posterior of each output, divided by the message that came in. */
    private void observe(double share) {
        double sum = 0;
        double[][] mean = new double[p1.length][p1[0].length];
        for (int i = 0; i < p1.length; i++) {
            for (int l = 0; l < p1[i].length; l++) {
                IntervalLikelihood.Moments z = likelihood.posterior(lower[i][l], p1[i][l], 1 / t1);
                mean[i][l] = z.mean();
                sum += z.variance();
            }
        }
        double out = quotient(p1.length * p1[0].length / sum, t1);
        for (int i = 0; i < p1.length; i++) {
            divide(mean[i], p1[i], t1, out, share, p2[i]);
        }
        t2 += share * (out - t2);
    }

    /** (r1, g1) to (r2, g2): the same for the ternary prior. Returns the posterior mean. */
    private double[] denoise(double share) {
        double sum = 0;
        double[] mean = new double[2 * n];
        for (int c = 0; c < 2 * n; c++) {
            TernaryPosterior x = TernaryPosterior.of(r1[c], g1);
            mean[c] = x.mean();
            sum += x.variance();
        }
        variance = sum / (2 * n);
        double out = quotient(1 / variance, g1);
        divide(mean, r1, g1, out, share, r2);
        g2 += share * (out - g2);
        return mean;
    }

    /** (r2, g2), (p2, t2) to (r1, g1), (p1, t1). */
    private void solve() {
        FoldedMap.Posterior x = map.solve(r2, g2, p2, t2);
        g1 = quotient(1 / x.variance(), g2);
        t1 = quotient(1 / x.outputVariance(), t2);
        divide(x.mean(), r2, g2, g1, 1, r1);
        for (int i = 0; i < p1.length; i++) {
            divide(x.output()[i], p2[i], t2, t1, 1, p1[i]);
        }
    }

    /**
     * The message that turns N(in, 1/inPrecision) into the given posterior mean at precision outPrecision, mixed into
     * out.
     */
    private static void divide(
            double[] mean, double[] in, double inPrecision, double outPrecision, double share, double[] out) {
        for (int c = 0; c < out.length; c++) {
            double message = mean[c] + (mean[c] - in[c]) * (inPrecision / outPrecision);
            out[c] += share * (message - out[c]);
        }
    }

    /** Precision of a posterior over the message that came in, kept away from 0 and infinity. */
    private static double quotient(double posterior, double in) {
        return clamp(Math.max(posterior - in, LEAST_SHARE * in));
    }

    private static double clamp(double precision) {
        return Math.clamp(precision, LEAST_PRECISION, MOST_PRECISION);
    }

    /** The posterior with each coefficient's and each output's own variance, for the lattice. */
    private PosteriorUsvp.Bits lattice() {
        double[] likeliest = new double[2 * n];
        double[] precision = new double[2 * n];
        for (int c = 0; c < 2 * n; c++) {
            TernaryPosterior x = TernaryPosterior.of(r1[c], g1);
            likeliest[c] = x.likeliest();
            precision[c] = clamp(1 / x.variance() - g1);
        }
        PosteriorUsvp usvp = new PosteriorUsvp(likeliest, precision);
        for (int i = 0; i < s.length; i++) {
            for (int l = 0; l < lower[i].length; l++) {
                IntervalLikelihood.Moments z = likelihood.posterior(lower[i][l], p1[i][l], 1 / t1);
                if (z.informative()) {
                    usvp.addOutput(row(i, l * stride), clamp(1 / z.variance() - t1));
                }
            }
        }
        return usvp.evaluate();
    }

    /** Row of H: coefficient j of r·s - e1·t. */
    private double[] row(int keyword, int j) {
        double[] row = new double[2 * n];
        for (int k = 0; k < n; k++) {
            double factor = k <= j ? map.scale() : -map.scale();
            int c = k <= j ? j - k : j - k + n;
            row[k] = factor * s[keyword][c];
            row[n + k] = -factor * t[keyword][c];
        }
        return row;
    }

    /** What was inferred. The figures that need the covariance's determinant are computed when asked for, in O(N^3). */
    final class Result {
        private final double[] r;
        private final double[] e1;
        private final int rounds;
        private PosteriorUsvp.Bits bits = NOT_YET;

        private Result(double[] r, double[] e1, int rounds) {
            this.r = r;
            this.e1 = e1;
            this.rounds = rounds;
        }

        /** Rounds until the messages agreed. */
        int rounds() {
            return rounds;
        }

        /** The attacker's own mean posterior variance, over the prior's. */
        double varianceLeft() {
            return variance / TernaryPosterior.PRIOR_VARIANCE;
        }

        /**
         * Geometric mean of the posterior covariance's eigenvalues, over the prior's variance: what a lattice attack is
         * left with.
         */
        double geometricVarianceLeft() {
            return found() ? 0 : Math.exp(lattice().logVariance()[0]) / TernaryPosterior.PRIOR_VARIANCE;
        }

        private boolean found() {
            return variance == 0;
        }

        private PosteriorUsvp.Bits lattice() {
            if (bits == NOT_YET) {
                bits = InferenceAttacker.this.lattice();
            }
            return bits;
        }

        /** Mean squared error against the truth, over the prior's variance. */
        double errorLeft(int[] trueR, int[] trueE1) {
            double sum = 0;
            for (int c = 0; c < r.length; c++) {
                sum += (r[c] - trueR[c]) * (r[c] - trueR[c]) + (e1[c] - trueE1[c]) * (e1[c] - trueE1[c]);
            }
            return sum / (2 * r.length * TernaryPosterior.PRIOR_VARIANCE);
        }

        /** Share of the coefficients of r and e1 that rounding the posterior mean finds; 1/3 knowing nothing. */
        double rounded(int[] trueR, int[] trueE1) {
            int found = 0;
            for (int c = 0; c < r.length; c++) {
                found += Math.rint(r[c]) == trueR[c] ? 1 : 0;
                found += Math.rint(e1[c]) == trueE1[c] ? 1 : 0;
            }
            return found / (2.0 * r.length);
        }

        /**
         * Core-SVP bits, classical, of finding (r, e1) with A's help, had the block degree n (a multiple of N), without
         * guessing. 0 when inference alone has found them.
         */
        double bitsWithoutGuessing(int n, double log2Q) {
            return found() ? 0 : lattice().of(n, log2Q, 0);
        }

        /** The same with as many of the surest coefficients guessed as pays: time over probability. */
        double bits(int n, double log2Q) {
            return found() ? 0 : lattice().least(n, log2Q);
        }
    }
}
