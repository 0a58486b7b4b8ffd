package dev.veilgate.peks.lattice.ntru;

/**
 * The linear map H from (r, e1) to the kept coefficients of r·s_i - e1·t_i, solved exactly.
 *
 * <p>With x^stride = X and u_k(X) the coefficients k mod stride of u, the kept coefficients of r·s are
 *
 * <pre>  sum over k below stride of r_k(X)·s'_k(X)    in R[X]/(X^L + 1),    s'_0 = s_0,  s'_k = X·s_(stride-k)</pre>
 *
 * so that H falls apart over the roots of X^L + 1: 2·stride complex unknowns and one equation per keyword at each.
 * Coordinates are sqrt(2/L)·(Re u(w), Im u(w)) at one root w of each conjugate pair. That is an orthogonal change of
 * basis, so variances and traces are those of the coefficients.
 *
 * <p>H is scaled by {@link #scale}, which gives its rows norm 1 on average.
 */
final class FoldedMap {
    private final int n;
    private final int stride;
    private final int kept;
    private final int keywords;
    private final double scale;
    private final double[][] cos; // [root][exponent], times sqrt(2/L)
    private final double[][] sin;
    private final double[][][] re; // [root][keyword][polynomial]: 0 to stride - 1 of r, then those of e1
    private final double[][][] im;
    private final double[][][] gram; // [root]: conj(H)^T·H as a real matrix of dimension 4·stride

    FoldedMap(int[][] s, int[][] t, int stride) {
        this.n = s[0].length;
        this.stride = stride;
        this.kept = n / stride;
        this.keywords = s.length;
        this.scale = 1 / Math.sqrt((squaredNorm(s) + squaredNorm(t)) / keywords);
        int roots = kept / 2;
        cos = new double[roots][kept];
        sin = new double[roots][kept];
        re = new double[roots][keywords][2 * stride];
        im = new double[roots][keywords][2 * stride];
        gram = new double[roots][][];
        double norm = Math.sqrt(2.0 / kept);
        for (int w = 0; w < roots; w++) {
            for (int l = 0; l < kept; l++) {
                double angle = Math.PI * ((2 * w + 1) * l % (2 * kept)) / kept;
                cos[w][l] = norm * Math.cos(angle);
                sin[w][l] = norm * Math.sin(angle);
            }
            for (int i = 0; i < keywords; i++) {
                for (int k = 0; k < stride; k++) {
                    evaluate(s[i], k, scale / norm, w, re[w][i], im[w][i], k);
                    evaluate(t[i], k, -scale / norm, w, re[w][i], im[w][i], stride + k);
                }
            }
            gram[w] = gram(re[w], im[w], 2 * stride);
        }
    }

    private static double squaredNorm(int[][] polynomials) {
        double sum = 0;
        for (int[] u : polynomials) {
            for (int v : u) {
                sum += (double) v * v;
            }
        }
        return sum;
    }

    /** u'_k at root w, into column of re and im. */
    private void evaluate(int[] u, int k, double factor, int w, double[] re, double[] im, int column) {
        int residue = k == 0 ? 0 : stride - k;
        int shift = k == 0 ? 0 : 1;
        for (int l = 0; l < kept; l++) {
            int exponent = (l + shift) % kept;
            double value = (l + shift == kept ? -factor : factor) * u[l * stride + residue];
            re[column] += value * cos[w][exponent];
            im[column] += value * sin[w][exponent];
        }
    }

    /** conj(H)^T·H acting on (real parts, imaginary parts). */
    private static double[][] gram(double[][] re, double[][] im, int width) {
        double[][] g = new double[2 * width][2 * width];
        for (int i = 0; i < re.length; i++) {
            for (int a = 0; a < width; a++) {
                for (int b = 0; b < width; b++) {
                    double x = re[i][a] * re[i][b] + im[i][a] * im[i][b];
                    double y = re[i][a] * im[i][b] - im[i][a] * re[i][b];
                    g[a][b] += x;
                    g[a][b + width] -= y;
                    g[a + width][b] += y;
                    g[a + width][b + width] += x;
                }
            }
        }
        return g;
    }

    /** What outputs and interval ends are multiplied by. */
    double scale() {
        return scale;
    }

