package dev.veilgate.peks.lattice.ntru;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a holder of the trapdoors of all keywords of a block learns about the block's (r, e1).
 *
 * <p>Most tests run at N = 256 with the ratios of N = 2048: q/N, hence interval width over sigma_z, and keywords times
 * kept coefficients over 2N. Bits are those of N = 2048, q of 29 bits, with the posterior measured at N = 256. Every
 * mean is over several blocks; the bounds are at least three standard deviations of that mean away, on both sides.
 */
class InferenceAttackTest {
    private static final long SEED = Long.getLong("veilgate.seed", 20261121L);
    private static final int N = 256;
    private static final double Q = 0x1p26;
    private static final int STRIDE = 8;
    private static final int PRODUCT_N = 2048;
    private static final double PRODUCT_LOG2_Q = 29;
    private static final int BLOCKS = 6;

    @BeforeAll
    static void printSeed() {
        System.out.println("InferenceAttackTest: -Dveilgate.seed=" + SEED);
    }

    @Test
    void blockOfTheProductKeepsItsSecrets() {
        Figures measured = Figures.of(256, Q / 4, true);
        assertAll(
                () -> assertBetween(0.74, 0.82, measured.varianceLeft, "variance left"),
                () -> assertBetween(0.70, 0.85, measured.errorLeft, "squared error left"),
                () -> assertBetween(0.38, 0.50, measured.rounded, "share found by rounding; 1/3 knowing nothing"),
                () -> assertBetween(204, 207, measured.bitsWithoutGuessing, "bits"),
                () -> assertBetween(204, 207, measured.bits, "bits with guessing"));
    }

    @Test
    void blockOfTheProductKeepsItsSecretsAtFullSize() {
        double q = 0x1p29;
        SplittableRandom random = new SplittableRandom(SEED);
        int[][] s = gaussian(random, 256, PRODUCT_N, sigma(q));
        int[][] t = gaussian(random, 256, PRODUCT_N, sigma(q));
        Block block = Block.observe(random, s, t, q / 4, 2 * sigmaZ(PRODUCT_N, q));
        InferenceAttacker.Result result = block.attack();
        assertAll(
                () -> assertBetween(0.75, 0.81, result.varianceLeft(), "variance left"),
                () -> assertBetween(0.70, 0.85, block.errorLeft(result), "squared error left"),
                () -> assertBetween(0.38, 0.47, block.rounded(result), "share found by rounding"));
    }

