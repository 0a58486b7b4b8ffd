package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys and ciphertexts as bytes: version, then the policy or the attributes, which say how many elements follow, then those, in the order of the
 * records. Points are compressed; docs/spec/gpsw06.md has the table.
 */
final class Gpsw06Codec {
    private static final int VERSION = 1;
    /** Of a leaf of a key. */
    private static final int PAIR_BYTES = G1.BYTES + G2.BYTES;

    private Gpsw06Codec() {}

    static byte[] encode(PublicKey key) {
        return begin(Gt.BYTES).bytes(key.y().encode()).toByteArray();
    }

    static PublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("public-key", bytes);
        requireLeft(in, "public-key", Gt.BYTES);
        return new PublicKey(Gt.decode("y", in.bytes("y", Gt.BYTES)));
    }

    static byte[] encode(MasterKey key) {
        return secret(begin(Zr.BYTES).bytes(key.y().encode()));
    }

    static MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("master-key", bytes);
        requireLeft(in, "master-key", Zr.BYTES);
        Zr y = Zr.decode("y", in.bytes("y", Zr.BYTES));
        if (y.isZero()) {
            throw new MalformedEncodingException("y", "not 0");
        }
        return new MasterKey(y);
    }

    static byte[] encode(SecretKey.Parts key) {
        byte[] policy = key.policy().encode();
        ByteWriter out = begin(policy.length + PAIR_BYTES * key.leaves().size()).bytes(policy);
        for (SecretKey.Leaf leaf : key.leaves()) {
            out.bytes(leaf.d().encode()).bytes(leaf.r().encode());
        }
        return secret(out);
    }

    static SecretKey decodeSecretKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("secret-key", bytes);
        Policy policy = Policy.read(in);
        int count = policy.leaves().size();
        requireLeft(in, "secret-key", PAIR_BYTES * count);
        List<SecretKey.Leaf> leaves = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            leaves.add(new SecretKey.Leaf(g1("d-i", in), g2("r-i", in)));
        }
        return new SecretKey(new SecretKey.Parts(policy, leaves));
    }

    static byte[] encode(Ciphertext ciphertext) {
        byte[] attributes = ciphertext.attributes().encode();
        ByteWriter out = begin(
                        attributes.length + G2.BYTES + G1.BYTES * ciphertext.e().size())
                .bytes(attributes)
                .bytes(ciphertext.e0().encode());
        ciphertext.e().values().forEach(e -> out.bytes(e.encode()));
        return out.toByteArray();
    }

    static Ciphertext decodeCiphertext(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("ciphertext", bytes);
        AttributeSet attributes = AttributeSet.read(in);
        requireLeft(
                in, "ciphertext", G2.BYTES + G1.BYTES * attributes.attributes().size());
        G2 e0 = g2("e-0", in);
        SortedMap<Attribute, G1> e = new TreeMap<>();
        for (Attribute attribute : attributes.attributes()) {
            e.put(attribute, g1("e-u", in));
        }
        return new Ciphertext(e0, e);
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
