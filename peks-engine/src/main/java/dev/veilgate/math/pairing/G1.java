package dev.veilgate.math.pairing;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import supranational.blst.P1;
import supranational.blst.P1_Affine;

/** An element of G1, the subgroup of order r of the curve over F_p. Immutable. */
public final class G1 {
    /** Length of an encoding: the x coordinate, and in three bits that it is compressed, whether it is the identity, and which y. */
    public static final int BYTES = 48;

    /** Length of {@link #encodeWide}. */
    public static final int WIDE_BYTES = 96;

    /** The neutral element. */
    public static final G1 IDENTITY = new G1(new P1());
    /** g1. */
    public static final G1 GENERATOR = new G1(P1.generator());

    private final P1 point;
    private @Nullable P1_Affine affine;

    private G1(P1 point) {
        this.point = point;
    }

    private G1(P1_Affine affine) {
        this.point = affine.to_jacobian();
        this.affine = affine;
    }

    /**
     * A random oracle into the group (RFC 9380).
     *
     * @param domain from {@link Domains#g1}
     */
    public static G1 hash(String domain, byte[] message) {
        return new G1(new P1().hash_to(message, domain));
    }

    /** Uniform, with a discrete logarithm that nobody keeps; draws 48 bytes. */
    public static G1 random(CoinStream coins) {
        return GENERATOR.times(Zr.random(coins));
    }

    /**
     * The inverse of {@link #encode}.
     *
     * @throws MalformedEncodingException unless it is the encoding of an element that is not the identity
     */
    public static G1 decode(String field, byte[] bytes) throws MalformedEncodingException {
        if (bytes.length != BYTES || (bytes[0] & 0x80) == 0) {
            throw new MalformedEncodingException(field, "a compressed point of " + BYTES + " bytes");
        }
        P1_Affine point;
        try {
            point = new P1_Affine(bytes);
        } catch (RuntimeException e) { // so blst's binding says it
            throw new MalformedEncodingException(field, "a point of the curve, with canonical coordinates");
        }
        if (point.is_inf()) {
            throw new MalformedEncodingException(field, "not the identity");
        }
        if (!point.in_group()) {
            throw new MalformedEncodingException(field, "a point of the group of prime order");
        }
        return new G1(point);
    }

    /** {@link #decode} of the next bytes. */
    public static G1 read(ByteReader in, String field) throws MalformedEncodingException {
        return decode(in.name(field), in.bytes(field, BYTES));
    }

    /** Compressed. */
    public byte[] encode() {
        return affine().compress();
    }

    /** Both coordinates: twice as long as {@link #encode}, and read without a square root. Not of the identity. */
    public byte[] encodeWide() {
        return affine().serialize();
    }

    /**
     * The inverse of {@link #encodeWide} for what this software wrote itself, after {@link #decode}: that the point is of the curve is checked, that it is of the group
     * is not.
     *
     * @param at where the encoding begins
     * @throws IllegalArgumentException unless it is a point of the curve other than the identity
     */
    public static G1 trusted(byte[] bytes, int at) {
        if (at < 0 || bytes.length - at < WIDE_BYTES || (bytes[at] & 0xe0) != 0) {
            throw new IllegalArgumentException("both coordinates of a point have " + WIDE_BYTES + " bytes");
        }
        P1_Affine point;
        try {
            point = new P1_Affine(Arrays.copyOfRange(bytes, at, at + WIDE_BYTES));
        } catch (RuntimeException e) { // so blst's binding says it
            throw new IllegalArgumentException("not a point of the curve", e);
        }
        if (point.is_inf()) {
            throw new IllegalArgumentException("the identity");
        }
        return new G1(point);
    }

    /** this · other, in the papers' words. */
    public G1 plus(G1 other) {
        return new G1(point.dup().add(other.point));
    }

    /** this / other. */
    public G1 minus(G1 other) {
        return plus(other.negate());
    }

    /** 1 / this. */
    public G1 negate() {
        return new G1(point.dup().neg());
    }

    /** this^exponent, in the same time for all exponents but 0 and 1. */
    public G1 times(Zr exponent) {
        return exponent.isZero() ? IDENTITY : new G1(point.dup().mult(exponent.scalar()));
    }

    /** The product of all. */
    public static G1 sum(List<G1> elements) {
        P1 sum = new P1();
        for (G1 element : elements) {
            sum = sum.add(element.point);
        }
        return new G1(sum);
    }

    /** Whether it is the neutral element. */
    public boolean isIdentity() {
        return point.is_inf();
    }

    /** For blst; made once. */
    P1_Affine affine() {
        P1_Affine made = affine;
        if (made == null) {
            made = point.to_affine();
            affine = made;
        }
        return made;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof G1 that && point.is_equal(that.point);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }
}
