package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.lattice.NtruBasis;
import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.secret.Secret;
import java.util.Arrays;

/**
 * Finds r in a mask A = r·h + e1 with the secret basis (specification, section 8). Over the integers, where U and V
 * are A·f and A·F mod q between -q/2 and q/2:
 *
 * <pre>
 *   U = r·g + e1·f      V = r·G + e1·F      V·f - U·F = r·(f·G - g·F) = q·r
 * </pre>
 *
 * as the right sides stay below q/2 for every r in -2 .. 2 and e1 in -1 .. 1 ({@link #isWithinReach}, which a key is
 * checked for when it is loaded). Of the last equation both sides are computed modulo the prime 12,289, which tells
 * the five values of r apart; so decoding an honest mask never fails. What comes out is then compared with A itself,
 * over all of Z_q, so that no other mask passes.
 *
 * <p>The same work for every A: no branch and no index depends on A or on a secret. Immutable until {@link #destroy};
 * safe for use by several threads.
 */
@Secret
final class MaskDecoder {
    /** The largest absolute value of r = r0 + rho. */
    static final int R_BOUND = 2;

    /** Prime that has a transform for each N up to 2,048, and is above 2·{@link #R_BOUND}. */
    private static final int SMALL_PRIME = 12_289;

    private final NtruParameters parameters;
    private final int[] hHatMont;
    private final NegacyclicNtt small;
    /** A multiple of the small prime that is at least q/2. */
    private final int offset;

    private final int[] fHatMont;
    private final int[] capitalFHatMont;
    /** f/q and F/q modulo the small prime, with the Montgomery factor twice: {@link #remainders} take one away. */
    private final int[] fSmallHat;

    private final int[] capitalFSmallHat;

    MaskDecoder(PublicKey publicKey, NtruBasis basis) {
        this.parameters = publicKey.parameters();
        this.hHatMont = publicKey.hHatMont();
        this.small = new NegacyclicNtt(parameters.n(), SMALL_PRIME);
        this.offset = (parameters.q() / 2 / SMALL_PRIME + 1) * SMALL_PRIME;
        this.fHatMont = hatMont(parameters.ring(), basis.f());
        this.capitalFHatMont = hatMont(parameters.ring(), basis.capitalF());
        this.fSmallHat = overQ(hatMont(small, basis.f()));
        this.capitalFSmallHat = overQ(hatMont(small, basis.capitalF()));
    }

    private static int[] hatMont(NegacyclicNtt ring, int[] polynomial) {
        int[] out = new int[polynomial.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = ring.modulus().canonical(polynomial[i]);
        }
        ring.forwardInPlace(out);
        ring.toMontInPlace(out);
        return out;
    }

    private int[] overQ(int[] smallHatMont) {
        Modulus modulus = small.modulus();
        int inverse = modulus.inverse(modulus.canonical(parameters.q()));
        for (int i = 0; i < smallHatMont.length; i++) {
            smallHatMont[i] = modulus.multiply(smallHatMont[i], inverse);
        }
        small.toMontInPlace(smallHatMont);
        return smallHatMont;
    }

    /**
     * Whether r·g + e1·f and r·G + e1·F stay below q/2 for every r in -2 .. 2 and e1 in -1 .. 1: a coefficient of the
     * first is at most 2·||g||_1 + ||f||_1.
     */
    static boolean isWithinReach(NtruBasis basis, int q) {
        return largest(basis.g(), basis.f()) < q / 2 && largest(basis.capitalG(), basis.capitalF()) < q / 2;
    }

    /** The largest coefficient of r·ofR + e1·ofE1. */
    static long largest(int[] ofR, int[] ofE1) {
        long sum = 0;
        for (int i = 0; i < ofR.length; i++) {
            sum += R_BOUND * Math.abs((long) ofR[i]) + Math.abs((long) ofE1[i]);
        }
        return sum;
    }

