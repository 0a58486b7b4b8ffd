package dev.veilgate.ese.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.NegacyclicNtt;

/**
 * A parameter set of NTRU encryption over R_q = Z_q[x]/(x^N + 1) with plaintext modulus 2, as data. The security estimate and the bound of decryption are recomputed by
 * tests.
 *
 * <table>
 * <caption>Symbols</caption>
 * <tr><td>N</td><td>ring degree</td></tr>
 * <tr><td>q</td><td>prime, 1 mod 2N, so that R_q has a number-theoretic transform</td></tr>
 * <tr><td>B</td><td>largest absolute coefficient of m + 2(g·r + F·m) for any ternary F, g, r and m of bits: 1 + 4N</td></tr>
 * </table>
 *
 * <p>Decryption never fails, since B is below q/2. Nor is q so large for N that the key's dense sublattice helps (Ducas, van Woerden, "NTRU Fatigue", ASIACRYPT 2021:
 * from about 0.004·N^2.484 on, 120,000 at N = 1024).
 */
public enum ParameterSet {
    /** The least power of two with more than 128 bits, quantum, and the least prime that is 1 mod 2N: it leaves room for B. */
    N1024_Q12289(2, 1024, 12_289, new SecurityEstimate(635, 185, 163, "2026-11"));

    /**
     * Cost of the best known attack (primal uSVP, core-SVP, log2 of operations), on the ciphertexts, and as if all of their secrets were as short as the message's bits
     * (width 1/2), which favours the attacker. The key takes more: 712 instead of 635.
     *
     * @param bkzBlockSize  beta
     * @param classicalBits 0.292·beta
     * @param quantumBits   0.257·beta
     * @param estimated     when, as year-month
     */
    public record SecurityEstimate(int bkzBlockSize, int classicalBits, int quantumBits, String estimated) {}

    private final int code;
    private final int n;
    private final int q;
    private final SecurityEstimate security;
    private final NegacyclicNtt ring;

    ParameterSet(int code, int n, int q, SecurityEstimate security) {
        this.code = code;
        this.n = n;
        this.q = q;
        this.security = security;
        this.ring = new NegacyclicNtt(n, q);
        if (decryptionBound() > (q - 1) / 2) {
            throw new IllegalArgumentException("decryption could fail");
        }
    }

    /** Ring degree N. */
    public int n() {
        return n;
    }

    /** The prime q. */
    public int q() {
        return q;
    }

    /** Cost of the best known attack. */
    public SecurityEstimate security() {
        return security;
    }

    /** B. */
    public int decryptionBound() {
        return 1 + 4 * n;
    }

    /** In keys and ciphertexts; 1 is another instance's. */
    int code() {
        return code;
    }

    NegacyclicNtt ring() {
        return ring;
    }

    static ParameterSet byCode(String field, int code) throws MalformedEncodingException {
        for (ParameterSet set : values()) {
            if (set.code == code) {
                return set;
            }
        }
        throw new MalformedEncodingException(field, "must be the code of a parameter set");
    }
}
