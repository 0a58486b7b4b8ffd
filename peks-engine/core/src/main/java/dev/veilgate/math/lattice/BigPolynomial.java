package dev.veilgate.math.lattice;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Polynomials of Z[x]/(x^n + 1) with large coefficients, multiplied by Kronecker substitution: evaluation at a power of
 * two large enough that coefficients do not overlap, so that one product of big integers (Toom-Cook in the JDK) is the
 * product of polynomials.
 */
final class BigPolynomial {
    private BigPolynomial() {}

    /** a·b mod x^n + 1. */
    static BigInteger[] multiply(BigInteger[] a, BigInteger[] b) {
        int n = a.length;
        if (n <= 4) {
            return multiplySchoolbook(a, b);
        }
        int bits = maxBitLength(a) + maxBitLength(b) + 32 - Integer.numberOfLeadingZeros(n) + 2;
        int slotBytes = (bits + 7) / 8;
        BigInteger product = evaluate(a, slotBytes).multiply(evaluate(b, slotBytes));
        BigInteger[] full = coefficients(product, slotBytes, 2 * n - 1);
        BigInteger[] out = new BigInteger[n];
        for (int i = 0; i < n; i++) {
            out[i] = i + n < full.length ? full[i].subtract(full[i + n]) : full[i];
        }
        return out;
    }

    private static BigInteger[] multiplySchoolbook(BigInteger[] a, BigInteger[] b) {
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

    /** The field norm N(a) = a0^2 - y·a1^2, a = a0(x^2) + x·a1(x^2): a polynomial in y = x^2 of half the degree. */
    static BigInteger[] fieldNorm(BigInteger[] a) {
        int half = a.length / 2;
        BigInteger[] even = new BigInteger[half];
        BigInteger[] odd = new BigInteger[half];
        for (int i = 0; i < half; i++) {
            even[i] = a[2 * i];
            odd[i] = a[2 * i + 1];
        }
        BigInteger[] evenSquared = multiply(even, even);
        BigInteger[] oddSquared = multiply(odd, odd);
        BigInteger[] out = new BigInteger[half];
        for (int i = 0; i < half; i++) {
            BigInteger shifted = i == 0 ? oddSquared[half - 1].negate() : oddSquared[i - 1]; // y·a1^2, y^half = -1
            out[i] = evenSquared[i].subtract(shifted);
        }
        return out;
    }

    /** a(x^2)·b(-x) for a of half the degree of b. */
    static BigInteger[] lift(BigInteger[] a, BigInteger[] b) {
        BigInteger[] spread = new BigInteger[b.length];
        BigInteger[] conjugate = new BigInteger[b.length];
        for (int i = 0; i < b.length; i++) {
            spread[i] = (i & 1) == 0 ? a[i / 2] : BigInteger.ZERO;
            conjugate[i] = (i & 1) == 0 ? b[i] : b[i].negate();
        }
        return multiply(spread, conjugate);
    }

    static int maxBitLength(BigInteger[] a) {
        int max = 0;
        for (BigInteger x : a) {
            max = Math.max(max, x.bitLength());
        }
        return max;
    }

    /** sum a_i·2^(8·slotBytes·i), as the difference of the positive and the negative coefficients. */
    private static BigInteger evaluate(BigInteger[] a, int slotBytes) {
        byte[] positive = new byte[slotBytes * a.length];
        byte[] negative = new byte[slotBytes * a.length];
        for (int i = 0; i < a.length; i++) {
            byte[] magnitude = a[i].abs().toByteArray();
            byte[] into = a[i].signum() < 0 ? negative : positive;
            int end = into.length - i * slotBytes; // big-endian: slot 0 is last
            int skip = magnitude[0] == 0 ? 1 : 0;
            int length = magnitude.length - skip;
            System.arraycopy(magnitude, skip, into, end - length, length);
        }
        return new BigInteger(1, positive).subtract(new BigInteger(1, negative));
    }

    /** The inverse of {@link #evaluate}: adds half a slot to every coefficient, so that all digits are non-negative. */
    private static BigInteger[] coefficients(BigInteger value, int slotBytes, int count) {
        byte[] halves = new byte[slotBytes * count];
        for (int i = 0; i < count; i++) {
            halves[i * slotBytes] = (byte) 0x80;
        }
        byte[] digits = value.add(new BigInteger(1, halves)).toByteArray();
        int length = slotBytes * count;
        byte[] aligned = new byte[length];
        int take = Math.min(length, digits.length);
        System.arraycopy(digits, digits.length - take, aligned, length - take, take);
        BigInteger half = BigInteger.ONE.shiftLeft(8 * slotBytes - 1);
        BigInteger[] out = new BigInteger[count];
        for (int i = 0; i < count; i++) {
            out[i] = new BigInteger(1, aligned, length - (i + 1) * slotBytes, slotBytes).subtract(half);
        }
        return out;
    }
}
