package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The public part of a slot: a keyword ciphertext of the paper, without the policy, which the key names.
 *
 * @param w0     W_0 = g1^(a·(r1 + r2)) · g1^(b·h·r1)
 * @param w      W = g2^(c·r1)
 * @param wPrime W' = g2^(b·r2)
 * @param leaves of the policy, in its order; or those of them that a token takes
 */
record Ciphertext(G1 w0, G2 w, G2 wPrime, List<Leaf> leaves) {

    /**
     * Of leaf v.
     *
     * @param w W_v = g2^lambda_v
     * @param d D_v = H1(att(v))^lambda_v
     */
    record Leaf(G2 w, G1 d) {}

    Ciphertext {
        leaves = List.copyOf(leaves);
    }

    /** Length of an encoding with so many leaves. */
    static int bytes(int leaves) {
        return G1.BYTES + 2 * G2.BYTES + leaves * (G2.BYTES + G1.BYTES);
    }

    /** Length of {@link #encodeWide}. */
    static int wideBytes(int leaves) {
        return G1.WIDE_BYTES + 2 * G2.WIDE_BYTES + leaves * (G2.WIDE_BYTES + G1.WIDE_BYTES);
    }

    /** W_0, W, W', then W_v and D_v of each leaf, compressed. */
    byte[] encode() {
        ByteWriter out = new ByteWriter(bytes(leaves.size()))
                .bytes(w0.encode())
                .bytes(w.encode())
                .bytes(wPrime.encode());
        leaves.forEach(leaf -> out.bytes(leaf.w.encode()).bytes(leaf.d.encode()));
        return out.toByteArray();
    }

    /** The same with both coordinates of all points. */
    byte[] encodeWide() {
        ByteWriter out = new ByteWriter(wideBytes(leaves.size()))
                .bytes(w0.encodeWide())
                .bytes(w.encodeWide())
                .bytes(wPrime.encodeWide());
        leaves.forEach(leaf -> out.bytes(leaf.w.encodeWide()).bytes(leaf.d.encodeWide()));
        return out.toByteArray();
    }

    /** Refuses what is in no group, and identities. */
    static Ciphertext decode(byte[] points, int at, int leafCount) throws MalformedEncodingException {
        ByteReader in = new ByteReader(Zxa14IndexScheme.ID, Arrays.copyOfRange(points, at, at + bytes(leafCount)));
        G1 w0 = G1.read(in, "w0");
        G2 w = G2.read(in, "w");
        G2 wPrime = G2.read(in, "w'");
        List<Leaf> leaves = new ArrayList<>(leafCount);
        for (int i = 0; i < leafCount; i++) {
            leaves.add(new Leaf(G2.read(in, "w-v"), G1.read(in, "d-v")));
        }
        return new Ciphertext(w0, w, wPrime, leaves);
    }

    /** Of what {@link #decode} has accepted: these leaves only. */
    static Ciphertext trusted(byte[] hot, int at, int[] places) {
        int wAt = at + G1.WIDE_BYTES;
        int leavesAt = at + wideBytes(0);
        List<Leaf> leaves = new ArrayList<>(places.length);
        for (int place : places) {
            int leafAt = leavesAt + place * (G2.WIDE_BYTES + G1.WIDE_BYTES);
            leaves.add(new Leaf(G2.trusted(hot, leafAt), G1.trusted(hot, leafAt + G2.WIDE_BYTES)));
        }
        return new Ciphertext(G1.trusted(hot, at), G2.trusted(hot, wAt), G2.trusted(hot, wAt + G2.WIDE_BYTES), leaves);
    }

    /** With these leaves only. */
    Ciphertext only(int[] places) {
        return new Ciphertext(
                w0, w, wPrime, Arrays.stream(places).mapToObj(leaves::get).toList());
    }
}
