package dev.veilgate.peks.lattice.ntru;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/**
 * All kept coefficients of A·t_w at once, for what early rejection could not rule out: one Fourier transform instead of L inner products (docs/adr/0017).
 *
 * <p>Only the coefficients c_j with j = 0 mod S are wanted, S = N/L. With y = x^S and the parts A_r = sum_k A_(S·k+r)·y^k of A, likewise of t_w,
 *
 * <pre>
 *   sum_k c_(S·k)·y^k = sum_r A_r·T_r   in R[y]/(y^L + 1),      T_0 = t_0,  T_r = y·t_(S-r)
 * </pre>
 *
 * which are S products of degree L. They are evaluated at one root of each pair of conjugates of y^L + 1, by halving: modulo y^L + 1 = (y^(L/2) - i)(y^(L/2) + i) the polynomial
 * a + b·y^(L/2) is a + i·b, and modulo y^m - z it goes on modulo y^(m/2) - sqrt(z) and y^(m/2) + sqrt(z). The S parts share each root.
 *
 * <p>The L/2 values are a matrix of {@value #ROWS} rows, so that each butterfly is a loop over four arrays, of which the JIT makes vector instructions, as it does not of places of one array. Halvings above
 * the rows join two of them. Then the matrix is transposed, and those below join two columns, where each row has a root of its own.
 *
 * <p>Computed from A itself, not from its phases: these are rounded, and who chooses A chooses what their rounding adds up to, which
 * the bound of section 4 would have to allow for.
 *
 * <p>In doubles: coefficients of A are integers below 2^28, those of t_w below 2^19, and both are noise that the sender and the authority drew separately, so that sums are about
 * 2^49 and come out exact; for any A and t_w at all within 2^-20 turns. The margin of a right keyword is above 2^-8. Whatever comes out, the tag decides.
 *
 * <p>Immutable; safe for use by several threads.
 */
final class KeptProduct {
    /** Units of phase. */
    private static final double TURN = 0x1p32;

    private static final int ROWS = 8;

    private final int n;
    private final int q;
    private final int parts;
    /** Complex values of a part. */
    private final int values;

    private final int columns;
    /** Square root by which node k of the tree is halved: node 1 is y^(L/2) - i, the halves of k are 2k and 2k + 1. */
    private final double[] rootRe;

    private final double[] rootIm;
    /** {@code [node of a row's tree][lane of a column]}. */
    private final double[][] laneRootRe;

    private final double[][] laneRootIm;
    /**
     * Each thread's memory for transforms of A, which is no secret: memory that was just allocated is in no cache, and half
     * of a hit's time was that.
     */
    private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

    KeptProduct(NtruParameters p) {
        this.n = p.n();
        this.q = p.q();
        this.parts = p.stride();
        this.values = p.kept() / 2;
        this.columns = values / ROWS;
        this.rootRe = new double[values];
        this.rootIm = new double[values];
        double[] turns = new double[2 * values]; // of the z of each node, in half turns
        turns[1] = 0.5;
        for (int node = 1; node < values; node++) {
            double root = turns[node] / 2;
            rootRe[node] = StrictMath.cos(Math.PI * root);
            rootIm[node] = StrictMath.sin(Math.PI * root);
            turns[2 * node] = root;
            turns[2 * node + 1] = root + 1;
        }
        this.laneRootRe = lanes(rootRe);
        this.laneRootIm = lanes(rootIm);
    }

    /** Node i = 2^l + m of the tree below row r is node ROWS·2^l + r·2^l + m of the whole tree. */
    private double[][] lanes(double[] ofNodes) {
        double[][] lanes = new double[columns][parts * ROWS];
        for (int i = 1; i < columns; i++) {
            int width = Integer.highestOneBit(i);
            for (int lane = 0; lane < parts * ROWS; lane++) {
                lanes[i][lane] = ofNodes[ROWS * width + lane % ROWS * width + i - width];
            }
        }
        return lanes;
    }

