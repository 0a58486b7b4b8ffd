package dev.veilgate.math.pairing;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import supranational.blst.P1;
import supranational.blst.P1_Affine;

/**
 * An element of G1, the subgroup of order r of the curve over F_p. Immutable.
 *
 * <p>G1 and {@link G2} stand side by side on purpose. blst's types of the two curves have the same methods and no common type, so a base of both would be handed each of
 * their seventeen operations, and have more lines than the two. What needs care, the checks of what is decoded, they share: {@link PointEncoding}.
 */
public final class G1 {
    /** Length of an encoding: the x coordinate, and in three bits that it is compressed, whether it is the identity, and which y. */
    public static final int BYTES = 48;

    /** Length of {@link #encodeWide}. */
    public static final int WIDE_BYTES = 96;

    /** The neutral element. */
    public static final G1 IDENTITY = new G1(new P1());
    /** g1. */
    public static final G1 GENERATOR = new G1(P1.generator());

    private static final PointEncoding<P1_Affine> ENCODING =
            new PointEncoding<>(BYTES, P1_Affine::new, P1_Affine::is_inf, P1_Affine::in_group);

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
        return new G1(ENCODING.decode(field, bytes));
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
        return new G1(ENCODING.trusted(bytes, at));
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
