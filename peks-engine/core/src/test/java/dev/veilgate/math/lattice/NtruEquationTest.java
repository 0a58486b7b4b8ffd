package dev.veilgate.math.lattice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.math.ring.PlainRing;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * F and G solve f·G - g·F = q exactly, and are as short as Babai's reduction makes them: nothing of (f, g) is left to take
 * off.
 */
class NtruEquationTest {
    private static final TestSeed SEED = TestSeed.of(NtruEquationTest.class);
    private static final int Q = 16_770_049;

    static IntStream degrees() {
        return IntStream.rangeClosed(1, 9).map(log -> 1 << log);
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void solvesTheEquationExactlyWithShortPolynomials(int n) {
        SplittableRandom random = SEED.random("degree " + n);
        NtruEquation equation = new NtruEquation(n, Q);
        int solved = 0;
        int tries = 0;
        while (solved < (n < 128 ? 10 : 2)) {
            assertThat(++tries).as("tries").isLessThan(1000);
            int width = 1 + random.nextInt(300);
            BigInteger[] f = small(random, n, width);
            BigInteger[] g = small(random, n, width);
            Optional<NtruEquation.Solution> solution = equation.solve(f, g);
            if (solution.isPresent()) {
                solved++;
                BigInteger[] capitalF = solution.get().capitalF();
                BigInteger[] capitalG = solution.get().capitalG();
                assertThat(difference(PlainRing.multiply(f, capitalG), PlainRing.multiply(g, capitalF)))
                        .isEqualTo(constant(n, Q));
                assertReduced(f, g, capitalF, capitalG);
            }
        }
    }

    /**
     * The quotient (F·f* + G·g*)/(f·f* + g·g*) rounds to 0. So (F, G) is the part that is orthogonal to (f, g), which is
     * q·(f*, g*)/(f·f* + g·g*), and at most half of each rotation of (f, g).
     */
    private static void assertReduced(BigInteger[] f, BigInteger[] g, BigInteger[] capitalF, BigInteger[] capitalG) {
        int n = f.length;
        ComplexFft fft = new ComplexFft(n);
        double[] norm = new double[n];
        double[] quotient = new double[n];
        double[][] hats = new double[4][];
        BigInteger[][] polynomials = {f, g, capitalF, capitalG};
        for (int i = 0; i < 4; i++) {
            hats[i] = Arrays.stream(polynomials[i])
                    .mapToDouble(BigInteger::doubleValue)
                    .toArray();
            fft.forwardInPlace(hats[i]);
        }
        for (int i = 0; i < 2; i++) {
            ComplexFft.multiplyAdjointAdd(norm, hats[i], hats[i]);
            ComplexFft.multiplyAdjointAdd(quotient, hats[i + 2], hats[i]);
        }
        double orthogonal = 0;
        double longest = 0;
        for (int j = 0; j < n / 2; j++) {
            quotient[j] /= norm[j];
            quotient[j + n / 2] /= norm[j];
            orthogonal += 2.0 / n * Q * (double) Q / norm[j];
            longest = Math.max(longest, norm[j]);
        }
        fft.inverseInPlace(quotient);
        for (double k : quotient) {
            assertThat(Math.abs(k)).isLessThan(0.5 + 1e-6);
        }
        double bound = Math.sqrt(orthogonal) + 0.5 * Math.sqrt(n * longest);
        assertThat(Math.sqrt(squares(capitalF) + squares(capitalG))).isLessThan(bound * (1 + 1e-6));
    }

    private static double squares(BigInteger[] a) {
        return Arrays.stream(a)
                .mapToDouble(x -> x.doubleValue() * x.doubleValue())
                .sum();
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void findsNothingWhereTheResultantsShareAFactor(int n) {
        SplittableRandom random = SEED.random("not coprime " + n);
        NtruEquation equation = new NtruEquation(n, Q);
        BigInteger[] f = small(random, n, 20);
        BigInteger[] g = small(random, n, 20);
        f[0] = BigInteger.valueOf(50L * n); // no unit: all its values are large
        BigInteger[] zero = constant(n, 0);
        BigInteger[] three = constant(n, 3);
        // x + 1 has the resultant 2 with x^n + 1: both resultants are even
        BigInteger[] onePlusX = constant(n, 1);
        onePlusX[1] = BigInteger.ONE;
        BigInteger[] common = small(random, n, 3);
        common[0] = BigInteger.valueOf(10L * n);
        assertThat(equation.solve(PlainRing.multiply(f, three), PlainRing.multiply(g, three)))
                .isEmpty();
        assertThat(equation.solve(PlainRing.multiply(f, onePlusX), PlainRing.multiply(g, onePlusX)))
                .isEmpty();
        assertThat(equation.solve(PlainRing.multiply(f, common), PlainRing.multiply(g, common)))
                .isEmpty();
        assertThat(equation.solve(zero, g)).isEmpty();
        assertThat(equation.solve(f, zero)).isEmpty();
        assertThat(equation.solve(f, f)).isEmpty();
    }

    /** Where f or g is a unit there is a solution that can be written down, and signs must come out right. */
    @Test
    void solvesForUnitsOfEitherSign() {
        for (int n : new int[] {2, 4, 32}) {
            NtruEquation equation = new NtruEquation(n, Q);
            SplittableRandom random = SEED.random("units " + n);
            for (int sign : new int[] {1, -1}) {
                BigInteger[] unit = constant(n, 0);
                unit[n / 2] = BigInteger.valueOf(sign);
                BigInteger[] other = small(random, n, 50);
                for (BigInteger[][] pair : new BigInteger[][][] {{unit, other}, {other, unit}}) {
                    NtruEquation.Solution solution =
                            equation.solve(pair[0], pair[1]).orElseThrow();
                    assertThat(difference(
                                    PlainRing.multiply(pair[0], solution.capitalG()),
                                    PlainRing.multiply(pair[1], solution.capitalF())))
                            .isEqualTo(constant(n, Q));
                    assertReduced(pair[0], pair[1], solution.capitalF(), solution.capitalG());
                }
            }
        }
    }

    @Test
    void coefficientsBecomeIntsOrNothing() {
        BigInteger least = BigInteger.valueOf(Integer.MIN_VALUE);
        BigInteger largest = BigInteger.valueOf(Integer.MAX_VALUE);
        assertThat(NtruEquation.toInts(new BigInteger[] {least, BigInteger.ZERO, largest}))
                .hasValueSatisfying(ints -> assertThat(ints).containsExactly(Integer.MIN_VALUE, 0, Integer.MAX_VALUE));
        assertThat(NtruEquation.toInts(new BigInteger[] {largest.add(BigInteger.ONE)}))
                .isEmpty();
        assertThat(NtruEquation.toInts(new BigInteger[] {least.subtract(BigInteger.ONE)}))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("degrees")
    void productsByKroneckerSubstitutionAreTheSchoolbooks(int n) {
        SplittableRandom random = SEED.random("kronecker " + n);
        for (int bits : new int[] {1, 8, 31, 64, 500}) {
            BigInteger largest = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
            BigInteger[] all = new BigInteger[n];
            Arrays.fill(all, largest);
            BigInteger[] minus = Arrays.stream(all).map(BigInteger::negate).toArray(BigInteger[]::new);
            BigInteger[] mixed = new BigInteger[n];
            Arrays.setAll(mixed, i -> {
                byte[] x = new byte[bits / 8 + 1];
                random.nextBytes(x);
                return new BigInteger(x)
                        .mod(largest.add(BigInteger.ONE))
                        .multiply(BigInteger.valueOf(random.nextInt(-1, 2)));
            });
            for (BigInteger[][] pair : new BigInteger[][][] {
                {all, all}, {all, minus}, {minus, minus}, {mixed, minus}, {mixed, mixed}, {constant(n, 0), mixed}
            }) {
                assertThat(BigPolynomial.multiply(pair[0], pair[1])).isEqualTo(PlainRing.multiply(pair[0], pair[1]));
            }
            if (n > 128) {
                break; // the schoolbook takes too long
            }
        }
    }

    /** The sum of a few uniform numbers: small, centred, some zero. */
    private static BigInteger[] small(SplittableRandom random, int n, int width) {
        BigInteger[] out = new BigInteger[n];
        Arrays.setAll(
                out, i -> BigInteger.valueOf(random.nextInt(-width, width + 1) + random.nextInt(-width, width + 1)));
        return out;
    }

    private static BigInteger[] constant(int n, int value) {
        BigInteger[] out = new BigInteger[n];
        Arrays.fill(out, BigInteger.ZERO);
        out[0] = BigInteger.valueOf(value);
        return out;
    }

    private static BigInteger[] difference(BigInteger[] a, BigInteger[] b) {
        BigInteger[] out = new BigInteger[a.length];
        Arrays.setAll(out, i -> a[i].subtract(b[i]));
        return out;
    }
}
