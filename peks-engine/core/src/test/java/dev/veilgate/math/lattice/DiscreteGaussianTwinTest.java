package dev.veilgate.math.lattice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The integer samplers make of the same coins what a plain twin makes of them: the published algorithms, in real numbers
 * with the library's exponential. Statistics would not see a constant that is wrong in its third digit; this does.
 */
class DiscreteGaussianTwinTest {
    private static final TestSeed SEED = TestSeed.of(DiscreteGaussianTwinTest.class);
    private static final double SMOOTHING = 1.278;
    private static final BigInteger ONE = BigInteger.ONE.shiftLeft(126);

    /** P(z0 > i) for the half Gaussian of the base sampler, times 2^126. */
    private final BigInteger[] tails = tails();

    private static BigInteger[] tails() {
        double[] weights = new double[24];
        double total = 0;
        for (int i = weights.length - 1; i >= 0; i--) { // the small ones first
            weights[i] = StrictMath.exp(-i * i / (2 * DiscreteGaussian.SIGMA_MAX * DiscreteGaussian.SIGMA_MAX));
            total += weights[i];
        }
        BigInteger[] tails = new BigInteger[weights.length];
        double tail = 0;
        for (int i = weights.length - 1; i >= 0; i--) {
            tails[i] =
                    new BigDecimal(tail / total).multiply(new BigDecimal(ONE)).toBigInteger();
            tail += weights[i];
        }
        return tails;
    }

    @Test
    void samplesAreThoseOfThePublishedAlgorithm() {
        SplittableRandom random = SEED.random("centres");
        CoinStream coins = SEED.coins("sample");
        CoinStream same = SEED.coins("sample");
        DiscreteGaussian gaussian = new DiscreteGaussian(SMOOTHING);
        for (int i = 0; i < 200_000; i++) {
            double mu = switch (i % 3) {
                case 0 -> random.nextDouble();
                case 1 -> random.nextDouble(-1000, 1000);
                default -> random.nextInt(-3, 4) / 2.0;
            };
            double sigma = i % 10 == 0 ? SMOOTHING : random.nextDouble(SMOOTHING, DiscreteGaussian.SIGMA_MAX);
            assertThat(gaussian.sample(coins, mu, sigma))
                    .as("mu = %s, sigma = %s", mu, sigma)
                    .isEqualTo(plain(same, mu, sigma));
        }
    }

    /** Howe, Prest, Ricosset, Rossi: Algorithm 1. */
    private int plain(CoinStream coins, double mu, double sigma) {
        double r = mu - Math.floor(mu);
        while (true) {
            long high = coins.nextLong(); // its first bit is the sign
            BigInteger u = BigInteger.valueOf(high & Long.MAX_VALUE)
                    .shiftLeft(63)
                    .add(BigInteger.valueOf(coins.nextLong() >>> 1));
            int z0 = 0;
            while (z0 < tails.length && u.compareTo(tails[z0]) < 0) {
                z0++;
            }
            int z = high < 0 ? z0 + 1 : -z0;
            double accepted = SMOOTHING
                    / sigma
                    * StrictMath.exp(z0 * z0 / (2 * DiscreteGaussian.SIGMA_MAX * DiscreteGaussian.SIGMA_MAX)
                            - (z - r) * (z - r) / (2 * sigma * sigma));
            if (unit(coins) < accepted) {
                return (int) Math.floor(mu) + z;
            }
        }
    }

    @Test
    void wideSamplesAreUniformTrialsAcceptedWithTheDensity() {
        for (double sigma : new double[] {1, 11.47, 149.7, 423.6, 1_048_576}) {
            CoinStream coins = SEED.coins("wide " + sigma);
            CoinStream same = SEED.coins("wide " + sigma);
            int bound = (int) Math.ceil(13 * sigma);
            for (int i = 0; i < 20_000; i++) {
                double z;
                do {
                    z = same.nextInt(2 * bound + 1) - bound;
                } while (unit(same) >= StrictMath.exp(-z * z / (2 * sigma * sigma)));
                assertThat(DiscreteGaussian.sampleWide(coins, sigma)).isEqualTo((int) z);
            }
        }
    }

    /** 63 bits of [0, 1). */
    private static double unit(CoinStream coins) {
        return (coins.nextLong() >>> 1) * 0x1p-63;
    }
}
