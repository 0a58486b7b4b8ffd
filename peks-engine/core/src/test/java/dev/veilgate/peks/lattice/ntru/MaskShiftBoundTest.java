package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.random.TestSeed;
import dev.veilgate.random.TwoSided;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bound of section 4 of the specification, as figures, and its one probabilistic step, as frequencies: a shift by
 * rho·h makes the rows of any A0 agree as rarely as those of a uniform A do.
 */
class MaskShiftBoundTest {
    private static final TestSeed SEED = TestSeed.of(MaskShiftBoundTest.class);

    /** Questions that a sender asks the hash for rho. */
    private static final int LOG_QUESTIONS = 64;
    /** Pairs of 2^24 words. */
    private static final int LOG_PAIRS = 47;

    /** Tail of a row, factor of ||s||, and P(rho_i != 0), as decided for each set; on purpose not read from it. */
    private enum Chosen {
        N512(NtruParameters.N512_Q24, 7.1, 1.308, 0.5),
        N1024(NtruParameters.N1024_Q27, 10.2, 1.215, 0.5),
        N2048(NtruParameters.N2048_Q29, 10.2, 1.151, 0.25),
        N2048_HALF(NtruParameters.N2048_Q29, 10.2, 1.151, 0.5);

        private final NtruParameters parameters;
        private final double rowTail;
        private final double firstHalfFactor;
        private final double notZero;

        Chosen(NtruParameters parameters, double rowTail, double firstHalfFactor, double notZero) {
            this.parameters = parameters;
            this.rowTail = rowTail;
            this.firstHalfFactor = firstHalfFactor;
            this.notZero = notZero;
        }

        double tau() {
            return MaskShiftBound.tau(parameters, notZero, rowTail, firstHalfFactor);
        }

        double exactTau() {
            return MaskShiftBound.exactTau(parameters, notZero, rowTail, firstHalfFactor);
        }

        MaskShiftBound with(double tau) {
            return new MaskShiftBound(parameters, notZero, tau + MaskShiftBound.arithmeticError(parameters));
        }

        /** Test's last step computes c from A itself. */
        MaskShiftBound bound() {
            return with(tau());
        }

        /** Test's last step computes c from A's phases, which a forger chooses the rounding of. */
        MaskShiftBound boundOfPhases() {
            return with(tau() + MaskShiftBound.worstRounding(parameters));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // set, tau/q, delta, integral, coefficients, phi, kappa
        "N1024,      0.0764, 0.0025, -150.8, 837.0, -1024.0, -150.8",
        "N2048,      0.0525, 0.0150, -221.5, 624.8,  -850.0, -221.4",
        "N2048_HALF, 0.0560, 0.0025, -228.4, 822.7, -2048.0, -228.4",
    })
    void figuresOfTheProofAreThese(
            Chosen set, double tau, double delta, double integral, double sum, double phi, double kappa) {
        MaskShiftBound bound = set.bound();
        assertThat(set.tau() / set.parameters.q()).isCloseTo(tau, within(0.0001));
        assertThat(bound.log2Integral(delta)).isCloseTo(integral, within(0.1));
        assertThat(bound.log2Coefficients(delta)).isCloseTo(sum, within(0.1));
        assertThat(bound.log2Phi()).isCloseTo(phi, within(0.1));
        assertThat(bound.log2Kappa(delta)).isCloseTo(kappa, within(0.1));
        // and no delta gives a bound that is worth telling
        assertThat(bound.log2Kappa()).isCloseTo(kappa, within(0.2));
    }

    @Test
    void nothingIsProvedOfTheSmallestSet() {
        MaskShiftBound bound = Chosen.N512.bound();
        assertThat(Chosen.N512.tau() / Chosen.N512.parameters.q()).isCloseTo(0.1114, within(0.0001));
        assertThat(bound.log2Phi()).isCloseTo(0, within(1e-9));
        assertThat(bound.log2Kappa()).isGreaterThan(0);
        // and if it were: rows that agree as often as uniform ones do are this rare
        assertThat(256 * MaskShiftBound.log2(bound.rowAgreement())).isCloseTo(-134, within(0.5));
    }

    @ParameterizedTest
    @CsvSource({"N512, 0.109", "N1024, 0.389", "N2048, 0.580", "N2048_HALF, 0.552"})
    void soManyRowsSpeak(Chosen set, double share) {
        assertThat(1 - 8 * set.tau() / set.parameters.q()).isCloseTo(share, within(0.001));
    }

