package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;

/** T_w = H(w)^alpha. Whoever has it can search for w and check guesses of w. Never printed. */
final class Trapdoor {
    private static final int VERSION = 1;

    private final G1 t;

    Trapdoor(G1 t) {
        this.t = t;
    }

    G1 t() {
        return t;
    }

    /** Canonical encoding, 49 bytes: version, T_w compressed. */
    byte[] encode() {
        return new ByteWriter(1 + G1.BYTES).uint8(VERSION).bytes(t.encode()).toByteArray();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths and whatever is no element of the group, and the identity. */
    static Trapdoor decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("trapdoor", encoded);
        in.expect("version", VERSION);
        byte[] t = in.bytes("t", G1.BYTES);
        in.end();
        return new Trapdoor(G1.decode("trapdoor.t", t));
    }

    @Override
    public String toString() {
        return "Trapdoor[hidden]";
    }
}
