package dev.veilgate.abe.cp.bsw07;

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
 * Bethencourt, Sahai, Waters, <i>Ciphertext-Policy Attribute-Based Encryption</i>, S&amp;P 2007, section 4, carried to a type-3 pairing, as a key
 * encapsulation.
 *
 * <pre>
 *   alpha, beta  the authority's exponents          H       random oracle of attributes into G1
 *   r            randomness of a key                lambda  shares of s along the policy, one a leaf
 *   r_u          of its attribute u                 rho(i)  the attribute of leaf i
 *   s            randomness of a ciphertext         w_i     coefficients with s = sum of w_i·lambda_i
 * </pre>
 *
 * <p>Security: indistinguishability of encapsulated keys against chosen plaintexts and any number of colluding readers, adaptive in the policy, in
 * the generic group model with H as a random oracle (the paper's appendix; what type 3 changes only takes pairings from the attacker). Not given:
 * security against chosen ciphertexts, which {@code dev.veilgate.abe} adds; a proof from an assumption; secrecy of the policy, which stands in the
 * ciphertext; anything against quantum computers. The deviations from the paper are in {@code docs/spec/bsw07.md}.
 */
@Secret
public final class Bsw07 implements AuthorityKem<PublicKey, MasterKey, SecretKey, AttributeSet, Policy, Ciphertext> {
    /** Of the scheme. */
    public static final String ID = "cp-bsw07";

    private static final String H = Domains.g1("CP-BSW07", "ATTRIBUTE");

    @Override
    public String id() {
        return ID;
    }

    /**
     * {@code h = g2^beta, f = g1^(1/beta), y = e(g1, g2)^alpha}.
     *
     * @param coins beta, alpha; 48 bytes are drawn, here and below for each random exponent
     */
    @Override
    public KeyPair<PublicKey, MasterKey> setup(CoinStream coins) {
        Zr beta = Zr.random(coins);
        G1 g1Alpha = G1.GENERATOR.times(Zr.random(coins));
        PublicKey publicKey = new PublicKey(
                G2.GENERATOR.times(beta), G1.GENERATOR.times(beta.inverse()), Gt.pairing(g1Alpha, G2.GENERATOR));
        return new KeyPair<>(publicKey, new MasterKey(new MasterKey.Parts(beta, g1Alpha)));
    }

    /**
     * A reader's key: {@code D = g1^((alpha + r)/beta), D_u = g1^r · H(u)^r_u, D'_u = g2^r_u}. Elements of two keys cannot be combined, for each key
     * has its own r.
     *
     * @param coins r, then the r_u in the order of the attributes
     */
    @Override
    public SecretKey keyGen(MasterKey masterKey, AttributeSet attributes, CoinStream coins) {
        MasterKey.Parts master = masterKey.parts();
        G1 g1R = G1.GENERATOR.times(Zr.random(coins));
        G1 d = master.g1Alpha().plus(g1R).times(master.beta().inverse());
        SortedMap<Attribute, SecretKey.Component> components = new TreeMap<>();
        for (Attribute u : attributes.attributes()) {
            components.put(u, masked(g1R, u, Zr.random(coins)));
        }
        return new SecretKey(new SecretKey.Parts(d, components));
    }

    /** g1^r · H(u)^rU, g2^rU. */
    private static SecretKey.Component masked(G1 g1R, Attribute u, Zr rU) {
        return new SecretKey.Component(g1R.plus(hash(u).times(rU)), G2.GENERATOR.times(rU));
    }

    @Override
    public boolean canDelegate() {
        return true;
    }

    /**
     * A key with some of the attributes of another, made by its owner without the authority:
     *
     * <pre>
     *   D~ = D · f^r~        D~_u = D_u · g1^r~ · H(u)^r~_u        D~'_u = D'_u · g2^r~_u
     * </pre>
     *
     * It is distributed as one that the authority makes, and independent of the key that it came from: r + r~ and r_u + r~_u are uniform (but for the
     * excluded zeros of {@link Zr#random}).
     *
     * @param coins r~, then the r~_u in the order of the attributes
     * @throws IllegalArgumentException if the key lacks one of the attributes
     */
    @Override
    public SecretKey delegate(PublicKey publicKey, SecretKey key, AttributeSet attributes, CoinStream coins) {
        SecretKey.Parts parent = key.parts();
        if (!parent.components().keySet().containsAll(attributes.attributes())) {
            throw new IllegalArgumentException("only attributes that a key has can be delegated");
        }
        Zr r = Zr.random(coins);
        G1 g1R = G1.GENERATOR.times(r);
        SortedMap<Attribute, SecretKey.Component> components = new TreeMap<>();
        for (Attribute u : attributes.attributes()) {
            SecretKey.Component old = Objects.requireNonNull(parent.components().get(u)); // as was checked
            SecretKey.Component mask = masked(g1R, u, Zr.random(coins));
            components.put(
                    u,
                    new SecretKey.Component(old.d().plus(mask.d()), old.dPrime().plus(mask.dPrime())));
        }
        return new SecretKey(new SecretKey.Parts(parent.d().plus(publicKey.f().times(r)), components));
    }

    /**
     * {@code C = h^s, C_i = g2^lambda_i, C'_i = H(rho(i))^lambda_i, key = y^s}.
     *
     * @param coins s, then those of {@link SecretSharing#share}
     * @throws IllegalArgumentException if the policy is beyond the limits
     */
    @Override
    public Encapsulated<Ciphertext> encapsulate(PublicKey publicKey, Policy policy, CoinStream coins) {
        SecretSharing sharing = new SecretSharing(policy);
        List<SecretSharing.Leaf> leaves = sharing.leaves();
        Zr s = Zr.random(coins);
        List<Zr> lambda = sharing.share(s, () -> Zr.random(coins));
        List<Ciphertext.Leaf> shared = new ArrayList<>(leaves.size());
        for (int i = 0; i < leaves.size(); i++) {
            Zr share = lambda.get(i);
            shared.add(new Ciphertext.Leaf(
                    G2.GENERATOR.times(share), hash(leaves.get(i).attribute()).times(share)));
        }
        Ciphertext ciphertext = new Ciphertext(policy, publicKey.h().times(s), shared);
        return new Encapsulated<>(ciphertext, publicKey.y().power(s));
    }

    @Override
    public Optional<Gt> decapsulate(SecretKey key, Ciphertext ciphertext) {
        SecretSharing sharing = new SecretSharing(ciphertext.policy());
        return sharing.parts(key.label()).map(parts -> combine(key.parts(), ciphertext, sharing.leaves(), parts));
    }

    /**
     * What decryption computes, whether or not the policy allows it:
     *
     * <pre>
     *   e(D, C) / prod_i e(D_rho(i)^w_i, C_i) / e(C'_i^w_i, D'_rho(i))        = e(g1, g2)^(s·(alpha + r)) / e(g1, g2)^(r·s)
     * </pre>
     *
     * in one product of 2n + 1 pairings, n the number of parts.
     */
    static Gt combine(
            SecretKey.Parts key,
            Ciphertext ciphertext,
            List<SecretSharing.Leaf> leaves,
            List<SecretSharing.Part> parts) {
        PairingProduct product = new PairingProduct().times(key.d(), ciphertext.c());
        for (SecretSharing.Part part : parts) {
            // only leaves of the key's attributes take part
            SecretKey.Component own = Objects.requireNonNull(
                    key.components().get(leaves.get(part.leaf()).attribute()));
            Ciphertext.Leaf leaf = ciphertext.leaves().get(part.leaf());
            product.over(part.weighted(own.d()), leaf.c());
            product.times(part.weighted(leaf.cPrime()), own.dPrime());
        }
        return product.value();
    }

    @Override
    public boolean pairingsGrow() {
        return true;
    }

    @Override
    public SecretKey raised(SecretKey key, Zr exponent) {
        SecretKey.Parts parts = key.parts();
        SortedMap<Attribute, SecretKey.Component> components = new TreeMap<>();
        parts.components()
                .forEach((u, component) -> components.put(
                        u,
                        new SecretKey.Component(
                                component.d().times(exponent),
                                component.dPrime().times(exponent))));
        return new SecretKey(new SecretKey.Parts(parts.d().times(exponent), components));
    }

    static G1 hash(Attribute attribute) {
        return G1.hash(H, attribute.encode());
    }

    @Override
    public Policy descriptor(Ciphertext ciphertext) {
        return ciphertext.policy();
    }

    @Override
    public int ciphertextBytes(Policy policy) {
        return Bsw07Codec.ciphertextBytes(policy);
    }

    @Override
    public Policy descriptorOf(byte[] ciphertext) throws MalformedEncodingException {
        return Bsw07Codec.policyOfCiphertext(ciphertext);
    }

    @Override
    public byte[] encodePublicKey(PublicKey publicKey) {
        return Bsw07Codec.encode(publicKey);
    }

    /** Refuses f and h that do not belong together, too: a delegated key would open nothing. */
    @Override
    public PublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        return Bsw07Codec.decodePublicKey(bytes);
    }

    @Override
    public MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        return Bsw07Codec.decodeMasterKey(bytes);
    }

    @Override
    public SecretKey decodeKey(byte[] bytes) throws MalformedEncodingException {
        return Bsw07Codec.decodeSecretKey(bytes);
    }

    @Override
    public byte[] encodeCiphertext(Ciphertext ciphertext) {
        return Bsw07Codec.encode(ciphertext);
    }

    @Override
    public Ciphertext decodeCiphertext(byte[] bytes) throws MalformedEncodingException {
        return Bsw07Codec.decodeCiphertext(bytes);
    }
}