    /** H·x, [keyword][kept coefficient]. */
    double[][] apply(double[] x) {
        double[][] output = new double[keywords][kept];
        for (int w = 0; w < gram.length; w++) {
            addOutput(w, project(w, x, 1), output);
        }
        return output;
    }

    /**
     * Gaussian posterior of x = (r, e1) from x ~ (r2, 1/g2) and H·x ~ (p2, 1/t2).
     *
     * @param r2 2N means
     * @param p2 means of the outputs, [keyword][kept coefficient]
     */
    Posterior solve(double[] r2, double g2, double[][] p2, double t2) {
        double[] mean = new double[2 * n];
        double[][] output = new double[keywords][kept];
        double variance = 0;
        double outputVariance = 0;
        for (int w = 0; w < gram.length; w++) {
            PositiveDefinite precision = new PositiveDefinite(gram[w], t2, g2);
            double[] right = project(w, r2, g2);
            addAdjoint(w, p2, t2, right);
            double[] x = precision.solve(right);
            expand(w, x, mean);
            addOutput(w, x, output);
            double[][] inverse = precision.inverseFactor();
            variance += squares(inverse);
            outputVariance += traceOfProduct(inverse, gram[w]);
        }
        return new Posterior(mean, variance / (2 * n), output, outputVariance / ((double) keywords * kept));
    }

    private double[] project(int w, double[] x, double factor) {
        double[] coordinates = new double[4 * stride];
        for (int k = 0; k < 2 * stride; k++) {
            for (int l = 0; l < kept; l++) {
                double v = factor * x[index(k, l)];
                coordinates[k] += v * cos[w][l];
                coordinates[k + 2 * stride] += v * sin[w][l];
            }
        }
        return coordinates;
    }

    private void expand(int w, double[] coordinates, double[] x) {
        for (int k = 0; k < 2 * stride; k++) {
            for (int l = 0; l < kept; l++) {
                x[index(k, l)] += coordinates[k] * cos[w][l] + coordinates[k + 2 * stride] * sin[w][l];
            }
        }
    }

    /** right += factor·conj(H)^T·p. */
    private void addAdjoint(int w, double[][] p, double factor, double[] right) {
        for (int i = 0; i < keywords; i++) {
            double a = 0;
            double b = 0;
            for (int l = 0; l < kept; l++) {
                a += factor * p[i][l] * cos[w][l];
                b += factor * p[i][l] * sin[w][l];
            }
            for (int k = 0; k < 2 * stride; k++) {
                right[k] += re[w][i][k] * a + im[w][i][k] * b;
                right[k + 2 * stride] += re[w][i][k] * b - im[w][i][k] * a;
            }
        }
    }

    private void addOutput(int w, double[] x, double[][] output) {
        for (int i = 0; i < keywords; i++) {
            double a = 0;
            double b = 0;
            for (int k = 0; k < 2 * stride; k++) {
                a += re[w][i][k] * x[k] - im[w][i][k] * x[k + 2 * stride];
                b += re[w][i][k] * x[k + 2 * stride] + im[w][i][k] * x[k];
            }
            for (int l = 0; l < kept; l++) {
                output[i][l] += a * cos[w][l] + b * sin[w][l];
            }
        }
    }

    private int index(int polynomial, int l) {
        return (polynomial < stride ? 0 : n) + l * stride + polynomial % stride;
    }

    private static double squares(double[][] matrix) {
        double sum = 0;
        for (double[] row : matrix) {
            for (double v : row) {
                sum += v * v;
            }
        }
        return sum;
    }

    /** tr(F^-1·g·F^-T), a sum of positive terms: no cancellation when t2 is small or large. */
    private static double traceOfProduct(double[][] inverse, double[][] g) {
        double sum = 0;
        for (int a = 0; a < g.length; a++) {
            for (int b = 0; b <= a; b++) {
                double v = 0;
                for (int c = 0; c <= a; c++) {
                    v += g[b][c] * inverse[a][c];
                }
                sum += inverse[a][b] * v;
            }
        }
        return sum;
    }

    /** Means of the 2N unknowns and of the outputs, and their mean variances. */
    record Posterior(double[] mean, double variance, double[][] output, double outputVariance) {}
}
