package dev.veilgate.math.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lazy reduction stays within what it claims for the largest moduli that are allowed: a plain twin of the butterflies in
 * 64-bit arithmetic, which cannot wrap, checks [0, 4q) forwards and [0, 2q) backwards at every step, and the transform
 * gives what the twin gives.
 */
class NegacyclicNttBoundsTest {
    private static final TestSeed SEED = TestSeed.of(NegacyclicNttBoundsTest.class);

    /** Degrees with the largest primes q = 1 mod 2n below 2^30, and the smallest. */
    static Stream<Twin> twins() {
        return Stream.of(
                new Twin(2, largestPrime(2)),
                new Twin(4, largestPrime(4)),
                new Twin(64, largestPrime(64)),
                new Twin(512, largestPrime(512)),
                new Twin(2048, largestPrime(2048)),
                new Twin(1 << 15, largestPrime(1 << 15)),
                new Twin(2, 5),
                new Twin(2048, 12_289));
    }

    private static int largestPrime(int n) {
        int q = (1 << 30) - 2 * n + 1;
        while (!BigInteger.valueOf(q).isProbablePrime(60)) {
            q -= 2 * n;
        }
        return q;
    }

    /** 0, 1, -1, (q-1)/2, both signs in turn, blocks of either, and random ones. */
    private static List<int[]> inputs(int n, int q) {
        List<int[]> inputs = new ArrayList<>();
        for (int constant : new int[] {0, 1, q - 1, (q - 1) / 2, (q + 1) / 2}) {
            int[] a = new int[n];
            Arrays.fill(a, constant);
            inputs.add(a);
        }
        for (int block = 1; block < n; block *= 4) {
            int size = block;
            inputs.add(IntStream.range(0, n)
                    .map(i -> (i / size & 1) == 0 ? 0 : q - 1)
                    .toArray());
            inputs.add(IntStream.range(0, n)
                    .map(i -> (i / size & 1) == 0 ? q - 1 : 1)
                    .toArray());
        }
        SplittableRandom random = SEED.random("inputs of " + n);
        inputs.add(
                IntStream.range(0, n).map(i -> random.nextBoolean() ? q - 1 : 0).toArray());
        inputs.add(IntStream.range(0, n).map(i -> random.nextInt(q)).toArray());
        inputs.add(IntStream.range(0, n)
                .map(i -> q - 1 - random.nextInt(Math.min(q, 4)))
                .toArray());
        return inputs;
    }

    @ParameterizedTest
    @MethodSource("twins")
    void butterfliesStayWithinTheirBoundsAndTheTransformFollowsThem(Twin twin) {
        int n = twin.n;
        NegacyclicNtt ntt = new NegacyclicNtt(n, twin.q);
        List<int[]> inputs = inputs(n, twin.q);
        // values whose coefficients are extreme, and coefficients whose values are
        for (int[] input : List.copyOf(inputs)) {
            int[] values = input.clone();
            ntt.forwardInPlace(values);
            inputs.add(values);
            int[] coefficients = input.clone();
            ntt.inverseInPlace(coefficients);
            inputs.add(coefficients);
        }
        for (int[] input : inputs) {
            int[] forward = input.clone();
            ntt.forwardInPlace(forward);
            assertThat(forward).isEqualTo(twin.forward(input));
            int[] inverse = input.clone();
            ntt.inverseInPlace(inverse);
            assertThat(inverse).isEqualTo(twin.inverse(input));
        }
    }

    /** Without this the bounds could be far from tight, and the test above blind. */
    @Test
    void boundsAreNearlyReached() {
        Twin twin = new Twin(2048, largestPrime(2048));
        for (int[] input : inputs(2048, twin.q)) {
            twin.forward(input);
            twin.inverse(input);
        }
        assertThat(twin.largestForward).isGreaterThan((long) (3.85 * twin.q));
        assertThat(twin.largestDifference).isGreaterThan((long) (3.85 * twin.q));
        assertThat(4L * twin.q).isLessThan(1L << 32).isGreaterThan((1L << 32) - (1 << 20));
    }

    /** y·w mod q by Shoup's constant lands in [0, 2q) for every 32-bit y, and no bound below 2q would do. */
    @Test
    void productsByAConstantLandBelow2q() {
        Twin twin = new Twin(2048, largestPrime(2048));
        int q = twin.q;
        SplittableRandom random = SEED.random("products");
        long largest = 0;
        for (int i = 1; i < twin.n; i++) {
            for (long w : new long[] {twin.roots[i], twin.inverseRoots[i], 1, q - 1}) {
                for (long y : new long[] {
                    0, 1, q - 1, q, 2L * q - 1, 2L * q, 4L * q - 1, (1L << 32) - 1, random.nextLong(1L << 32)
                }) {
                    long t = twin.product(y, w);
                    assertThat(t % q).isEqualTo(y % q * w % q);
                    largest = Math.max(largest, t);
                }
            }
        }
        assertThat(largest).isGreaterThan((long) (1.9 * q));
    }

