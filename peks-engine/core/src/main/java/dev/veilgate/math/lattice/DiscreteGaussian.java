package dev.veilgate.math.lattice;

import dev.veilgate.random.CoinStream;

/**
 * Discrete Gaussians over Z: {@code D(mu, sigma)(z)} proportional to {@code exp(-(z - mu)^2 / (2 sigma^2))}.
 *
 * <p>{@link #sample} is the isochronous sampler of Howe, Prest, Ricosset and Rossi ("Isochronous Gaussian Sampling: From
 * Inception to Implementation", PQCrypto 2020, Algorithm 1): a half Gaussian of width {@link #SIGMA_MAX} from a table of
 * 126-bit cumulative probabilities, made bimodal by a sign, then accepted with the quotient of the densities times {@code
 * sigmaMin/sigma}, so that the number of trials does not depend on mu and sigma. The table is scanned whole and the
 * acceptance is computed in 63-bit integers; whether a JVM keeps this constant-time is not promised (SECURITY.md).
 */
public final class DiscreteGaussian {
    /** Width of the base sampler; {@link #sample} takes widths up to it. */
    public static final double SIGMA_MAX = 1.8;

    private static final double INVERSE_TWO_SIGMA_MAX_SQUARED = 1 / (2 * SIGMA_MAX * SIGMA_MAX);
    private static final double LN_2 = 0x1.62e42fefa39efp-1;
    private static final double INVERSE_LN_2 = 0x1.71547652b82fep0;
    private static final double TWO_63 = 0x1p63;
    /** Trials of {@link #sampleWide} lie within this many widths of 0; what is cut off weighs less than 2^-120. */
    private static final int WIDE_TAIL = 13;

    /** P(z0 > i) for the half Gaussian on 0, 1, 2, ... of width SIGMA_MAX, times 2^126: upper and lower 63 bits. */
    private static final long[] TAIL_HIGH = {
        0x518e27dd74167c5eL, 0x29c0989c7b09c7a4L, 0x10b31ff7ca51a049L, 0x051e5dae63758d09L,
        0x012fcbaf1b609abaL, 0x0034ce1bdd892b93L, 0x0006d705467e54f7L, 0x0000a85180a840c7L,
        0x00000bf8d247fd62L, 0x000000a0f7266167L, 0x000000063bb38c39L, 0x000000002d82eeccL,
        0x0000000000f48f80L, 0x000000000003c6a4L, 0x0000000000000af9L, 0x0000000000000017L,
        0x0000000000000000L, 0x0000000000000000L, 0x0000000000000000L, 0x0000000000000000L,
        0x0000000000000000L, 0x0000000000000000L, 0x0000000000000000L
    };

    private static final long[] TAIL_LOW = {
        0x2769257831539eecL, 0x238bf5f4389a85e1L, 0x117719c2565a41fdL, 0x753f9ffb70e73fbeL,
        0x4b3ba45f2b515589L, 0x7f547f36bfa0495fL, 0x5f2165b00adeda91L, 0x2ede6241b9e8c16bL,
        0x3f94018f4dae16b8L, 0x262b9f1476a7bbdfL, 0x5d194137bf231b5bL, 0x6f6844ede0c328c6L,
        0x3dbc2c85fdbfcec1L, 0x79c41de6e1fcdeb5L, 0x1bf9494fc3765edbL, 0x386fa01155550ab5L,
        0x1266176cd0847eb2L, 0x001538c672de0ec3L, 0x000011fbbe97aacdL, 0x0000000b31e62912L,
        0x00000000051e852aL, 0x000000000001b831L, 0x000000000000006dL
    };

    private final double sigmaMin;

    /** @param sigmaMin smallest width that {@link #sample} will be asked for: the lattice's smoothing width */
    public DiscreteGaussian(double sigmaMin) {
        if (!(sigmaMin > 0 && sigmaMin <= SIGMA_MAX)) {
            throw new IllegalArgumentException("sigmaMin must be in (0, " + SIGMA_MAX + "]");
        }
        this.sigmaMin = sigmaMin;
    }

