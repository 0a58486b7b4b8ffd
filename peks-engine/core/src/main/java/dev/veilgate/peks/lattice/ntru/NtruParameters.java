package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.lattice.DiscreteGaussian;
import dev.veilgate.math.lattice.NtruBasis;
import dev.veilgate.math.ring.NegacyclicNtt;
import java.util.List;

/**
 * A parameter set of NTRU-PEKS, as data. Everything that follows from other numbers is computed from them; the security
 * estimates are recomputed by a test.
 *
 * <table>
 * <caption>Symbols</caption>
 * <tr><td>N</td><td>ring degree</td></tr>
 * <tr><td>q</td><td>prime, 1 mod 2N</td></tr>
 * <tr><td>L</td><td>kept coefficients of a keyword in an index block: those with j = 0 mod N/L</td></tr>
 * <tr><td>eta</td><td>smoothing width of Z^2N for 2^64 samples</td></tr>
 * <tr><td>sigma</td><td>width of trapdoors, eta·1.17·sqrt(q)</td></tr>
 * <tr><td>sigma_z</td><td>width of the noise z = r·s - e1·t_w with ternary r and e1, sqrt(2/3)·sigma·sqrt(2N)</td></tr>
 * <tr><td>rho</td><td>the shift of an index block's r: +1 and -1 with probability 2^-(m+1) each, m its mask
 * bits</td></tr>
 * <tr><td>tau</td><td>bound of an index block's noise, (r + rho)·s - e1·t_w + e2, which a right keyword exceeds in one
 * coefficient with
 *     probability below 4·exp(-rowTail^2/2)</td></tr>
 * </table>
 */
public final class NtruParameters {
    /** What a parameter set may be used for. */
    public enum Use {
        /** Services refuse it. */
        TESTS_AND_BENCHMARKS,
        /** Services take it only when it is configured by name, and warn. */
        WHEN_NAMED,
        /** The set to use. */
        DEFAULT
    }

    /**
     * Cost of the best known attack on the ciphertexts (primal uSVP on ring-LWE, core-SVP, log2 of operations).
     *
     * @param bkzBlockSize  beta
     * @param classicalBits 0.292·beta
     * @param quantumBits   0.257·beta
     * @param estimated     when, as year-month
     */
    public record SecurityEstimate(int bkzBlockSize, int classicalBits, int quantumBits, String estimated) {}

    /** The paper's lambda = 80. */
    public static final NtruParameters N512_Q24 = new NtruParameters(
            "N512_Q24",
            1,
            512,
            16_770_049,
            256,
            23,
            1.278,
            7.1,
            1.308,
            1,
            128,
            new SecurityEstimate(133, 38, 34, "2026-11"),
            Use.TESTS_AND_BENCHMARKS);

    /** The paper's lambda = 192. */
    public static final NtruParameters N1024_Q27 = new NtruParameters(
            "N1024_Q27",
            2,
            1024,
            134_215_681,
            256,
            92,
            1.2983,
            10.2,
            1.215,
            1,
            64,
            new SecurityEstimate(314, 91, 80, "2026-11"),
            Use.WHEN_NAMED);

    /** The default. */
    public static final NtruParameters N2048_Q29 = new NtruParameters(
            "N2048_Q29",
            3,
            2048,
            536_813_569,
            256,
            256,
            1.3118,
            10.2,
            1.151,
            2,
            40,
            new SecurityEstimate(717, 209, 184, "2026-11"),
            Use.DEFAULT);

    private static final List<NtruParameters> ALL = List.of(N512_Q24, N1024_Q27, N2048_Q29);

    /** Norms above this multiple of sigma·sqrt(2N) are drawn again. */
    static final double NORM_SLACK = 1.1;

    /** Bits of a packed trapdoor coefficient: |t| below 2^19. */
    static final int TRAPDOOR_COEFFICIENT_BITS = 20;

    /** sqrt of the variance of a uniform ternary digit. */
    static final double TERNARY_WIDTH = Math.sqrt(2.0 / 3);

    private final String id;
    private final int code;
    private final int n;
    private final int q;
    private final int kept;
    private final int maxKeywords;
    private final double smoothing;
    private final double rowTail;
    private final double firstHalfFactor;
    private final int shiftMaskBits;
    private final int hotRows;
    private final SecurityEstimate security;
    private final Use use;
    private final NegacyclicNtt ring;
    private final NegacyclicNtt keptRing;

