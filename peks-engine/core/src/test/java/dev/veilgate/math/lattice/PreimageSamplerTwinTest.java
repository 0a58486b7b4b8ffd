package dev.veilgate.math.lattice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.PlainRing;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fast Fourier sampling is Klein's sampler: with the same coins, the plain algorithm on the explicit 2N x 2N basis, in the
 * tree's order of the basis vectors, gives the same preimage to the last integer.
 *
 * <p>Targets are random. At a centre that is an integer, as for the target 0, an error of 2^-60 on one side or the other
 * makes different integers of the same coins: why there must be one implementation (TrapdoorKatTest), and why no test of two
 * asks for it.
 */
class PreimageSamplerTwinTest {
    private static final TestSeed SEED = TestSeed.of(PreimageSamplerTwinTest.class);
    private static final double SMOOTHING = 1.278;

    @ParameterizedTest
    @CsvSource({
        "2, 536813569, 200",
        "4, 536813569, 200",
        "8, 536813569, 100",
        "16, 536813569, 100",
        "32, 536813569, 100",
        "64, 536813569, 100",
        "64, 16770049, 100",
        "128, 536813569, 40",
        "256, 16770049, 20"
    })
    void preimagesAreThoseOfKleinsSampler(int n, int q, int samples) {
        NegacyclicNtt ntt = new NegacyclicNtt(n, q);
        NtruBasis basis = SampleBases.of(ntt);
        int[] h = Objects.requireNonNull(basis.publicPolynomial(ntt));
        double sigma = SMOOTHING * NtruBasis.GRAM_SCHMIDT_FACTOR * Math.sqrt(q);
        PreimageSampler sampler = new PreimageSampler(ntt, basis, h, sigma, SMOOTHING, Long.MAX_VALUE >> 2);
        Plain plain = new Plain(basis, q, sigma);
        CoinStream coins = SEED.coins("coins " + n);
        CoinStream same = SEED.coins("coins " + n);
        CoinStream targets = SEED.coins("targets " + n);
        for (int i = 0; i < samples; i++) {
            int[] cHat = new int[n];
            RingSampling.uniform(targets, ntt.modulus(), cHat);
            int[] c = cHat.clone();
            ntt.inverseInPlace(c);
            PreimageSampler.Preimage preimage = sampler.sample(coins, cHat);
            double[] expected = plain.sample(same, c);
            for (int j = 0; j < n; j++) {
                assertThat(preimage.s()[j]).isEqualTo((int) Math.rint(expected[j]));
                assertThat(preimage.t()[j]).isEqualTo((int) Math.rint(expected[n + j]));
            }
        }
        assertThat(coins.nextLong()).as("as many coins").isEqualTo(same.nextLong());
    }

    /** Klein's sampler (SODA 2000): from the last basis vector to the first. */
    private static final class Plain {
        private final NtruBasis basis;
        private final int q;
        private final double sigma;
        private final double[][] rows;
        private final double[][] orthogonal;
        private final double[] squares;
        private final DiscreteGaussian gaussian = new DiscreteGaussian(SMOOTHING);

        Plain(NtruBasis basis, int q, double sigma) {
            this.basis = basis;
            this.q = q;
            this.sigma = sigma;
            rows = PlainLattice.rows(basis, true);
            orthogonal = PlainLattice.gramSchmidt(rows);
            squares = Arrays.stream(orthogonal)
                    .mapToDouble(v -> PlainLattice.dot(v, v))
                    .toArray();
        }

        double[] sample(CoinStream coins, int[] c) {
            int n = c.length;
            // (c, 0) is (-c·F, c·f)/q times the basis; the integers in it only shift what is sampled
            int[] first = PlainRing.multiply(c, basis.capitalF(), q);
            int[] second = PlainRing.multiply(c, basis.f(), q);
            double[][] natural = PlainLattice.rows(basis, false);
            double[] x = new double[2 * n];
            for (int i = 0; i < n; i++) {
                PlainLattice.subtract(x, centred(first[i]) / (double) q, natural[i]);
                PlainLattice.subtract(x, -centred(second[i]) / (double) q, natural[n + i]);
            }
            for (int i = 2 * n - 1; i >= 0; i--) {
                double centre = PlainLattice.dot(x, orthogonal[i]) / squares[i];
                int z = gaussian.sample(coins, centre, Math.max(SMOOTHING, sigma / Math.sqrt(squares[i])));
                PlainLattice.subtract(x, z, rows[i]);
            }
            return x;
        }

        private int centred(int a) {
            return a > q / 2 ? a - q : a;
        }
    }
}