    /** The bound if the last step computed c from A's phases. */
    @ParameterizedTest
    @CsvSource({"N1024, -139.0", "N2048, -176.9", "N2048_HALF, -177.1"})
    void roundingOfPhasesThatAForgerChoosesWouldCostThis(Chosen set, double kappa) {
        assertThat(set.boundOfPhases().log2Kappa()).isCloseTo(kappa, within(0.1));
    }

    /** The search bound for random oracles that are asked in superposition: 8·Q^2 times the mean of one question. */
    @ParameterizedTest
    @CsvSource({"N1024, 27.2", "N2048, -43.4"})
    void questionsInSuperpositionFindTwoWordsWithThisProbability(Chosen set, double log2) {
        assertThat(3 + 2 * LOG_QUESTIONS + LOG_PAIRS + set.bound().log2Kappa()).isCloseTo(log2, within(0.1));
    }

    /** The last step has no rounding of phases; if its tau left that out as well, kappa would be this. */
    @ParameterizedTest
    @CsvSource({"N1024, -154.5", "N2048, -231.1", "N2048_HALF, -240.4"})
    void anExactLastStepWithAnExactTauWouldGiveThis(Chosen set, double kappa) {
        assertThat(set.with(set.exactTau()).log2Kappa()).isCloseTo(kappa, within(0.1));
    }

    /** Where the paragraph "no assumption on ideals" of the proof stands: a row's characters end at 2^15. */
    @ParameterizedTest
    @CsvSource({"N1024, 180, 834, -2232", "N2048, 167, 1659, -2328"})
    void noCharacterVanishesAtSoManyRootsThatAnotherRhoMight(Chosen set, int roots, int most, double more) {
        MaskShiftBound bound = set.bound();
        assertThat(bound.rootsOfCharacter()).isEqualTo(roots);
        assertThat(bound.log2MoreRoots()).isCloseTo(more, within(1.0));
        assertThat(bound.mostVanishing()).isEqualTo(most);
        assertThat(set.parameters.stride() * roots + 100).isLessThan(most);
        assertThat(bound.uniformAtMoreRoots()).isTrue();
        assertThat(bound.log2Phi()).isCloseTo(set.parameters.n() * MaskShiftBound.log2(1 - set.notZero), within(1e-9));
    }

    /** Two trapdoors of 2^24 words agree in some of 2^64 blocks; one of a word not hashed matches her best envelope. */
    @ParameterizedTest
    @CsvSource({
        // last step on A: pairs, a word not hashed; on its phases: the same two
        "N1024,      -39.7, -28.8,  -28.0, -23.0",
        "N2048,     -110.4, -62.7,  -65.8, -40.4",
        "N2048_HALF,-117.3, -66.1,  -66.1, -40.5",
    })
    void aSlotMatchesAtMostOneWordButForThis(
            Chosen set, double pairs, double unknown, double roughPairs, double rough) {
        assertThat(log2Pairs(set.bound())).isCloseTo(pairs, within(0.1));
        assertThat(log2Unknown(set, set.bound())).isCloseTo(unknown, within(0.1));
        assertThat(log2Pairs(set.boundOfPhases())).isCloseTo(roughPairs, within(0.1));
        assertThat(log2Unknown(set, set.boundOfPhases())).isCloseTo(rough, within(0.1));
    }

    @Test
    void theDefaultSetKeepsItsClaims() {
        for (Chosen set : List.of(Chosen.N2048, Chosen.N2048_HALF)) {
            for (MaskShiftBound bound : List.of(set.bound(), set.boundOfPhases())) {
                double kappa = bound.log2Kappa();
                assertThat(kappa).isLessThan(-176);
                // Markov over h and the questions leaves 2^-40; then for each block the pairs' p_i·p_j sum up to
                // epsilon
                double epsilon = LOG_QUESTIONS + LOG_PAIRS + 40 + kappa;
                assertThat(epsilon).isLessThan(-25);
                // likewise for a word that was not hashed, and an envelope of 2^16 slots: n·sqrt(kappa of the block)
                assertThat(16 + (LOG_QUESTIONS + 40 + kappa) / 2).isLessThan(-20);
                // without Markov, with every choice counted
                assertThat(log2Pairs(bound)).isLessThan(-65);
                assertThat(log2Unknown(set, bound)).isLessThan(-40);
            }
        }
    }

    /** Mean number of (block, pair of words that agree in it), which bounds the probability that there is one. */
    private static double log2Pairs(MaskShiftBound bound) {
        return LOG_QUESTIONS + LOG_PAIRS + bound.log2Kappa();
    }