    /**
     * @param rowTail         how many widths of noise Test's rows allow for
     * @param firstHalfFactor {@link #firstHalfBound} in units of sigma·sqrt(N)
     * @param shiftMaskBits   a coefficient of rho is not 0 with probability 2^-shiftMaskBits
     * @param hotRows         rows that the early rejection reads at most
     */
    NtruParameters(
            String id,
            int code,
            int n,
            int q,
            int kept,
            int maxKeywords,
            double smoothing,
            double rowTail,
            double firstHalfFactor,
            int shiftMaskBits,
            int hotRows,
            SecurityEstimate security,
            Use use) {
        this.id = id;
        this.code = code;
        this.n = n;
        this.q = q;
        this.kept = kept;
        this.maxKeywords = maxKeywords;
        this.smoothing = smoothing;
        this.rowTail = rowTail;
        this.firstHalfFactor = firstHalfFactor;
        this.shiftMaskBits = shiftMaskBits;
        this.hotRows = hotRows;
        this.security = security;
        this.use = use;
        this.ring = new NegacyclicNtt(n, q);
        this.keptRing = ring.subring(kept);
        if (smoothing * NtruBasis.GRAM_SCHMIDT_FACTOR * NtruBasis.GRAM_SCHMIDT_FACTOR > DiscreteGaussian.SIGMA_MAX) {
            throw new IllegalArgumentException("leaf widths exceed the base sampler");
        }
        if (rowBound() >= q / 8.0) {
            throw new IllegalArgumentException("noise does not fit q/8");
        }
        if (hotRows > kept || hotRows % 2 != 0 || maxKeywords > 256 || kept % Long.SIZE != 0) {
            throw new IllegalArgumentException(
                    "at most 256 keywords; L a multiple of 64; an even number of rows, at most L");
        }
    }

    /** The published sets, smallest first. */
    public static List<NtruParameters> all() {
        return ALL;
    }

    /** @throws MalformedEncodingException if there is no set of that name */
    public static NtruParameters byId(String id) throws MalformedEncodingException {
        return ALL.stream()
                .filter(p -> p.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new MalformedEncodingException(
                        "parameters",
                        "must be one of " + ALL.stream().map(NtruParameters::id).toList()));
    }

    static NtruParameters byCode(int code) throws MalformedEncodingException {
        for (NtruParameters p : ALL) {
            if (p.code == code) {
                return p;
            }
        }
        throw new MalformedEncodingException("parameters", "must be 1 to " + ALL.size());
    }

    /** Name, as in configuration and formats. */
    public String id() {
        return id;
    }

    /** The set's number in binary formats. */
    int code() {
        return code;
    }

    /** Ring degree N. */
    public int n() {
        return n;
    }

    /** The prime q. */
    public int q() {
        return q;
    }

    /** Kept coefficients L of a keyword, which are the bits of its slot key. */
    public int kept() {
        return kept;
    }

    /** N/L. */
    int stride() {
        return n / kept;
    }

    /** Most keywords of one index block: with all their trapdoors, section 7 of the specification still holds. */
    public int maxKeywords() {
        return maxKeywords;
    }

    /** Estimated security of the ciphertexts. */
    public SecurityEstimate security() {
        return security;
    }

    /** What the set may be used for. */
    public Use use() {
        return use;
    }

    /** eta. */
    double smoothing() {
        return smoothing;
    }

    /** Width of a trapdoor's coefficients, sigma = eta·1.17·sqrt(q). */
    public double sigma() {
        return smoothing * NtruBasis.GRAM_SCHMIDT_FACTOR * Math.sqrt(q);
    }

    /** Largest norm of an issued (s, t_w): 1.1·sigma·sqrt(2N). */
    public double normBound() {
        return NORM_SLACK * sigma() * Math.sqrt(2.0 * n);
    }

    long normSquaredLimit() {
        return (long) (normBound() * normBound());
    }

    /** e2 of an index block is uniform in [-floodBound, floodBound], floodBound = 2·sigma_z. */
    public int floodBound() {
        return (int) Math.round(2 * TERNARY_WIDTH * sigma() * Math.sqrt(2.0 * n));
    }

    /** Widths of noise that one row of Test allows for; it fails with probability below 4·exp(-rowTail^2/2). */
    public double rowTail() {
        return rowTail;
    }

    /** Norm of s that all trapdoors but a share of 2^-64 keep to; it is not checked, since only t_w is kept. */
    double firstHalfBound() {
        return firstHalfFactor * sigma() * Math.sqrt(n);
    }

    /** Mask bits m of a coefficient of rho: it is not 0 with probability 2^-m (specification, section 4). */
    int shiftMaskBits() {
        return shiftMaskBits;
    }

    /** Variance of a coefficient of rho, 2^-m. */
    double shiftVariance() {
        return Math.scalb(1.0, -shiftMaskBits);
    }

    /** tau: rowTail widths of noise, floodBound, and the error of the 32-bit phases of A. */
    double rowBound() {
        return rowTail * noiseWidth() + floodBound() + phaseRoundingBound();
    }

    /** Width of (r + rho)·s - e1·t_w: sqrt(2/3·||(s, t_w)||^2 + 2^-m·||s||^2), at the bounds of the norms. */
    double noiseWidth() {
        double ofBoth = TERNARY_WIDTH * normBound();
        double ofShift = Math.sqrt(shiftVariance()) * firstHalfBound();
        return Math.sqrt(ofBoth * ofBoth + ofShift * ofShift);
    }

    /**
     * Bound of sum e_i·t_i, e_i the rounding errors of A's phases, uniform in ±1/2 unit of q/2^32: Hoeffding with the
     * same tail as the noise, 2·exp(-2·x^2/||t||^2) at x = rowTail/2·||t||.
     */
    private double phaseRoundingBound() {
        return rowTail / 2 * normBound() * q / 0x1p32;
    }

    /** Rows that early rejection reads before it decodes in full. */
    int hotRows() {
        return hotRows;
    }

    NegacyclicNtt ring() {
        return ring;
    }

    NegacyclicNtt keptRing() {
        return keptRing;
    }

    @Override
    public String toString() {
        return id;
    }
}
