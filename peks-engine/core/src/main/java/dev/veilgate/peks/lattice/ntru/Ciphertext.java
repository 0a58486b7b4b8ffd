package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.CoefficientPacking;
import java.util.Arrays;

/**
 * The paper's searchable ciphertext of one keyword: A, B in R_q and the tag H2(k). Immutable.
 *
 * <p>As in the paper, nothing keeps a sender from choosing an A, such as 0, with which it matches every trapdoor. The
 * product's index blocks do: their A is shifted by a hash (specification, section 4).
 */
public final class Ciphertext {
    static final int TAG_BYTES = 32;
    private static final int VERSION = 1;

    private final NtruParameters parameters;
    private final int[] a;
    private final int[] b;
    private final byte[] tag;

    /** Takes over the arrays. */
    Ciphertext(NtruParameters parameters, int[] a, int[] b, byte[] tag) {
        this.parameters = parameters;
        this.a = a;
        this.b = b;
        this.tag = tag;
    }

    /** The parameter set. */
    public NtruParameters parameters() {
        return parameters;
    }

    int[] a() {
        return a;
    }

    int[] b() {
        return b;
    }

    byte[] tag() {
        return tag;
    }

    /** Canonical encoding: version, parameter set, packed A and B, tag. */
    public byte[] encode() {
        int width = parameters.ring().modulus().bits();
        int bytes = CoefficientPacking.bytes(parameters.n(), width);
        byte[] packed = new byte[2 * bytes];
        CoefficientPacking.pack(a, width, packed, 0);
        CoefficientPacking.pack(b, width, packed, bytes);
        return new ByteWriter(packed.length + 2 + TAG_BYTES)
                .uint8(VERSION)
                .uint8(parameters.code())
                .bytes(packed)
                .bytes(tag)
                .toByteArray();
    }

    /** The inverse of {@link #encode}. */
    public static Ciphertext decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("ciphertext", encoded);
        in.expect("version", VERSION);
        NtruParameters parameters = NtruParameters.byCode(in.uint8("parameters"));
        int width = parameters.ring().modulus().bits();
        int bytes = CoefficientPacking.bytes(parameters.n(), width);
        int atA = in.skip("a", bytes);
        int atB = in.skip("b", bytes);
        byte[] tag = in.bytes("tag", TAG_BYTES);
        in.end();
        int[] a = new int[parameters.n()];
        int[] b = new int[parameters.n()];
        CoefficientPacking.unpack(encoded, atA, width, a, parameters.q(), "ciphertext.a");
        CoefficientPacking.unpack(encoded, atB, width, b, parameters.q(), "ciphertext.b");
        return new Ciphertext(parameters, a, b, tag);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ciphertext that
                && parameters == that.parameters
                && Arrays.equals(a, that.a)
                && Arrays.equals(b, that.b)
                && Arrays.equals(tag, that.tag);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(tag);
    }

    @Override
    public String toString() {
        return "Ciphertext[" + parameters + "]";
    }
}
