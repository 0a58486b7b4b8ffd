package dev.veilgate.math.lattice;

import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.util.Arrays;

/**
 * Samples short (s, t) with {@code s + t·h = c mod q} for any c in R_q, close to the discrete Gaussian of width sigma over the
 * coset, which is independent of the basis: fast Fourier sampling over the Falcon tree (Ducas, Prest, ISSAC 2016). Close enough
 * that a scheme proved with the exact Gaussian loses a few bits at most over 2^64 samples (Renyi divergence: Prest, ASIACRYPT
 * 2017).
 *
 * <p>sigma must be at least the smoothing width times the Gram-Schmidt norm, or samples leak the basis: that is the caller's
 * promise, and a tested property of the parameter sets.
 *
 * <p>Why doubles are enough: the centre (c, 0)·B^-1 = (-c·F, c·f)/q is first reduced modulo 1 exactly, in integers (mod q), so
 * that the doubles hold numbers below 1, not of the size of q·N; every width and every centre then has a relative error near
 * 2^-45, below what 2^64 samples show. Why it must be deterministic: two nearly equal preimages of one target differ by a
 * short lattice vector, which is a piece of the secret ("Do Not Disturb a Sleeping Falcon", EUROCRYPT 2025). The order of
 * all floating-point operations is fixed, t is rounded to integers, and s is computed from t in integers.
 *
 * <p>Secret-dependent and mutable: one thread at a time; {@link #destroy} erases it.
 */
@Secret
public final class PreimageSampler {
    private static final int MAX_TRIES = 64;
    /** What a leaf's width may fall below the smoothing width by the rounding of doubles. */
    private static final double ROUNDING = 1e-9;

    private final NegacyclicNtt ntt;
    private final int n;
    private final int log;
    private final DiscreteGaussian gaussian;
    private final ComplexFft fft;
    private final long normSquaredLimit;

    /** f, F in the number-theoretic domain, for the exact reduction of the centre; h for s = c - t·h. */
    private final int[] fHatMont;

    private final int[] capitalFHatMont;
    private final int[] hHatMont;
    /** -f, -F in the Fourier domain: the second column of the basis. */
    private final double[] minusFFft;

    private final double[] minusCapitalFFft;
    private final FalconTree tree;
    private final double[][] target;
    private final double[][] sampled;
    private boolean destroyed;

    /**
     * @param basis    the secret basis; not kept
     * @param h        its public polynomial, in [0, q)
     * @param sigma    width of the samples
     * @param sigmaMin the smoothing width: no leaf of the tree is narrower
     * @param normSquaredLimit samples with {@code ||(s, t)||^2} above it are drawn again
     */
    public PreimageSampler(
            NegacyclicNtt ntt, NtruBasis basis, int[] h, double sigma, double sigmaMin, long normSquaredLimit) {
        this.ntt = ntt;
        this.n = ntt.n();
        this.log = Integer.numberOfTrailingZeros(n);
        this.gaussian = new DiscreteGaussian(sigmaMin);
        this.fft = new ComplexFft(n);
        this.normSquaredLimit = normSquaredLimit;
        this.fHatMont = hatMont(NtruBasis.canonical(basis.f(), ntt));
        this.capitalFHatMont = hatMont(NtruBasis.canonical(basis.capitalF(), ntt));
        this.hHatMont = hatMont(h.clone());
        this.minusFFft = negate(NtruBasis.transform(basis.f(), fft));
        this.minusCapitalFFft = negate(NtruBasis.transform(basis.capitalF(), fft));
        this.target = new double[log + 1][];
        this.sampled = new double[log + 1][];
        for (int depth = 0; depth <= log; depth++) {
            target[depth] = new double[2 * (n >> depth)];
            sampled[depth] = new double[2 * (n >> depth)];
        }
        double[] gFft = NtruBasis.transform(basis.g(), fft);
        double[] capitalGFft = NtruBasis.transform(basis.capitalG(), fft);
        this.tree = new FalconTree(fft, ntt.modulus().q(), minusFFft, gFft, minusCapitalFFft, capitalGFft, sigma);
        Arrays.fill(gFft, 0);
        Arrays.fill(capitalGFft, 0);
        if (!tree.leavesAreWithin(sigmaMin * (1 - ROUNDING), DiscreteGaussian.SIGMA_MAX)) {
            throw new IllegalArgumentException("the basis does not fit the width");
        }
    }

    /** A preimage: s + t·h = c mod q. */
    public record Preimage(int[] s, int[] t) {}

