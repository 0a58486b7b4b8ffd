package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.peks.KeyId;
import java.util.Arrays;

/** The public polynomial h = g·f^-1 mod q. Immutable. */
public final class PublicKey {
    static final int VERSION = 1;

    private final NtruParameters parameters;
    private final int[] h;
    private final int[] hHatMont;
    private final KeyId id;

    PublicKey(NtruParameters parameters, int[] h) {
        this.parameters = parameters;
        this.h = h.clone();
        this.hHatMont = h.clone();
        NegacyclicNtt ring = parameters.ring();
        ring.forwardInPlace(hHatMont);
        ring.toMontInPlace(hHatMont);
        this.id = KeyId.ofPublicKey(encode());
    }

    /** The parameter set. */
    public NtruParameters parameters() {
        return parameters;
    }

    /** Names the key. */
    public KeyId id() {
        return id;
    }

    /** h, in [0, q); the array itself. */
    int[] h() {
        return h;
    }

    /** h transformed, with the Montgomery factor; the array itself. */
    int[] hHatMont() {
        return hHatMont;
    }

    /** Canonical encoding: version, parameter set, packed h. */
    public byte[] encode() {
        byte[] packed = CoefficientPacking.packPolynomial(h, parameters.ring());
        return new ByteWriter(packed.length + 2)
                .uint8(VERSION)
                .uint8(parameters.code())
                .bytes(packed)
                .toByteArray();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, coefficients of q or more, and an h that is not invertible. */
    public static PublicKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("public-key", encoded);
        in.expect("version", VERSION);
        NtruParameters parameters = NtruParameters.byCode(in.uint8("parameters"));
        int[] h = CoefficientPacking.readInvertible(in, encoded, parameters.ring(), "h");
        in.end();
        return new PublicKey(parameters, h);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PublicKey that && parameters == that.parameters && Arrays.equals(h, that.h);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "PublicKey[" + parameters + ", " + id + "]";
    }
}
