package dev.veilgate.peks.lattice.ntru;

/**
 * The primal attack on LWE by a unique shortest vector, in the 2016 estimate.
 *
 * <p>For n secrets and k &lt;= maxSamples samples with standard deviation sigma everywhere, Kannan's embedding is a
 * lattice of dimension d = n + k + 1 and volume q^k. BKZ with block size beta finds the short vector when its
 * projection to the last block is no longer than the Gram-Schmidt vector that the geometric series assumption puts
 * there:
 *
 * <pre>
 *   sigma·sqrt(beta) &lt;= delta^(2·beta - d - 1) · q^(k/d)
 *   delta = ((pi·beta)^(1/beta) · beta/(2·pi·e))^(1/(2·(beta - 1)))
 * </pre>
 *
 * <p>{@link #blockSize} is the least such beta over all k. Core-SVP bits are one sieve call in dimension beta:
 * 0.292·beta classical (Becker, Ducas, Gama, Laarhoven 2016), 0.257·beta quantum (Chailloux, Loyer 2021). Hints enter
 * through sigma alone: the lattice is rescaled by the inverse square root of the posterior covariance, so that sigma
 * becomes det(covariance)^(1/(2·dim)) (Dachman-Soled, Ducas, Gong, Rossi 2020).
 *
 * <p>Source: Alkim, Ducas, Poeppelmann, Schwabe, "Post-quantum key exchange - a new hope", USENIX Security 2016,
 * section 6.3. Estimator dated 2026-11. No dense sublattice, no hybrid guessing, no dimensions for free: a core-SVP
 * figure, not a running time.
 */
public final class PrimalUsvp {
    private static final int LEAST_BLOCK = 60; // the formula for delta is asymptotic

    private PrimalUsvp() {}

    /**
     * The least BKZ block size that solves the instance.
     *
     * @param n number of secret coefficients
     * @param maxSamples number of scalar samples at hand (N for one ring-LWE sample)
     * @param log2Q binary logarithm of the modulus
     * @param sigma standard deviation of each coefficient of secret and error, &gt; 0
     */
    public static int blockSize(int n, int maxSamples, double log2Q, double sigma) {
        if (n < 1 || maxSamples < 1 || !(log2Q > 0) || !(sigma > 0)) {
            throw new IllegalArgumentException("n, maxSamples, log2Q and sigma must be positive");
        }
        int fails = LEAST_BLOCK - 1;
        int solves = n + maxSamples + 1;
        while (solves - fails > 1) { // the right side gains on the left with beta
            int beta = (fails + solves) >>> 1;
            if (solves(beta, n, maxSamples, log2Q, sigma)) {
                solves = beta;
            } else {
                fails = beta;
            }
        }
        return solves;
    }

    /** Core-SVP bits, classical. */
    public static double classicalBits(int beta) {
        return 0.292 * beta;
    }

    /** Core-SVP bits, quantum. */
    public static double quantumBits(int beta) {
        return 0.257 * beta;
    }

    static boolean solves(int beta, int n, int maxSamples, double log2Q, double sigma) {
        double projected = Math.log(sigma) + 0.5 * Math.log(beta);
        double logDelta = logDelta(beta);
        for (int k = 1; k <= maxSamples; k++) {
            int d = n + k + 1;
            if (beta <= d && projected <= (2.0 * beta - d - 1) * logDelta + k * log2Q * Math.log(2) / d) {
                return true;
            }
        }
        return false;
    }

    static double logDelta(int beta) {
        double logBall = Math.log(Math.PI * beta) / beta + Math.log(beta / (2 * Math.PI * Math.E));
        return logBall / (2 * (beta - 1));
    }
}
