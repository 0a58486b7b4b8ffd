package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.lattice.PreimageSampler;
import dev.veilgate.math.ring.CoefficientPacking;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * t_w of a keyword: short, with s + t_w·h = H1(w) for a short s that nobody keeps. Whoever holds it can search for the
 * keyword, and can check a guess of it, so it is never printed. Immutable.
 */
public final class Trapdoor {
    private static final int VERSION = 1;
    private static final int OFFSET = 1 << NtruParameters.TRAPDOOR_COEFFICIENT_BITS - 1;

    private final NtruParameters parameters;
    private final int[] t;

    Trapdoor(NtruParameters parameters, int[] t) {
        this.parameters = parameters;
        this.t = t.clone();
    }

    /** The parameter set. */
    public NtruParameters parameters() {
        return parameters;
    }

    /** t_w; the array itself. */
    int[] t() {
        return t;
    }

    /** Whether every coefficient fits the encoding: a sample of which one does not is drawn again. */
    static boolean fits(int[] t) {
        for (int x : t) {
            if (x < -OFFSET || x >= OFFSET) {
                return false;
            }
        }
        return true;
    }

    /** Canonical encoding: version, parameter set, coefficients plus 2^19 in 20 bits each. */
    public byte[] encode() {
        int width = NtruParameters.TRAPDOOR_COEFFICIENT_BITS;
        int[] shifted = Arrays.stream(t).map(x -> x + OFFSET).toArray();
        byte[] packed = new byte[CoefficientPacking.bytes(t.length, width)];
        CoefficientPacking.pack(shifted, width, packed, 0);
        Arrays.fill(shifted, 0);
        return new ByteWriter(packed.length + 2)
                .uint8(VERSION)
                .uint8(parameters.code())
                .bytes(packed)
                .toByteArray();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths and a t_w that is longer than any issued one or zero. */
    public static Trapdoor decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("trapdoor", encoded);
        in.expect("version", VERSION);
        NtruParameters parameters = NtruParameters.byCode(in.uint8("parameters"));
        int width = NtruParameters.TRAPDOOR_COEFFICIENT_BITS;
        int at = in.skip("t", CoefficientPacking.bytes(parameters.n(), width));
        in.end();
        int[] t = new int[parameters.n()];
        CoefficientPacking.unpack(encoded, at, width, t, 1L << width, "trapdoor.t");
        for (int i = 0; i < t.length; i++) {
            t[i] -= OFFSET;
        }
        long normSquared = PreimageSampler.normSquared(t);
        if (normSquared == 0 || normSquared > parameters.normSquaredLimit()) {
            throw new MalformedEncodingException("trapdoor.t", "must be short and not zero");
        }
        return new Trapdoor(parameters, t);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Trapdoor that
                && parameters == that.parameters
                && MessageDigest.isEqual(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(t);
    }

    @Override
    public String toString() {
        return "Trapdoor[hidden, " + parameters + "]";
    }
}
