package dev.veilgate.peks.lattice.ntru;

/**
 * What the public key h alone gives away: block sizes at which BKZ finds f and g, or the dense sublattice that they span, in the NTRU lattice
 * of dimension 2N.
 *
 * <p>Secret key recovery (SKR): (f, g) is an unusually short vector; the 2016 estimate, as in {@link PrimalUsvp}, on the lattice itself:
 *
 * <pre>
 *   sigma·sqrt(beta) &lt;= delta^(2·beta - 2N - 1)·sqrt(q)
 * </pre>
 *
 * <p>Dense sublattice discovery (DSD): all rotations of (f, g) span a sublattice of dimension N. Its volume is exp(N/2·(ln(N·sigma^2) + 1 -
 * gamma)) for Gaussian f, g, by the mean of ln of a sum of two exponential variables at each embedding. Cut with the first s = N + i basis vectors it
 * keeps dimension i, and its volume changes by what the other Gram-Schmidt vectors took away; its shortest vector is then found when its
 * projection is shorter than the Gram-Schmidt vector at s - beta. The profile is the Z-shape: the geometric series with slope -2·ln(delta), cut at q and 1.
 *
 * <p>Source: Ducas, van Woerden, "NTRU Fatigue: How Stretched is Overstretched?", ASIACRYPT 2021, sections 3 and 4. Estimates are of means,
 * without the probability of each position and the number of tours, which move beta by some units. Dated 2026-11.
 */
final class NtruKeyAttacks {
    private static final double EULER_GAMMA = 0.57721566490153286;
    private static final int LEAST_BLOCK = 60;

    private final int n;
    private final double logQ;
    private final double sigma;

    /** @param sigma standard deviation of a coefficient of f and g */
    NtruKeyAttacks(int n, double q, double sigma) {
        this.n = n;
        this.logQ = Math.log(q);
        this.sigma = sigma;
    }

    /** Block size of SKR. */
    int secretKeyRecovery() {
        for (int beta = LEAST_BLOCK; beta < 2 * n; beta++) {
            double projected = Math.log(sigma) + 0.5 * Math.log(beta);
            if (projected <= (2.0 * beta - 2 * n - 1) * PrimalUsvp.logDelta(beta) + logQ / 2) {
                return beta;
            }
        }
        return 2 * n;
    }

    /** Block size of DSD; 2N if no smaller one finds the sublattice. */
    int denseSublatticeDiscovery() {
        for (int beta = LEAST_BLOCK; beta < 2 * n; beta++) {
            if (finds(beta)) {
                return beta;
            }
        }
        return 2 * n;
    }

    private boolean finds(int beta) {
        double slope = 2 * PrimalUsvp.logDelta(beta);
        double volume = n / 2.0 * (Math.log(n * sigma * sigma) + 1 - EULER_GAMMA);
        for (int s = 2 * n; s > n; s--) { // the sublattice within the first s vectors has dimension s - n
            int dimension = s - n;
            double shortest = (volume - logBall(dimension)) / dimension;
            if (s >= beta && shortest + 0.5 * Math.log((double) beta / s) <= gramSchmidt(s - beta, slope)) {
                return true;
            }
            volume += -gramSchmidt(s - 1, slope) + 0.5 * (digamma((s - n) / 2.0) - digamma(s / 2.0));
        }
        return false;
    }

    /** ln of the length of Gram-Schmidt vector i, from 0. */
    private double gramSchmidt(int i, double slope) {
        return Math.clamp(logQ / 2 + (n - 0.5 - i) * slope, 0, logQ);
    }

    /** ln of the volume of the unit ball, by Stirling. */
    private static double logBall(int dimension) {
        double half = dimension / 2.0;
        double logGamma = (half + 0.5) * Math.log(half) - half + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * half);
        return half * Math.log(Math.PI) - logGamma;
    }

    private static double digamma(double x) {
        double shift = 0;
        double at = x;
        while (at < 8) {
            shift -= 1 / at;
            at++;
        }
        double square = 1 / (at * at);
        return shift + Math.log(at) - 0.5 / at - square * (1.0 / 12 - square * (1.0 / 120 - square / 252));
    }
}