    /** n·sqrt(2^64·kappa): her best of 2^64 blocks, n slots of it. */
    private static double log2Unknown(Chosen set, MaskShiftBound bound) {
        int slots = (set.parameters.maxKeywords() + 15) / 16 * 16;
        return MaskShiftBound.log2(256.0 * slots) + (LOG_QUESTIONS + bound.log2Kappa()) / 2;
    }

    @ParameterizedTest
    @CsvSource({"N1024, 23", "N2048, 59"})
    void soManyWordsAreTooFewForTwoInOneSlot(Chosen set, int words) {
        double kappa = set.bound().log2Kappa();
        assertThat(LOG_QUESTIONS + 2 * words - 1 + kappa).isLessThan(-40);
        assertThat(LOG_QUESTIONS + 2 * (words + 1) - 1 + kappa).isGreaterThan(-40);
    }

    /** Chernoff, which holds for the discrete Gaussian of Z^N as for the continuous one (Banaszczyk, lemma 1.4). */
    private static double log2NormTail(int n, double factor) {
        double square = factor * factor;
        return n / 2.0 * (MaskShiftBound.log2(square) + (1 - square) / Math.log(2));
    }

    @ParameterizedTest
    @CsvSource({"N512, -64.2, 1.307", "N1024, -64.07, 1.214", "N2048, -64.32, 1.150"})
    void allButOneOf2To64TrapdoorsKeepToTheNormOfS(Chosen set, double tail, double less) {
        assertThat(log2NormTail(set.parameters.n(), set.firstHalfFactor)).isCloseTo(tail, within(0.02));
        assertThat(log2NormTail(set.parameters.n(), set.firstHalfFactor)).isLessThan(-64);
        assertThat(log2NormTail(set.parameters.n(), less)).isGreaterThan(-64);
    }

    @ParameterizedTest
    @CsvSource({"N512, -26.36, -26", "N1024, -65.05, -64", "N2048, -65.05, -64"})
    void allRowsTogetherMissARightKeywordAsRarelyAsPromised(Chosen set, double misses, double promised) {
        double log2 = MaskShiftBound.log2(4.0 * set.parameters.kept()) - set.rowTail * set.rowTail / 2 / Math.log(2);
        assertThat(log2).isCloseTo(misses, within(0.01));
        assertThat(log2).isLessThan(promised);
    }

    /**
     * r0 + rho keeps to the moments of a Gaussian of its variance v = 2/3 + 2p, term by term: (1 + (2-2p)·cosh x +
     * 2p·cosh 2x)/3 <= exp(v·x^2/2). rho alone does not for p < 1/6, so that the two have to be taken together.
     */
    @ParameterizedTest
    @CsvSource({"0.5, true", "0.25, false"})
    void theShiftedMaskIsSubGaussianThoughItsShiftAloneNeedNotBe(double notZero, boolean shiftAlone) {
        double v = 2.0 / 3 + notZero;
        double gaussian = 1; // (v/2)^k / k!
        double ofShift = 1; // (2p/2)^k / k!
        double factorial = 1; // (2k)!
        for (int k = 1; k <= 60; k++) {
            gaussian *= v / 2 / k;
            ofShift *= notZero / 2 / k;
            factorial *= 2.0 * k * (2 * k - 1);
            double moment = (2 - notZero + notZero * Math.pow(4, k)) / 3 / factorial;
            assertThat(moment).isLessThanOrEqualTo(gaussian * (1 + 1e-12));
            if (k == 2) {
                assertThat(notZero / factorial <= ofShift).isEqualTo(shiftAlone);
            }
        }
        // beyond, the left side falls by 2/(2k + 1) at most, the right one by v/(2k + 2)
        assertThat(2.0 / 121).isLessThan(v / 2);
    }

    static Stream<Chosen> sampled() {
        return Stream.of(Chosen.N1024, Chosen.N2048);
    }

    @ParameterizedTest
    @MethodSource("sampled")
    void rowsOfAShiftedBadA0AgreeAsThoseOfAUniformOne(Chosen set) {
        SplittableRandom random = SEED.random("agreement/" + set);
        TwoSided check = new TwoSided();
        Agreement all = new Agreement(set);
        badStarts(set, random).forEach((name, a0) -> {
            Agreement one = new Agreement(set);
            for (int i = 0; i < 200; i++) {
                one.add(a0, set.notZero, 6, 4, random);
            }
            one.check(name, check, 4, 8);
            all.addAll(one);
        });
        all.check("all", check, 4, 8, 12);
        assertThat(check.outliers()).isEmpty();
        for (int rows : new int[] {4, 8, 12}) {
            assertThat(6 * all.relativeError(rows)).isLessThan(0.1);
        }
    }

