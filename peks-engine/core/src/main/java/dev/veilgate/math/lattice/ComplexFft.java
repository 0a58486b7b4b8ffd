package dev.veilgate.math.lattice;

/**
 * Fourier transform of R[x]/(x^N + 1) in doubles: evaluation at one root of each conjugate pair of roots of x^N + 1.
 *
 * <p>A transformed polynomial of degree n takes n doubles: n/2 real parts, then n/2 imaginary parts. The roots are chosen by
 * Z_2 = (i), Z_n = (sqrt(Z_(n/2)), -sqrt(Z_(n/2))), so that with f = f0(x^2) + x·f1(x^2)
 *
 * <pre>  F[j] = F0[j] + z_j·F1[j],   F[j + n/4] = F0[j] - z_j·F1[j]     (j below n/4)</pre>
 *
 * and {@link #split} and {@link #merge} are loops over neighbours.
 *
 * <p>Immutable; safe for use by several threads.
 */
final class ComplexFft {
    private final int n;
    /** Per log2 of the degree: z_j, j below degree/4. */
    private final double[][] rootRe;

    private final double[][] rootIm;

    /** @param n largest degree, a power of two of at least 2 */
    ComplexFft(int n) {
        this.n = n;
        int log = Integer.numberOfTrailingZeros(n);
        rootRe = new double[log + 1][];
        rootIm = new double[log + 1][];
        int[] k = {1}; // roots of degree 2 are exp(i·pi·k/2)
        for (int l = 2; l <= log; l++) {
            int degree = 1 << l;
            int quarter = degree / 4;
            rootRe[l] = new double[quarter];
            rootIm[l] = new double[quarter];
            int[] next = new int[2 * quarter];
            for (int j = 0; j < quarter; j++) {
                rootRe[l][j] = cosPi(k[j], degree);
                rootIm[l][j] = cosPi(k[j] + 3 * degree / 2, degree); // sin(t) = cos(t + 3·pi/2)
                next[j] = k[j];
                next[j + quarter] = k[j] + degree;
            }
            k = next;
        }
    }

    int n() {
        return n;
    }

    /** cos(pi·k/m), by reduction to the first octant, so that symmetric values are equal to the bit. */
    private static double cosPi(int k, int m) {
        int r = k % (2 * m);
        if (r > m) {
            r = 2 * m - r;
        }
        boolean negative = 2 * r > m;
        if (negative) {
            r = m - r;
        }
        double c = 4 * r <= m ? StrictMath.cos(Math.PI * r / m) : StrictMath.sin(Math.PI * (m - 2 * r) / (2.0 * m));
        return negative ? -c : c;
    }

    /** Coefficients to values, in place; {@code a.length} is the degree, at most {@link #n}. */
    void forwardInPlace(double[] a) {
        bitReverse(a);
        for (int l = 2; 1 << l <= a.length; l++) {
            int degree = 1 << l;
            for (int from = 0; from < a.length; from += degree) {
                merge(a, from, a, from + degree / 2, a, from, degree);
            }
        }
    }

    /** Values to coefficients, in place. */
    void inverseInPlace(double[] a) {
        for (int l = Integer.numberOfTrailingZeros(a.length); l >= 2; l--) {
            int degree = 1 << l;
            for (int from = 0; from < a.length; from += degree) {
                split(a, from, degree, a, from, a, from + degree / 2);
            }
        }
        bitReverse(a);
    }

    /**
     * Values of f0 and f1 (degree m/2 each) from those of f = f0(x^2) + x·f1(x^2) (degree m). In place if f0 and f1 are the halves of f:
     * the four values of a butterfly return to the same four places.
     */
    void split(double[] f, int at, int m, double[] f0, int at0, double[] f1, int at1) {
        if (m == 2) {
            f0[at0] = f[at];
            f1[at1] = f[at + 1];
            return;
        }
        int quarter = m / 4;
        int l = Integer.numberOfTrailingZeros(m);
        double[] zRe = rootRe[l];
        double[] zIm = rootIm[l];
        for (int j = 0; j < quarter; j++) {
            double aRe = f[at + j];
            double bRe = f[at + quarter + j];
            double aIm = f[at + 2 * quarter + j];
            double bIm = f[at + 3 * quarter + j];
            double dRe = 0.5 * (aRe - bRe);
            double dIm = 0.5 * (aIm - bIm);
            f0[at0 + j] = 0.5 * (aRe + bRe);
            f0[at0 + quarter + j] = 0.5 * (aIm + bIm);
            f1[at1 + j] = dRe * zRe[j] + dIm * zIm[j];
            f1[at1 + quarter + j] = dIm * zRe[j] - dRe * zIm[j];
        }
    }

    /** The inverse of {@link #split}, in place likewise. */
    void merge(double[] f0, int at0, double[] f1, int at1, double[] f, int at, int m) {
        if (m == 2) {
            f[at] = f0[at0];
            f[at + 1] = f1[at1];
            return;
        }
        int quarter = m / 4;
        int l = Integer.numberOfTrailingZeros(m);
        double[] zRe = rootRe[l];
        double[] zIm = rootIm[l];
        for (int j = 0; j < quarter; j++) {
            double bRe = f1[at1 + j];
            double bIm = f1[at1 + quarter + j];
            double tRe = bRe * zRe[j] - bIm * zIm[j];
            double tIm = bRe * zIm[j] + bIm * zRe[j];
            double aRe = f0[at0 + j];
            double aIm = f0[at0 + quarter + j];
            f[at + j] = aRe + tRe;
            f[at + quarter + j] = aRe - tRe;
            f[at + 2 * quarter + j] = aIm + tIm;
            f[at + 3 * quarter + j] = aIm - tIm;
        }
    }

    private static void bitReverse(double[] a) {
        int shift = 32 - Integer.numberOfTrailingZeros(a.length);
        for (int i = 0; i < a.length; i++) {
            int j = Integer.reverse(i) >>> shift;
            if (i < j) {
                double swap = a[i];
                a[i] = a[j];
                a[j] = swap;
            }
        }
    }

    /** out = a·b, value by value; out may be a or b. */
    static void multiply(double[] out, double[] a, double[] b) {
        int half = a.length / 2;
        for (int j = 0; j < half; j++) {
            double re = a[j] * b[j] - a[j + half] * b[j + half];
            double im = a[j] * b[j + half] + a[j + half] * b[j];
            out[j] = re;
            out[j + half] = im;
        }
    }

    /** out += a·adj(b), value by value, adj the complex conjugate: x to x^-1. */
    static void multiplyAdjointAdd(double[] out, double[] a, double[] b) {
        int half = a.length / 2;
        for (int j = 0; j < half; j++) {
            out[j] += a[j] * b[j] + a[j + half] * b[j + half];
            out[j + half] += a[j + half] * b[j] - a[j] * b[j + half];
        }
    }
}
