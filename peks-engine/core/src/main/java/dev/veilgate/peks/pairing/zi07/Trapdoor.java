package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;

/** r_w and d_w = (h·g2^-r_w)^(1/(alpha - w)). Whoever has it can search for w and check guesses of w. Never printed. */
final class Trapdoor {
    private static final int VERSION = 1;

    private final Zr r;
    private final G2 d;

    Trapdoor(Zr r, G2 d) {
        this.r = r;
        this.d = d;
    }

    Zr r() {
        return r;
    }

    G2 d() {
        return d;
    }

    /** Canonical encoding, 129 bytes: version, r_w, d_w compressed. */
    byte[] encode() {
        return new ByteWriter(1 + Zr.BYTES + G2.BYTES)
                .uint8(VERSION)
                .bytes(r.encode())
                .bytes(d.encode())
                .toByteArray();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the groups, no element of G2, and the identity. */
    static Trapdoor decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("trapdoor", encoded);
        in.expect("version", VERSION);
        Zr r = Zr.decode("trapdoor.r", in.bytes("r", Zr.BYTES));
        byte[] d = in.bytes("d", G2.BYTES);
        in.end();
        return new Trapdoor(r, G2.decode("trapdoor.d", d));
    }

    @Override
    public String toString() {
        return "Trapdoor[hidden]";
    }
}