    /** The saboteurs: no shift, and one that is nearly none. */
    @ParameterizedTest
    @CsvSource({"0", "0.0005"})
    void rowsOfABadA0AgreeTooOftenWithoutAShift(double notZero) {
        Chosen set = Chosen.N2048;
        SplittableRandom random = SEED.random("unshifted");
        badStarts(set, random).forEach((name, a0) -> {
            // -rho'·h looks uniform where rho' is no guess of the shift; an ideal of norm 7681 agrees in one of 7,681
            // pairs of vectors, too few to count
            if (!name.startsWith("-rho") && !name.contains("7681")) {
                TwoSided check = new TwoSided();
                Agreement one = new Agreement(set);
                for (int i = 0; i < 100; i++) {
                    one.add(a0, notZero, 6, 1, random);
                }
                one.check(name, check, 12);
                assertThat(check.outliers()).as(name).isNotEmpty();
            }
        });
    }

    private static Map<String, int[]> badStarts(Chosen set, SplittableRandom random) {
        NtruParameters p = set.parameters;
        int n = p.n();
        int stride = p.stride();
        int q = p.q();
        int[] ternary = new int[n];
        int[] wave = new int[n];
        int[] half = new int[n];
        int[] ideal = new int[n];
        int prime = 7681;
        int z = 17; // of order 512 modulo 7681 after the power below
        while (power(z, (prime - 1) / 2, prime) != prime - 1) {
            z++;
        }
        z = power(z, (prime - 1) / (2 * p.kept()), prime);
        int[] partValue = random.ints(stride, 0, prime).toArray();
        for (int i = 0; i < n; i++) {
            ternary[i] = Math.floorMod(random.nextInt(3) - 1, q);
            double angle = Math.PI * ((double) (i / stride) / p.kept() + (double) (i % stride) / stride);
            wave[i] = Math.floorMod(Math.round(182 * Math.cos(angle)), q);
            half[i] = q / 2;
            long value = (long) partValue[i % stride] * power(z, 2 * p.kept() - i / stride, prime) % prime;
            ideal[i] = (int) Math.round((double) q / prime * value) % q;
        }
        int[] guessed = times(
                p,
                ternaryShift(p, set.notZero, random),
                TestKeys.of(p).publicKey().hHatMont());
        for (int i = 0; i < n; i++) {
            guessed[i] = Math.floorMod(wave[i] - guessed[i], q);
        }
        Map<String, int[]> starts = new LinkedHashMap<>();
        starts.put("zero", new int[n]);
        starts.put("ternary", ternary);
        starts.put("a wave in one embedding", wave);
        starts.put("q/2", half);
        starts.put("an ideal of norm 7681", ideal);
        starts.put("-rho'·h and a wave", guessed);
        return starts;
    }

    private static int power(int base, int exponent, int prime) {
        long result = 1;
        for (int i = 0; i < exponent; i++) {
            result = result * base % prime;
        }
        return (int) result;
    }

    private static int[] ternaryShift(NtruParameters p, double notZero, SplittableRandom random) {
        int[] rho = new int[p.n()];
        for (int i = 0; i < rho.length; i++) {
            double u = random.nextDouble();
            rho[i] = u >= notZero ? 0 : u < notZero / 2 ? 1 : p.q() - 1;
        }
        return rho;
    }

    /** A product in the ring; the second factor is transformed and in Montgomery form. */
    private static int[] times(NtruParameters p, int[] a, int[] bHatMont) {
        NegacyclicNtt ring = p.ring();
        int[] product = a.clone();
        ring.forwardInPlace(product);
        ring.multiplyHat(product, product, bHatMont);
        ring.inverseInPlace(product);
        return product;
    }

    /**
     * Counts the windows of R rows in which two vectors agree, at every coefficient where one begins: the first R rows
     * of x^-i·A0, which is as bad an A0 as A0 is. Windows of one rho depend on each other, so that the error is that of
     * the means of single rhos.
     */
    private static final class Agreement {
        private static final int MOST_ROWS = 12;

        private final Chosen set;
        private final int tau;
        private final double[] sums = new double[MOST_ROWS + 1];
        private final double[] squares = new double[MOST_ROWS + 1];
        private long batches;

