package dev.veilgate.peks.lattice.ntru;

/** A symmetric positive definite matrix by its Cholesky factor, M = F·F^T with F lower triangular. */
final class PositiveDefinite {
    private final double[][] factor;

    /**
     * Factors scale·m + shift·I.
     *
     * @param m symmetric; only its lower triangle is read
     */
    PositiveDefinite(double[][] m, double scale, double shift) {
        int d = m.length;
        factor = new double[d][];
        for (int a = 0; a < d; a++) {
            double[] row = new double[a + 1];
            for (int b = 0; b < a; b++) {
                row[b] = (scale * m[a][b] - dot(row, factor[b], b)) / factor[b][b];
            }
            double pivot = scale * m[a][a] + shift - dot(row, row, a);
            if (!(pivot > 0)) {
                throw new ArithmeticException("matrix is not positive definite at row " + a);
            }
            row[a] = Math.sqrt(pivot);
            factor[a] = row;
        }
    }

    /** M^-1·right. */
    double[] solve(double[] right) {
        int d = factor.length;
        double[] x = new double[d];
        for (int a = 0; a < d; a++) {
            x[a] = (right[a] - dot(factor[a], x, a)) / factor[a][a];
        }
        for (int a = d - 1; a >= 0; a--) {
            x[a] /= factor[a][a];
            for (int b = 0; b < a; b++) {
                x[b] -= factor[a][b] * x[a];
            }
        }
        return x;
    }

    /** ln det of the leading k x k minors, for k = 0, 1, ..., dimension. */
    double[] logMinors() {
        double[] minors = new double[factor.length + 1];
        for (int a = 0; a < factor.length; a++) {
            minors[a + 1] = minors[a] + 2 * Math.log(factor[a][a]);
        }
        return minors;
    }

    /** F^-1, so that M^-1 is its transpose times itself. */
    double[][] inverseFactor() {
        int d = factor.length;
        double[][] inverse = new double[d][d];
        for (int a = 0; a < d; a++) {
            for (int c = 0; c < a; c++) {
                for (int b = 0; b <= c; b++) {
                    inverse[a][b] -= factor[a][c] * inverse[c][b];
                }
            }
            inverse[a][a] = 1;
            for (int b = 0; b <= a; b++) {
                inverse[a][b] /= factor[a][a];
            }
        }
        return inverse;
    }

    private static double dot(double[] x, double[] y, int length) {
        double sum = 0;
        for (int c = 0; c < length; c++) {
            sum += x[c] * y[c];
        }
        return sum;
    }
}