    /**
     * One preimage of c.
     *
     * @param cHat the target in the number-theoretic domain
     * @param coins about 80 bytes a coefficient are drawn
     */
    public Preimage sample(CoinStream coins, int[] cHat) {
        if (destroyed) {
            throw new IllegalStateException("the sampler was destroyed");
        }
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            centre(cHat);
            sampleNode(coins, 0, 0);
            int[] t = secondCoordinate();
            int[] s = firstCoordinate(cHat, t);
            if (normSquared(s) + normSquared(t) <= normSquaredLimit) {
                return new Preimage(s, t);
            }
            Arrays.fill(s, 0);
            Arrays.fill(t, 0);
        }
        throw new IllegalStateException("no preimage within the norm bound: the basis and the bound do not fit");
    }

    /** target[0] = Fourier transform of ((-c·F mod q)/q, (c·f mod q)/q), centred. */
    private void centre(int[] cHat) {
        double[] both = target[0];
        for (int side = 0; side < 2; side++) {
            int[] r = new int[n];
            ntt.multiplyHat(r, cHat, side == 0 ? capitalFHatMont : fHatMont);
            ntt.inverseInPlace(r);
            double[] real = new double[n];
            double scale = side == 0 ? -1 : 1;
            Modulus modulus = ntt.modulus();
            for (int i = 0; i < n; i++) {
                real[i] = scale * modulus.centred(r[i]) / modulus.q();
            }
            fft.forwardInPlace(real);
            System.arraycopy(real, 0, both, side * n, n);
            Arrays.fill(real, 0);
            Arrays.fill(r, 0);
        }
    }

    /** Fills sampled[depth] near target[depth] (two polynomials of degree n >> depth each); overwrites target[depth]. */
    private void sampleNode(CoinStream coins, int depth, int node) {
        double[] t = target[depth];
        double[] z = sampled[depth];
        if (depth == log) {
            double sigma = tree.leafSigma(node);
            z[1] = gaussian.sample(coins, t[1], sigma);
            z[0] = gaussian.sample(coins, t[0], sigma);
            return;
        }
        int m = n >> depth;
        int half = m / 2;
        double[] childT = target[depth + 1];
        double[] childZ = sampled[depth + 1];
        fft.split(t, m, m, childT, 0, childT, half);
        sampleNode(coins, depth + 1, 2 * node + 1);
        fft.merge(childZ, 0, childZ, half, z, m, m);
        addScaledDifference(t, z, m, tree.factorsFft(depth), node * m);
        fft.split(t, 0, m, childT, 0, childT, half);
        sampleNode(coins, depth + 1, 2 * node);
        fft.merge(childZ, 0, childZ, half, z, 0, m);
    }

    /** t0 += (t1 - z1)·L. */
    private static void addScaledDifference(double[] t, double[] z, int m, double[] factor, int at) {
        int half = m / 2;
        for (int j = 0; j < half; j++) {
            double dRe = t[m + j] - z[m + j];
            double dIm = t[m + half + j] - z[m + half + j];
            double lRe = factor[at + j];
            double lIm = factor[at + half + j];
            t[j] += dRe * lRe - dIm * lIm;
            t[half + j] += dRe * lIm + dIm * lRe;
        }
    }

    /** t = ((R - z)·B)_2 = (R0 - z0)·(-f) + (R1 - z1)·(-F), small integers up to the rounding that this undoes. */
    private int[] secondCoordinate() {
        // sampleNode overwrote the first half of target[0] with R0 + (R1 - z1)·L; take that off again by the same
        // products
        double[] r = target[0];
        double[] z = sampled[0];
        double[] factor = tree.factorsFft(0);
        int half = n / 2;
        double[] sum = new double[n];
        for (int j = 0; j < half; j++) {
            double d1Re = r[n + j] - z[n + j];
            double d1Im = r[n + half + j] - z[n + half + j];
            double d0Re = r[j] - z[j] - (d1Re * factor[j] - d1Im * factor[half + j]);
            double d0Im = r[half + j] - z[half + j] - (d1Re * factor[half + j] + d1Im * factor[j]);
            sum[j] = d0Re * minusFFft[j]
                    - d0Im * minusFFft[half + j]
                    + d1Re * minusCapitalFFft[j]
                    - d1Im * minusCapitalFFft[half + j];
            sum[half + j] = d0Re * minusFFft[half + j]
                    + d0Im * minusFFft[j]
                    + d1Re * minusCapitalFFft[half + j]
                    + d1Im * minusCapitalFFft[j];
        }
        fft.inverseInPlace(sum);
        int[] t = new int[n];
        for (int i = 0; i < n; i++) {
            t[i] = (int) StrictMath.rint(sum[i]);
        }
        Arrays.fill(sum, 0);
        return t;
    }

    /** s = c - t·h mod q, centred; short only if t is right. */
    private int[] firstCoordinate(int[] cHat, int[] t) {
        Modulus modulus = ntt.modulus();
        int[] s = NtruBasis.canonical(t, ntt);
        ntt.forwardInPlace(s);
        ntt.multiplyHat(s, s, hHatMont);
        for (int i = 0; i < n; i++) {
            s[i] = modulus.subtract(cHat[i], s[i]);
        }
        ntt.inverseInPlace(s);
        for (int i = 0; i < n; i++) {
            s[i] = modulus.centred(s[i]);
        }
        return s;
    }

    /** The squared Euclidean norm, or 2^61 if it is 2^60 or more: two still fit a long: coefficients are below 2^30. */
    public static long normSquared(int[] a) {
        long sum = 0;
        for (int x : a) {
            sum += (long) x * x;
            if (sum >= 1L << 60) {
                return 1L << 61;
            }
        }
        return sum;
    }

    private int[] hatMont(int[] a) {
        ntt.forwardInPlace(a);
        ntt.toMontInPlace(a);
        return a;
    }

    private static double[] negate(double[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = -a[i];
        }
        return a;
    }

    /** Erases the expanded key and what is left of the last sample. */
    public void destroy() {
        destroyed = true;
        Arrays.fill(fHatMont, 0);
        Arrays.fill(capitalFHatMont, 0);
        Arrays.fill(minusFFft, 0);
        Arrays.fill(minusCapitalFFft, 0);
        tree.destroy();
        for (double[][] rows : new double[][][] {target, sampled}) {
            for (double[] row : rows) {
                Arrays.fill(row, 0);
            }
        }
    }
}
