package dev.veilgate.math.lattice;

import dev.veilgate.secret.Secret;
import java.util.Arrays;

/**
 * The LDL tree of an NTRU basis (Ducas, Prest, ISSAC 2016, section 3; leaves divided into the width as in Falcon): node i of depth
 * d is a polynomial L of degree N/2^d in the Fourier domain, leaf i the width sigma/||b~|| of two integers.
 *
 * <p>Secret: as good as the basis. {@link #destroy} erases it.
 */
@Secret
final class FalconTree {
    private final ComplexFft fft;
    private final int n;
    private final double[][] factorsFft;
    private final double[] leafSigma;

    /**
     * Builds the tree of a basis in the Fourier domain; changing the signs of f and F together changes nothing.
     *
     * @param sigma width of the samples
     */
    FalconTree(
            ComplexFft fft,
            int q,
            double[] fFft,
            double[] gFft,
            double[] capitalFFft,
            double[] capitalGFft,
            double sigma) {
        this.fft = fft;
        this.n = fft.n();
        this.factorsFft = new double[Integer.numberOfTrailingZeros(n)][n];
        this.leafSigma = new double[n];
        double[] g00 = new double[n];
        double[] g10 = new double[n];
        ComplexFft.multiplyAdjointAdd(g00, gFft, gFft);
        ComplexFft.multiplyAdjointAdd(g00, fFft, fFft);
        ComplexFft.multiplyAdjointAdd(g10, capitalGFft, gFft);
        ComplexFft.multiplyAdjointAdd(g10, capitalFFft, fFft);
        int half = n / 2;
        double[] d11 = new double[n];
        double squaredQ = (double) q * q;
        for (int j = 0; j < half; j++) {
            factorsFft[0][j] = g10[j] / g00[j];
            factorsFft[0][half + j] = g10[half + j] / g00[j];
            d11[j] = squaredQ / g00[j]; // g11 - |g10|^2/g00 without its cancellation: the determinant is q^2
        }
        build(g00, n, 1, 0, sigma);
        build(d11, n, 1, 1, sigma);
        for (double[] secret : new double[][] {g00, g10, d11}) {
            Arrays.fill(secret, 0);
        }
    }

    /** L of the nodes of a depth, one after the other; the array itself. */
    double[] factorsFft(int depth) {
        return factorsFft[depth];
    }

    /** Width of a leaf. */
    double leafSigma(int leaf) {
        return leafSigma[leaf];
    }

    /** Whether all leaves are in [low, high]. */
    boolean leavesAreWithin(double low, double high) {
        for (double leaf : leafSigma) {
            if (!(leaf >= low && leaf <= high)) {
                return false;
            }
        }
        return true;
    }

    /** The node for a self-adjoint d of degree m: the Gram matrix ((d0, d1), (d1*, d0)) of d = d0(x^2) + x·d1(x^2). */
    private void build(double[] d, int m, int depth, int node, double sigma) {
        if (m == 2) {
            leafSigma[node] = sigma / Math.sqrt(d[0]);
            return;
        }
        int half = m / 2;
        double[] d0 = new double[half];
        double[] d1 = new double[half];
        fft.split(d, 0, m, d0, 0, d1, 0);
        double[] d11 = new double[half];
        double[] factor = factorsFft[depth];
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
        build(d0, half, depth + 1, 2 * node, sigma);
        build(d11, half, depth + 1, 2 * node + 1, sigma);
        Arrays.fill(d0, 0);
        Arrays.fill(d1, 0);
        Arrays.fill(d11, 0);
    }

    /** Erases the tree. */
    void destroy() {
        Arrays.fill(leafSigma, 0);
        for (double[] row : factorsFft) {
            Arrays.fill(row, 0);
        }
    }
}
