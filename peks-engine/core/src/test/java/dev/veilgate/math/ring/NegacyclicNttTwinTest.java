package dev.veilgate.math.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Products by the transform are the schoolbook's and those of big integers, for the rings of every parameter set and small
 * ones; and what is built on the transform's order of values (folding to a subring) is the part of the product that it says.
 */
class NegacyclicNttTwinTest {
    private static final TestSeed SEED = TestSeed.of(NegacyclicNttTwinTest.class);

    /** A ring, made once. */
    record Ring(int n, int q, NegacyclicNtt ntt) {
        Ring(int n, int q) {
            this(n, q, new NegacyclicNtt(n, q));
        }

        @Override
        public String toString() {
            return "N=" + n + " q=" + q;
        }
    }

    private static final List<Ring> SMALL = Stream.of(
                    new int[] {2, 5},
                    new int[] {2, 1_073_741_789},
                    new int[] {4, 17},
                    new int[] {8, 17},
                    new int[] {16, 97},
                    new int[] {32, 12_289},
                    new int[] {64, 257},
                    new int[] {128, 16_770_049})
            .map(r -> new Ring(r[0], r[1]))
            .toList();

    private static final List<Ring> SETS =
            NtruParameters.all().stream().map(p -> new Ring(p.n(), p.q())).toList();

    static Stream<Ring> rings() {
        return Stream.concat(SMALL.stream(), SETS.stream());
    }

    static Stream<Ring> smallRings() {
        return SMALL.stream();
    }

    @ParameterizedTest
    @MethodSource("rings")
    void productIsTheSchoolbooksAndThatOfBigIntegers(Ring ring) {
        List<int[]> inputs = extremes(ring);
        inputs.add(random(ring, "a"));
        inputs.add(random(ring, "b"));
        BigInteger q = BigInteger.valueOf(ring.q);
        SplittableRandom random = SEED.random("pairs of " + ring);
        for (int i = 0; i < inputs.size(); i++) {
            int[] a = inputs.get(i);
            int[] b = inputs.get(i == 0 ? inputs.size() - 1 : random.nextInt(inputs.size()));
            int[] product = multiply(ring.ntt, a, b);
            assertThat(product).isEqualTo(PlainRing.multiply(a, b, ring.q));
            assertThat(product)
                    .isEqualTo(Arrays.stream(PlainRing.multiplyBig(a, b))
                            .mapToInt(x -> x.mod(q).intValueExact())
                            .toArray());
        }
    }

