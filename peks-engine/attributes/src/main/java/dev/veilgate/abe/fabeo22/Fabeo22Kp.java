package dev.veilgate.abe.fabeo22;

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
import java.util.List;
import java.util.Optional;

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
@Secret
public final class Fabeo22Kp extends Fabeo22<KpSecretKey, Policy, AttributeSet, KpCiphertext> {
    /** Of the scheme. */
    public static final String ID = "kp-fabeo22";

    private static final String H = Domains.g1("KP-FABEO22", "ATTRIBUTE");

    /** The scheme. */
    public Fabeo22Kp() {
        super(Form.KP, ID, H);
    }

    /**
     * A reader's key: {@code sk1_i = g1^lambda_i · H(rho(i))^r'_use(i), sk2_j = g2^r'_j}. Elements of two keys cannot be combined, for each key shares alpha anew.
     *
     * @param coins the r'_j, then those of {@link SecretSharing#share}
     * @throws IllegalArgumentException if the master key is not of this scheme, or the policy is beyond the limits
     */
    @Override
    public KpSecretKey keyGen(MasterKey masterKey, Policy policy, CoinStream coins) {
        requireOwn(masterKey.form());
        SecretSharing sharing = new SecretSharing(policy);
        Shared shared = share(sharing, G1.GENERATOR, masterKey.alpha(), coins);
        return new KpSecretKey(new KpSecretKey.Parts(policy, shared.byLeaf(), shared.byUse()));
    }

    /**
     * {@code ct1 = g2^s, ct2_u = H(u)^s, key = y^s}.
     *
     * @param coins s is drawn
     * @throws IllegalArgumentException if the public key is not of this scheme
     */
    @Override
    public Encapsulated<KpCiphertext> encapsulate(PublicKey publicKey, AttributeSet attributes, CoinStream coins) {
        requireOwn(publicKey.form());
        Zr s = Zr.random(coins);
        KpCiphertext ciphertext = new KpCiphertext(G2.GENERATOR.times(s), hashes(attributes, s));
        return new Encapsulated<>(ciphertext, publicKey.y().power(s));
    }

    @Override
    public Optional<Gt> decapsulate(KpSecretKey key, KpCiphertext ciphertext) {
        SecretSharing sharing = new SecretSharing(key.label());
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
        List<G1> ct2 = overUses(ciphertext.ct2(), key.sk2().size(), leaves, parts);
        PairingProduct product = new PairingProduct().times(overLeaves(key.sk1(), parts), ciphertext.ct1());
        for (int j = 0; j < ct2.size(); j++) {
            product.over(ct2.get(j), key.sk2().get(j));
        }
        return product.value();
    }

    @Override
    public boolean pairingsGrow() {
        return false;
    }

    @Override
    public KpSecretKey raised(KpSecretKey key, Zr exponent) {
        KpSecretKey.Parts parts = key.parts();
        return new KpSecretKey(new KpSecretKey.Parts(
                parts.policy(),
                parts.sk1().stream().map(element -> element.times(exponent)).toList(),
                parts.sk2().stream().map(element -> element.times(exponent)).toList()));
    }

    @Override
    public AttributeSet descriptor(KpCiphertext ciphertext) {
        return ciphertext.attributes();
    }

    @Override
    public int ciphertextBytes(AttributeSet attributes) {
        return Fabeo22Codec.ciphertextBytes(attributes);
    }

    @Override
    public AttributeSet descriptorOf(byte[] ciphertext) throws MalformedEncodingException {
        return Fabeo22Codec.attributesOfCiphertext(ciphertext);
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
