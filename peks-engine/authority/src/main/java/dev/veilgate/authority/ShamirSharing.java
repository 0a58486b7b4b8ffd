package dev.veilgate.authority;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Shamir's sharing of a secret, byte by byte over GF(2^8) = GF(2)[z] / (z^8 + z^4 + z^3 + z + 1):
 *
 * <pre>
 *   f(x) = s + a1 x + ... + a(t-1) x^(t-1)          share i is f(i), i = 1 ... n
 *   s = sum over i of f(i) * prod over j != i of j / (j - i)
 * </pre>
 *
 * <p>Fewer than t shares say nothing of the secret, whatever anybody can compute. Does not give: that a share is genuine; whoever holds one can alter what comes out.
 *
 * <p>Source: Shamir, How to share a secret, 1979. No look-up table and no branch depends on a secret; which shares there are is public.
 */
final class ShamirSharing {
    static final int MAX_SHARES = 16;

    private ShamirSharing() {}

    /** @throws IllegalArgumentException for numbers that cannot be */
    static void check(int threshold, int shares) {
        if (threshold < 2 || threshold > shares || shares > MAX_SHARES) {
            throw new IllegalArgumentException("shares are 2 to " + MAX_SHARES + ", and 2 to all of them restore");
        }
    }

    /**
     * Shares; draws {@code (threshold - 1) * secret.length} bytes.
     *
     * @return share i at place i - 1
     */
    static byte[][] split(byte[] secret, int threshold, int shares, SecureRandom random) {
        check(threshold, shares);
        byte[][] a = new byte[threshold][];
        a[0] = secret.clone();
        for (int k = 1; k < threshold; k++) {
            a[k] = new byte[secret.length];
            random.nextBytes(a[k]);
        }
        byte[][] out = new byte[shares][secret.length];
        for (int i = 1; i <= shares; i++) {
            for (int at = 0; at < secret.length; at++) {
                int y = 0;
                for (int k = threshold - 1; k >= 0; k--) { // Horner
                    y = multiply(y, i) ^ a[k][at] & 0xff;
                }
                out[i - 1][at] = (byte) y;
            }
        }
        for (byte[] coefficients : a) {
            Arrays.fill(coefficients, (byte) 0);
        }
        return out;
    }

    /** The value at x of the one polynomial of lowest degree through the shares: at 0 the secret, elsewhere what that share must be. */
    static byte[] interpolate(int[] indices, byte[][] values, int x) {
        byte[] out = new byte[values[0].length];
        for (int i = 0; i < indices.length; i++) {
            int weight = 1;
            for (int j = 0; j < indices.length; j++) {
                if (j != i) {
                    weight = multiply(weight, multiply(indices[j] ^ x, inverse(indices[j] ^ indices[i])));
                }
            }
            for (int at = 0; at < out.length; at++) {
                out[at] ^= (byte) multiply(values[i][at] & 0xff, weight);
            }
        }
        return out;
    }

    /** a b in the field. */
    static int multiply(int a, int b) {
        int product = 0;
        int shifted = a;
        for (int bit = 0; bit < 8; bit++) {
            product ^= -(b >>> bit & 1) & shifted;
            shifted = shifted << 1 ^ -(shifted >>> 7) & 0x11b;
        }
        return product;
    }

    /** a^254, which is 1 / a; 0 of 0. */
    static int inverse(int a) {
        int power = a;
        int out = 1;
        for (int bit = 1; bit < 8; bit++) { // 254 = 2 + 4 + ... + 128
            power = multiply(power, power);
            out = multiply(out, power);
        }
        return out;
    }
}
