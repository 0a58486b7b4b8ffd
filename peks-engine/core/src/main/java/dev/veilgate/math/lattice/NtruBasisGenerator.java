package dev.veilgate.math.lattice;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.util.Arrays;
import java.util.Optional;

/**
 * Generates short NTRU bases (Ducas, Lyubashevsky, Prest, ASIACRYPT 2014, Algorithm 2; the equation by {@link
 * NtruEquation}): f, g from a discrete Gaussian of width 1.17·sqrt(q/2N), drawn again until the Gram-Schmidt norm is at most
 * 1.17·sqrt(q), f is invertible mod q and the equation has a solution.
 */
@Secret
public final class NtruBasisGenerator {
    private final NegacyclicNtt ntt;
    private final int n;
    private final int q;
    private final ComplexFft fft;

    /** @param ntt the ring */
    public NtruBasisGenerator(NegacyclicNtt ntt) {
        this.ntt = ntt;
        this.n = ntt.n();
        this.q = ntt.modulus().q();
        this.fft = new ComplexFft(n);
    }

    /**
     * A fresh basis. Draws about 2N·11 coins of 12 bytes a try and needs some tens of tries; the number of tries depends on
     * discarded candidates only.
     */
    public NtruBasis generate(CoinStream coins) {
        double sigma = NtruBasis.GRAM_SCHMIDT_FACTOR * Math.sqrt(q / (2.0 * n));
        double limit = NtruBasis.GRAM_SCHMIDT_FACTOR * Math.sqrt(q);
        while (true) {
            int[] f = gaussian(coins, sigma);
            int[] g = gaussian(coins, sigma);
            if (hasEvenResultants(f, g) || NtruBasis.gramSchmidtNorm(f, g, q, fft) > limit) {
                continue;
            }
            Optional<NtruBasis> basis = complete(f, g);
            if (basis.isPresent()) {
                return basis.get();
            }
        }
    }

    private Optional<NtruBasis> complete(int[] f, int[] g) {
        return new NtruEquation(n, q).solve(NtruBasis.big(f), NtruBasis.big(g)).flatMap(solution -> {
            Optional<int[]> capitalF = NtruEquation.toInts(solution.capitalF());
            Optional<int[]> capitalG = NtruEquation.toInts(solution.capitalG());
            if (capitalF.isEmpty() || capitalG.isEmpty()) {
                return Optional.empty();
            }
            NtruBasis basis = new NtruBasis(f, g, capitalF.get(), capitalG.get());
            boolean good = basis.satisfiesNtruEquation(q) && basis.publicPolynomial(ntt) != null;
            return good ? Optional.of(basis) : Optional.empty();
        });
    }

    /** The resultant with x^N + 1 is f(1)^N mod 2: two even ones share the factor 2, so that no solution exists. */
    private static boolean hasEvenResultants(int[] f, int[] g) {
        return (Arrays.stream(f).sum() & 1) == 0 && (Arrays.stream(g).sum() & 1) == 0;
    }

    private int[] gaussian(CoinStream coins, double sigma) {
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
            out[i] = DiscreteGaussian.sampleWide(coins, sigma);
        }
        return out;
    }
}