    @ParameterizedTest
    @MethodSource("twins")
    void productsAreRightForSuchModuli(Twin twin) {
        int n = Math.min(twin.n, 2048);
        NegacyclicNtt ntt = new NegacyclicNtt(n, twin.q);
        int[] largest = new int[n];
        Arrays.fill(largest, twin.q - 1);
        int[] random = SEED.random("product").ints(n, 0, twin.q).toArray();
        for (int[][] pair : new int[][][] {{largest, largest}, {largest, random}, {random, random}}) {
            int[] a = pair[0].clone();
            int[] b = pair[1].clone();
            ntt.forwardInPlace(a);
            ntt.forwardInPlace(b);
            ntt.toMontInPlace(b);
            int[] folded = new int[2];
            ntt.foldHat(folded, a, b, new long[n]);
            ntt.multiplyHat(a, a, b);
            ntt.inverseInPlace(a);
            assertThat(a).isEqualTo(PlainRing.multiply(pair[0], pair[1], twin.q));
            ntt.subring(2).inverseInPlace(folded);
            assertThat(folded).containsExactly(a[0], a[n / 2]);
        }
    }

    /** Harvey's butterflies as published, in longs, with their bounds checked. */
    static final class Twin {
        private final int n;
        private final int q;
        private final long[] roots;
        private final long[] inverseRoots;
        private long largestForward;
        private long largestDifference;

        Twin(int n, int q) {
            this.n = n;
            this.q = q;
            BigInteger bigQ = BigInteger.valueOf(q);
            BigInteger psi = BigInteger.TWO;
            for (int x = 2; ; x++) { // the least base that gives a root of order 2n
                psi = BigInteger.valueOf(x).modPow(BigInteger.valueOf((q - 1) / (2L * n)), bigQ);
                if (psi.modPow(BigInteger.valueOf(n), bigQ).equals(bigQ.subtract(BigInteger.ONE))) {
                    break;
                }
            }
            roots = new long[n];
            inverseRoots = new long[n];
            int bits = Integer.numberOfTrailingZeros(n);
            for (int i = 1; i < n; i++) {
                BigInteger root = psi.modPow(BigInteger.valueOf(Integer.reverse(i) >>> 32 - bits), bigQ);
                roots[i] = root.longValueExact();
                inverseRoots[i] = root.modInverse(bigQ).longValueExact();
            }
        }

        @Override
        public String toString() {
            return "N=" + n + " q=" + q;
        }

        int[] forward(int[] input) {
            long[] a = Arrays.stream(input).asLongStream().toArray();
            for (int half = n / 2; half >= 1; half /= 2) {
                for (int from = 0, node = n / (2 * half); from < n; from += 2 * half, node++) {
                    for (int j = from; j < from + half; j++) {
                        within(a[j], 4L * q);
                        within(a[j + half], 4L * q);
                        long u = a[j] >= 2L * q ? a[j] - 2L * q : a[j];
                        long t = product(a[j + half], roots[node]);
                        a[j] = u + t;
                        a[j + half] = u - t + 2L * q;
                        largestForward = Math.max(largestForward, Math.max(a[j], a[j + half]));
                    }
                }
            }
            return canonical(a);
        }

        int[] inverse(int[] input) {
            long[] a = Arrays.stream(input).asLongStream().toArray();
            for (int half = 1; half < n; half *= 2) {
                for (int from = 0, node = n / (2 * half); from < n; from += 2 * half, node++) {
                    for (int j = from; j < from + half; j++) {
                        within(a[j], 2L * q);
                        within(a[j + half], 2L * q);
                        long sum = a[j] + a[j + half];
                        long difference = a[j] - a[j + half] + 2L * q;
                        largestDifference = Math.max(largestDifference, difference);
                        a[j] = sum >= 2L * q ? sum - 2L * q : sum;
                        a[j + half] = product(difference, inverseRoots[node]);
                    }
                }
            }
            long inverseN =
                    BigInteger.valueOf(n).modInverse(BigInteger.valueOf(q)).longValueExact();
            for (int j = 0; j < n; j++) {
                within(a[j], 2L * q);
                a[j] = product(a[j], inverseN);
            }
            return canonical(a);
        }

        /** y·w - floor(y·floor(w·2^32/q)/2^32)·q, in [0, 2q). */
        private long product(long y, long w) {
            within(y, 1L << 32);
            long estimate = y * ((w << 32) / q) >>> 32;
            long t = y * w - estimate * q;
            within(t, 2L * q);
            return t;
        }

        private int[] canonical(long[] a) {
            for (long x : a) {
                within(x, 4L * q);
            }
            return Arrays.stream(a).mapToInt(x -> (int) (x % q)).toArray();
        }

        private void within(long x, long limit) {
            if (x < 0 || x >= limit) {
                throw new AssertionError(x + " is not in [0, " + limit + ") for " + this);
            }
        }
    }
}
