package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.kem.AuthorityKem;
import dev.veilgate.abe.kem.KeyPair;
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
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Goyal, Pandey, Sahai, Waters, <i>Attribute-Based Encryption for Fine-Grained Access Control of Encrypted Data</i>, CCS 2006, the large-universe
 * construction with a random oracle for its function T, carried to a type-3 pairing, as a key encapsulation.
 *
 * <pre>
 *   y            master key                         H       random oracle of attributes into G1
 *   r_i          randomness of leaf i of a key      lambda  shares of y along the key's policy, one a leaf
 *   s            randomness of a ciphertext         rho(i)  the attribute of leaf i
 *                                                   w_i     coefficients with y = sum of w_i·lambda_i
 * </pre>
 *
 * <p>Security: indistinguishability of encapsulated keys against chosen plaintexts and any number of colluding readers, selective (the attacker names
 * the attributes of his target before he sees the public key), under the decisional bilinear Diffie-Hellman assumption with H as a random oracle. Not
 * given: a proof of adaptive security, which {@code abe.fabeo22} has in the generic group model; security against chosen ciphertexts, which {@code
 * dev.veilgate.abe} adds; secrecy of the attributes, which stand in the ciphertext; anything against quantum computers. The deviations from the paper
 * and the reduction are in {@code docs/spec/gpsw06.md}.
 */
@Secret
public final class Gpsw06 implements AuthorityKem<PublicKey, MasterKey, SecretKey, Policy, AttributeSet, Ciphertext> {
    /** Of the scheme. */
    public static final String ID = "kp-gpsw06";

    private static final String H = Domains.g1("KP-GPSW06", "ATTRIBUTE");

    @Override
    public String id() {
        return ID;
    }

    /**
     * {@code y random, Y = e(g1, g2)^y}.
     *
     * @param coins y; 48 bytes are drawn, here and below for each random exponent
     */
    @Override
    public KeyPair<PublicKey, MasterKey> setup(CoinStream coins) {
        Zr y = Zr.random(coins);
        return new KeyPair<>(new PublicKey(Gt.pairing(G1.GENERATOR.times(y), G2.GENERATOR)), new MasterKey(y));
    }

    /**
     * A reader's key: {@code D_i = g1^lambda_i · H(rho(i))^r_i, R_i = g2^r_i}. Elements of two keys cannot be combined, for each key has shares of
     * its own, and no share is known without its mask.
     *
     * @param coins those of {@link SecretSharing#share}, then the r_i in the order of the leaves
     * @throws IllegalArgumentException if the policy is beyond the limits
     */
    @Override
    public SecretKey keyGen(MasterKey masterKey, Policy policy, CoinStream coins) {
        SecretSharing sharing = new SecretSharing(policy);
        List<Zr> lambda = sharing.share(masterKey.y(), () -> Zr.random(coins));
        List<SecretKey.Leaf> leaves = new ArrayList<>(lambda.size());
        for (int i = 0; i < lambda.size(); i++) {
            Zr r = Zr.random(coins);
            G1 mask = hash(sharing.leaves().get(i).attribute()).times(r);
            leaves.add(new SecretKey.Leaf(G1.GENERATOR.times(lambda.get(i)).plus(mask), G2.GENERATOR.times(r)));
        }
        return new SecretKey(new SecretKey.Parts(policy, leaves));
    }

    /**
     * {@code E_0 = g2^s, E_u = H(u)^s, key = Y^s}.
     *
     * @param coins s
     */
    @Override
    public Encapsulated<Ciphertext> encapsulate(PublicKey publicKey, AttributeSet attributes, CoinStream coins) {
        Zr s = Zr.random(coins);
        SortedMap<Attribute, G1> e = new TreeMap<>();
        attributes.attributes().forEach(u -> e.put(u, hash(u).times(s)));
        return new Encapsulated<>(
                new Ciphertext(G2.GENERATOR.times(s), e), publicKey.y().power(s));
    }

    @Override
    public Optional<Gt> decapsulate(SecretKey key, Ciphertext ciphertext) {
        SecretKey.Parts own = key.parts();
        SecretSharing sharing = new SecretSharing(own.policy());
        return sharing.parts(ciphertext.attributes()).map(parts -> combine(own, ciphertext, sharing.leaves(), parts));
    }

    /**
     * What decryption computes, whether or not the policy allows it:
     *
     * <pre>
     *   e(prod_i D_i^w_i, E_0) / prod_i e(E_rho(i)^w_i, R_i)        = e(g1, g2)^(y·s)
     * </pre>
     *
     * in one product of n + 1 pairings, n the number of parts.
     */
    static Gt combine(
            SecretKey.Parts key,
            Ciphertext ciphertext,
            List<SecretSharing.Leaf> leaves,
            List<SecretSharing.Part> parts) {
        PairingProduct product = new PairingProduct();
        List<G1> d = new ArrayList<>(parts.size());
        for (SecretSharing.Part part : parts) {
            SecretKey.Leaf leaf = key.leaves().get(part.leaf());
            // only leaves of the ciphertext's attributes take part
            G1 e = Objects.requireNonNull(
                    ciphertext.e().get(leaves.get(part.leaf()).attribute()));
            d.add(part.weighted(leaf.d()));
            product.over(part.weighted(e), leaf.r());
        }
        return product.times(G1.sum(d), ciphertext.e0()).value();
    }

    @Override
    public boolean pairingsGrow() {
        return true;
    }

    @Override
    public SecretKey raised(SecretKey key, Zr exponent) {
        List<SecretKey.Leaf> leaves = key.parts().leaves().stream()
                .map(leaf ->
                        new SecretKey.Leaf(leaf.d().times(exponent), leaf.r().times(exponent)))
                .toList();
        return new SecretKey(new SecretKey.Parts(key.label(), leaves));
    }

    static G1 hash(Attribute attribute) {
        return G1.hash(H, attribute.encode());
    }

    @Override
    public AttributeSet descriptor(Ciphertext ciphertext) {
        return ciphertext.attributes();
    }

    @Override
    public int ciphertextBytes(AttributeSet attributes) {
        return Gpsw06Codec.ciphertextBytes(attributes);
    }

    @Override
    public AttributeSet descriptorOf(byte[] ciphertext) throws MalformedEncodingException {
        return Gpsw06Codec.attributesOfCiphertext(ciphertext);
    }

    @Override
    public byte[] encodePublicKey(PublicKey publicKey) {
        return Gpsw06Codec.encode(publicKey);
    }

    @Override
    public PublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        return Gpsw06Codec.decodePublicKey(bytes);
    }

    @Override
    public MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        return Gpsw06Codec.decodeMasterKey(bytes);
    }

    @Override
    public SecretKey decodeKey(byte[] bytes) throws MalformedEncodingException {
        return Gpsw06Codec.decodeSecretKey(bytes);
    }

    @Override
    public byte[] encodeCiphertext(Ciphertext ciphertext) {
        return Gpsw06Codec.encode(ciphertext);
    }

    @Override
    public Ciphertext decodeCiphertext(byte[] bytes) throws MalformedEncodingException {
        return Gpsw06Codec.decodeCiphertext(bytes);
    }
}
