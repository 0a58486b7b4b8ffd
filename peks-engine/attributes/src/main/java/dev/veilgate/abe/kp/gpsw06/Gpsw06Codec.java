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
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys and ciphertexts as bytes: version, then the policy or the attributes, which say how many elements follow, then those, in the order of the
 * records. Points are compressed; docs/spec/gpsw06.md has the table.
 */
@Secret
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
        in.requireLeft(Gt.BYTES);
        return new PublicKey(Gt.read(in, "y"));
    }

    static byte[] encodeMasterKey(Zr y) {
        ByteWriter out = begin(Zr.BYTES);
        y.write(out);
        return out.toSecretBytes();
    }

    static MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("master-key", bytes);
        in.requireLeft(Zr.BYTES);
        return new MasterKey(Zr.readSecret(in, "y"));
    }

    static byte[] encode(SecretKey.Parts key) {
        byte[] policy = key.policy().encode();
        ByteWriter out = begin(policy.length + PAIR_BYTES * key.leaves().size()).bytes(policy);
        for (SecretKey.Leaf leaf : key.leaves()) {
            out.bytes(leaf.d().encode()).bytes(leaf.r().encode());
        }
        return out.toSecretBytes();
    }

    static SecretKey decodeSecretKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("secret-key", bytes);
        Policy policy = Policy.read(in);
        int count = policy.leaves().size();
        in.requireLeft(PAIR_BYTES * count);
        List<SecretKey.Leaf> leaves = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            leaves.add(new SecretKey.Leaf(G1.read(in, "d-i"), G2.read(in, "r-i")));
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
        AttributeSet attributes = readAttributes(in);
        G2 e0 = G2.read(in, "e-0");
        SortedMap<Attribute, G1> e = new TreeMap<>();
        for (Attribute attribute : attributes.attributes()) {
            e.put(attribute, G1.read(in, "e-u"));
        }
        return new Ciphertext(e0, e);
    }

    static AttributeSet attributesOfCiphertext(byte[] bytes) throws MalformedEncodingException {
        return readAttributes(begin("ciphertext", bytes));
    }

    private static AttributeSet readAttributes(ByteReader in) throws MalformedEncodingException {
        AttributeSet attributes = AttributeSet.read(in);
        in.requireLeft(G2.BYTES + G1.BYTES * attributes.attributes().size());
        return attributes;
    }

    static int ciphertextBytes(AttributeSet attributes) {
        return 1
                + attributes.encode().length
                + G2.BYTES
                + G1.BYTES * attributes.attributes().size();
    }

    private static ByteWriter begin(int bytes) {
        return new ByteWriter(1 + bytes).uint8(VERSION);
    }

    private static ByteReader begin(String what, byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader(what, bytes);
        in.expect("version", VERSION);
        return in;
    }
}
