package dev.veilgate.math.pairing;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import supranational.blst.Scalar;

/** An exponent: an element of Z_r, r the order of the groups. Immutable. Never printed, for most are secret. */
public final class Zr {
    /** Length of an encoding. */
    public static final int BYTES = 32;

    /** r. */
    public static final BigInteger ORDER =
            new BigInteger("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16);

    /** 0. */
    public static final Zr ZERO = new Zr(null);
    /** 1. */
    public static final Zr ONE = of(1);

    private static final int WIDE_BYTES = 48;

    /** Null for zero, which blst's arithmetic refuses. */
    private final @Nullable Scalar value;

    private Zr(@Nullable Scalar value) {
        this.value = value;
    }

    /** A small number, perhaps negative. */
    public static Zr of(long number) {
        return of(BigInteger.valueOf(number));
    }

    /** A number modulo r: of what is public, for its time depends on the value. */
    public static Zr of(BigInteger number) {
        return reduced(number.mod(ORDER).toByteArray());
    }

    /** Uniform but for 2^-128, and not zero; draws 48 bytes. */
    public static Zr random(CoinStream coins) {
        byte[] wide = new byte[WIDE_BYTES];
        try {
            Zr drawn;
            do {
                coins.nextBytes(wide);
                drawn = reduced(wide);
            } while (drawn.value == null);
            return drawn;
        } finally {
            Arrays.fill(wide, (byte) 0);
        }
    }

    /**
     * A random oracle into Z_r (expand_message_xmd of RFC 9380 with SHA-256, 48 bytes modulo r).
     *
     * @param domain names the use: {@link Domains}
     */
    public static Zr hash(String domain, byte[] message) {
        return reduced(new Scalar().hash_to(message, domain).to_bendian());
    }

    /** @param bigEndian any number of bytes */
    private static Zr reduced(byte[] bigEndian) {
        Scalar scalar = new Scalar().from_bendian(bigEndian);
        return isZero(scalar) ? new Zr(null) : new Zr(scalar);
    }

    private static boolean isZero(Scalar scalar) {
        int bits = 0;
        for (byte b : scalar.to_lendian()) {
            bits |= b;
        }
        return bits == 0;
    }

    /** @throws MalformedEncodingException unless it is 32 bytes, big-endian, of a number below r */
    public static Zr decode(String field, byte[] bytes) throws MalformedEncodingException {
        if (bytes.length != BYTES || new BigInteger(1, bytes).compareTo(ORDER) >= 0) {
            throw new MalformedEncodingException(field, "32 bytes, a number below the order of the groups");
        }
        return reduced(bytes);
    }

    /** The next 32 bytes, of a secret that is never 0. They are wiped, but for those that the reader reads from. */
    public static Zr readSecret(ByteReader in, String field) throws MalformedEncodingException {
        byte[] encoded = in.bytes(field, BYTES);
        try {
            Zr secret = decode(in.name(field), encoded);
            if (secret.isZero()) {
                throw new MalformedEncodingException(in.name(field), "must not be 0");
            }
            return secret;
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** Appends 32 bytes, as {@link #encode} makes them. */
    public void write(ByteWriter out) {
        byte[] encoded = encode();
        out.bytes(encoded);
        Arrays.fill(encoded, (byte) 0);
    }

    /** 32 bytes, big-endian; the caller wipes those of a secret. */
    public byte[] encode() {
        return value == null ? new byte[BYTES] : value.to_bendian();
    }

    /** Whether it is 0. */
    public boolean isZero() {
        return value == null;
    }

    /** this + other. */
    public Zr plus(Zr other) {
        if (value == null) {
            return other;
        }
        if (other.value == null) {
            return this;
        }
        return same(this, other.negate()) ? ZERO : new Zr(value.dup().add(other.value));
    }

    /** this - other. */
    public Zr minus(Zr other) {
        if (other.value == null) {
            return this;
        }
        if (value == null) {
            return other.negate();
        }
        return same(this, other) ? ZERO : new Zr(value.dup().sub(other.value));
    }

    /** -this. */
    public Zr negate() {
        // (r - 1)·this: blst has no subtraction from zero
        return value == null ? this : new Zr(value.dup().mul(MinusOne.VALUE));
    }

    /** this · other. */
    public Zr times(Zr other) {
        return value == null || other.value == null ? ZERO : new Zr(value.dup().mul(other.value));
    }

    /**
     * 1 / this.
     *
     * @throws ArithmeticException for 0
     */
    public Zr inverse() {
        if (value == null) {
            throw new ArithmeticException("zero has no inverse");
        }
        return new Zr(value.dup().inverse());
    }

    /** For blst. */
    Scalar scalar() {
        return value == null ? new Scalar() : value;
    }

    private static boolean same(Zr a, Zr b) {
        return MessageDigest.isEqual(a.encode(), b.encode());
    }

    /** In the same time for all values. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Zr that && same(this, that);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }

    private static final class MinusOne {
        static final Scalar VALUE = new Scalar(ORDER.subtract(BigInteger.ONE));
    }
}
