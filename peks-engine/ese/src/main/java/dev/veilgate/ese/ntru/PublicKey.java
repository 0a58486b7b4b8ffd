package dev.veilgate.ese.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.EsePublicKey;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.peks.KeyId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The public polynomial h = g·f^-1 mod q. Immutable. */
public final class PublicKey implements EsePublicKey {
    private static final int VERSION = 1;

    private final ParameterSet parameters;
    private final int[] hHatMont;
    private final byte[] encoded;
    private final KeyId id;

    /** @param h invertible, in [0, q) */
    PublicKey(ParameterSet parameters, int[] h) {
        this.parameters = parameters;
        NegacyclicNtt ring = parameters.ring();
        this.hHatMont = h.clone();
        ring.forwardInPlace(hHatMont);
        ring.toMontInPlace(hHatMont);
        byte[] packed = CoefficientPacking.packPolynomial(h, ring);
        this.encoded = new ByteWriter(packed.length + 2)
                .uint8(VERSION)
                .uint8(parameters.code())
                .bytes(packed)
                .toByteArray();
        this.id = KeyId.ofPublicKey(encoded);
    }

    /** The parameter set. */
    public ParameterSet parameters() {
        return parameters;
    }

    @Override
    public KeyId id() {
        return id;
    }

    /** h transformed, with the Montgomery factor; the array itself. */
    int[] hHatMont() {
        return hHatMont;
    }

    /** Canonical encoding: version, parameter set, packed h. */
    @Override
    public byte[] encode() {
        return encoded.clone();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, coefficients of q or more, and an h that is not invertible. */
    public static PublicKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("public-key", encoded);
        in.expect("version", VERSION);
        ParameterSet parameters = ParameterSet.byCode("public-key.parameters", in.uint8("parameters"));
        int[] h = CoefficientPacking.readInvertible(in, encoded, parameters.ring(), "h");
        in.end();
        return new PublicKey(parameters, h);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PublicKey that && Arrays.equals(encoded, that.encoded);
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
