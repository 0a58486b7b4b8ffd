package dev.veilgate.peks.lattice.ntru;

/**
 * Mean and variance of a Gaussian z, given that z + e2 lies in [lower, lower + width) with e2 uniform in +-flood.
 *
 * <p>The likelihood is a trapezoid in z (the interval itself when flood = 0). Each of its three linear pieces is
 * integrated by Gauss-Legendre on both sides of the Gaussian's peak in it, as far as the Gaussian falls to e^-40 of
 * that peak, relative to the highest peak of all. No differences of erf appear, so the far tails are as exact as the
 * middle.
 */
final class IntervalLikelihood {
    private static final int NODE_COUNT = 16;
    private static final double[] NODES = new double[NODE_COUNT]; // on [0, 1]
    private static final double[] WEIGHTS = new double[NODE_COUNT];
    private static final double CUT = 80; // twice 40
    private static final double REACH = 9; // standard deviations, so that CUT <= REACH^2
    private static final double LEAST_VARIANCE = 1e-18;

    static {
        for (int k = 0; k < NODE_COUNT; k++) {
            double x = Math.cos(Math.PI * (k + 0.75) / (NODE_COUNT + 0.5));
            double slope = 0;
            for (int newton = 0; newton < 20; newton++) {
                double before = 1;
                double legendre = x;
                for (int j = 2; j <= NODE_COUNT; j++) {
                    double next = ((2 * j - 1) * x * legendre - (j - 1) * before) / j;
                    before = legendre;
                    legendre = next;
                }
                slope = NODE_COUNT * (x * legendre - before) / (x * x - 1);
                x -= legendre / slope;
            }
            NODES[k] = (1 - x) / 2;
            WEIGHTS[k] = 1 / ((1 - x * x) * slope * slope);
        }
    }

    private final double width;
    private final double flood;

    IntervalLikelihood(double width, double flood) {
        this.width = width;
        this.flood = flood;
    }

    /** Whether z can be at all, up to an error. */
    boolean allows(double lower, double z, double error) {
        return z > lower - flood - error && z < lower + width + flood + error;
    }

    /** Moments of z ~ N(p, v) given the observation. */
    Moments posterior(double lower, double p, double v) {
        double rise = Math.min(2 * flood, width);
        double from = lower - flood;
        double to = lower + width + flood;
        double reach = REACH * Math.sqrt(v);
        if (p - reach > from + rise && p + reach < to - rise) {
            return new Moments(p, v, false);
        }
        Integral sum = new Integral(p, v, Math.clamp(p, from, to));
        if (rise > 0) {
            sum.addPiece(from, from + rise, 0, 1);
            sum.addPiece(to - rise, to, 1, 0);
        }
        sum.addPiece(from + rise, to - rise, 1, 1);
        double mean = sum.m1 / sum.m0;
        double variance = sum.m2 / sum.m0 - mean * mean;
        return new Moments(sum.origin + mean, Math.clamp(variance, LEAST_VARIANCE, v), true);
    }

    /** Mean and variance; informative is false when the interval's ends are out of reach. */
    record Moments(double mean, double variance, boolean informative) {}

    /** Moments about origin, the likeliest point of the support. */
    private static final class Integral {
        private final double centre;
        private final double v;
        private final double origin;
        private double m0;
        private double m1;
        private double m2;

        Integral(double centre, double v, double origin) {
            this.centre = centre;
            this.v = v;
            this.origin = origin;
        }

        /** The piece [a, b] with a likelihood linear from atA to atB. */
        void addPiece(double a, double b, double atA, double atB) {
            if (b <= a) {
                return;
            }
            double top = Math.clamp(centre, a, b);
            double distance = Math.abs(top - centre);
            double reach = CUT * v / (distance + Math.sqrt(distance * distance + CUT * v));
            double slope = (atB - atA) / (b - a);
            addStretch(Math.max(a, top - reach), top, atA - slope * a, slope);
            addStretch(top, Math.min(b, top + reach), atA - slope * a, slope);
        }

        private void addStretch(double from, double to, double constant, double slope) {
            double peak = (origin - centre) * (origin - centre);
            for (int k = 0; k < NODE_COUNT; k++) {
                double z = from + (to - from) * NODES[k];
                double d = z - centre;
                double f = WEIGHTS[k] * (to - from) * (constant + slope * z) * Math.exp((peak - d * d) / (2 * v));
                m0 += f;
                m1 += f * (z - origin);
                m2 += f * (z - origin) * (z - origin);
            }
        }
    }
}
