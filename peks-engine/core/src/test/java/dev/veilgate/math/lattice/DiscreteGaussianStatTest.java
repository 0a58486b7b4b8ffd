package dev.veilgate.math.lattice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import dev.veilgate.random.TwoSided;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The integer samplers have the discrete Gaussian's density: the table and the exponential are recomputed in exact
 * arithmetic, the samples pass two-sided tests that a narrower, a zero and a shifted sampler fail.
 */
class DiscreteGaussianStatTest {
    private static final TestSeed SEED = TestSeed.of(DiscreteGaussianStatTest.class);
    private static final MathContext DIGITS = new MathContext(80, RoundingMode.HALF_EVEN);
    private static final int TABLE = 23;
    private static final double SMOOTHING = 1.278;
    private static final int SAMPLES = 100_000;

    /** exp(-x) in 80 digits. */
    private static BigDecimal exp(BigDecimal x) {
        int halvings = 0;
        BigDecimal r = x;
        while (r.compareTo(new BigDecimal("0.01")) > 0) {
            r = r.divide(BigDecimal.TWO, DIGITS);
            halvings++;
        }
        BigDecimal term = BigDecimal.ONE;
        BigDecimal sum = BigDecimal.ONE;
        for (int k = 1; k < 60; k++) {
            term = term.multiply(r, DIGITS).divide(BigDecimal.valueOf(-k), DIGITS);
            sum = sum.add(term, DIGITS);
        }
        for (int i = 0; i < halvings; i++) {
            sum = sum.multiply(sum, DIGITS);
        }
        return sum;
    }

