package dev.veilgate.abe.fabeo22;

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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * FABEO with policies in ciphertexts: Riepl, Wee, <i>FABEO: Fast Attribute-Based Encryption with Optimal Security</i>, CCS 2022, figure 1 (left), as a key encapsulation.
 *
 * <pre>
 *   alpha        master key                          H       random oracle of attributes into G1
 *   y            e(g1, g2)^alpha                     B       H(|U| + 1) of the paper: here of a domain of its own
 *   r            randomness of a key                 lambda  shares of s1 along the policy, one a leaf
 *   s1, s'_j     randomness of a ciphertext          rho(i)  the attribute of leaf i
 *   tau          uses of the most used attribute     use(i)  which use of its attribute leaf i is, from 0
 * </pre>
 *
 * <p>Security: indistinguishability of encapsulated keys against chosen plaintexts and any number of colluding readers, adaptive in the policy, proven in the generic group
 * model with H as a random oracle. Not given: security against chosen ciphertexts, which {@code dev.veilgate.abe} adds; secrecy of the policy, which stands
 * in the ciphertext; a proof from an assumption outside of the generic group model; anything against quantum computers.
 */
@Secret
public final class Fabeo22Cp extends Fabeo22<CpSecretKey, AttributeSet, Policy, CpCiphertext> {
    /** Of the scheme. */
    public static final String ID = "cp-fabeo22";

    private static final String H = Domains.g1("CP-FABEO22", "ATTRIBUTE");
    private static final G1 B = G1.hash(Domains.g1("CP-FABEO22", "SHARE"), "B".getBytes(StandardCharsets.US_ASCII));

    /** The scheme. */
    public Fabeo22Cp() {
        super(Form.CP, ID, H);
    }

    /**
     * A reader's key: {@code sk1 = g1^alpha · B^r, sk2_u = H(u)^r, sk3 = g2^r}. Elements of two keys cannot be combined, for each key has its own r.
     *
     * @param coins r is drawn
     * @throws IllegalArgumentException if the master key is not of this scheme
     */
    @Override
    public CpSecretKey keyGen(MasterKey masterKey, AttributeSet attributes, CoinStream coins) {
        requireOwn(masterKey.form());
        Zr r = Zr.random(coins);
        G1 sk1 = G1.GENERATOR.times(masterKey.alpha()).plus(B.times(r));
        SortedMap<Attribute, G1> sk2 = hashes(attributes, r);
        return new CpSecretKey(new CpSecretKey.Parts(sk1, sk2, G2.GENERATOR.times(r)));
    }

    /**
     * {@code ct1 = g2^s1, ct2_j = g2^s'_j, ct3_i = B^lambda_i · H(rho(i))^s'_use(i), key = y^s1}.
     *
     * @param coins s1, then the s'_j, then those of {@link SecretSharing#share}
     * @throws IllegalArgumentException if the public key is not of this scheme, or the policy is beyond the limits
     */
    @Override
    public Encapsulated<CpCiphertext> encapsulate(PublicKey publicKey, Policy policy, CoinStream coins) {
        requireOwn(publicKey.form());
        SecretSharing sharing = new SecretSharing(policy);
        Zr s1 = Zr.random(coins);
        Shared shared = share(sharing, B, s1, coins);
        CpCiphertext ciphertext = new CpCiphertext(policy, G2.GENERATOR.times(s1), shared.byUse(), shared.byLeaf());
        return new Encapsulated<>(ciphertext, publicKey.y().power(s1));
    }

    @Override
    public Optional<Gt> decapsulate(CpSecretKey key, CpCiphertext ciphertext) {
        SecretSharing sharing = new SecretSharing(ciphertext.policy());
        return sharing.parts(key.label()).map(parts -> combine(key.parts(), ciphertext, sharing.leaves(), parts));
    }

    /**
     * What decryption computes, whether or not the policy allows it; w are the coefficients:
     *
     * <pre>
     *   e(sk1, ct1) · prod_j e(prod_(i: use(i) = j) sk2_rho(i)^w_i, ct2_j) / e(prod_i ct3_i^w_i, sk3)
     * </pre>
     *
     * in 2 pairings and one for each use among the parts.
     */
    static Gt combine(
            CpSecretKey.Parts key,
            CpCiphertext ciphertext,
            List<SecretSharing.Leaf> leaves,
            List<SecretSharing.Part> parts) {
        List<G1> sk2 = overUses(key.sk2(), ciphertext.ct2().size(), leaves, parts);
        PairingProduct product = new PairingProduct()
                .times(key.sk1(), ciphertext.ct1())
                .over(overLeaves(ciphertext.ct3(), parts), key.sk3());
        for (int j = 0; j < sk2.size(); j++) {
            product.times(sk2.get(j), ciphertext.ct2().get(j));
        }
        return product.value();
    }

    @Override
    public boolean pairingsGrow() {
        return false;
    }

    @Override
    public CpSecretKey raised(CpSecretKey key, Zr exponent) {
        CpSecretKey.Parts parts = key.parts();
        SortedMap<Attribute, G1> sk2 = new TreeMap<>();
        parts.sk2().forEach((u, element) -> sk2.put(u, element.times(exponent)));
        return new CpSecretKey(new CpSecretKey.Parts(
                parts.sk1().times(exponent), sk2, parts.sk3().times(exponent)));
    }

    @Override
    public Policy descriptor(CpCiphertext ciphertext) {
        return ciphertext.policy();
    }

    @Override
    public int ciphertextBytes(Policy policy) {
        return Fabeo22Codec.ciphertextBytes(policy);
    }

    @Override
    public Policy descriptorOf(byte[] ciphertext) throws MalformedEncodingException {
        return Fabeo22Codec.policyOfCiphertext(ciphertext);
    }

    @Override
    public CpSecretKey decodeKey(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodeCpSecretKey(bytes);
    }

    @Override
    public byte[] encodeCiphertext(CpCiphertext ciphertext) {
        return Fabeo22Codec.encode(ciphertext);
    }

    @Override
    public CpCiphertext decodeCiphertext(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodeCpCiphertext(bytes);
    }
}
