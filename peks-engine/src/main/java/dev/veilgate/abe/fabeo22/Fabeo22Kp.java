package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Domains;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * FABEO with policies in keys: Riepl, Wee, <i>FABEO: Fast Attribute-Based Encryption with Optimal Security</i>, CCS 2022, figure 1 (right), as a key encapsulation.
 *
 * <pre>
 *   alpha        master key                          H       random oracle of attributes into G1
 *   y            e(g1, g2)^alpha                     lambda  shares of alpha along the policy, one a leaf
 *   r'_j         randomness of a key                 rho(i)  the attribute of leaf i
 *   s            randomness of a ciphertext          use(i)  which use of its attribute leaf i is, from 0
 *   tau          uses of the most used attribute
 * </pre>
 *
 * <p>Security: indistinguishability of encapsulated keys against chosen plaintexts and any number of colluding readers, adaptive in the attributes, proven in the generic group
 * model with H as a random oracle. Not given: security against chosen ciphertexts, which {@code dev.veilgate.abe} adds; secrecy of the attributes, which stand
 * in the ciphertext; a proof from an assumption outside of the generic group model; anything against quantum computers.
 */
public final class Fabeo22Kp implements OutsourcedKem<PublicKey, KpSecretKey, AttributeSet, KpCiphertext> {
    /** Of the scheme. */
    public static final String ID = "kp-fabeo22";

    private static final String H = Domains.g1("KP-FABEO22", "ATTRIBUTE");

    @Override
    public String id() {
        return ID;
    }

    /**
     * {@code alpha random, y = e(g1, g2)^alpha}.
     *
     * @param coins 48 bytes are drawn, here and below for each random exponent
     */
    public KeyPair setup(CoinStream coins) {
        Zr alpha = Zr.random(coins);
        Gt y = Gt.pairing(G1.GENERATOR, G2.GENERATOR).power(alpha);
        return new KeyPair(new PublicKey(Form.KP, y), new MasterKey(Form.KP, alpha));
    }

    /**
     * A reader's key: {@code sk1_i = g1^lambda_i · H(rho(i))^r'_use(i), sk2_j = g2^r'_j}. Elements of two keys cannot be combined, for each key shares alpha anew.
     *
     * @param coins the r'_j, then those of {@link SecretSharing#share}
     * @throws IllegalArgumentException if the master key is not of this scheme, or the policy is beyond the limits
     */
    public KpSecretKey keyGen(MasterKey masterKey, Policy policy, CoinStream coins) {
        masterKey.form().require(Form.KP);
        SecretSharing sharing = new SecretSharing(policy);
        List<SecretSharing.Leaf> leaves = sharing.leaves();
        List<Zr> r =
                Stream.generate(() -> Zr.random(coins)).limit(sharing.uses()).toList();
        List<Zr> lambda = sharing.share(masterKey.alpha(), () -> Zr.random(coins));
        List<G1> sk1 = new ArrayList<>(leaves.size());
        for (int i = 0; i < leaves.size(); i++) {
            SecretSharing.Leaf leaf = leaves.get(i);
            G1 share = G1.GENERATOR.times(lambda.get(i));
            sk1.add(share.plus(hash(leaf.attribute()).times(r.get(leaf.use()))));
        }
        List<G2> sk2 = r.stream().map(G2.GENERATOR::times).toList();
        return new KpSecretKey(new KpSecretKey.Parts(policy, sk1, sk2));
    }

    /**
     * {@code ct1 = g2^s, ct2_u = H(u)^s, key = y^s}.
     *
     * @param coins s is drawn
     * @throws IllegalArgumentException if the public key is not of this scheme
     */
    @Override
    public Encapsulated<KpCiphertext> encapsulate(PublicKey publicKey, AttributeSet attributes, CoinStream coins) {
        publicKey.form().require(Form.KP);
        Zr s = Zr.random(coins);
        SortedMap<Attribute, G1> ct2 = new TreeMap<>();
        attributes.attributes().forEach(u -> ct2.put(u, hash(u).times(s)));
        return new Encapsulated<>(
                new KpCiphertext(G2.GENERATOR.times(s), ct2), publicKey.y().power(s));
    }

    @Override
    public Optional<Gt> decapsulate(KpSecretKey key, KpCiphertext ciphertext) {
        SecretSharing sharing = new SecretSharing(key.policy());
        return sharing.parts(ciphertext.attributes())
                .map(parts -> combine(key.parts(), ciphertext, sharing.leaves(), parts));
    }

    /**
     * What decryption computes, whether or not the policy allows it; w are the coefficients:
     *
     * <pre>
     *   e(prod_i sk1_i^w_i, ct1) / prod_j e(prod_(i: use(i) = j) ct2_rho(i)^w_i, sk2_j)
     * </pre>
     *
     * in 1 pairing and one for each use among the parts.
     */
    static Gt combine(
            KpSecretKey.Parts key,
            KpCiphertext ciphertext,
            List<SecretSharing.Leaf> leaves,
            List<SecretSharing.Part> parts) {
        List<List<G1>> ct2 = Stream.generate(() -> (List<G1>) new ArrayList<G1>())
                .limit(key.sk2().size())
                .toList();
        List<G1> sk1 = new ArrayList<>(parts.size());
        for (SecretSharing.Part part : parts) {
            SecretSharing.Leaf leaf = leaves.get(part.leaf());
            ct2.get(leaf.use()).add(weighted(ciphertext.ct2().get(leaf.attribute()), part.coefficient()));
            sk1.add(weighted(key.sk1().get(part.leaf()), part.coefficient()));
        }
        PairingProduct product = new PairingProduct().times(G1.sum(sk1), ciphertext.ct1());
        for (int j = 0; j < ct2.size(); j++) {
            product.over(G1.sum(ct2.get(j)), key.sk2().get(j));
        }
        return product.value();
    }

    @Override
    public KpSecretKey raised(KpSecretKey key, Zr exponent) {
        KpSecretKey.Parts parts = key.parts();
        return new KpSecretKey(new KpSecretKey.Parts(
                parts.policy(),
                parts.sk1().stream().map(element -> element.times(exponent)).toList(),
                parts.sk2().stream().map(element -> element.times(exponent)).toList()));
    }

    private static G1 weighted(G1 element, Zr coefficient) {
        return coefficient.equals(Zr.ONE) ? element : element.times(coefficient);
    }

    private static G1 hash(Attribute attribute) {
        return G1.hash(H, attribute.encode());
    }

    @Override
    public AttributeSet descriptor(KpCiphertext ciphertext) {
        return ciphertext.attributes();
    }

    @Override
    public byte[] encodePublicKey(PublicKey publicKey) {
        return Fabeo22Codec.encode(publicKey);
    }

    @Override
    public PublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodePublicKey(Form.KP, bytes);
    }

    /** Canonical; secret: 2 bytes of header and alpha. */
    public byte[] encodeMasterKey(MasterKey key) {
        return Fabeo22Codec.encode(key);
    }

    /** @throws MalformedEncodingException unless it is such an encoding */
    public MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodeMasterKey(Form.KP, bytes);
    }

    @Override
    public byte[] encodeKey(KpSecretKey key) {
        return Fabeo22Codec.encode(key.parts());
    }

    @Override
    public KpSecretKey decodeKey(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodeKpSecretKey(bytes);
    }

    @Override
    public byte[] encodeCiphertext(KpCiphertext ciphertext) {
        return Fabeo22Codec.encode(ciphertext);
    }

    @Override
    public KpCiphertext decodeCiphertext(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodeKpCiphertext(bytes);
    }
}
