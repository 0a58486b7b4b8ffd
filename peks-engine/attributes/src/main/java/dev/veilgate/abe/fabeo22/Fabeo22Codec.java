package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys and ciphertexts as bytes: version, form, then the policy or the attributes, which say how many elements follow, then those, in the order of the records. Points are
 * compressed; docs/spec/fabeo22.md has the table.
 */
@Secret
final class Fabeo22Codec {
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 2;

    private Fabeo22Codec() {}

    private static ByteWriter begin(Form form, int bytes) {
        return new ByteWriter(HEADER_BYTES + bytes).uint8(VERSION).uint8(form.code());
    }

    private static ByteReader begin(String what, Form form, byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader(what, bytes);
        in.expect("version", VERSION);
        in.expect("form", form.code());
        return in;
    }

    static byte[] encode(PublicKey key) {
        return begin(key.form(), Gt.BYTES).bytes(key.y().encode()).toByteArray();
    }

    static PublicKey decodePublicKey(Form form, byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("public-key", form, bytes);
        in.requireLeft(Gt.BYTES);
        return new PublicKey(form, Gt.read(in, "y"));
    }

    static byte[] encodeMasterKey(Form form, Zr alpha) {
        ByteWriter out = begin(form, Zr.BYTES);
        alpha.write(out);
        return out.toSecretBytes();
    }

    static MasterKey decodeMasterKey(Form form, byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("master-key", form, bytes);
        Zr alpha = Zr.readSecret(in, "alpha");
        in.end();
        return new MasterKey(form, alpha);
    }

    static byte[] encode(CpSecretKey.Parts key) {
        byte[] attributes = AttributeSet.ofAny(key.sk2().keySet()).encode();
        ByteWriter out = begin(
                        Form.CP, attributes.length + G1.BYTES * (1 + key.sk2().size()) + G2.BYTES)
                .bytes(attributes)
                .bytes(key.sk1().encode());
        g1s(key.sk2().values(), out);
        return out.bytes(key.sk3().encode()).toSecretBytes();
    }

    static CpSecretKey decodeCpSecretKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("secret-key", Form.CP, bytes);
        AttributeSet attributes = AttributeSet.read(in);
        in.requireLeft(G1.BYTES * (1 + attributes.attributes().size()) + G2.BYTES);
        G1 sk1 = G1.read(in, "sk1");
        SortedMap<Attribute, G1> sk2 = byAttribute("sk2", attributes, in);
        return new CpSecretKey(new CpSecretKey.Parts(sk1, sk2, G2.read(in, "sk3")));
    }

    static byte[] encode(KpSecretKey.Parts key) {
        byte[] policy = key.policy().encode();
        ByteWriter out = begin(
                        Form.KP,
                        policy.length
                                + G1.BYTES * key.sk1().size()
                                + G2.BYTES * key.sk2().size())
                .bytes(policy);
        g1s(key.sk1(), out);
        g2s(key.sk2(), out);
        return out.toSecretBytes();
    }

    static KpSecretKey decodeKpSecretKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("secret-key", Form.KP, bytes);
        Policy policy = Policy.read(in);
        SecretSharing sharing = new SecretSharing(policy);
        int leaves = sharing.leaves().size();
        in.requireLeft(G1.BYTES * leaves + G2.BYTES * sharing.uses());
        List<G1> sk1 = g1s("sk1", leaves, in);
        return new KpSecretKey(new KpSecretKey.Parts(policy, sk1, g2s("sk2", sharing.uses(), in)));
    }

    static byte[] encode(CpCiphertext ciphertext) {
        byte[] policy = ciphertext.policy().encode();
        ByteWriter out = begin(
                        Form.CP,
                        policy.length
                                + G2.BYTES * (1 + ciphertext.ct2().size())
                                + G1.BYTES * ciphertext.ct3().size())
                .bytes(policy)
                .bytes(ciphertext.ct1().encode());
        g2s(ciphertext.ct2(), out);
        g1s(ciphertext.ct3(), out);
        return out.toByteArray();
    }

    static CpCiphertext decodeCpCiphertext(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("ciphertext", Form.CP, bytes);
        SecretSharing sharing = readSharing(in);
        G2 ct1 = G2.read(in, "ct1");
        List<G2> ct2 = g2s("ct2", sharing.uses(), in);
        return new CpCiphertext(
                sharing.policy(), ct1, ct2, g1s("ct3", sharing.leaves().size(), in));
    }

    static Policy policyOfCiphertext(byte[] bytes) throws MalformedEncodingException {
        return readSharing(begin("ciphertext", Form.CP, bytes)).policy();
    }

    private static SecretSharing readSharing(ByteReader in) throws MalformedEncodingException {
        SecretSharing sharing = new SecretSharing(Policy.read(in));
        in.requireLeft(
                G2.BYTES * (1 + sharing.uses()) + G1.BYTES * sharing.leaves().size());
        return sharing;
    }

    static byte[] encode(KpCiphertext ciphertext) {
        byte[] attributes = ciphertext.attributes().encode();
        ByteWriter out = begin(
                        Form.KP,
                        attributes.length
                                + G2.BYTES
                                + G1.BYTES * ciphertext.ct2().size())
                .bytes(attributes)
                .bytes(ciphertext.ct1().encode());
        g1s(ciphertext.ct2().values(), out);
        return out.toByteArray();
    }

    static KpCiphertext decodeKpCiphertext(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = begin("ciphertext", Form.KP, bytes);
        AttributeSet attributes = readAttributes(in);
        G2 ct1 = G2.read(in, "ct1");
        return new KpCiphertext(ct1, byAttribute("ct2", attributes, in));
    }

    static AttributeSet attributesOfCiphertext(byte[] bytes) throws MalformedEncodingException {
        return readAttributes(begin("ciphertext", Form.KP, bytes));
    }

    private static AttributeSet readAttributes(ByteReader in) throws MalformedEncodingException {
        AttributeSet attributes = AttributeSet.read(in);
        in.requireLeft(G2.BYTES + G1.BYTES * attributes.attributes().size());
        return attributes;
    }

    static int ciphertextBytes(Policy policy) {
        SecretSharing sharing = new SecretSharing(policy);
        return HEADER_BYTES
                + policy.encode().length
                + G2.BYTES * (1 + sharing.uses())
                + G1.BYTES * sharing.leaves().size();
    }

    static int ciphertextBytes(AttributeSet attributes) {
        return HEADER_BYTES
                + attributes.encode().length
                + G2.BYTES
                + G1.BYTES * attributes.attributes().size();
    }

    private static void g1s(Collection<G1> elements, ByteWriter out) {
        elements.forEach(element -> out.bytes(element.encode()));
    }

    private static void g2s(Collection<G2> elements, ByteWriter out) {
        elements.forEach(element -> out.bytes(element.encode()));
    }

    private static List<G1> g1s(String field, int count, ByteReader in) throws MalformedEncodingException {
        List<G1> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(G1.read(in, field));
        }
        return elements;
    }

    private static List<G2> g2s(String field, int count, ByteReader in) throws MalformedEncodingException {
        List<G2> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(G2.read(in, field));
        }
        return elements;
    }

    private static SortedMap<Attribute, G1> byAttribute(String field, AttributeSet attributes, ByteReader in)
            throws MalformedEncodingException {
        SortedMap<Attribute, G1> elements = new TreeMap<>();
        for (Attribute attribute : attributes.attributes()) {
            elements.put(attribute, G1.read(in, field));
        }
        return elements;
    }
}