    /** The values of all T_r of a trapdoor. */
    Transformed transform(int[] t) {
        double[][] re = rows();
        double[][] im = rows();
        for (int i = 0; i < n; i++) {
            int from = i - 2 * (i % parts); // S·k - r for S·k + r
            double[] row = (i < n / 2 ? re : im)[i % (n / 2) / (columns * parts)];
            row[i % (columns * parts)] = from < 0 ? -t[from + n] : t[from];
        }
        Transformed out = new Transformed(columns(), columns());
        forward(re, im, out);
        return out;
    }

    private double[][] rows() {
        return new double[ROWS][columns * parts];
    }

    private double[][] columns() {
        return new double[columns][parts * ROWS];
    }

    /** Real and imaginary parts, column by column: lane p·ROWS + r is the value of part p in row r. */
    @SuppressWarnings("ArrayRecordComponent")
    record Transformed(double[][] re, double[][] im) {
        @Override
        public String toString() {
            return "Transformed[hidden]";
        }
    }

    /** Memory that a transform of A is made in. */
    private final class Scratch {
        private final int[] phases = new int[columns * parts];
        private final double[][] re = rows();
        private final double[][] im = rows();
        private final Transformed out = new Transformed(columns(), columns());
    }

    /**
     * The phases of all kept coefficients of A·t_w.
     *
     * @param hot a {@link HotBlock} of these parameters at index {@code at}
     * @param t   {@link #transform} of the trapdoor
     */
    int[] phases(byte[] hot, int at, Transformed t) {
        Transformed a = transform(hot, at + HotBlock.PHASES_AT);
        double[] sumRe = new double[values];
        double[] sumIm = new double[values];
        double[] re = new double[parts * ROWS];
        double[] im = new double[parts * ROWS];
        for (int column = 0; column < columns; column++) {
            multiply(a.re[column], a.im[column], t.re[column], t.im[column], re, im);
            for (int row = 0; row < ROWS; row++) {
                sumRe[row * columns + column] = sumOfParts(re, row);
                sumIm[row * columns + column] = sumOfParts(im, row);
            }
        }
        inverse(sumRe, sumIm);
        int[] phases = new int[2 * values];
        putPhases(sumRe, phases, 0);
        putPhases(sumIm, phases, values);
        return phases;
    }

    /** The values of all A_r, until this thread asks again. */
    private Transformed transform(byte[] hot, int phasesAt) {
        Scratch own = scratch.get();
        IntBuffer phases = ByteBuffer.wrap(hot)
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(phasesAt)
                .asIntBuffer();
        load(phases, own.phases, own.re);
        load(phases, own.phases, own.im);
        forward(own.re, own.im, own.out);
        return own.out;
    }

    private static void multiply(double[] aRe, double[] aIm, double[] tRe, double[] tIm, double[] re, double[] im) {
        for (int i = 0; i < re.length; i++) {
            re[i] = aRe[i] * tRe[i] - aIm[i] * tIm[i];
            im[i] = aRe[i] * tIm[i] + aIm[i] * tRe[i];
        }
    }

    private static double sumOfParts(double[] lanes, int row) {
        double sum = 0;
        for (int lane = row; lane < lanes.length; lane += ROWS) {
            sum += lanes[lane];
        }
        return sum;
    }

    /**
     * Coefficients of A, between -q/2 and q/2, from their phases: {@link HotBlock#coefficient}, since a phase times q/2^32 is
     * within 1/8 of its coefficient, and the product within 2^-24 of what it should be.
     */
    private void load(IntBuffer phases, int[] row, double[][] to) {
        for (double[] each : to) {
            phases.get(row);
            load(row, each, q / TURN);
        }
    }

    private static void load(int[] phases, double[] to, double unit) {
        for (int i = 0; i < to.length; i++) {
            to[i] = Math.rint(phases[i] * unit);
        }
    }

