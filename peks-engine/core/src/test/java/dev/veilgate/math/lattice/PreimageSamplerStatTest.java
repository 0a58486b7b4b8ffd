package dev.veilgate.math.lattice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.PlainRing;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import dev.veilgate.random.TwoSided;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Preimages solve s + t·h = c, are as wide as they should be and no wider, and show nothing of the secret basis: along each
 * basis vector, each of its Gram-Schmidt vectors and each of its Fourier components they are as wide as along any other
 * direction. Samplers that leak (too narrow, nearest plane, rounding, one width for all leaves), are biased or give zero
 * fail the same checks.
 */
class PreimageSamplerStatTest {
    private static final TestSeed SEED = TestSeed.of(PreimageSamplerStatTest.class);

    /** Samples of the small lattice in a check, and of a parameter set's. */
    private static final int SAMPLES = 8000;

    private static final int FEW_SAMPLES = 300;

    /** A lattice with its secret basis and what is sampled on it. */
    static final class Lattice {
        final NegacyclicNtt ntt;
        final NtruBasis basis;
        final int[] h;
        final int n;
        final int q;
        final double smoothing;
        final double sigma;

        Lattice(int n, int q, double smoothing) {
            this.n = n;
            this.q = q;
            this.smoothing = smoothing;
            ntt = new NegacyclicNtt(n, q);
            basis = SampleBases.of(ntt);
            h = Objects.requireNonNull(basis.publicPolynomial(ntt));
            sigma = smoothing * NtruBasis.GRAM_SCHMIDT_FACTOR * Math.sqrt(q);
        }

        PreimageSampler sampler() {
            return sampler(1);
        }

        /** A sampler that is too narrow or too wide. */
        PreimageSampler sampler(double scale) {
            return new PreimageSampler(ntt, basis, h, scale * sigma, scale * smoothing, Long.MAX_VALUE >> 2);
        }

        int[] target(CoinStream coins) {
            int[] cHat = new int[n];
            RingSampling.uniform(coins, ntt.modulus(), cHat);
            return cHat;
        }

        @Override
        public String toString() {
            return "N=" + n + " q=" + q;
        }
    }

    /** Small enough to look along every direction. */
    private static final Lattice SMALL = new Lattice(64, 12_289, 1.278);

    static final List<Lattice> SETS = List.of(
            new Lattice(512, 16_770_049, 1.278),
            new Lattice(1024, 134_215_681, 1.2983),
            new Lattice(2048, 536_813_569, 1.3118));

    static Stream<Lattice> lattices() {
        return Stream.concat(Stream.of(SMALL), SETS.stream());
    }

    private static double[] vector(PreimageSampler.Preimage preimage) {
        return DoubleStream.concat(
                        Arrays.stream(preimage.s()).asDoubleStream(),
                        Arrays.stream(preimage.t()).asDoubleStream())
                .toArray();
    }

    /** Preimages of a new target each time. */
    private static Supplier<double[]> preimages(Lattice lattice, PreimageSampler sampler, String use) {
        CoinStream coins = SEED.coins(use + " of " + lattice);
        return () -> vector(sampler.sample(coins, lattice.target(coins)));
    }

    @Test
    void latticesAreThoseOfTheParameterSets() {
        for (int i = 0; i < 3; i++) {
            NtruParameters set = NtruParameters.all().get(i);
            Lattice lattice = SETS.get(i);
            assertThat(lattice.n).isEqualTo(set.n());
            assertThat(lattice.q).isEqualTo(set.q());
            assertThat(lattice.sigma).isEqualTo(set.sigma());
        }
    }

