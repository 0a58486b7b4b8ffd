package dev.veilgate.math.ring;

import java.math.BigInteger;
import java.util.Arrays;

/** The plain twins: products in Z[x]/(x^N + 1), with or without a modulus, by their definition and by big integers. */
public final class PlainRing {
    private PlainRing() {}

    /** a·b mod (x^N + 1, q) by the schoolbook, in [0, q); coefficients of any sign. */
    public static int[] multiply(int[] a, int[] b, int q) {
        int n = a.length;
        long[] sum = new long[2 * n];
        for (int i = 0; i < n; i++) {
            long x = Math.floorMod(a[i], q);
            if (x == 0) {
                continue;
            }
            for (int j = 0; j < n; j++) {
                sum[i + j] = (sum[i + j] + x * Math.floorMod(b[j], q)) % q;
            }
        }
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
            out[i] = (int) Math.floorMod(sum[i] - sum[i + n], (long) q);
        }
        return out;
    }

    /** a·b mod x^N + 1 by the schoolbook. */
    public static BigInteger[] multiply(BigInteger[] a, BigInteger[] b) {
        int n = a.length;
        BigInteger[] out = new BigInteger[n];
        Arrays.fill(out, BigInteger.ZERO);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                BigInteger p = a[i].multiply(b[j]);
                int k = i + j;
                out[k % n] = k < n ? out[k].add(p) : out[k - n].subtract(p);
            }
        }
        return out;
    }

    /** a·b mod x^N + 1 for a, b with |coefficients| below 2^31 and N at most 2^15, by one product of big integers. */
    public static BigInteger[] multiplyBig(int[] a, int[] b) {
        int n = a.length;
        int slot = 80; // bits; |a·b| is below 2^77
        BigInteger product = atPowerOfTwo(a, slot).multiply(atPowerOfTwo(b, slot));
        BigInteger half = BigInteger.ONE.shiftLeft(slot - 1);
        BigInteger halves = BigInteger.ZERO;
        for (int i = 0; i < 2 * n; i++) {
            halves = halves.setBit(i * slot + slot - 1);
        }
        byte[] digits = product.add(halves).toByteArray(); // every slot is now positive
        int bytes = slot / 8;
        BigInteger[] full = new BigInteger[2 * n];
        for (int i = 0; i < 2 * n; i++) {
            full[i] = new BigInteger(1, digits, digits.length - (i + 1) * bytes, bytes).subtract(half);
        }
        BigInteger[] out = new BigInteger[n];
        for (int i = 0; i < n; i++) {
            out[i] = full[i].subtract(full[i + n]);
        }
        return out;
    }

    private static BigInteger atPowerOfTwo(int[] a, int slot) {
        int bytes = slot / 8;
        byte[] plus = new byte[a.length * bytes + 1];
        byte[] minus = new byte[a.length * bytes + 1];
        for (int i = 0; i < a.length; i++) {
            byte[] into = a[i] < 0 ? minus : plus;
            long x = Math.abs((long) a[i]);
            for (int k = 0; k < 4; k++) {
                into[into.length - 1 - i * bytes - k] = (byte) (x >>> 8 * k);
            }
        }
        return new BigInteger(plus).subtract(new BigInteger(minus));
    }
}
