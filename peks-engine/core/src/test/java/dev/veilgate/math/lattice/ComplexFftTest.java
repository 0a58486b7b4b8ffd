package dev.veilgate.math.lattice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Fourier transform is evaluation at the roots of x^N + 1, with the error of doubles and no more: the sampler's widths
 * and centres are only as right as it is.
 */
class ComplexFftTest {
    private static final TestSeed SEED = TestSeed.of(ComplexFftTest.class);
    private static final ComplexFft LARGEST = new ComplexFft(2048);

    static IntStream degrees() {
        return IntStream.rangeClosed(1, 11).map(log -> 1 << log);
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void inverseUndoesForward(int n) {
        for (ComplexFft fft : new ComplexFft[] {LARGEST, new ComplexFft(n)}) { // a degree or a smaller one
            double[] a = random("round trip", n);
            double[] b = a.clone();
            fft.forwardInPlace(b);
            fft.inverseInPlace(b);
            assertClose(b, a, 1e-14 * norm(a));
        }
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void productsOfValuesAreProductsInTheRing(int n) {
        double[] a = random("a", n);
        double[] b = random("b", n);
        double[] expected = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                expected[(i + j) % n] += i + j < n ? a[i] * b[j] : -a[i] * b[j];
            }
        }
        double[] product = a.clone();
        double[] bHat = b.clone();
        LARGEST.forwardInPlace(product);
        LARGEST.forwardInPlace(bHat);
        ComplexFft.multiply(product, product, bHat);
        LARGEST.inverseInPlace(product);
        assertClose(product, expected, 1e-12 * norm(a) * norm(b));
        assertClose(product, expected, 1e-13 * norm(a) * norm(b)); // what it reaches, with a margin of ten
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void productsWithTheAdjointAreAdded(int n) {
        double[] a = random("a", n);
        double[] b = random("b", n);
        double[] c = random("c", n);
        double[] expected = c.clone();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) { // x^i·x^-j
                expected[Math.floorMod(i - j, n)] += i >= j ? a[i] * b[j] : -a[i] * b[j];
            }
        }
        double[][] hats = {a.clone(), b.clone(), c.clone()};
        for (double[] hat : hats) {
            LARGEST.forwardInPlace(hat);
        }
        ComplexFft.multiplyAdjointAdd(hats[2], hats[0], hats[1]);
        LARGEST.inverseInPlace(hats[2]);
        assertClose(hats[2], expected, 1e-12 * norm(a) * norm(b));
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void valuesAreThoseAtOneRootOfEachPair(int n) {
        int half = n / 2;
        double[] x = new double[n];
        x[1] = 1;
        LARGEST.forwardInPlace(x);
        for (int j = 0; j < half; j++) {
            assertThat(Math.hypot(x[j], x[half + j])).isCloseTo(1, within(1e-15));
            // the angle is an odd multiple of pi/n; that of the conjugate is another one
            double odd = (Math.atan2(x[half + j], x[j]) * n / Math.PI - 1) / 2;
            assertThat(odd).isCloseTo(Math.rint(odd), within(1e-12 * n));
            for (int k = 0; k < j; k++) {
                double apart = Math.hypot(x[j] - x[k], Math.abs(x[half + j]) - Math.abs(x[half + k]));
                assertThat(apart).isGreaterThan(1.0 / n);
            }
        }
        double[] a = random("evaluated", n);
        double[] values = a.clone();
        LARGEST.forwardInPlace(values);
        for (int j = 0; j < half; j += Math.max(1, half / 32)) {
            double re = 0;
            double im = 0;
            for (int i = n - 1; i >= 0; i--) {
                double next = re * x[j] - im * x[half + j] + a[i];
                im = re * x[half + j] + im * x[j];
                re = next;
            }
            assertThat(values[j]).isCloseTo(re, within(1e-12 * norm(a)));
            assertThat(values[half + j]).isCloseTo(im, within(1e-12 * norm(a)));
        }
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void splitGivesTheEvenAndTheOddCoefficients(int n) {
        double[] a = random("split", n);
        double[] hat = a.clone();
        LARGEST.forwardInPlace(hat);
        int half = n / 2;
        double[] even = new double[half + 2];
        double[] odd = new double[half + 3];
        double[] shifted = new double[n + 1];
        System.arraycopy(hat, 0, shifted, 1, n);
        LARGEST.split(shifted, 1, n, even, 2, odd, 3);
        double[] evenHat = IntStream.range(0, half).mapToDouble(i -> a[2 * i]).toArray();
        double[] oddHat =
                IntStream.range(0, half).mapToDouble(i -> a[2 * i + 1]).toArray();
        LARGEST.forwardInPlace(evenHat);
        LARGEST.forwardInPlace(oddHat);
        assertClose(Arrays.copyOfRange(even, 2, half + 2), evenHat, 1e-14 * norm(a));
        assertClose(Arrays.copyOfRange(odd, 3, half + 3), oddHat, 1e-14 * norm(a));
        double[] merged = new double[n + 1];
        LARGEST.merge(even, 2, odd, 3, merged, 1, n);
        assertClose(Arrays.copyOfRange(merged, 1, n + 1), hat, 1e-14 * norm(a));
        assertThat(merged[0]).isZero();
    }

    /** Lengths are kept: |F|^2 = N/2·|f|^2 over one root of each pair. */
    @ParameterizedTest
    @MethodSource("degrees")
    void normsAreKept(int n) {
        double[] a = random("norms", n);
        double[] hat = a.clone();
        LARGEST.forwardInPlace(hat);
        assertThat(norm(hat) * norm(hat)).isCloseTo(n / 2.0 * norm(a) * norm(a), within(1e-12 * n * norm(a) * norm(a)));
    }

    @Test
    void integersOfTheSizesOfABasisComeBackExactly() {
        SplittableRandom random = SEED.random("integers");
        double[] a = random.ints(2048, -(1 << 20), 1 << 20).asDoubleStream().toArray();
        double[] b = a.clone();
        LARGEST.forwardInPlace(b);
        LARGEST.inverseInPlace(b);
        assertThat(Arrays.stream(b).map(Math::rint).toArray()).isEqualTo(a);
        assertClose(b, a, 1e-7);
    }

    private static double[] random(String use, int n) {
        return SEED.random(use + n).doubles(n, -1, 1).toArray();
    }

    private static double norm(double[] a) {
        return Math.sqrt(PlainLattice.dot(a, a));
    }

    private static void assertClose(double[] actual, double[] expected, double error) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).as("at %d", i).isCloseTo(expected[i], within(error));
        }
    }
}