    @Test
    void floodingMatters() {
        Figures measured = Figures.of(256, Q / 4, false);
        assertAll(
                () -> assertBetween(0.60, 0.74, measured.varianceLeft, "variance left"),
                () -> assertBetween(0.58, 0.76, measured.errorLeft, "squared error left"),
                () -> assertBetween(199.5, 203.5, measured.bitsWithoutGuessing, "bits"));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 256})
    void exactValuesGiveTheSecretsAway(int keywords) {
        for (int k = 0; k < BLOCKS; k++) {
            assertGivesAway(Block.draw(k, keywords, 1, false));
        }
    }

    @Test
    void intervalsOfASixteenthGiveTheSecretsAway() {
        for (int k = 0; k < BLOCKS; k++) {
            assertGivesAway(Block.draw(k, 512, Q / 16, false));
        }
    }

    private static void assertGivesAway(Block block) {
        InferenceAttacker.Result result = block.attack();
        assertEquals(1, block.rounded(result), "share found by rounding, seed " + SEED);
        assertEquals(0, result.bits(PRODUCT_N, PRODUCT_LOG2_Q), "bits, seed " + SEED);
    }

    /** The dearest mistake this attacker is there to notice: half the width and twice the keywords. */
    @Test
    void guessingBreaksIntervalsOfAnEighth() {
        Figures measured = Figures.of(512, Q / 8, false);
        assertAll(
                () -> assertBetween(0.08, 0.25, measured.varianceLeft, "variance left"),
                () -> assertBetween(160, 188, measured.bitsWithoutGuessing, "bits without guessing"),
                () -> assertTrue(measured.bits < 120, "bits with guessing: " + measured.bits));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void everyKeywordTellsMore(boolean flooded) {
        double few = Figures.of(128, Q / 4, flooded).varianceLeft;
        double capped = Figures.of(256, Q / 4, flooded).varianceLeft;
        double many = Figures.of(512, Q / 4, flooded).varianceLeft;
        assertTrue(1 - few > 0.05 && few - capped > 0.05 && capped - many > 0.08, few + " " + capped + " " + many);
    }

    @Test
    void attackerKnowsHowMuchItKnows() {
        for (int keywords : new int[] {128, 256, 512}) {
            Figures measured = Figures.of(keywords, Q / 4, true);
            assertEquals(measured.varianceLeft, measured.errorLeft, 0.08, "m = " + keywords + ", seed " + SEED);
        }
    }

    @Test
    void mapIsTheProductInTheRing() {
        SplittableRandom random = new SplittableRandom(SEED);
        int[][] s = gaussian(random, 3, 32, 100);
        int[][] t = gaussian(random, 3, 32, 100);
        double[] x = random.doubles(64, -1, 1).toArray();
        FoldedMap map = new FoldedMap(s, t, 4);
        double[][] z = map.apply(x);
        for (int i = 0; i < 3; i++) {
            for (int l = 0; l < 8; l++) {
                double y = negacyclic(Arrays.copyOf(x, 32), s[i], 4 * l)
                        - negacyclic(Arrays.copyOfRange(x, 32, 64), t[i], 4 * l);
                assertEquals(y * map.scale(), z[i][l], 1e-12);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-1,   2, 0,    0.3, 1",
        "-1,   2, 0.4, -1.2, 0.2",
        "-1, 0.3, 0.8,  0.1, 2",
        " 1,  50, 2,   -0.5, 0.7",
        " 3,   1, 0.5, -0.5, 0.5"
    })
    void likelihoodIsAPlainSum(double lower, double width, double flood, double p, double v) {
        int steps = 1_000_000;
        double from = Math.max(lower - flood, p - 12);
        double to = Math.min(lower + width + flood, p + 12);
        double m0 = 0;
        double m1 = 0;
        double m2 = 0;
        for (int k = 0; k < steps; k++) {
            double z = from + (to - from) * (k + 0.5) / steps;
            double overlap = Math.min(z + flood, lower + width) - Math.max(z - flood, lower);
            double f = (flood == 0 ? 1 : overlap) * Math.exp(-(z - p) * (z - p) / (2 * v));
            m0 += f;
            m1 += f * z;
            m2 += f * z * z;
        }
        IntervalLikelihood.Moments moments = new IntervalLikelihood(width, flood).posterior(lower, p, v);
        assertEquals(m1 / m0, moments.mean(), 1e-7);
        assertEquals(m2 / m0 - (m1 / m0) * (m1 / m0), moments.variance(), 1e-7);
    }

    private static void assertBetween(double low, double high, double value, String what) {
        assertTrue(value >= low && value <= high, what + " is " + value + ", not in [" + low + ", " + high + "]");
    }

    /** Width of a trapdoor's coefficients: smoothing 1.312 times the norm 1.17·sqrt(q) of the basis. */
    private static double sigma(double q) {
        return 1.312 * 1.17 * Math.sqrt(q);
    }

    /** Width of r·s - e1·t. */
    private static double sigmaZ(int n, double q) {
        return Math.sqrt(2.0 / 3) * sigma(q) * Math.sqrt(2.0 * n);
    }

    private static int[][] gaussian(SplittableRandom random, int rows, int n, double sigma) {
        int[][] u = new int[rows][n];
        for (int[] row : u) {
            Arrays.setAll(row, c -> (int) Math.rint(random.nextGaussian(0, sigma)));
        }
        return u;
    }

    /** Coefficient j of r·s in Z[x]/(x^n + 1). */
    private static double negacyclic(double[] r, int[] s, int j) {
        double sum = 0;
        for (int k = 0; k < r.length; k++) {
            sum += k <= j ? r[k] * s[j - k] : -r[k] * s[j - k + r.length];
        }
        return sum;
    }

    /** One block with everything the attacker sees, and the truth. */
    private record Block(
            int[][] s, int[][] t, double[][] lower, double width, double flood, int[] trueR, int[] trueE1) {

        static Block draw(int number, int keywords, double width, boolean flooded) {
            SplittableRandom random = new SplittableRandom(SEED + number);
            int[][] s = gaussian(random, keywords, N, sigma(Q));
            int[][] t = gaussian(random, keywords, N, sigma(Q));
            return observe(random, s, t, width, flooded ? 2 * sigmaZ(N, Q) : 0);
        }

        /** A block for given trapdoors. A bit pattern of a uniform v puts y anywhere in its interval. */
        static Block observe(SplittableRandom random, int[][] s, int[][] t, double width, double flood) {
            int n = s[0].length;
            double[] r = random.ints(n, -1, 2).asDoubleStream().toArray();
            double[] e1 = random.ints(n, -1, 2).asDoubleStream().toArray();
            double[][] lower = new double[s.length][n / STRIDE];
            for (int i = 0; i < s.length; i++) {
                for (int l = 0; l < lower[i].length; l++) {
                    long e2 = random.nextLong(-(long) flood, (long) flood + 1);
                    double y = negacyclic(r, s[i], l * STRIDE) - negacyclic(e1, t[i], l * STRIDE) + e2;
                    lower[i][l] = y - random.nextDouble() * width;
                }
            }
            return new Block(s, t, lower, width, flood, integers(r), integers(e1));
        }

        private static int[] integers(double[] x) {
            return Arrays.stream(x).mapToInt(v -> (int) v).toArray();
        }

        InferenceAttacker.Result attack() {
            return InferenceAttacker.attack(s, t, STRIDE, lower, width, flood);
        }

        double errorLeft(InferenceAttacker.Result result) {
            return result.errorLeft(trueR, trueE1);
        }

        double rounded(InferenceAttacker.Result result) {
            return result.rounded(trueR, trueE1);
        }
    }

    /** Means over the blocks. */
    private record Figures(
            double varianceLeft, double errorLeft, double rounded, double bitsWithoutGuessing, double bits) {

        static Figures of(int keywords, double width, boolean flooded) {
            Block[] blocks = new Block[BLOCKS];
            Arrays.setAll(blocks, k -> Block.draw(k, keywords, width, flooded));
            InferenceAttacker.Result[] results = new InferenceAttacker.Result[BLOCKS];
            Arrays.setAll(results, k -> blocks[k].attack());
            double errorLeft = 0;
            double rounded = 0;
            for (int k = 0; k < BLOCKS; k++) {
                errorLeft += blocks[k].errorLeft(results[k]) / BLOCKS;
                rounded += blocks[k].rounded(results[k]) / BLOCKS;
            }
            return new Figures(
                    mean(results, InferenceAttacker.Result::varianceLeft),
                    errorLeft,
                    rounded,
                    mean(results, result -> result.bitsWithoutGuessing(PRODUCT_N, PRODUCT_LOG2_Q)),
                    mean(results, result -> result.bits(PRODUCT_N, PRODUCT_LOG2_Q)));
        }

        private static double mean(
                InferenceAttacker.Result[] results, ToDoubleFunction<InferenceAttacker.Result> figure) {
            return Arrays.stream(results).mapToDouble(figure).average().orElseThrow();
        }
    }
}
