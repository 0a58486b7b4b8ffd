package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys and ciphertexts as bytes: version, then the policy or the attributes, which say how many elements follow, then those, in the order of the
 * records. Points are compressed; docs/spec/bsw07.md has the table.
 */
final class Bsw07Codec {
    private static final int VERSION = 1;
    /** Of an attribute of a key, and of a leaf of a ciphertext. */
    private static final int PAIR_BYTES = G1.BYTES + G2.BYTES;

    private Bsw07Codec() {}

    static byte[] encode(PublicKey key) {
        return begin(G2.BYTES + G1.BYTES + Gt.BYTES)
                .bytes(key.h().encode())
                .bytes(key.f().encode())
                .bytes(key.y().encode())
                .toByteArray();
    }

    static PublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("public-key", bytes);
        requireLeft(in, "public-key", G2.BYTES + G1.BYTES + Gt.BYTES);
        G2 h = g2("h", in);
        G1 f = g1("f", in);
        Gt y = Gt.decode("y", in.bytes("y", Gt.BYTES));
        PairingProduct difference = new PairingProduct().times(f, h).over(G1.GENERATOR, G2.GENERATOR);
        if (!difference.value().isOne()) {
            throw new MalformedEncodingException("f", "an element with e(f, h) = e(g1, g2)");
        }
        return new PublicKey(h, f, y);
    }

    static byte[] encode(MasterKey.Parts key) {
        return secret(begin(Zr.BYTES + G1.BYTES)
                .bytes(key.beta().encode())
                .bytes(key.g1Alpha().encode()));
    }

    static MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("master-key", bytes);
        requireLeft(in, "master-key", Zr.BYTES + G1.BYTES);
        Zr beta = Zr.decode("beta", in.bytes("beta", Zr.BYTES));
        if (beta.isZero()) {
            throw new MalformedEncodingException("beta", "not 0");
        }
        return new MasterKey(new MasterKey.Parts(beta, g1("g1-alpha", in)));
    }

    static byte[] encode(SecretKey.Parts key) {
        byte[] attributes = AttributeSet.ofAny(key.components().keySet()).encode();
        ByteWriter out = begin(attributes.length
                        + G1.BYTES
                        + PAIR_BYTES * key.components().size())
                .bytes(attributes)
                .bytes(key.d().encode());
        for (SecretKey.Component component : key.components().values()) {
            out.bytes(component.d().encode()).bytes(component.dPrime().encode());
        }
        return secret(out);
    }

    static SecretKey decodeSecretKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("secret-key", bytes);
        AttributeSet attributes = AttributeSet.read(in);
        requireLeft(
                in,
                "secret-key",
                G1.BYTES + PAIR_BYTES * attributes.attributes().size());
        G1 d = g1("d", in);
        SortedMap<Attribute, SecretKey.Component> components = new TreeMap<>();
        for (Attribute attribute : attributes.attributes()) {
            components.put(attribute, new SecretKey.Component(g1("d-u", in), g2("d'-u", in)));
        }
        return new SecretKey(new SecretKey.Parts(d, components));
    }

    static byte[] encode(Ciphertext ciphertext) {
        byte[] policy = ciphertext.policy().encode();
        ByteWriter out = begin(policy.length
                        + G2.BYTES
                        + PAIR_BYTES * ciphertext.leaves().size())
                .bytes(policy)
                .bytes(ciphertext.c().encode());
        for (Ciphertext.Leaf leaf : ciphertext.leaves()) {
            out.bytes(leaf.c().encode()).bytes(leaf.cPrime().encode());
        }
        return out.toByteArray();
    }

    static Ciphertext decodeCiphertext(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("ciphertext", bytes);
        Policy policy = Policy.read(in);
        int count = policy.leaves().size();
        requireLeft(in, "ciphertext", G2.BYTES + PAIR_BYTES * count);
        G2 c = g2("c", in);
        List<Ciphertext.Leaf> leaves = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            leaves.add(new Ciphertext.Leaf(g2("c-i", in), g1("c'-i", in)));
        }
        return new Ciphertext(policy, c, leaves);
    }

    private static ByteWriter begin(int bytes) {
        return new ByteWriter(1 + bytes).uint8(VERSION);
    }

    private static ByteReader begin(String what, byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader(what, bytes);
        in.expect("version", VERSION);
        return in;
    }

    private static byte[] secret(ByteWriter out) {
        byte[] bytes = out.toByteArray();
        out.wipe();
        return bytes;
    }

    /** Before the first point is decompressed, so that a wrong length costs nothing; nothing may follow the points either. */
    private static void requireLeft(ByteReader in, String what, int bytes) throws MalformedEncodingException {
        if (in.remaining() != bytes) {
            throw new MalformedEncodingException(what, bytes + " bytes of elements, not " + in.remaining());
        }
    }

    private static G1 g1(String field, ByteReader in) throws MalformedEncodingException {
        return G1.decode(field, in.bytes(field, G1.BYTES));
    }

    private static G2 g2(String field, ByteReader in) throws MalformedEncodingException {
        return G2.decode(field, in.bytes(field, G2.BYTES));
    }
}
