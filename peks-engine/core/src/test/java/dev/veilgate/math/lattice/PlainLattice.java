package dev.veilgate.math.lattice;

/**
 * The plain twin of the NTRU lattice's geometry: the basis as a matrix of 2N vectors of 2N numbers, orthogonalised as the
 * textbook has it.
 */
final class PlainLattice {
    private PlainLattice() {}

    /**
     * The vectors (g, -f)·x^i, then (G, -F)·x^i.
     *
     * @param bitReversed whether i runs in bit-reversed order, as in the sampler's tree, or in the natural one
     */
    static double[][] rows(NtruBasis basis, boolean bitReversed) {
        int n = basis.f().length;
        int shift = 32 - Integer.numberOfTrailingZeros(n);
        double[][] rows = new double[2 * n][];
        for (int k = 0; k < n; k++) {
            int i = bitReversed ? Integer.reverse(k) >>> shift : k;
            rows[k] = vector(basis.g(), basis.f(), i);
            rows[n + k] = vector(basis.capitalG(), basis.capitalF(), i);
        }
        return rows;
    }

    private static double[] vector(int[] u, int[] minusV, int i) {
        int n = u.length;
        double[] out = new double[2 * n];
        for (int j = 0; j < n; j++) {
            int k = (i + j) % n;
            int sign = i + j < n ? 1 : -1;
            out[k] = sign * u[j];
            out[n + k] = -sign * minusV[j];
        }
        return out;
    }

    /** The orthogonalised vectors. */
    static double[][] gramSchmidt(double[][] rows) {
        double[][] out = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            double[] v = rows[i].clone();
            for (int round = 0; round < 2; round++) { // the second takes off what rounding left
                for (int j = 0; j < i; j++) {
                    subtract(v, dot(v, out[j]) / dot(out[j], out[j]), out[j]);
                }
            }
            out[i] = v;
        }
        return out;
    }

    /** The vectors divided by their lengths. */
    static double[][] normalised(double[][] vectors) {
        double[][] out = new double[vectors.length][];
        for (int i = 0; i < vectors.length; i++) {
            double scale = 1 / Math.sqrt(dot(vectors[i], vectors[i]));
            out[i] = new double[vectors[i].length];
            for (int k = 0; k < out[i].length; k++) {
                out[i][k] = scale * vectors[i][k];
            }
        }
        return out;
    }

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** a -= c·b. */
    static void subtract(double[] a, double c, double[] b) {
        for (int i = 0; i < a.length; i++) {
            a[i] -= c * b[i];
        }
    }
}
