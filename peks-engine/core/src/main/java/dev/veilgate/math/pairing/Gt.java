package dev.veilgate.math.pairing;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import supranational.blst.PT;

/** An element of GT, the subgroup of order r of F_p^12, written multiplicatively. Immutable. Never printed, for most are secret. */
public final class Gt {
    /** Length of an encoding: the twelve coefficients, each 48 bytes, big-endian. */
    public static final int BYTES = 576;

    /** 1. */
    public static final Gt ONE = new Gt(PT.one());

    private static final int WINDOW_BITS = 4;

    private final PT value;

    Gt(PT value) {
        this.value = value;
    }

    /** e(p, q). For products of several pairings {@link PairingProduct} takes much less. */
    public static Gt pairing(G1 p, G2 q) {
        return new PairingProduct().times(p, q).value();
    }

    /**
     * The inverse of {@link #encode}.
     *
     * @throws MalformedEncodingException unless it is the encoding of an element of the group of order r other than 1
     */
    public static Gt decode(String field, byte[] bytes) throws MalformedEncodingException {
        if (bytes.length != BYTES) {
            throw new MalformedEncodingException(field, BYTES + " bytes");
        }
        PT value = RawFp12.read(bytes, 0);
        if (value == null) {
            throw new MalformedEncodingException(field, "coefficients below the field's prime");
        }
        if (!Arrays.equals(value.to_bendian(), bytes)) {
            throw new IllegalStateException("this build of blst keeps elements in another form");
        }
        if (value.is_one() || !value.in_group()) {
            throw new MalformedEncodingException(field, "an element of the group of prime order, not 1");
        }
        return new Gt(value);
    }

    /** {@link #decode} of the next bytes. */
    public static Gt read(ByteReader in, String field) throws MalformedEncodingException {
        return decode(in.name(field), in.bytes(field, BYTES));
    }

    /**
     * The inverse of {@link #encode} for what this software wrote itself, after {@link #decode}: that it is an element of the group is not checked.
     *
     * @param at where the encoding begins
     * @throws IllegalArgumentException for too few bytes, and for a coefficient that is not below the field's prime
     */
    public static Gt trusted(byte[] bytes, int at) {
        PT value = at < 0 || bytes.length - at < BYTES ? null : RawFp12.read(bytes, at);
        if (value == null) {
            throw new IllegalArgumentException("no element of the field");
        }
        return new Gt(value);
    }

    /** 576 bytes; the caller wipes those of a secret. */
    public byte[] encode() {
        return value.to_bendian();
    }

    /** this · other. */
    public Gt times(Gt other) {
        return new Gt(value.dup().mul(other.value));
    }

    /** this^exponent, with as many operations for all exponents; the place in a table of 16 that is read depends on it. */
    public Gt power(Zr exponent) {
        PT[] powers = new PT[1 << WINDOW_BITS];
        powers[0] = PT.one();
        for (int i = 1; i < powers.length; i++) {
            powers[i] = powers[i - 1].dup().mul(value);
        }
        byte[] bits = exponent.encode();
        PT product = PT.one();
        for (byte two : bits) {
            product = raisedBySixteen(product).mul(powers[two >> 4 & 15]);
            product = raisedBySixteen(product).mul(powers[two & 15]);
        }
        Arrays.fill(bits, (byte) 0);
        return new Gt(product);
    }

    private static PT raisedBySixteen(PT value) {
        return value.sqr().sqr().sqr().sqr();
    }

    /** Whether it is 1. */
    public boolean isOne() {
        return value.is_one();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Gt that && value.is_equal(that.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }

    /** What the binding does not do: an element from its bytes. Its memory is twelve coefficients in Montgomery form, least significant limb first. */
    private static final class RawFp12 extends PT {
        static final int COEFFICIENTS = 12;
        static final int FP_BYTES = 48;
        static final BigInteger P = new BigInteger(
                "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16);

        RawFp12(long[] limbs) {
            super(limbs);
        }

        /** The element at a place in an array; null if a coefficient is not below p. */
        static @Nullable PT read(byte[] bytes, int at) {
            long[] limbs = new long[BYTES / Long.BYTES];
            for (int i = 0; i < COEFFICIENTS; i++) {
                BigInteger coefficient = new BigInteger(1, bytes, at + i * FP_BYTES, FP_BYTES);
                if (coefficient.compareTo(P) >= 0) {
                    return null;
                }
                put(coefficient, i, limbs);
            }
            return new RawFp12(limbs);
        }

        /** Coefficient i of the encoding, which goes through w before v: w^(i/2 mod 2)·v^(i/4), real part first. */
        static void put(BigInteger coefficient, int i, long[] limbs) {
            int place = i / 2 % 2 * 6 + i / 4 * 2 + i % 2;
            BigInteger montgomery = coefficient.shiftLeft(8 * FP_BYTES).mod(P);
            for (int limb = 0; limb < FP_BYTES / Long.BYTES; limb++) {
                limbs[place * (FP_BYTES / Long.BYTES) + limb] =
                        montgomery.shiftRight(limb * Long.SIZE).longValue();
            }
        }
    }
}
