package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.ArrayList;
import java.util.List;

/**
 * A token for one keyword under one policy, whose leaves it names by their places. Whoever has it can search for the keyword and check guesses of it. Never printed.
 *
 * @param leaves how many the policy has
 * @param tok1   (g1^a · g1^(b·h))^s
 * @param tok2   g2^(c·s)
 * @param tok3   g1^((a·c·s + d - rho)/b)
 * @param parts  for the leaves that are taken, in their order
 */
record Token(int leaves, G1 tok1, G2 tok2, G1 tok3, List<Part> parts) {
    private static final int VERSION = 1;
    private static final int PART_BYTES = 2 + G1.BYTES + G2.BYTES;

    /**
     * For leaf v of attribute j, with its coefficient w.
     *
     * @param leaf v
     * @param a    A'_v = (g1^rho · H1(j)^rho_j)^w
     * @param b    B'_v = g2^(rho_j·w)
     */
    record Part(int leaf, G1 a, G2 b) {}

    Token {
        parts = List.copyOf(parts);
    }

    /** Places of the leaves that are taken. */
    int[] places() {
        return parts.stream().mapToInt(Part::leaf).toArray();
    }

    /** Canonical encoding, 197 + 146 bytes a part: version, leaves (2), tok1, tok2, tok3, parts (2); of each leaf (2), A', B'. */
    byte[] encode() {
        ByteWriter out = new ByteWriter(256 + parts.size() * PART_BYTES)
                .uint8(VERSION)
                .uint8(leaves >> 8)
                .uint8(leaves & 0xff)
                .bytes(tok1.encode())
                .bytes(tok2.encode())
                .bytes(tok3.encode())
                .uint8(parts.size() >> 8)
                .uint8(parts.size() & 0xff);
        for (Part part : parts) {
            out.uint8(part.leaf >> 8)
                    .uint8(part.leaf & 0xff)
                    .bytes(part.a.encode())
                    .bytes(part.b.encode());
        }
        return out.toByteArray();
    }

    /** The inverse of {@link #encode}: refuses counts beyond the limits, wrong lengths, leaves that do not ascend, whatever is no element of its group, identities. */
    static Token decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("token", encoded);
        in.expect("version", VERSION);
        int leaves = count("leaves", in, IndexPublicKey.MAX_LEAVES);
        byte[] tok1 = in.bytes("tok1", G1.BYTES);
        byte[] tok2 = in.bytes("tok2", G2.BYTES);
        byte[] tok3 = in.bytes("tok3", G1.BYTES);
        int size = count("parts", in, leaves);
        if (in.remaining() != size * PART_BYTES) {
            throw new MalformedEncodingException("token.parts", "must have " + size * PART_BYTES + " bytes");
        }
        List<Part> parts = new ArrayList<>(size);
        int last = -1;
        for (int i = 0; i < size; i++) {
            int leaf = read16("leaf", in);
            if (leaf <= last || leaf >= leaves) {
                throw new MalformedEncodingException("token.leaf", "must ascend, below the number of leaves");
            }
            last = leaf;
            parts.add(new Part(leaf, G1.read(in, "a"), G2.read(in, "b")));
        }
        return new Token(
                leaves,
                G1.decode("token.tok1", tok1),
                G2.decode("token.tok2", tok2),
                G1.decode("token.tok3", tok3),
                parts);
    }

    private static int count(String field, ByteReader in, int most) throws MalformedEncodingException {
        int count = read16(field, in);
        if (count < 1 || count > most) {
            throw new MalformedEncodingException("token." + field, "must be 1 to " + most);
        }
        return count;
    }

    private static int read16(String field, ByteReader in) throws MalformedEncodingException {
        return in.uint8(field) << 8 | in.uint8(field);
    }

    @Override
    public String toString() {
        return "Token[hidden]";
    }
}
