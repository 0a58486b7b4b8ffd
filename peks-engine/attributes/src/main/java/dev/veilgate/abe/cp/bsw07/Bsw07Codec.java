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
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys and ciphertexts as bytes: version, then the policy or the attributes, which say how many elements follow, then those, in the order of the
 * records. Points are compressed; docs/spec/bsw07.md has the table.
 */
@Secret
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
        in.requireLeft(G2.BYTES + G1.BYTES + Gt.BYTES);
        G2 h = G2.read(in, "h");
        G1 f = G1.read(in, "f");
        Gt y = Gt.read(in, "y");
        PairingProduct difference = new PairingProduct().times(f, h).over(G1.GENERATOR, G2.GENERATOR);
        if (!difference.value().isOne()) {
            throw new MalformedEncodingException("f", "an element with e(f, h) = e(g1, g2)");
        }
        return new PublicKey(h, f, y);
    }

    static byte[] encode(MasterKey.Parts key) {
        ByteWriter out = begin(Zr.BYTES + G1.BYTES);
        key.beta().write(out);
        return out.bytes(key.g1Alpha().encode()).toSecretBytes();
    }

    static MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("master-key", bytes);
        in.requireLeft(Zr.BYTES + G1.BYTES);
        Zr beta = Zr.readSecret(in, "beta");
        return new MasterKey(new MasterKey.Parts(beta, G1.read(in, "g1-alpha")));
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
        return out.toSecretBytes();
    }

    static SecretKey decodeSecretKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("secret-key", bytes);
        AttributeSet attributes = AttributeSet.read(in);
        in.requireLeft(G1.BYTES + PAIR_BYTES * attributes.attributes().size());
        G1 d = G1.read(in, "d");
        SortedMap<Attribute, SecretKey.Component> components = new TreeMap<>();
        for (Attribute attribute : attributes.attributes()) {
            components.put(attribute, new SecretKey.Component(G1.read(in, "d-u"), G2.read(in, "d'-u")));
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
        Policy policy = readPolicy(in);
        int count = policy.leaves().size();
        G2 c = G2.read(in, "c");
        List<Ciphertext.Leaf> leaves = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            leaves.add(new Ciphertext.Leaf(G2.read(in, "c-i"), G1.read(in, "c'-i")));
        }
        return new Ciphertext(policy, c, leaves);
    }

    static Policy policyOfCiphertext(byte[] bytes) throws MalformedEncodingException {
        return readPolicy(begin("ciphertext", bytes));
    }

    private static Policy readPolicy(ByteReader in) throws MalformedEncodingException {
        Policy policy = Policy.read(in);
        in.requireLeft(G2.BYTES + PAIR_BYTES * policy.leaves().size());
        return policy;
    }

    static int ciphertextBytes(Policy policy) {
        return 1
                + policy.encode().length
                + G2.BYTES
                + PAIR_BYTES * policy.leaves().size();
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
