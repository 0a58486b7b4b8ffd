package dev.veilgate.peks.lattice.ntru;

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
 * a + b·y^(L/2) is a + i·b, and modulo y^m - z it goes on modulo y^(m/2) - sqrt(z) and y^(m/2) + sqrt(z). The S parts lie side by side, as they do in A, and share each root.
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

    private final int n;
    private final int q;
    private final int parts;
    /** Complex values of a part. */
    private final int values;
    /** Square root by which node k of the tree is halved: node 1 is y^(L/2) - i, the halves of k are 2k and 2k + 1. */
    private final double[] rootRe;

    private final double[] rootIm;

    KeptProduct(NtruParameters p) {
        this.n = p.n();
        this.q = p.q();
        this.parts = p.stride();
        this.values = p.kept() / 2;
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
    }

    /** The values of all T_r of a trapdoor. */
    Transformed transform(int[] t) {
        Transformed out = new Transformed(new double[n / 2], new double[n / 2]);
        for (int i = 0; i < n; i++) {
            int from = i - 2 * (i % parts); // S·k - r for S·k + r
            double coefficient = from < 0 ? -t[from + n] : t[from];
            if (i < n / 2) {
                out.re[i] = coefficient;
            } else {
                out.im[i - n / 2] = coefficient;
            }
        }
        forward(out.re, out.im);
        return out;
    }

    /** Real and imaginary parts, value by value, those of the parts side by side. */
    @SuppressWarnings("ArrayRecordComponent")
    record Transformed(double[] re, double[] im) {
        @Override
        public String toString() {
            return "Transformed[hidden]";
        }
    }

    /**
     * The phases of all kept coefficients of A·t_w.
     *
     * @param hot a {@link HotBlock} of these parameters at index {@code at}
     * @param t   {@link #transform} of the trapdoor
     */
    int[] phases(byte[] hot, int at, Transformed t) {
        double[] re = new double[n / 2];
        double[] im = new double[n / 2];
        load(hot, at + HotBlock.PHASES_AT, re);
        load(hot, at + HotBlock.PHASES_AT + 2 * n, im);
        forward(re, im);
        double[] sumRe = new double[values];
        double[] sumIm = new double[values];
        for (int k = 0, i = 0; k < values; k++) {
            double x = 0;
            double y = 0;
            for (int end = i + parts; i < end; i++) {
                x += re[i] * t.re[i] - im[i] * t.im[i];
                y += re[i] * t.im[i] + im[i] * t.re[i];
            }
            sumRe[k] = x;
            sumIm[k] = y;
        }
        inverse(sumRe, sumIm);
        int[] phases = new int[2 * values];
        putPhases(sumRe, phases, 0);
        putPhases(sumIm, phases, values);
        return phases;
    }

    /**
     * Coefficients of A, between -q/2 and q/2, from their phases: {@link HotBlock#coefficient}, since a phase times q/2^32 is
     * within 1/8 of its coefficient, and the product within 2^-24 of what it should be.
     */
    private void load(byte[] hot, int at, double[] to) {
        double unit = q / TURN;
        for (int i = 0; i < to.length; i++) {
            to[i] = Math.rint((int) HotBlock.INT.get(hot, at + 4 * i) * unit);
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

    private void forward(double[] re, double[] im) {
        int length = n / 4;
        for (int nodes = 1; nodes < values; nodes *= 2, length /= 2) {
            for (int k = 0; k < nodes; k++) {
                halve(re, im, 2 * length * k, length, rootRe[nodes + k], rootIm[nodes + k]);
            }
        }
    }

    /** (a, b) to (a + root·b, a - root·b). */
    private static void halve(double[] re, double[] im, int from, int length, double rootRe, double rootIm) {
        for (int i = from; i < from + length; i++) {
            double bRe = re[i + length] * rootRe - im[i + length] * rootIm;
            double bIm = re[i + length] * rootIm + im[i + length] * rootRe;
            double aRe = re[i];
            double aIm = im[i];
            re[i] = aRe + bRe;
            im[i] = aIm + bIm;
            re[i + length] = aRe - bRe;
            im[i + length] = aIm - bIm;
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
