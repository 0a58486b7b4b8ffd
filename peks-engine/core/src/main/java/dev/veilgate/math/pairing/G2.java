package dev.veilgate.math.pairing;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import supranational.blst.P2;
import supranational.blst.P2_Affine;

/** An element of G2, the subgroup of order r of the twist over F_p^2. Immutable. Beside {@link G1}, which says why. */
public final class G2 {
    /** Length of an encoding: as of G1, over F_p^2. */
    public static final int BYTES = 96;

    /** Length of {@link #encodeWide}. */
    public static final int WIDE_BYTES = 192;

    /** The neutral element. */
    public static final G2 IDENTITY = new G2(new P2());
    /** g2. */
    public static final G2 GENERATOR = new G2(P2.generator());

    private static final PointEncoding<P2_Affine> ENCODING =
            new PointEncoding<>(BYTES, P2_Affine::new, P2_Affine::is_inf, P2_Affine::in_group);

    private final P2 point;
    private @Nullable P2_Affine affine;

    private G2(P2 point) {
        this.point = point;
    }

    private G2(P2_Affine affine) {
        this.point = affine.to_jacobian();
        this.affine = affine;
    }

    /**
     * A random oracle into the group (RFC 9380).
     *
     * @param domain from {@link Domains#g2}
     */
    public static G2 hash(String domain, byte[] message) {
        return new G2(new P2().hash_to(message, domain));
    }

    /** Uniform, with a discrete logarithm that nobody keeps; draws 48 bytes. */
    public static G2 random(CoinStream coins) {
        return GENERATOR.times(Zr.random(coins));
    }

    /**
     * The inverse of {@link #encode}.
     *
     * @throws MalformedEncodingException unless it is the encoding of an element that is not the identity
     */
    public static G2 decode(String field, byte[] bytes) throws MalformedEncodingException {
        return new G2(ENCODING.decode(field, bytes));
    }

    /** {@link #decode} of the next bytes. */
    public static G2 read(ByteReader in, String field) throws MalformedEncodingException {
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
    public static G2 trusted(byte[] bytes, int at) {
        return new G2(ENCODING.trusted(bytes, at));
    }

    /** this · other, in the papers' words. */
    public G2 plus(G2 other) {
        return new G2(point.dup().add(other.point));
    }

    /** this / other. */
    public G2 minus(G2 other) {
        return plus(other.negate());
    }

    /** 1 / this. */
    public G2 negate() {
        return new G2(point.dup().neg());
    }

    /** this^exponent, in the same time for all exponents but 0 and 1. */
    public G2 times(Zr exponent) {
        return exponent.isZero() ? IDENTITY : new G2(point.dup().mult(exponent.scalar()));
    }

    /** The product of all. */
    public static G2 sum(List<G2> elements) {
        P2 sum = new P2();
        for (G2 element : elements) {
            sum = sum.add(element.point);
        }
        return new G2(sum);
    }

    /** Whether it is the neutral element. */
    public boolean isIdentity() {
        return point.is_inf();
    }

    /** For blst; made once. */
    P2_Affine affine() {
        P2_Affine made = affine;
        if (made == null) {
            made = point.to_affine();
            affine = made;
        }
        return made;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof G2 that && point.is_equal(that.point);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }
}