    /**
     * One integer from D(mu, sigma).
     *
     * @param sigma from sigmaMin to {@link #SIGMA_MAX}
     */
    int sample(CoinStream coins, double mu, double sigma) {
        assert sigma >= sigmaMin * (1 - 1e-9) && sigma <= SIGMA_MAX : "leaf width out of range";
        double floor = Math.floor(mu);
        double r = mu - floor;
        double scale = 1 / (2 * sigma * sigma);
        long acceptScale = (long) (sigmaMin / sigma * TWO_63);
        while (true) {
            long high = coins.nextLong();
            long low = coins.nextLong() >>> 1;
            int b = (int) (high >>> 63);
            int z0 = halfGaussian(high & Long.MAX_VALUE, low);
            int z = b + (2 * b - 1) * z0;
            double d = z - r;
            double x = d * d * scale - z0 * z0 * INVERSE_TWO_SIGMA_MAX_SQUARED;
            if (coins.nextLong() >>> 1 < expBits(x, acceptScale)) {
                return (int) floor + z;
            }
        }
    }

    /** One integer from D(0, sigma), for large widths (1 to 2^20): uniform trials, accepted with the density. */
    static int sampleWide(CoinStream coins, double sigma) {
        int bound = (int) Math.ceil(WIDE_TAIL * sigma);
        double scale = 1 / (2 * sigma * sigma);
        while (true) {
            int z = coins.nextInt(2 * bound + 1) - bound;
            if (coins.nextLong() >>> 1 < expBits((double) z * z * scale, Long.MAX_VALUE)) {
                return z;
            }
        }
    }

    /** The number of table entries above the 126-bit integer (high, low). */
    static int halfGaussian(long high, long low) {
        int z = 0;
        for (int i = 0; i < TAIL_HIGH.length; i++) {
            long borrow = low - TAIL_LOW[i] >>> 63;
            z += (int) (high - TAIL_HIGH[i] - borrow >>> 63);
        }
        return z;
    }

    /**
     * About scale·exp(-x): the error is below 2^-48 of it plus two units, since the shift and the product with the scale round
     * down. So relative to the result it is below 2^-45 down to 2^-17 of full scale, and grows below that, where trials are
     * as rarely accepted.
     *
     * <p>{@code exp(-x) = 2^-s·exp(-r), 0 <= r < ln 2}; exp(-r) is its Taylor polynomial of degree {@link #DEGREE} in 63-bit integers.
     *
     * @param x     not negative (a rounding error below zero counts as zero)
     * @param scale 0 to 2^63 - 1
     */
    static long expBits(double x, long scale) {
        double y = Math.max(x, 0);
        int s = (int) (y * INVERSE_LN_2);
        double r = Math.max(y - s * LN_2, 0);
        long fixed = (long) (r * TWO_63) << 1; // r·2^64, r below 1
        long value = TAYLOR[DEGREE];
        for (int k = DEGREE - 1; k >= 0; k--) {
            value = TAYLOR[k] - Math.unsignedMultiplyHigh(fixed, value);
        }
        // value <= 2^63 as an unsigned number
        long scaled = Math.unsignedMultiplyHigh(value, scale << 1);
        return s > 62 ? 0 : scaled >>> s;
    }

    private static final int DEGREE = 20;

    /** 2^63/k!, rounded down. */
    private static final long[] TAYLOR = new long[DEGREE + 1];

    static {
        TAYLOR[0] = Long.MIN_VALUE; // 2^63, unsigned
        long quotient = Long.MIN_VALUE;
        for (int k = 1; k <= DEGREE; k++) {
            quotient = Long.divideUnsigned(quotient, k);
            TAYLOR[k] = quotient;
        }
    }
}
