package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Gt;
import java.util.Arrays;

/**
 * The public part of a slot, which is Gentry's ciphertext without its message.
 *
 * @param u g1^(s·(alpha - w))
 * @param v e(g1, g2)^s
 */
record Share(G1 u, Gt v) {
    /** In a payload: u compressed, v. */
    static final int BYTES = G1.BYTES + Gt.BYTES;

    /** In a hot value: u with both coordinates, v. */
    static final int WIDE_BYTES = G1.WIDE_BYTES + Gt.BYTES;

    byte[] encode() {
        return joined(u.encode(), v.encode());
    }

    byte[] encodeWide() {
        return joined(u.encodeWide(), v.encode());
    }

    private static byte[] joined(byte[] u, byte[] v) {
        byte[] both = Arrays.copyOf(u, u.length + v.length);
        System.arraycopy(v, 0, both, u.length, v.length);
        return both;
    }

    /** Refuses what is in no group, and identities. */
    static Share decode(byte[] points, int at) throws MalformedEncodingException {
        return new Share(
                G1.decode(Zi07IndexScheme.ID + ".u", Arrays.copyOfRange(points, at, at + G1.BYTES)),
                Gt.decode(Zi07IndexScheme.ID + ".v", Arrays.copyOfRange(points, at + G1.BYTES, at + BYTES)));
    }

    /** Of what {@link #decode} has accepted. */
    static Share trusted(byte[] hot, int at) {
        return new Share(G1.trusted(hot, at), Gt.trusted(hot, at + G1.WIDE_BYTES));
    }
}