    /**
     * Finds r in A.
     *
     * @param a in [0, q)
     */
    Decoded decode(int[] a) {
        NegacyclicNtt ring = parameters.ring();
        int[] u = a.clone();
        ring.forwardInPlace(u);
        int[] v = new int[u.length];
        ring.multiplyHat(v, u, capitalFHatMont);
        ring.multiplyHat(u, u, fHatMont);
        ring.inverseInPlace(u);
        ring.inverseInPlace(v);
        remainders(u);
        remainders(v);
        small.forwardInPlace(u);
        small.forwardInPlace(v);
        small.multiplyHat(v, v, fSmallHat);
        small.multiplyHat(u, u, capitalFSmallHat);
        Modulus smallModulus = small.modulus();
        for (int i = 0; i < v.length; i++) {
            v[i] = smallModulus.subtract(v[i], u[i]);
        }
        small.inverseInPlace(v);
        for (int i = 0; i < v.length; i++) {
            v[i] = smallModulus.centred(v[i]);
        }
        Arrays.fill(u, 0);
        return checked(a, v);
    }

    /** The values between -q/2 and q/2, modulo the small prime, without a Montgomery factor. */
    private void remainders(int[] values) {
        Modulus modulus = parameters.ring().modulus();
        Modulus smallModulus = small.modulus();
        for (int i = 0; i < values.length; i++) {
            values[i] = smallModulus.reduceMont(modulus.centred(values[i]) + (long) offset);
        }
    }

    /**
     * r and its transform, if r is in -2 .. 2 and e1 = A - r·h in -1 .. 1, and zeros otherwise.
     *
     * @param r becomes that of the result
     */
    private Decoded checked(int[] a, int[] r) {
        NegacyclicNtt ring = parameters.ring();
        Modulus modulus = ring.modulus();
        int[] rHatMont = new int[r.length];
        int wrong = 0; // negative where something is out of its range
        for (int i = 0; i < r.length; i++) {
            wrong |= r[i] + R_BOUND | R_BOUND - r[i];
            rHatMont[i] = r[i] + (r[i] >> 31 & modulus.q());
        }
        ring.forwardInPlace(rHatMont);
        int[] e1 = new int[r.length];
        ring.multiplyHat(e1, rHatMont, hHatMont);
        ring.inverseInPlace(e1);
        for (int i = 0; i < e1.length; i++) {
            int e = modulus.centred(modulus.subtract(a[i], e1[i]));
            wrong |= e + 1 | 1 - e;
        }
        ring.toMontInPlace(rHatMont);
        int keep = ~(wrong >> 31);
        for (int i = 0; i < r.length; i++) {
            r[i] &= keep;
            rHatMont[i] &= keep;
        }
        Arrays.fill(e1, 0);
        return new Decoded(r, rHatMont, keep);
    }

    /** Result of a decoding: r, or that there is none. */
    static final class Decoded {
        private final int[] r;
        private final int[] rHatMont;
        private final int keep;

        private Decoded(int[] r, int[] rHatMont, int keep) {
            this.r = r;
            this.rHatMont = rHatMont;
            this.keep = keep;
        }

        /** Whether A = r·h + e1 with r in -2 .. 2 and e1 in -1 .. 1. */
        boolean isWellFormed() {
            return keep != 0;
        }

        /** All ones if it {@link #isWellFormed}, else 0. */
        long mask() {
            return keep;
        }

        /** The coefficients of r, zeros if there is none; the array itself. */
        int[] r() {
            return r;
        }

        /** The transform of r with the Montgomery factor; the array itself. */
        int[] rHatMont() {
            return rHatMont;
        }

        /** Erases r. */
        void destroy() {
            Arrays.fill(r, 0);
            Arrays.fill(rHatMont, 0);
        }

        @Override
        public String toString() {
            return "Decoded[hidden]";
        }
    }

    /** Erases what it has of the basis. */
    void destroy() {
        Arrays.fill(fHatMont, 0);
        Arrays.fill(capitalFHatMont, 0);
        Arrays.fill(fSmallHat, 0);
        Arrays.fill(capitalFSmallHat, 0);
    }

    @Override
    public String toString() {
        return "MaskDecoder[secret]";
    }
}
