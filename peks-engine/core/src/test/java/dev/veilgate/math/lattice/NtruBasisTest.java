package dev.veilgate.math.lattice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.PlainRing;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.random.TestSeed;
import dev.veilgate.random.TwoSided;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated bases are bases of the public lattice, short enough that sampling with them leaks nothing, and gone when they
 * are destroyed.
 */
class NtruBasisTest {
    private static final TestSeed SEED = TestSeed.of(NtruBasisTest.class);

    /** The rings of the parameter sets. */
    static Stream<NegacyclicNtt> rings() {
        return NtruParameters.all().stream().map(p -> new NegacyclicNtt(p.n(), p.q()));
    }

    @ParameterizedTest
    @MethodSource("rings")
    void generatedBasisSatisfiesTheEquationExactly(NegacyclicNtt ntt) {
        NtruBasis basis = SampleBases.of(ntt);
        int n = ntt.n();
        int q = ntt.modulus().q();
        BigInteger[] left = PlainRing.multiplyBig(basis.f(), basis.capitalG());
        BigInteger[] right = PlainRing.multiplyBig(basis.g(), basis.capitalF());
        for (int i = 0; i < n; i++) {
            assertThat(left[i].subtract(right[i])).isEqualTo(i == 0 ? BigInteger.valueOf(q) : BigInteger.ZERO);
        }
        if (n == 512) {
            assertThat(left).isEqualTo(PlainRing.multiply(NtruBasis.big(basis.f()), NtruBasis.big(basis.capitalG())));
        }
        assertThat(basis.satisfiesNtruEquation(q)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rings")
    void anyChangeBreaksTheEquation(NegacyclicNtt ntt) {
        int n = ntt.n();
        int q = ntt.modulus().q();
        assertThat(SampleBases.of(ntt).satisfiesNtruEquation(q - 2)).isFalse();
        assertThat(SampleBases.of(ntt).satisfiesNtruEquation(q + 2)).isFalse();
        for (int polynomial = 0; polynomial < 4; polynomial++) {
            NtruBasis changed = SampleBases.copy(SampleBases.of(ntt));
            int[][] parts = {changed.f(), changed.g(), changed.capitalF(), changed.capitalG()};
            parts[polynomial][n - 1 - polynomial]++;
            assertThat(changed.satisfiesNtruEquation(q)).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("rings")
    void generatedBasisIsShort(NegacyclicNtt ntt) {
        NtruBasis basis = SampleBases.of(ntt);
        int q = ntt.modulus().q();
        double norm = basis.gramSchmidtNorm(q);
        // f, g have this width: the norm of (f, g) is 1.17·sqrt(q) and no less than what their variance allows
        assertThat(norm).isBetween(Math.sqrt(q), 1.17 * Math.sqrt(q));
        // (F, G) is at most half of each rotation of (f, g) and the orthogonal rest: about sqrt(N/12)·||(f, g)||
        double expected = Math.sqrt(ntt.n() / 12.0) * norm;
        assertThat(Math.sqrt(PreimageSampler.normSquared(basis.capitalF())
                        + (double) PreimageSampler.normSquared(basis.capitalG())))
                .isBetween(expected / 2, expected * 2);
    }

    @ParameterizedTest
    @MethodSource("rings")
    void publicPolynomialTimesFIsG(NegacyclicNtt ntt) {
        NtruBasis basis = SampleBases.of(ntt);
        int q = ntt.modulus().q();
        int[] h = basis.publicPolynomial(ntt);
        assertThat(h).isNotNull();
        assertThat(Arrays.stream(h).min().orElseThrow()).isNotNegative();
        assertThat(Arrays.stream(h).max().orElseThrow()).isLessThan(q);
        // both rows are in the lattice u + v·h = 0 mod q
        assertThat(PlainRing.multiply(basis.f(), h, q)).isEqualTo(NtruBasis.canonical(basis.g(), ntt));
        assertThat(PlainRing.multiply(basis.capitalF(), h, q)).isEqualTo(NtruBasis.canonical(basis.capitalG(), ntt));
        assertThat(basis.publicPolynomial(ntt)).as("again").isEqualTo(h);
    }

    @Test
    void publicPolynomialNeedsAnInvertibleF() {
        NegacyclicNtt ntt = new NegacyclicNtt(16, 97);
        int[] one = new int[16];
        one[0] = 1;
        int[] vanishing = one.clone();
        int[] x = new int[16];
        x[1] = 1;
        ntt.forwardInPlace(x);
        vanishing[0] = 97 - x[3]; // x - root
        vanishing[1] = 1;
        assertThat(new NtruBasis(vanishing, one, one, one).publicPolynomial(ntt))
                .isNull();
        assertThat(new NtruBasis(new int[16], one, one, one).publicPolynomial(ntt))
                .isNull();
        assertThat(new NtruBasis(one, vanishing, one, one).publicPolynomial(ntt))
                .isEqualTo(vanishing);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 32, 64})
    void gramSchmidtNormIsThatOfTheMatrix(int n) {
        for (int i = 0; i < 3; i++) {
            NegacyclicNtt ntt = new NegacyclicNtt(n, 12_289);
            NtruBasis basis = new NtruBasisGenerator(ntt).generate(SEED.coins("matrix " + n + " " + i));
            for (boolean order : new boolean[] {false, true}) {
                double longest = 0;
                double volume = 0;
                for (double[] v : PlainLattice.gramSchmidt(PlainLattice.rows(basis, order))) {
                    double norm = Math.sqrt(PlainLattice.dot(v, v));
                    longest = Math.max(longest, norm);
                    volume += Math.log(norm);
                }
                assertThat(basis.gramSchmidtNorm(12_289)).isCloseTo(longest, within(1e-8 * longest));
                assertThat(volume).isCloseTo(n * Math.log(12_289), within(1e-8)); // the determinant is q^N
            }
        }
    }

    /** Each of the two vectors that can be the longest is the longer one in its turn. */
    @Test
    void gramSchmidtNormIsTheLongerOfTwoVectors() {
        int q = 12_289;
        int[] f = new int[16];
        int[] g = new int[16];
        f[0] = 300;
        g[0] = 400;
        assertThat(new NtruBasis(f, g, f, g).gramSchmidtNorm(q)).isCloseTo(500, within(1e-9));
        f[0] = 3;
        g[0] = 4;
        assertThat(new NtruBasis(f, g, f, g).gramSchmidtNorm(q)).isCloseTo(q / 5.0, within(1e-9));
    }

    /** Coefficients of f and g have the variance (1.17)^2·q/2N, as far as the selection of short ones lets them. */
    @Test
    void generatedPolynomialsHaveTheWidthOfTheirDistribution() {
        NegacyclicNtt ntt = new NegacyclicNtt(512, 16_770_049);
        int bases = 10;
        int[] coefficients = IntStream.range(0, bases)
                .mapToObj(i -> new NtruBasisGenerator(ntt).generate(SEED.coins("width " + i)))
                .flatMapToInt(basis -> IntStream.concat(Arrays.stream(basis.f()), Arrays.stream(basis.g())))
                .toArray();
        assertThat(widthOutliers(ntt, bases, coefficients, 1)).isEmpty();
        assertThat(widthOutliers(ntt, bases, coefficients, 0.9))
                .as("too narrow")
                .isNotEmpty();
        assertThat(widthOutliers(ntt, bases, coefficients, 1.1)).as("too wide").isNotEmpty();
        assertThat(widthOutliers(ntt, bases, coefficients, 0)).as("zero").isNotEmpty();
    }

    private static List<String> widthOutliers(NegacyclicNtt ntt, int bases, int[] coefficients, double scale) {
        double variance = 1.17 * 1.17 * ntt.modulus().q() / (2.0 * ntt.n());
        double sum = scale * Arrays.stream(coefficients).sum();
        double squares = scale * scale * PreimageSampler.normSquared(coefficients);
        TwoSided check = new TwoSided();
        check.mean("mean", sum, coefficients.length, 0, variance);
        // (f, g) is kept if its norm is at most the expectation, so the mean of what is kept is lower by about 0.8 of
        // the
        // deviation of the squared norm, which is sqrt(1/N), and varies by 0.6 of it
        double deviation = Math.sqrt(1.0 / ntt.n());
        double ratio = squares / (coefficients.length * variance);
        check.normal("norm", (ratio - (1 - 0.8 * deviation)) / (0.6 * deviation / Math.sqrt(bases)));
        return check.outliers();
    }

    @Test
    void sameCoinsGiveTheSameBasisAndOthersAnother() {
        NegacyclicNtt ntt = new NegacyclicNtt(64, 12_289);
        NtruBasis first = new NtruBasisGenerator(ntt).generate(SEED.coins("one"));
        NtruBasis again = new NtruBasisGenerator(ntt).generate(SEED.coins("one"));
        NtruBasis other = new NtruBasisGenerator(ntt).generate(SEED.coins("two"));
        assertThat(again.f()).isEqualTo(first.f());
        assertThat(again.g()).isEqualTo(first.g());
        assertThat(again.capitalF()).isEqualTo(first.capitalF());
        assertThat(again.capitalG()).isEqualTo(first.capitalG());
        assertThat(other.f()).isNotEqualTo(first.f());
        assertThat(other.g()).isNotEqualTo(first.g());
    }

    @Test
    void destroyErasesAndLaterUseThrows() {
        NegacyclicNtt ntt = new NegacyclicNtt(64, 12_289);
        NtruBasis basis = SampleBases.copy(SampleBases.of(ntt));
        int[][] parts = {basis.f(), basis.g(), basis.capitalF(), basis.capitalG()};
        basis.destroy();
        basis.destroy();
        for (int[] part : parts) {
            assertThat(part).containsOnly(0);
        }
        List<ThrowingCallable> uses = List.of(
                basis::f,
                basis::g,
                basis::capitalF,
                basis::capitalG,
                () -> basis.satisfiesNtruEquation(12_289),
                () -> basis.gramSchmidtNorm(12_289),
                () -> basis.publicPolynomial(ntt));
        for (ThrowingCallable use : uses) {
            assertThatIllegalStateException().isThrownBy(use);
        }
    }

    @Test
    void isNeverPrinted() {
        NtruBasis basis = SampleBases.of(new NegacyclicNtt(64, 12_289));
        assertThat(basis.toString()).isEqualTo("NtruBasis[secret]").doesNotContainPattern("\\d");
    }
}