    /**
     * The phases of coefficients of A·t_w, which are given {@link #values} times. Without a division: what is taken off is a multiple of q
     * below 2^53, hence exact.
     */
    private void putPhases(double[] sums, int[] phases, int at) {
        double share = 1.0 / values; // a power of two
        double reciprocal = 1.0 / q;
        double unit = TURN / q;
        for (int k = 0; k < values; k++) {
            double coefficient = Math.rint(sums[k] * share);
            double centred = coefficient - Math.rint(coefficient * reciprocal) * q;
            phases[at + k] = (int) (long) Math.rint(centred * unit);
        }
    }

    /** Coefficients, row after row, to values; the rows are overwritten. */
    private void forward(double[][] re, double[][] im, Transformed out) {
        for (int half = ROWS / 2, nodes = 1; half >= 1; half /= 2, nodes *= 2) {
            for (int node = 0; node < nodes; node++) {
                double c = rootRe[nodes + node];
                double s = rootIm[nodes + node];
                for (int j = 2 * node * half, end = j + half; j < end; j++) {
                    halve(re[j], im[j], re[j + half], im[j + half], c, s);
                }
            }
        }
        transpose(re, out.re);
        transpose(im, out.im);
        for (int half = columns / 2, nodes = 1; half >= 1; half /= 2, nodes *= 2) {
            for (int node = 0; node < nodes; node++) {
                double[] c = laneRootRe[nodes + node];
                double[] s = laneRootIm[nodes + node];
                for (int j = 2 * node * half, end = j + half; j < end; j++) {
                    halve(out.re[j], out.im[j], out.re[j + half], out.im[j + half], c, s);
                }
            }
        }
    }

    private void transpose(double[][] rows, double[][] to) {
        for (int column = 0; column < columns; column++) {
            double[] lanes = to[column];
            for (int row = 0; row < ROWS; row++) {
                double[] of = rows[row];
                for (int lane = row, from = column * parts; lane < lanes.length; lane += ROWS) {
                    lanes[lane] = of[from++];
                }
            }
        }
    }

    /** (a, b) to (a + root·b, a - root·b). */
    private static void halve(double[] aRe, double[] aIm, double[] bRe, double[] bIm, double rootRe, double rootIm) {
        for (int i = 0; i < aRe.length; i++) {
            double productRe = bRe[i] * rootRe - bIm[i] * rootIm;
            double productIm = bRe[i] * rootIm + bIm[i] * rootRe;
            double re = aRe[i];
            double im = aIm[i];
            aRe[i] = re + productRe;
            aIm[i] = im + productIm;
            bRe[i] = re - productRe;
            bIm[i] = im - productIm;
        }
    }

    /** (a, b) to (a + root·b, a - root·b), with a root for each lane. */
    private static void halve(
            double[] aRe, double[] aIm, double[] bRe, double[] bIm, double[] rootRe, double[] rootIm) {
        for (int i = 0; i < aRe.length; i++) {
            double productRe = bRe[i] * rootRe[i] - bIm[i] * rootIm[i];
            double productIm = bRe[i] * rootIm[i] + bIm[i] * rootRe[i];
            double re = aRe[i];
            double im = aIm[i];
            aRe[i] = re + productRe;
            aIm[i] = im + productIm;
            bRe[i] = re - productRe;
            bIm[i] = im - productIm;
        }
    }

    /** Times {@link #values}. */
    private void inverse(double[] re, double[] im) {
        int length = 1;
        for (int nodes = values / 2; nodes >= 1; nodes /= 2, length *= 2) {
            for (int k = 0; k < nodes; k++) {
                join(re, im, 2 * length * k, length, rootRe[nodes + k], rootIm[nodes + k]);
            }
        }
    }

    /** (a, b) to (a + b, (a - b)/root), for a root of absolute value 1. */
    private static void join(double[] re, double[] im, int from, int length, double rootRe, double rootIm) {
        for (int i = from; i < from + length; i++) {
            double differenceRe = re[i] - re[i + length];
            double differenceIm = im[i] - im[i + length];
            re[i] += re[i + length];
            im[i] += im[i + length];
            re[i + length] = differenceRe * rootRe + differenceIm * rootIm;
            im[i + length] = differenceIm * rootRe - differenceRe * rootIm;
        }
    }
}