    @ParameterizedTest
    @MethodSource("lattices")
    void preimagesSolveTheEquationExactly(Lattice lattice) {
        PreimageSampler sampler = lattice.sampler();
        CoinStream coins = SEED.coins("equation");
        int[] zero = new int[lattice.n];
        int[] largest = new int[lattice.n];
        Arrays.fill(largest, lattice.q - 1);
        int[] one = new int[lattice.n];
        one[0] = 1;
        for (int[] c : new int[][] {zero, largest, one, lattice.target(coins), lattice.target(coins)}) {
            int[] cHat = c.clone();
            lattice.ntt.forwardInPlace(cHat);
            int[] given = cHat.clone();
            PreimageSampler.Preimage preimage = sampler.sample(coins, cHat);
            assertThat(cHat).as("the target is not changed").isEqualTo(given);
            int[] sum = PlainRing.multiply(preimage.t(), lattice.h, lattice.q);
            for (int i = 0; i < lattice.n; i++) {
                sum[i] = (int) Math.floorMod((long) sum[i] + preimage.s()[i], (long) lattice.q);
                assertThat(2L * Math.abs(preimage.s()[i])).isLessThan(lattice.q);
            }
            assertThat(sum).isEqualTo(c);
        }
    }

    /** What is issued must be a function of the coins and the target alone, on a sampler that has sampled before. */
    @ParameterizedTest
    @MethodSource("lattices")
    void sameCoinsGiveTheSamePreimage(Lattice lattice) {
        PreimageSampler used = lattice.sampler();
        CoinStream others = SEED.coins("others");
        int[] cHat = lattice.target(others);
        PreimageSampler.Preimage first = used.sample(SEED.coins("same"), cHat);
        used.sample(others, lattice.target(others));
        PreimageSampler.Preimage again = used.sample(SEED.coins("same"), cHat);
        PreimageSampler.Preimage fresh = lattice.sampler().sample(SEED.coins("same"), cHat);
        PreimageSampler.Preimage other = used.sample(SEED.coins("not the same"), cHat);
        for (PreimageSampler.Preimage same : List.of(again, fresh)) {
            assertThat(same.s()).isEqualTo(first.s());
            assertThat(same.t()).isEqualTo(first.t());
        }
        // not nearly the same either: the difference of two preimages is as long as two independent ones are apart
        double[] difference = vector(first);
        PlainLattice.subtract(difference, 1, vector(other));
        TwoSided check = new TwoSided();
        check.variance(
                "difference",
                PlainLattice.dot(difference, difference),
                2L * lattice.n,
                2 * lattice.sigma * lattice.sigma);
        assertThat(check.outliers()).isEmpty();
    }

    @Test
    void longPreimagesAreDrawnAgain() {
        double expected = 2 * SMALL.n * SMALL.sigma * SMALL.sigma;
        PreimageSampler half =
                new PreimageSampler(SMALL.ntt, SMALL.basis, SMALL.h, SMALL.sigma, SMALL.smoothing, (long) expected);
        CoinStream coins = SEED.coins("limit");
        double longest = 0;
        for (int i = 0; i < 200; i++) {
            double[] x = vector(half.sample(coins, SMALL.target(coins)));
            longest = Math.max(longest, PlainLattice.dot(x, x));
        }
        assertThat(longest).isBetween(0.95 * expected, expected);
        PreimageSampler none = new PreimageSampler(
                SMALL.ntt, SMALL.basis, SMALL.h, SMALL.sigma, SMALL.smoothing, (long) (expected / 4));
        assertThatIllegalStateException().isThrownBy(() -> none.sample(coins, SMALL.target(coins)));
    }

    @Test
    void normsDoNotOverflow() {
        assertThat(PreimageSampler.normSquared(new int[0])).isZero();
        assertThat(PreimageSampler.normSquared(new int[] {3, -4})).isEqualTo(25);
        int[] large = new int[2048];
        Arrays.fill(large, -(1 << 29));
        assertThat(PreimageSampler.normSquared(large)).isEqualTo(1L << 61);
        assertThat(2 * PreimageSampler.normSquared(large)).as("two of them").isPositive();
        Arrays.fill(large, 3, 2048, 0);
        assertThat(PreimageSampler.normSquared(large)).isEqualTo(3L << 58);
    }

