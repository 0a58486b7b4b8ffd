package dev.veilgate.peks.lattice.ntru;

/**
 * The bound of section 4 of the specification, computed: how likely two trapdoors agree in all rows of a block whose
 * mask is shifted, whatever the sender made A0 of.
 *
 * <p>Independent of {@link NtruParameters#rowBound} on purpose: tau is computed here from the numbers it is made of.
 *
 * <p>All sums are upper bounds. F is a trapezoid, 1 on an arc of width w and 0 farther than delta from it, its Fourier
 * series cut at {@link #CUT} and raised by the sum of all that was cut off, so that it is still at least the arc.
 */
final class MaskShiftBound {
    /** Highest character M of a row. */
    static final int CUT = 1 << 15;

    /** Roots, beyond those where the character itself vanishes, at which k1·t + k2·t' is allowed to vanish. */
    private static final int MORE_ROOTS = 100;

    private final NtruParameters parameters;
    /** P(rho_i != 0), 2p. */
    private final double notZero;

    private final double width;

    /**
     * @param notZero      P(rho_i != 0)
     * @param tau          how far from its quarter a row still accepts a coefficient
     */
    MaskShiftBound(NtruParameters parameters, double notZero, double tau) {
        this.parameters = parameters;
        this.notZero = notZero;
        this.width = 0.25 + 2 * tau / parameters.q();
    }

    /** The noise that a row allows a right keyword if c is computed exactly. */
    static double exactTau(NtruParameters p, double notZero, double rowTail, double firstHalfFactor) {
        double ofBoth = Math.sqrt(2.0 / 3) * p.normBound();
        double ofShift = Math.sqrt(notZero) * firstHalfFactor * p.sigma() * Math.sqrt(p.n());
        return rowTail * Math.hypot(ofBoth, ofShift) + p.floodBound();
    }

    /** {@link #exactTau}, and what the rounding of A's phases may add to a right keyword's noise. */
    static double tau(NtruParameters p, double notZero, double rowTail, double firstHalfFactor) {
        return exactTau(p, notZero, rowTail, firstHalfFactor) + rowTail / 2 * p.normBound() * p.q() / 0x1p32;
    }

    /**
     * The most that rounding A's phases can add to c, over all A: half a unit of 2^-32 turns for each unit of ||t||_1,
     * which is at most sqrt(N)·||t||. A forger chooses A, so that the bound of an honest one is none for her.
     */
    static double worstRounding(NtruParameters p) {
        return Math.sqrt(p.n()) * p.normBound() / 2 * p.q() / 0x1p32;
    }

    /** The most that doubles add to a kept coefficient of any A and t ({@link KeptProduct}): 2^-20 turns. */
    static double arithmeticError(NtruParameters p) {
        return p.q() * 0x1p-20;
    }

    /** An arc that a slot accepts in a row, in turns. */
    double width() {
        return width;
    }

    /** P that two independent uniform points have an arc in common: 4·w^2, less the four overlaps counted twice. */
    double rowAgreement() {
        return 2 * width - 0.25;
    }

    /** log2 of the integral of the product over all rows. */
    double log2Integral(double delta) {
        return parameters.kept() * log2(4 * square(mean(delta)));
    }

    /** log2 of the sum of the absolute Fourier coefficients over all rows, the integral included. */
    double log2Coefficients(double delta) {
        double[] ofClass = new double[4]; // by k mod 4: only k1 + k2 = 0 mod 4 is left when the four arcs are added
        ofClass[0] = mean(delta);
        for (int k = 1; k <= CUT; k++) {
            double both = 2
                    * Math.abs(Math.sin(Math.PI * k * (width + delta)) * Math.sin(Math.PI * k * delta))
                    / (square(Math.PI * k) * delta);
            if (k % 2 == 0) {
                ofClass[k & 3] += both;
            } else {
                ofClass[1] += both / 2; // k and -k lie in the classes 1 and 3
                ofClass[3] += both / 2;
            }
        }
        return parameters.kept() * log2(4 * (square(ofClass[0]) + square(ofClass[2]) + 2 * ofClass[1] * ofClass[3]));
    }

    /** Integral of F: w + delta, raised by 2·sum_(k > M) 1/(pi^2·k^2·delta) < 2/(pi^2·delta·M). */
    private double mean(double delta) {
        return width + delta + 2 / (square(Math.PI) * delta * CUT);
    }

    /**
     * log2 of the mean of phi over uniform h: P(rho = 0), if only rho = 0 vanishes where k1·t + k2·t' does not. Then
     * the probability that it vanishes at so many roots that another rho might, C(N, e)·q^-e.
     */
    double log2Phi() {
        int n = parameters.n();
        int stride = n / parameters.kept();
        int vanishing = stride * rootsOfCharacter() + MORE_ROOTS;
        double generic = vanishing <= mostVanishing() ? n * log2(1 - notZero) : 0;
        return log2Sum(generic, log2MoreRoots() + 1);
    }

    /**
     * The most of the N roots that k1·t + k2·t' may vanish at so that only rho = 0 vanishes at the N - z others: any
     * other rho that does has a norm of at least q^(N - z), and at most N^(N/2).
     */
    int mostVanishing() {
        int n = parameters.n();
        return n - 1 - (int) (n / 2.0 * log2(n) / log2(parameters.q()));
    }

    /**
     * The most roots of y^L + 1 modulo q at which k != 0 of R[y]/(y^L + 1) with |k_j| <= M vanishes: its norm, at most
     * ||k||^L <= (sqrt(L)·M)^L, is a multiple of q for each.
     */
    int rootsOfCharacter() {
        int rows = parameters.kept();
        return (int) (rows * log2(Math.sqrt(rows) * CUT) / log2(parameters.q()));
    }

    /** log2 of the probability over t and t' that k1·t + k2·t' vanishes at some e other roots: C(N, e)·q^-e. */
    double log2MoreRoots() {
        double log2 = 0;
        for (int i = 0; i < MORE_ROOTS; i++) {
            log2 += log2((double) (parameters.n() - i) / (i + 1)) - log2(parameters.q());
        }
        return log2;
    }

    /** Tells if t is uniform at any e roots to 2^-N: sqrt(N)·q^(e/N) is at least that ideal's smoothing width. */
    boolean uniformAtMoreRoots() {
        double n = parameters.n();
        double smoothing = Math.sqrt(n) * Math.pow(parameters.q(), MORE_ROOTS / n);
        return smoothing <= parameters.sigma() * Math.sqrt(2 * Math.PI);
    }

    /** log2 of the bound kappa: the mean over h, t and t' of the largest P_rho[agree in all rows] over A0. */
    double log2Kappa() {
        return log2Kappa(bestDelta());
    }

    double log2Kappa(double delta) {
        return log2Sum(log2Integral(delta), log2Coefficients(delta) + log2Phi());
    }

    double bestDelta() {
        double best = 0.001;
        double least = log2Kappa(best);
        for (double delta = best; delta < 0.3; delta *= 1.04) {
            double kappa = log2Kappa(delta);
            if (kappa < least) {
                best = delta;
                least = kappa;
            }
        }
        return best;
    }

    private static double square(double x) {
        return x * x;
    }

    private static double log2Sum(double a, double b) {
        double larger = Math.max(a, b);
        return larger + log2(1 + Math.pow(2, Math.min(a, b) - larger));
    }

    static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }
}
