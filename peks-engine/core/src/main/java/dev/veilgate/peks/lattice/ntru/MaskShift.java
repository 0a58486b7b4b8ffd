package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.random.CoinStream;

/**
 * The shift of an index block's mask by a hash of it, which takes the choice of A from the sender (specification,
 * section 4):
 *
 * <pre>
 *   A0      = r0·h + e1
 *   binding = SHA-256("veilgate/ntru-peks/block/3" || header || context || counts || A0)
 *   rho     = G(binding)
 *   A       = A0 + rho·h
 * </pre>
 *
 * <p>G is public: AES-256-CTR under HMAC-SHA-256(binding, str "veilgate/ntru-peks/shift/1"), a random oracle. Its first
 * N bits are signs, 1 for -1; m times N mask bits follow, and a coefficient whose m mask bits are not all 1 is 0. Bit i
 * of each N is that of coefficient i, least significant first. So each coefficient is +1 and -1 with probability
 * 2^-(m+1) each.
 */
final class MaskShift {
    private static final String DOMAIN = "veilgate/ntru-peks/shift/1";

    private MaskShift() {}

    /** G: the coefficients of rho, -1 to 1. */
    static int[] rho(NtruParameters parameters, byte[] binding) {
        int n = parameters.n();
        byte[] signs = new byte[n / 8];
        byte[] masks = new byte[n / 8];
        byte[] more = new byte[n / 8];
        try (CoinStream coins = CoinStream.derived(binding, DOMAIN, new byte[0])) {
            coins.nextBytes(signs);
            coins.nextBytes(masks);
            for (int bit = 1; bit < parameters.shiftMaskBits(); bit++) {
                coins.nextBytes(more);
                for (int i = 0; i < masks.length; i++) {
                    masks[i] &= more[i];
                }
            }
        }
        int[] rho = new int[n];
        for (int i = 0; i < n; i += 8) {
            int sign = signs[i >> 3];
            int mask = masks[i >> 3];
            for (int bit = 0; bit < 8; bit++) {
                rho[i + bit] = (1 - 2 * (sign >> bit & 1)) * (mask >> bit & 1);
            }
        }
        return rho;
    }

    /** The transform of rho. */
    static int[] rhoHat(NtruParameters parameters, byte[] binding) {
        int[] rho = rho(parameters, binding);
        int q = parameters.q();
        for (int i = 0; i < rho.length; i++) {
            rho[i] += rho[i] >> 31 & q;
        }
        parameters.ring().forwardInPlace(rho);
        return rho;
    }

    /** A0 = A - rho·h: what the sender had when the binding was made, if it is the right one. */
    static int[] unshifted(PublicKey publicKey, byte[] binding, int[] a) {
        NtruParameters parameters = publicKey.parameters();
        NegacyclicNtt ring = parameters.ring();
        Modulus modulus = ring.modulus();
        int[] a0 = rhoHat(parameters, binding);
        ring.multiplyHat(a0, a0, publicKey.hHatMont());
        ring.inverseInPlace(a0);
        for (int i = 0; i < a0.length; i++) {
            a0[i] = modulus.subtract(a[i], a0[i]);
        }
        return a0;
    }
}