    /** P(z0 = i), i = 0, 1, ..., for the half Gaussian of width SIGMA_MAX. */
    private static BigDecimal[] halfGaussian() {
        BigDecimal sigma = new BigDecimal(Double.toString(DiscreteGaussian.SIGMA_MAX));
        BigDecimal scale = BigDecimal.ONE.divide(sigma.multiply(sigma).multiply(BigDecimal.TWO), DIGITS);
        BigDecimal[] weights = new BigDecimal[60];
        BigDecimal total = BigDecimal.ZERO;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = exp(scale.multiply(BigDecimal.valueOf((long) i * i)));
            total = total.add(weights[i]);
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] = weights[i].divide(total, DIGITS);
        }
        return weights;
    }

    /** The table as the sampler uses it: the least number for which at most i entries are above. */
    private static BigInteger tableEntry(int i) {
        BigInteger low = BigInteger.ZERO;
        BigInteger high = BigInteger.ONE.shiftLeft(126);
        while (low.compareTo(high) < 0) {
            BigInteger middle = low.add(high).shiftRight(1);
            if (lookUp(middle) <= i) {
                high = middle;
            } else {
                low = middle.add(BigInteger.ONE);
            }
        }
        return low;
    }

    private static int lookUp(BigInteger x) {
        long mask = Long.MAX_VALUE;
        return DiscreteGaussian.halfGaussian(x.shiftRight(63).longValue() & mask, x.longValue() & mask);
    }

    @Test
    void tableIsTheHalfGaussianTo126Bits() {
        BigDecimal[] probability = halfGaussian();
        BigDecimal scale = new BigDecimal(BigInteger.ONE.shiftLeft(126));
        BigDecimal tail = BigDecimal.ONE;
        for (int i = 0; i < TABLE; i++) {
            tail = tail.subtract(probability[i]);
            BigInteger exact =
                    tail.multiply(scale).setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
            assertThat(tableEntry(i)).as("P(z0 > %d)·2^126", i).isEqualTo(exact);
        }
        assertThat(tail.subtract(probability[TABLE]).multiply(scale)).isLessThan(new BigDecimal("1.6"));
        assertThat(lookUp(BigInteger.ZERO)).isEqualTo(TABLE);
        assertThat(lookUp(BigInteger.ONE.shiftLeft(126).subtract(BigInteger.ONE)))
                .isZero();
    }

    /** A borrow from the lower to the upper half decides next to each entry. */
    @Test
    void lookUpComparesAllOf126Bits() {
        for (int i = 0; i < TABLE; i++) {
            BigInteger entry = tableEntry(i);
            assertThat(lookUp(entry)).isLessThanOrEqualTo(i);
            assertThat(lookUp(entry.subtract(BigInteger.ONE))).isGreaterThan(i);
            BigInteger sameHigh = entry.shiftRight(63).shiftLeft(63);
            assertThat(lookUp(sameHigh)).isGreaterThan(i);
            assertThat(lookUp(sameHigh.add(BigInteger.valueOf(Long.MAX_VALUE)))).isLessThanOrEqualTo(i);
        }
    }

    /** To 2^-45 of the result, and two units of 2^-63: the shift by s and the product with the scale round down. */
    @Test
    void exponentialIsRightTo45Bits() {
        SplittableRandom random = SEED.random("exponential");
        double ln2 = StrictMath.log(2);
        for (int i = 0; i < 200_000; i++) {
            double x = switch (i % 4) {
                case 0 -> random.nextDouble(44);
                case 1 -> random.nextDouble(1e-6);
                case 2 -> Math.max(0, random.nextInt(20) * ln2 + random.nextDouble(-1e-9, 1e-9)); // at a change of s
                default -> Math.scalb(random.nextDouble(), -random.nextInt(60));
            };
            long scale = random.nextBoolean() ? Long.MAX_VALUE : (1L << 62) + random.nextLong(1L << 62);
            double result = DiscreteGaussian.expBits(x, scale);
            double expected = scale * StrictMath.exp(-x);
            assertThat(result).as("x = %s", x).isCloseTo(expected, within(0x1p-45 * expected + 2));
        }
        for (double x : new double[] {
            0, Double.MIN_VALUE, 0x1p-53, 1e-3, 0.5, ln2, Math.nextUp(ln2), Math.nextDown(ln2), 1, 5, 13.8, 30
        }) {
            BigDecimal exact = exp(new BigDecimal(x)).multiply(BigDecimal.valueOf(Long.MAX_VALUE));
            BigDecimal error = BigDecimal.valueOf(DiscreteGaussian.expBits(x, Long.MAX_VALUE))
                    .subtract(exact)
                    .abs();
            assertThat(error)
                    .as("x = %s", x)
                    .isLessThan(exact.multiply(new BigDecimal(0x1p-48)).add(BigDecimal.TWO));
        }
    }

    @Test
    void exponentialIsBoundedAtBothEnds() {
        assertThat(DiscreteGaussian.expBits(0, Long.MAX_VALUE)).isGreaterThanOrEqualTo(Long.MAX_VALUE - 1);
        assertThat(DiscreteGaussian.expBits(-1e-9, Long.MAX_VALUE))
                .as("a rounding error below zero counts as zero")
                .isEqualTo(DiscreteGaussian.expBits(0, Long.MAX_VALUE));
        for (double x : new double[] {44, 45, 100, 1e9, 1e300, Double.POSITIVE_INFINITY}) {
            assertThat(DiscreteGaussian.expBits(x, Long.MAX_VALUE)).isZero();
        }
        assertThat(DiscreteGaussian.expBits(1, 0)).isZero();
        long before = Long.MAX_VALUE;
        for (double x = 0; x < 50; x += 0x1p-8) {
            long now = DiscreteGaussian.expBits(x, Long.MAX_VALUE);
            assertThat(now).isNotNegative().isLessThanOrEqualTo(before);
            before = now;
        }
    }

    /** One trial's probability of ending with z, by the table and the exponential as they are, against the density. */
    @ParameterizedTest
    @CsvSource({"0, 1.278", "0.5, 1.278", "0.3, 1.3", "0.999, 1.5", "0.001, 1.7957", "0.75, 1.8"})
    void acceptedTrialsHaveTheDensity(double mu, double sigma) {
        long scale = (long) (SMOOTHING / sigma * 0x1p63);
        double first = Double.NaN;
        BigInteger one = BigInteger.ONE.shiftLeft(126);
        for (int z = -8; z <= 9; z++) {
            int z0 = z > 0 ? z - 1 : -z;
            BigInteger above = z0 == 0 ? one : tableEntry(z0 - 1);
            double trial = above.subtract(tableEntry(z0)).doubleValue();
            double x = (z - mu) * (z - mu) / (2 * sigma * sigma)
                    - z0 * z0 / (2 * DiscreteGaussian.SIGMA_MAX * DiscreteGaussian.SIGMA_MAX);
            double ratio = trial * DiscreteGaussian.expBits(x, scale) / density(z, mu, sigma);
            if (z == -8) {
                first = ratio;
            }
            assertThat(ratio / first).as("z = %d", z).isCloseTo(1, within(0x1p-40));
        }
    }

    private static double density(int z, double mu, double sigma) {
        return Math.exp(-(z - mu) * (z - mu) / (2 * sigma * sigma));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1.278",
        "0, 1.8",
        "0.5, 1.278",
        "0.5, 1.5",
        "-0.5, 1.8",
        "0.25, 1.3118",
        "-0.25, 1.2983",
        "0.9999999, 1.4",
        "-0.9999999, 1.4",
        "1e-300, 1.6",
        "-1e-300, 1.6",
        "17, 1.7",
        "-1234.567, 1.278",
        "1234567.75, 1.7957",
        "-1e9, 1.3",
        "1000000000.0625, 1.45"
    })
    void samplesHaveTheDensity(double mu, double sigma) {
        CoinStream coins = SEED.coins("sample " + mu + " " + sigma);
        DiscreteGaussian gaussian = new DiscreteGaussian(SMOOTHING);
        assertThat(outliers(() -> gaussian.sample(coins, mu, sigma), mu, sigma, SAMPLES))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 1.278", "0.5, 1.5", "-1234.567, 1.8"})
    void saboteursOfSamplesAreFoundOut(double mu, double sigma) {
        CoinStream coins = SEED.coins("sabotage " + mu + " " + sigma);
        DiscreteGaussian gaussian = new DiscreteGaussian(0.8 * SMOOTHING);
        IntSupplier tooNarrow = () -> gaussian.sample(coins, mu, 0.8 * sigma);
        assertThat(outliers(tooNarrow, mu, sigma, 4 * SAMPLES)).isNotEmpty();
        assertThat(outliers(() -> gaussian.sample(coins, mu, 0.97 * sigma), mu, sigma, 4 * SAMPLES))
                .as("a little too narrow")
                .isNotEmpty();
        assertThat(outliers(() -> 0, mu, sigma, 4 * SAMPLES)).as("zero").isNotEmpty();
        assertThat(outliers(() -> (int) Math.rint(mu), mu, sigma, 4 * SAMPLES))
                .as("the nearest integer")
                .isNotEmpty();
        assertThat(outliers(() -> gaussian.sample(coins, mu + 0.05, sigma), mu, sigma, 4 * SAMPLES))
                .as("biased")
                .isNotEmpty();
        SplittableRandom random = SEED.random("rounded");
        assertThat(outliers(() -> (int) Math.rint(random.nextGaussian(mu, sigma)), mu, sigma, 4 * SAMPLES))
                .as("a rounded continuous Gaussian is wider by 1/12")
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 5, 11.47, 149.7, 299.5, 423.6, 65_536, 262_144})
    void wideSamplesHaveTheDensity(double sigma) {
        CoinStream coins = SEED.coins("wide " + sigma);
        assertThat(outliers(() -> DiscreteGaussian.sampleWide(coins, sigma), 0, sigma, SAMPLES))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {5, 149.7})
    void saboteursOfWideSamplesAreFoundOut(double sigma) {
        CoinStream coins = SEED.coins("wide sabotage " + sigma);
        assertThat(outliers(() -> DiscreteGaussian.sampleWide(coins, 0.8 * sigma), 0, sigma, SAMPLES))
                .isNotEmpty();
        assertThat(outliers(() -> DiscreteGaussian.sampleWide(coins, 0.97 * sigma), 0, sigma, SAMPLES))
                .isNotEmpty();
        assertThat(outliers(() -> 0, 0, sigma, SAMPLES)).isNotEmpty();
        int shift = (int) Math.ceil(0.05 * sigma);
        assertThat(outliers(() -> DiscreteGaussian.sampleWide(coins, sigma) + shift, 0, sigma, SAMPLES))
                .isNotEmpty();
        IntSupplier cut = () -> {
            int z = DiscreteGaussian.sampleWide(coins, sigma);
            return Math.abs(z) > 3 * sigma ? 0 : z;
        };
        assertThat(outliers(cut, 0, sigma, SAMPLES)).as("no tails").isNotEmpty();
    }

    /** Counts against the exact density, mean, variance, fourth moment and the weight beyond three widths. */
    private static List<String> outliers(IntSupplier sampler, double mu, double sigma, int samples) {
        int from = (int) Math.floor(mu - 13 * sigma);
        int size = (int) Math.ceil(26 * sigma) + 2;
        double[] density = new double[size];
        double total = 0;
        for (int i = 0; i < size; i++) {
            density[i] = density(from + i, mu, sigma);
            total += density[i];
        }
        double mean = 0;
        for (int i = 0; i < size; i++) {
            density[i] /= total;
            mean += density[i] * (from + i - mu);
        }
        double[] moments = new double[9];
        double beyond = 0;
        for (int i = 0; i < size; i++) {
            double x = from + i - mu - mean;
            double x2 = x * x;
            moments[2] += density[i] * x2;
            moments[4] += density[i] * x2 * x2;
            moments[8] += density[i] * x2 * x2 * x2 * x2;
            beyond += Math.abs(x) > 3 * sigma ? density[i] : 0;
        }
        long[] counts = new long[size];
        double sum = 0;
        double squares = 0;
        double fourths = 0;
        long outside = 0;
        TwoSided check = new TwoSided();
        for (int i = 0; i < samples; i++) {
            int z = sampler.getAsInt();
            if (z < from || z >= from + size) {
                check.normal("%d, further than 13 widths".formatted(z), Double.NaN);
                return check.outliers();
            }
            counts[z - from]++;
            double x = z - mu - mean;
            sum += x;
            squares += x * x;
            fourths += x * x * x * x;
            outside += Math.abs(x) > 3 * sigma ? 1 : 0;
        }
        check.counts("counts", counts, density);
        check.mean("mean", sum, samples, 0, moments[2]);
        check.mean("variance", squares, samples, moments[2], moments[4] - moments[2] * moments[2]);
        check.mean("fourth moment", fourths, samples, moments[4], moments[8] - moments[4] * moments[4]);
        check.mean("tails", outside, samples, beyond, beyond * (1 - beyond));
        return check.outliers();
    }

    @Test
    void sameCoinsGiveTheSameSamples() {
        DiscreteGaussian gaussian = new DiscreteGaussian(SMOOTHING);
        CoinStream coins = SEED.coins("same");
        CoinStream same = SEED.coins("same");
        for (int i = 0; i < 1000; i++) {
            double mu = i * 0.37 - 100;
            assertThat(gaussian.sample(coins, mu, 1.5)).isEqualTo(gaussian.sample(same, mu, 1.5));
            assertThat(DiscreteGaussian.sampleWide(coins, 100)).isEqualTo(DiscreteGaussian.sampleWide(same, 100));
        }
    }

    @Test
    void refusesSmoothingWidthsThatItCannotServe() {
        for (double width : new double[] {-1, 0, 1.8000001, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new DiscreteGaussian(width));
        }
        assertThat(new DiscreteGaussian(DiscreteGaussian.SIGMA_MAX)).isNotNull();
    }
}