    /** Leaves are sigma/||b~_i||: the least and the largest decide whether a basis fits. */
    @Test
    void leavesAreBetweenTheSmoothingWidthAndTheBaseSampler() {
        double[] norms = Arrays.stream(PlainLattice.gramSchmidt(PlainLattice.rows(SMALL.basis, true)))
                .mapToDouble(v -> Math.sqrt(PlainLattice.dot(v, v)))
                .sorted()
                .toArray();
        double longest = norms[norms.length - 1];
        assertThat(longest).isLessThanOrEqualTo(NtruBasis.GRAM_SCHMIDT_FACTOR * Math.sqrt(SMALL.q));
        double narrowest = SMALL.sigma / longest;
        assertThatCode(() -> sampler(SMALL.sigma, narrowest * (1 - 1e-7))).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> sampler(SMALL.sigma, narrowest * (1 + 1e-7)));
        double widest = DiscreteGaussian.SIGMA_MAX * norms[0];
        assertThatCode(() -> sampler(widest * (1 - 1e-7), 1)).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> sampler(widest * (1 + 1e-7), 1));
        assertThatIllegalArgumentException().isThrownBy(() -> sampler(Double.NaN, 1));
    }

    private static PreimageSampler sampler(double sigma, double sigmaMin) {
        return new PreimageSampler(SMALL.ntt, SMALL.basis, SMALL.h, sigma, sigmaMin, Long.MAX_VALUE >> 2);
    }

    // All directions of a small lattice

    @Test
    void preimagesOfRandomTargetsAreAsWideAlongEveryDirection() {
        assertThat(directionOutliers(preimages(SMALL, SMALL.sampler(), "random targets")))
                .isEmpty();
    }

    /** Of one target they are too: what is issued for a keyword shows nothing of where the target lies. */
    @Test
    void preimagesOfOneTargetAreAsWideAlongEveryDirection() {
        CoinStream coins = SEED.coins("one target");
        PreimageSampler sampler = SMALL.sampler();
        int[] zero = new int[SMALL.n];
        for (int[] cHat : new int[][] {zero, SMALL.target(coins)}) {
            assertThat(directionOutliers(() -> vector(sampler.sample(coins, cHat))))
                    .isEmpty();
        }
    }

    /** The checks are of the distribution, not of the implementation: Klein's sampler passes. */
    @Test
    void plainTwinPasses() {
        Klein klein = new Klein();
        assertThat(directionOutliers(klein.samples("klein", norm -> SMALL.sigma / norm)))
                .isEmpty();
    }

    @Test
    void tooNarrowAndTooWideSamplersAreFoundOut() {
        for (double scale : new double[] {0.8, 0.99, 1.01}) {
            assertThat(directionOutliers(preimages(SMALL, SMALL.sampler(scale), "scale " + scale)))
                    .as("%s times the width", scale)
                    .isNotEmpty();
        }
    }

    @Test
    void zeroAndConstantSamplersAreFoundOut() {
        double[] zero = new double[2 * SMALL.n];
        assertThat(directionOutliers(() -> zero)).isNotEmpty();
        double[] constant = preimages(SMALL, SMALL.sampler(), "constant").get();
        assertThat(directionOutliers(() -> constant)).isNotEmpty();
    }

    /** Still preimages: one time in five, a basis vector is added. */
    @Test
    void samplerThatIsBiasedAlongABasisVectorIsFoundOut() {
        double[] row = PlainLattice.rows(SMALL.basis, false)[5];
        assertThat(directionOutliers(biased(preimages(SMALL, SMALL.sampler(), "biased"), row)))
                .isNotEmpty();
    }

    private static Supplier<double[]> biased(Supplier<double[]> honest, double[] row) {
        SplittableRandom random = SEED.random("biased");
        return () -> {
            double[] x = honest.get();
            if (random.nextInt(5) == 0) {
                PlainLattice.subtract(x, -1, row);
            }
            return x;
        };
    }

    /** No Gaussian at all: Babai's nearest plane gives a uniform point of the box of the Gram-Schmidt vectors. */
    @Test
    void nearestPlaneIsFoundOutEvenAtTheRightWidth() {
        Klein babai = new Klein();
        double[] norms = babai.norms;
        double width = Math.sqrt(Arrays.stream(norms).map(x -> x * x).average().orElseThrow() / 12);
        assertThat(directionOutliers(babai.samples("babai", norm -> 0))).isNotEmpty();
        Supplier<double[]> box = babai.samples("babai, scaled", norm -> 0);
        assertThat(directionOutliers(() -> Arrays.stream(box.get())
                        .map(x -> x * SMALL.sigma / width)
                        .toArray()))
                .as("scaled to the right norm")
                .isNotEmpty()
                .anySatisfy(outlier -> assertThat(outlier).contains("Gram-Schmidt"));
    }

    /** The right norm, the wrong shape: one width for all leaves, so that each direction is as wide as its vector is long. */
    @Test
    void oneWidthForAllLeavesIsFoundOut() {
        Klein klein = new Klein();
        double meanSquare = Arrays.stream(klein.norms).map(x -> x * x).average().orElseThrow();
        double leaf = SMALL.sigma / Math.sqrt(meanSquare);
        List<String> outliers = directionOutliers(klein.samples("one width", norm -> leaf));
        assertThat(outliers).anySatisfy(outlier -> assertThat(outlier).contains("slope"));
        assertThat(outliers)
                .as("the norm alone says nothing")
                .noneSatisfy(outlier -> assertThat(outlier).startsWith("norm"));
    }

    /** Klein's sampler on the explicit matrix, in doubles. */
    private static final class Klein {
        private final double[][] rows = PlainLattice.rows(SMALL.basis, false);
        private final double[][] orthogonal = PlainLattice.gramSchmidt(rows);
        private final double[] norms = Arrays.stream(orthogonal)
                .mapToDouble(v -> Math.sqrt(PlainLattice.dot(v, v)))
                .toArray();

        /** @param leaf width at a Gram-Schmidt vector of a given norm; 0 is the nearest plane */
        Supplier<double[]> samples(String use, DoubleUnaryOperator leaf) {
            CoinStream coins = SEED.coins(use);
            DiscreteGaussian gaussian = new DiscreteGaussian(1);
            return () -> {
                double[] x = new double[2 * SMALL.n];
                for (int i = 0; i < SMALL.n; i++) {
                    x[i] = coins.nextInt(SMALL.q);
                }
                for (int i = rows.length - 1; i >= 0; i--) {
                    double centre = PlainLattice.dot(x, orthogonal[i]) / (norms[i] * norms[i]);
                    double width = leaf.applyAsDouble(norms[i]);
                    double z = width == 0 ? Math.rint(centre) : gaussian.sample(coins, centre, width);
                    PlainLattice.subtract(x, z, rows[i]);
                }
                return x;
            };
        }
    }

    /** Along the axes, along the basis vectors, along their Gram-Schmidt vectors (in the sampler's order). */
    private static List<String> directionOutliers(Supplier<double[]> source) {
        int dimension = 2 * SMALL.n;
        double[][] rows = PlainLattice.rows(SMALL.basis, true);
        double[][] orthogonal = PlainLattice.gramSchmidt(rows);
        double[] logNorms = Arrays.stream(orthogonal)
                .mapToDouble(v -> Math.log(PlainLattice.dot(v, v)) / 2)
                .toArray();
        double[][] samples = new double[SAMPLES][];
        for (int k = 0; k < SAMPLES; k++) {
            samples[k] = source.get();
            for (int i = 0; i < dimension; i++) {
                samples[k][i] /= SMALL.sigma;
            }
        }
        TwoSided check = new TwoSided();
        everySample(check, samples);
        double[][] axes = new double[dimension][dimension];
        for (int i = 0; i < dimension; i++) {
            axes[i][i] = 1;
        }
        orthonormal(check, "axis", axes, null, samples);
        orthonormal(check, "Gram-Schmidt vector", PlainLattice.normalised(orthogonal), logNorms, samples);
        basisVectors(check, PlainLattice.normalised(rows), samples);
        return check.outliers();
    }

    /** Coefficients are independent, so these are sums of independent variables. */
    private static void everySample(TwoSided check, double[][] samples) {
        double squares = 0;
        double fourths = 0;
        long outside = 0;
        long count = 0;
        for (double[] x : samples) {
            for (double v : x) {
                squares += v * v;
                fourths += v * v * v * v;
                outside += Math.abs(v) > 3 ? 1 : 0;
                count++;
            }
        }
        check.variance("norm", squares, count, 1);
        check.mean("fourth moment", fourths, count, 3, 96);
        double beyond = 0.002_699_8; // of a continuous Gaussian; of integers with sigma above 100, within 1 %
        check.normal(
                "tails",
                Math.max(0, Math.abs((double) outside / count - beyond) - 0.02 * beyond) / Math.sqrt(beyond / count));
    }

    /** An orthonormal system: independent standard normal variables. */
    private static void orthonormal(
            TwoSided check, String what, double[][] directions, double[] logNorms, double[][] samples) {
        int p = directions.length;
        int k = samples.length;
        double[][] y = project(directions, samples);
        double[] variance = new double[p];
        double[] fourth = new double[p];
        double meanSquares = 0;
        for (int i = 0; i < p; i++) {
            double sum = 0;
            for (double v : y[i]) {
                sum += v;
                variance[i] += v * v / k;
                fourth[i] += v * v * v * v / k;
            }
            check.mean("mean along " + what + " " + i, sum, k, 0, 1);
            check.variance("variance along " + what + " " + i, k * variance[i], k, 1);
            meanSquares += sum * sum / k;
        }
        check.chiSquare("means along all of " + what, meanSquares, p);
        if (logNorms != null) {
            // does the width, or the shape, go with the length of the vector?
            double centre = Arrays.stream(logNorms).average().orElseThrow();
            double slope = 0;
            double shapes = 0;
            double weights = 0;
            for (int i = 0; i < p; i++) {
                double w = logNorms[i] - centre;
                slope += w * (variance[i] - 1);
                shapes += w * (fourth[i] - 3);
                weights += w * w;
            }
            check.normal("slope of the variance along " + what, slope / Math.sqrt(2 * weights / k));
            check.normal("slope of the fourth moment along " + what, shapes / Math.sqrt(96 * weights / k));
        }
        double correlations = 0;
        double neighbours = 0;
        double halves = 0;
        for (int i = 0; i < p; i++) {
            for (int j = 0; j < i; j++) {
                double c = PlainLattice.dot(y[i], y[j]); // variance k
                correlations += c * c / k;
                neighbours += j == i - 1 ? c : 0;
                halves += j == i - p / 2 ? c : 0;
            }
        }
        double pairs = p * (p - 1) / 2.0;
        // pairs that share a vector have correlated squares: 2/k for each
        double spread = pairs * (2 + (6 + 4.0 * (p - 2)) / k);
        check.normal("correlations of " + what, (correlations - pairs) / Math.sqrt(spread));
        check.normal("correlation of neighbours of " + what, neighbours / Math.sqrt((p - 1.0) * k));
        check.normal("correlation of halves of " + what, halves / Math.sqrt(p / 2.0 * k));
    }

    /** Unit vectors that are not orthogonal: sums over them vary with their Gram matrix. */
    private static void basisVectors(TwoSided check, double[][] directions, double[][] samples) {
        int k = samples.length;
        double[][] y = project(directions, samples);
        for (int half = 0; half < 2; half++) {
            int from = half * directions.length / 2;
            int to = from + directions.length / 2;
            String what = half == 0 ? "(g, -f)·x^" : "(G, -F)·x^";
            double sumOfSquares = 0;
            double gram = 0;
            for (int i = from; i < to; i++) {
                double squares = PlainLattice.dot(y[i], y[i]);
                check.mean(
                        "mean along " + what + (i - from), Arrays.stream(y[i]).sum(), k, 0, 1);
                check.variance("variance along " + what + (i - from), squares, k, 1);
                sumOfSquares += squares;
                for (int j = from; j < to; j++) {
                    double c = PlainLattice.dot(directions[i], directions[j]);
                    gram += c * c;
                }
            }
            double expected = (to - from) * (double) k;
            check.normal("variance along all of " + what, (sumOfSquares - expected) / Math.sqrt(2 * gram * k));
        }
    }

    private static double[][] project(double[][] directions, double[][] samples) {
        double[][] y = new double[directions.length][samples.length];
        for (int k = 0; k < samples.length; k++) {
            for (int i = 0; i < directions.length; i++) {
                y[i][k] = PlainLattice.dot(directions[i], samples[k]);
            }
        }
        return y;
    }

    // The parameter sets' lattices, along the Fourier components of the basis

    @ParameterizedTest
    @FieldSource("SETS")
    void preimagesAreAsWideAlongEveryComponentOfTheBasis(Lattice lattice) {
        assertThat(componentOutliers(lattice, preimages(lattice, lattice.sampler(), "components")))
                .isEmpty();
    }

    @ParameterizedTest
    @FieldSource("SETS")
    void saboteursOnTheParameterSetsAreFoundOut(Lattice lattice) {
        assertThat(componentOutliers(lattice, preimages(lattice, lattice.sampler(0.8), "too narrow")))
                .isNotEmpty();
        double[] zero = new double[2 * lattice.n];
        assertThat(componentOutliers(lattice, () -> zero)).isNotEmpty();
        double[] row = new double[2 * lattice.n];
        for (int i = 0; i < lattice.n; i++) {
            row[i] = lattice.basis.g()[i];
            row[lattice.n + i] = -lattice.basis.f()[i];
        }
        Supplier<double[]> biased = preimages(lattice, lattice.sampler(), "biased");
        assertThat(componentOutliers(lattice, () -> {
                    double[] x = biased.get();
                    PlainLattice.subtract(x, -1, row); // still a preimage
                    return x;
                }))
                .isNotEmpty();
        List<String> outliers = componentOutliers(lattice, rounding(lattice));
        assertThat(outliers).anySatisfy(outlier -> assertThat(outlier).contains("slope"));
    }

    /** Babai's rounding with Gaussian noise, of the right norm: (R - z)·(g, -f) and its orthogonal mate, R uniform. */
    private static Supplier<double[]> rounding(Lattice lattice) {
        SplittableRandom random = SEED.random("rounding");
        Components components = new Components(lattice);
        int half = lattice.n / 2;
        double square = 0;
        for (int j = 0; j < half; j++) {
            square += (components.norm[j] + lattice.q * (double) lattice.q / components.norm[j]) / lattice.n;
        }
        double width = lattice.sigma / Math.sqrt(square);
        ComplexFft fft = components.fft;
        return () -> {
            double[] s = new double[lattice.n];
            double[] t = new double[lattice.n];
            double[] e0 = random.doubles(lattice.n)
                    .map(r -> random.nextGaussian(0, width))
                    .toArray();
            double[] e1 = random.doubles(lattice.n)
                    .map(r -> random.nextGaussian(0, width))
                    .toArray();
            fft.forwardInPlace(e0);
            fft.forwardInPlace(e1);
            for (int j = 0; j < half; j++) {
                e1[j] *= lattice.q / components.norm[j];
                e1[j + half] *= lattice.q / components.norm[j];
            }
            double[] minusE0 = Arrays.stream(e0).map(x -> -x).toArray();
            double[] part = new double[lattice.n];
            ComplexFft.multiply(part, e0, components.g); // e0·(g, -f) + e1·q/norm·(f*, g*)
            System.arraycopy(part, 0, s, 0, lattice.n);
            ComplexFft.multiplyAdjointAdd(s, e1, components.f);
            ComplexFft.multiply(part, minusE0, components.f);
            System.arraycopy(part, 0, t, 0, lattice.n);
            ComplexFft.multiplyAdjointAdd(t, e1, components.g);
            fft.inverseInPlace(s);
            fft.inverseInPlace(t);
            return DoubleStream.concat(Arrays.stream(s), Arrays.stream(t)).toArray();
        };
    }

    /** The basis in the Fourier domain, where (g, -f) and (f*, g*) are orthogonal at each root. */
    private static final class Components {
        private final ComplexFft fft;
        private final double[] f;
        private final double[] g;
        private final double[] norm;

        Components(Lattice lattice) {
            fft = new ComplexFft(lattice.n);
            f = NtruBasis.transform(lattice.basis.f(), fft);
            g = NtruBasis.transform(lattice.basis.g(), fft);
            norm = new double[lattice.n];
            ComplexFft.multiplyAdjointAdd(norm, f, f);
            ComplexFft.multiplyAdjointAdd(norm, g, g);
        }
    }

    /**
     * At each root of x^N + 1, (s, t) has one component along (g, -f) and one along (f*, g*), the Gram-Schmidt vectors of the
     * basis over the ring: all are independent complex normal variables.
     */
    private static List<String> componentOutliers(Lattice lattice, Supplier<double[]> source) {
        int n = lattice.n;
        int half = n / 2;
        Components components = new Components(lattice);
        double[][] energy = new double[2][half];
        double[][] sums = new double[2][n];
        double[][] samples = new double[FEW_SAMPLES][];
        for (int k = 0; k < FEW_SAMPLES; k++) {
            samples[k] = source.get();
            for (int i = 0; i < 2 * n; i++) {
                samples[k][i] /= lattice.sigma;
            }
            double[] s = Arrays.copyOf(samples[k], n);
            double[] t = Arrays.copyOfRange(samples[k], n, 2 * n);
            components.fft.forwardInPlace(s);
            components.fft.forwardInPlace(t);
            double[][] along = new double[2][n];
            double[] minusT = Arrays.stream(t).map(x -> -x).toArray();
            ComplexFft.multiplyAdjointAdd(along[0], s, components.g);
            ComplexFft.multiplyAdjointAdd(along[0], minusT, components.f);
            double[] part = new double[n];
            ComplexFft.multiply(along[1], s, components.f);
            ComplexFft.multiply(part, t, components.g);
            for (int side = 0; side < 2; side++) {
                for (int j = 0; j < half; j++) {
                    double scale = Math.sqrt(2 / (n * components.norm[j])); // real and imaginary part of variance 1
                    double re = scale * (along[side][j] + (side == 1 ? part[j] : 0));
                    double im = scale * (along[side][j + half] + (side == 1 ? part[j + half] : 0));
                    energy[side][j] += re * re + im * im;
                    sums[side][j] += re;
                    sums[side][j + half] += im;
                }
            }
        }
        TwoSided check = new TwoSided();
        everySample(check, samples);
        double centre = 0;
        for (int j = 0; j < half; j++) {
            centre += Math.log(components.norm[j]) / half;
        }
        double slope = 0;
        double weights = 0;
        for (int side = 0; side < 2; side++) {
            String what = side == 0 ? "(g, -f)" : "(f*, g*)";
            double means = 0;
            for (int j = 0; j < half; j++) {
                check.variance("variance along " + what + " at root " + j, energy[side][j], 2L * FEW_SAMPLES, 1);
                double w = (side == 0 ? 1 : -1) * (Math.log(components.norm[j]) - centre);
                slope += w * (energy[side][j] / (2 * FEW_SAMPLES) - 1);
                weights += w * w;
            }
            for (double sum : sums[side]) {
                means += sum * sum / FEW_SAMPLES;
            }
            check.chiSquare("means along " + what, means, n);
            check.variance(
                    "variance along all of " + what, Arrays.stream(energy[side]).sum(), (long) n * FEW_SAMPLES, 1);
        }
        check.normal("slope of the variance", slope / Math.sqrt(weights / FEW_SAMPLES));
        meansAlongBasisVectors(check, lattice, samples);
        return check.outliers();
    }

    private static void meansAlongBasisVectors(TwoSided check, Lattice lattice, double[][] samples) {
        int n = lattice.n;
        ComplexFft fft = new ComplexFft(n);
        double[] s = new double[n];
        double[] minusT = new double[n];
        for (double[] x : samples) {
            for (int i = 0; i < n; i++) {
                s[i] += x[i];
                minusT[i] -= x[n + i];
            }
        }
        fft.forwardInPlace(s);
        fft.forwardInPlace(minusT);
        NtruBasis basis = lattice.basis;
        int[][][] rows = {{basis.g(), basis.f()}, {basis.capitalG(), basis.capitalF()}};
        for (int[][] row : rows) {
            double length =
                    Math.sqrt((double) PreimageSampler.normSquared(row[0]) + PreimageSampler.normSquared(row[1]));
            double[] along = new double[n]; // the inner products with row·x^i, all at once
            ComplexFft.multiplyAdjointAdd(along, s, NtruBasis.transform(row[0], fft));
            ComplexFft.multiplyAdjointAdd(along, minusT, NtruBasis.transform(row[1], fft));
            fft.inverseInPlace(along);
            for (int i = 0; i < n; i++) {
                String what = (row == rows[0] ? "(g, -f)·x^" : "(G, -F)·x^") + i;
                check.mean("mean along " + what, along[i] / length, samples.length, 0, 1);
            }
        }
    }
}
