package dev.veilgate.math.ring;

/**
 * Arithmetic modulo an odd prime q below 2^30.
 *
 * <p>{@link #multiplyMont} is Montgomery's reduction with radix 2^32: {@code a·b·2^-32 mod q}. If one operand carries the
 * factor 2^32 ({@link #toMont}) the result is the plain product.
 */
public final class Modulus {
    private static final long LOW_32 = 0xffff_ffffL;

    private final int q;
    /** -q^-1 mod 2^32. */
    private final int negativeInverse;
    /** 2^64 mod q. */
    private final int montSquared;

    /** @param q an odd prime below 2^30; primality is the caller's promise, which {@link NegacyclicNtt} checks */
    public Modulus(int q) {
        if (q < 3 || q >= 1 << 30 || (q & 1) == 0) {
            throw new IllegalArgumentException("q must be an odd prime below 2^30");
        }
        this.q = q;
        int inverse = q; // Newton: doubles the number of right bits, from 3
        for (int i = 0; i < 4; i++) {
            inverse *= 2 - q * inverse;
        }
        this.negativeInverse = -inverse;
        long r = (1L << 32) % q;
        this.montSquared = (int) (r * r % q);
    }

    /** The prime q. */
    public int q() {
        return q;
    }

    /** Bits of a canonical coefficient: ceil(log2 q). */
    public int bits() {
        return 32 - Integer.numberOfLeadingZeros(q - 1);
    }

    /** a + b mod q, for a, b in [0, q). */
    public int add(int a, int b) {
        return reduceOnce(a + b);
    }

    /** a - b mod q, for a, b in [0, q). */
    public int subtract(int a, int b) {
        int d = a - b;
        return d + (d >> 31 & q);
    }

    /** a·b mod q, for a, b in [0, q). Not for inner loops. */
    public int multiply(int a, int b) {
        return (int) ((long) a * b % q);
    }

    /** a·b·2^-32 mod q in [0, q), for a, b in [0, q). */
    public int multiplyMont(int a, int b) {
        return reduceMont((long) a * b);
    }

    /** p·2^-32 mod q in [0, q), for p from 0 to q·2^32 - 1. */
    public int reduceMont(long p) {
        long m = ((int) p * negativeInverse) & LOW_32;
        return reduceOnce((int) (p + m * q >>> 32)); // p + m·q < 2q·2^32 <= 2^63
    }

    /** a·2^32 mod q. */
    public int toMont(int a) {
        return multiplyMont(a, montSquared);
    }

    /** a^e mod q, e >= 0. */
    public int power(int a, long e) {
        long result = 1;
        long base = a % q;
        for (long bits = e; bits > 0; bits >>= 1) {
            if ((bits & 1) == 1) {
                result = result * base % q;
            }
            base = base * base % q;
        }
        return (int) result;
    }

    /**
     * a^-1 mod q by Fermat.
     *
     * @throws ArithmeticException if a = 0 mod q
     */
    public int inverse(int a) {
        if (a % q == 0) {
            throw new ArithmeticException("zero has no inverse");
        }
        return power(a, q - 2L);
    }

    /** The representative of a in [0, q), for any a. */
    public int canonical(int a) {
        return Math.floorMod(a, q);
    }

    /** The representative of a in (-q/2, q/2), for a in [0, q). */
    public int centred(int a) {
        return a - (((q >> 1) - a) >> 31 & q);
    }

    /** a in [0, 2q) to [0, q), without a branch. */
    private int reduceOnce(int a) {
        int d = a - q;
        return d + (d >> 31 & q);
    }
}