        Agreement(Chosen set) {
            this.set = set;
            this.tau = (int) set.tau();
        }

        /** Fresh vectors, each with each other, and some shifts. */
        void add(int[] a0, double notZero, int vectors, int shifts, SplittableRandom random) {
            NtruParameters p = set.parameters;
            NegacyclicNtt ring = p.ring();
            int[] h = TestKeys.of(p).publicKey().hHatMont();
            List<int[]> tHats =
                    Stream.generate(() -> vectorHat(random)).limit(vectors).toList();
            for (int shift = 0; shift < shifts; shift++) {
                int[] a = times(p, ternaryShift(p, notZero, random), h);
                for (int i = 0; i < a.length; i++) {
                    a[i] = (a[i] + a0[i]) % p.q();
                }
                ring.forwardInPlace(a);
                ring.toMontInPlace(a);
                count(tHats.stream().map(tHat -> arcs(product(tHat, a))).toList());
            }
        }

        private int[] vectorHat(SplittableRandom random) {
            NtruParameters p = set.parameters;
            int[] t = new int[p.n()];
            for (int i = 0; i < t.length; i++) {
                t[i] = Math.floorMod(Math.round(p.sigma() * random.nextGaussian()), p.q());
            }
            p.ring().forwardInPlace(t);
            return t;
        }

        private int[] product(int[] tHat, int[] aHatMont) {
            NegacyclicNtt ring = set.parameters.ring();
            int[] product = new int[tHat.length];
            ring.multiplyHat(product, tHat, aHatMont);
            ring.inverseInPlace(product);
            return product;
        }

        private void count(List<byte[]> products) {
            int n = set.parameters.n();
            int stride = set.parameters.stride();
            int[] run = new int[n]; // rows up to this one that agree
            long[] ends = new long[MOST_ROWS + 1]; // by how many rows up to there agree, MOST_ROWS or more as MOST_ROWS
            int pairs = 0;
            for (int other = 1; other < products.size(); other++) {
                for (int one = 0; one < other; one++, pairs++) {
                    byte[] c = products.get(one);
                    byte[] d = products.get(other);
                    for (int i = 0; i < n; i++) {
                        run[i] = (c[i] & d[i]) == 0 ? 0 : 1 + (i < stride ? 0 : run[i - stride]);
                        ends[Math.min(run[i], MOST_ROWS)]++;
                    }
                }
            }
            long windows = 0;
            for (int rows = MOST_ROWS; rows > 0; rows--) {
                windows += ends[rows];
                double share = (double) windows / pairs / (n - (rows - 1) * stride);
                sums[rows] += share;
                squares[rows] += share * share;
            }
            batches++;
        }

        private byte[] arcs(int[] product) {
            byte[] arcs = new byte[product.length];
            for (int i = 0; i < arcs.length; i++) {
                arcs[i] = (byte) arcs(product[i]);
            }
            return arcs;
        }

        /** The quarters, as bits, that accept a point. */
        private int arcs(int c) {
            int q = set.parameters.q();
            long four = 4L * c;
            int quarter = (int) (four / q);
            long within = four - (long) quarter * q;
            int arcs = 1 << quarter;
            if (within <= 4L * tau) {
                arcs |= 1 << (quarter + 3 & 3);
            }
            if (q - within <= 4L * tau) {
                arcs |= 1 << (quarter + 1 & 3);
            }
            return arcs;
        }

        void addAll(Agreement other) {
            for (int rows = 1; rows <= MOST_ROWS; rows++) {
                sums[rows] += other.sums[rows];
                squares[rows] += other.squares[rows];
            }
            batches += other.batches;
        }

        double expected(int rows) {
            return Math.pow(new MaskShiftBound(set.parameters, set.notZero, tau).rowAgreement(), rows);
        }

        /** Standard error of the mean in units of what is expected. */
        double relativeError(int rows) {
            double mean = sums[rows] / batches;
            return Math.sqrt((squares[rows] / batches - mean * mean) / batches) / expected(rows);
        }

        void check(String name, TwoSided check, int... rows) {
            for (int r : rows) {
                double relative = sums[r] / batches / expected(r);
                // where all windows agree in all batches, there is no deviation to divide by
                double error = Math.max(relativeError(r), 0.001);
                check.normal(
                        "%s, %d rows, ratio %.3f ± %.3f".formatted(name, r, relative, error), (relative - 1) / error);
            }
        }
    }
}
