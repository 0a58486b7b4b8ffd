package dev.veilgate.math.lattice;

import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.random.CoinStream;
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
    private final double[] minusF;

    private final double[] minusCapitalF;
    /** The tree: per depth d, the factors L of its 2^d nodes of degree N/2^d; then the widths of the N leaves. */
    private final double[][] factors;

    private final double[] leafSigma;
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
        this.minusF = negate(NtruBasis.transform(basis.f(), fft));
        this.minusCapitalF = negate(NtruBasis.transform(basis.capitalF(), fft));
        this.factors = new double[log][n];
        this.leafSigma = new double[n];
        this.target = new double[log + 1][];
        this.sampled = new double[log + 1][];
        for (int depth = 0; depth <= log; depth++) {
            target[depth] = new double[2 * (n >> depth)];
            sampled[depth] = new double[2 * (n >> depth)];
        }
        buildTree(basis, sigma);
        for (double leaf : leafSigma) {
            if (!(leaf >= sigmaMin * (1 - ROUNDING) && leaf <= DiscreteGaussian.SIGMA_MAX)) {
                throw new IllegalArgumentException("the basis does not fit the width");
            }
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
            double sigma = leafSigma[node];
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
        addScaledDifference(t, z, m, factors[depth], node * m);
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
        double[] factor = factors[0];
        int half = n / 2;
        double[] sum = new double[n];
        for (int j = 0; j < half; j++) {
            double d1Re = r[n + j] - z[n + j];
            double d1Im = r[n + half + j] - z[n + half + j];
            double d0Re = r[j] - z[j] - (d1Re * factor[j] - d1Im * factor[half + j]);
            double d0Im = r[half + j] - z[half + j] - (d1Re * factor[half + j] + d1Im * factor[j]);
            sum[j] = d0Re * minusF[j]
                    - d0Im * minusF[half + j]
                    + d1Re * minusCapitalF[j]
                    - d1Im * minusCapitalF[half + j];
            sum[half + j] = d0Re * minusF[half + j]
                    + d0Im * minusF[j]
                    + d1Re * minusCapitalF[half + j]
                    + d1Im * minusCapitalF[j];
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

    private void buildTree(NtruBasis basis, double sigma) {
        double[] g = NtruBasis.transform(basis.g(), fft);
        double[] capitalG = NtruBasis.transform(basis.capitalG(), fft);
        double[] g00 = new double[n];
        double[] g10 = new double[n];
        ComplexFft.multiplyAdjointAdd(g00, g, g);
        ComplexFft.multiplyAdjointAdd(g00, minusF, minusF);
        ComplexFft.multiplyAdjointAdd(g10, capitalG, g);
        ComplexFft.multiplyAdjointAdd(g10, minusCapitalF, minusF);
        int half = n / 2;
        double[] d11 = new double[n];
        double q = ntt.modulus().q();
        for (int j = 0; j < half; j++) {
            factors[0][j] = g10[j] / g00[j];
            factors[0][half + j] = g10[half + j] / g00[j];
            d11[j] = q * q / g00[j]; // g11 - |g10|^2/g00 without its cancellation: the determinant is q^2
        }
        buildChild(g00, n, 1, 0, sigma);
        buildChild(d11, n, 1, 1, sigma);
        for (double[] secret : new double[][] {g, capitalG, g00, g10, d11}) {
            Arrays.fill(secret, 0);
        }
    }

    /** The node for a self-adjoint d of degree m: the Gram matrix ((d0, d1), (d1*, d0)) of d = d0(x^2) + x·d1(x^2). */
    private void buildChild(double[] d, int m, int depth, int node, double sigma) {
        if (m == 2) {
            leafSigma[node] = sigma / Math.sqrt(d[0]);
            return;
        }
        int half = m / 2;
        double[] d0 = new double[half];
        double[] d1 = new double[half];
        fft.split(d, 0, m, d0, 0, d1, 0);
        double[] d11 = new double[half];
        double[] factor = factors[depth];
        int quarter = m / 4;
        int at = node * half;
        for (int j = 0; j < quarter; j++) {
            double re = d1[j];
            double im = d1[quarter + j];
            factor[at + j] = re / d0[j];
            factor[at + quarter + j] = -im / d0[j];
            d11[j] = d0[j] - (re * re + im * im) / d0[j];
            d0[quarter + j] = 0; // self-adjoint: the imaginary part is rounding
        }
        buildChild(d0, half, depth + 1, 2 * node, sigma);
        buildChild(d11, half, depth + 1, 2 * node + 1, sigma);
        Arrays.fill(d0, 0);
        Arrays.fill(d1, 0);
        Arrays.fill(d11, 0);
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
        Arrays.fill(minusF, 0);
        Arrays.fill(minusCapitalF, 0);
        Arrays.fill(leafSigma, 0);
        for (double[][] rows : new double[][][] {factors, target, sampled}) {
            for (double[] row : rows) {
                Arrays.fill(row, 0);
            }
        }
    }
}