    /** Every pair, where there are few enough. */
    @ParameterizedTest
    @MethodSource("smallRings")
    void productsOfMonomialsWrapWithAMinus(Ring ring) {
        for (int i = 0; i < ring.n; i++) {
            for (int j = 0; j < ring.n; j++) {
                int[] a = new int[ring.n];
                int[] b = new int[ring.n];
                a[i] = ring.q - 1;
                b[j] = 2;
                int[] expected = new int[ring.n];
                expected[(i + j) % ring.n] = i + j < ring.n ? ring.q - 2 : 2;
                assertThat(multiply(ring.ntt, a, b)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("rings")
    void inverseUndoesForwardBothWays(Ring ring) {
        List<int[]> inputs = extremes(ring);
        for (int i = 0; i < 5; i++) {
            inputs.add(random(ring, "round trip " + i));
        }
        for (int[] a : inputs) {
            int[] b = a.clone();
            ring.ntt.forwardInPlace(b);
            assertCanonical(ring, b);
            ring.ntt.inverseInPlace(b);
            assertThat(b).isEqualTo(a);
            ring.ntt.inverseInPlace(b);
            assertCanonical(ring, b);
            ring.ntt.forwardInPlace(b);
            assertThat(b).isEqualTo(a);
        }
    }

    @ParameterizedTest
    @MethodSource("rings")
    void valuesAreThoseAtTheRootsOfTheRing(Ring ring) {
        Modulus modulus = ring.ntt.modulus();
        int[] x = new int[ring.n];
        x[1] = 1;
        ring.ntt.forwardInPlace(x);
        assertThat(Arrays.stream(x).distinct().count()).isEqualTo(ring.n);
        assertThat(Arrays.stream(x).map(root -> modulus.power(root, ring.n))).containsOnly(ring.q - 1);
        int[] a = random(ring, "evaluated");
        int[] values = a.clone();
        ring.ntt.forwardInPlace(values);
        for (int j = 0; j < ring.n; j += Math.max(1, ring.n / 64)) {
            long horner = 0;
            for (int i = ring.n - 1; i >= 0; i--) {
                horner = (horner * x[j] + a[i]) % ring.q;
            }
            assertThat(values[j]).isEqualTo((int) horner);
        }
    }

    @ParameterizedTest
    @MethodSource("rings")
    void foldingKeepsEveryStrideThCoefficientOfTheProduct(Ring ring) {
        SplittableRandom random = SEED.random("folds of " + ring);
        List<int[]> inputs = extremes(ring);
        inputs.add(random(ring, "folded a"));
        inputs.add(random(ring, "folded b"));
        for (int l = 2; l <= ring.n; l *= 2) {
            NegacyclicNtt subring = ring.ntt.subring(l);
            assertThat(subring.n()).isEqualTo(l);
            assertThat(subring.modulus().q()).isEqualTo(ring.q);
            int[] all = new int[ring.n];
            Arrays.fill(all, ring.q - 1);
            List<int[][]> pairs = new ArrayList<>();
            pairs.add(new int[][] {all, all});
            pairs.add(new int[][] {inputs.get(inputs.size() - 2), inputs.getLast()});
            pairs.add(new int[][] {inputs.get(random.nextInt(inputs.size())), inputs.getLast()});
            for (int[][] pair : pairs) {
                int[] product = multiply(ring.ntt, pair[0], pair[1]);
                int[] kept = new int[l];
                for (int i = 0; i < l; i++) {
                    kept[i] = product[i * (ring.n / l)];
                }
                int[] aHat = pair[0].clone();
                int[] bHat = pair[1].clone();
                ring.ntt.forwardInPlace(aHat);
                ring.ntt.forwardInPlace(bHat);
                ring.ntt.toMontInPlace(bHat);
                int[] folded = new int[l];
                Arrays.fill(folded, -1);
                ring.ntt.foldHat(folded, aHat, bHat, new long[ring.n]);
                assertCanonical(ring, folded);
                subring.inverseInPlace(folded);
                assertThat(folded).as("L = %d", l).isEqualTo(kept);
            }
        }
    }

    /** The largest sums that folding can meet, whether or not a product gives them. */
    @ParameterizedTest
    @MethodSource("rings")
    void foldingTakesTheMeanOfTheLargestValues(Ring ring) {
        for (int l = 2; l <= ring.n; l *= 2) {
            int[] aHat = new int[ring.n];
            Arrays.fill(aHat, ring.q - 1);
            int[] oneHatMont = new int[ring.n];
            Arrays.fill(oneHatMont, 1);
            ring.ntt.toMontInPlace(oneHatMont);
            int[] folded = new int[l];
            ring.ntt.foldHat(folded, aHat, oneHatMont, new long[ring.n]);
            assertThat(folded).containsOnly(ring.q - 1);
        }
    }

    @ParameterizedTest
    @MethodSource("rings")
    void valuesAreMultipliedOneByOneAlsoInPlace(Ring ring) {
        int[] a = random(ring, "values a");
        int[] b = random(ring, "values b");
        int[] expected = new int[ring.n];
        for (int i = 0; i < ring.n; i++) {
            expected[i] = (int) ((long) a[i] * b[i] % ring.q);
        }
        int[] bMont = b.clone();
        ring.ntt.toMontInPlace(bMont);
        int[] out = new int[ring.n];
        ring.ntt.multiplyHat(out, a, bMont);
        assertThat(out).isEqualTo(expected);
        int[] first = a.clone();
        ring.ntt.multiplyHat(first, first, bMont);
        assertThat(first).isEqualTo(expected);
        int[] second = bMont.clone();
        ring.ntt.multiplyHat(second, a, second);
        assertThat(second).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("rings")
    void inverseTimesTheElementIsOne(Ring ring) {
        SplittableRandom random = SEED.random("units of " + ring);
        int[] aHat = random.ints(ring.n, 1, ring.q).toArray();
        int[] inverse = aHat.clone();
        assertThat(ring.ntt.invertHatInPlace(inverse)).isTrue();
        ring.ntt.inverseInPlace(aHat);
        ring.ntt.inverseInPlace(inverse);
        int[] one = new int[ring.n];
        one[0] = 1;
        assertThat(PlainRing.multiply(aHat, inverse, ring.q)).isEqualTo(one);
    }

    @ParameterizedTest
    @MethodSource("rings")
    void elementThatVanishesAtOneRootHasNoInverse(Ring ring) {
        for (int at : IntStream.of(0, 1, ring.n / 2, ring.n - 1).distinct().toArray()) {
            int[] aHat = random(ring, "not a unit");
            for (int i = 0; i < ring.n; i++) {
                aHat[i] = Math.max(1, aHat[i]);
            }
            aHat[at] = 0;
            assertThat(ring.ntt.invertHatInPlace(aHat)).isFalse();
        }
        assertThat(ring.ntt.invertHatInPlace(new int[ring.n])).isFalse();
    }

    @Test
    void sameRingHasTheSameTransform() {
        for (Ring ring : SETS) {
            int[] a = random(ring, "again");
            int[] b = a.clone();
            ring.ntt.forwardInPlace(a);
            new NegacyclicNtt(ring.n, ring.q).forwardInPlace(b);
            assertThat(b).isEqualTo(a);
        }
    }

    @Test
    void refusesDegreesAndModuliWithoutATransform() {
        for (int[] wrong : new int[][] {
            {0, 17},
            {1, 17},
            {3, 17},
            {-2, 17},
            {12, 12_289},
            {1 << 16, 786_433}, // degrees
            {16, 17},
            {512, 7681},
            {2, 7},
            {4, 15},
            {2, 1 << 30}, // no root of order 2n
            {2, 9},
            {2, 65},
            {2, 25 * 49} // not prime
        }) {
            assertThatIllegalArgumentException()
                    .as("n = %d, q = %d", wrong[0], wrong[1])
                    .isThrownBy(() -> new NegacyclicNtt(wrong[0], wrong[1]));
        }
    }

    /** These have roots of order 2n, so that the roots alone do not show that they are not prime. */
    @Test
    void refusesCompositeModuliThatHaveTheRoots() {
        for (int[] wrong : new int[][] {{4, 17 * 41}, {2, 5 * 13 * 37}, {4, 17 * 73}}) {
            assertThatIllegalArgumentException()
                    .as("n = %d, q = %d", wrong[0], wrong[1])
                    .isThrownBy(() -> new NegacyclicNtt(wrong[0], wrong[1]));
        }
    }

    @Test
    void refusesSubringsThatDoNotExist() {
        NegacyclicNtt ntt = SETS.getFirst().ntt;
        for (int l : new int[] {-2, 0, 1, 3, 1024}) {
            assertThatIllegalArgumentException().isThrownBy(() -> ntt.subring(l));
        }
    }

    /** 0, constants, all q - 1, alternating signs, single coefficients, half of them. */
    private static List<int[]> extremes(Ring ring) {
        int n = ring.n;
        List<int[]> inputs = Stream.of(
                        IntStream.generate(() -> 0),
                        IntStream.generate(() -> ring.q - 1),
                        IntStream.generate(() -> 1),
                        IntStream.generate(() -> ring.q / 2),
                        IntStream.range(0, n).map(i -> (i & 1) * (ring.q - 1)),
                        IntStream.range(0, n).map(i -> (i & 1) == 0 ? 1 : ring.q - 1),
                        IntStream.range(0, n).map(i -> i < n / 2 ? ring.q - 1 : 0),
                        IntStream.range(0, n).map(i -> i < n / 2 ? 0 : ring.q - 1))
                .map(s -> s.limit(n).toArray())
                .collect(Collectors.toCollection(ArrayList::new));
        for (int at : IntStream.of(0, 1, n / 2, n - 1).distinct().toArray()) {
            int[] single = new int[n];
            single[at] = ring.q - 1;
            inputs.add(single);
        }
        return inputs;
    }

    private static int[] random(Ring ring, String use) {
        return SEED.random(use + " of " + ring).ints(ring.n, 0, ring.q).toArray();
    }

    private static int[] multiply(NegacyclicNtt ntt, int[] a, int[] b) {
        int[] aHat = a.clone();
        int[] bHat = b.clone();
        ntt.forwardInPlace(aHat);
        ntt.forwardInPlace(bHat);
        ntt.toMontInPlace(bHat);
        ntt.multiplyHat(aHat, aHat, bHat);
        ntt.inverseInPlace(aHat);
        return aHat;
    }

    private static void assertCanonical(Ring ring, int[] a) {
        assertThat(Arrays.stream(a).min().orElseThrow()).isNotNegative();
        assertThat(Arrays.stream(a).max().orElseThrow()).isLessThan(ring.q);
    }
}
