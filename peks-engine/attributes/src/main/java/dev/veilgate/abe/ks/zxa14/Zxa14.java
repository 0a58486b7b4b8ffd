package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.Domains;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.pairing.BlockLayout;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Attribute-based keyword search: whoever has attributes that a sender's policy asks for makes tokens himself, for any keyword, and the gateway finds with them what
 * was sealed under the policy. CP-ABKS of Zheng, Xu, Ateniese, with a key for posting lists, over {@code e: G1 x G2 -> GT} of order r.
 *
 * <pre>
 *   Setup         a, b, c, d random; public g1^a, g1^b, g2^b, g2^c, Y = e(g1, g2)^d
 *   KeyGen(S)     for z = ac and z = d, each with its own r, r_j:  A = g1^((z - r)/b), A_j = g1^r·H1(j)^r_j, B_j = g2^r_j      j in S
 *   Enc(w)        r1, r2, shares lambda_v of r2 random; h = H(w):  W = g2^(c·r1), W_0 = g1^(a·(r1+r2))·g1^(b·h·r1), W' = g2^(b·r2),
 *                 W_v = g2^lambda_v, D_v = H1(att(v))^lambda_v;  the slot's secret is K = Y^r2
 *   TokenGen(w)   s random; tok1 = (g1^a·g1^(b·h))^s, tok2 = g2^(c·s), and the key of acs + d:  tok3 = A_ac^s·A_d, A' = A_ac,j^s·A_d,j, B' = B_ac,j^s·B_d,j
 *   Test          K = e(tok3, W') · prod_v [ e(A'_v, W_v) / e(D_v, B'_v) ] · e(tok1, W) / e(W_0, tok2)
 * </pre>
 *
 * <table>
 * <caption>Symbols (the paper's, but for d and K)</caption>
 * <tr><td>a, b, c, d</td><td>master key; d makes the key of posting lists</td></tr>
 * <tr><td>H, H1</td><td>random oracles: of keywords into Z_r, of attributes into G1</td></tr>
 * <tr><td>lambda_v</td><td>share of r2 for leaf v of the policy; w_v coefficients with r2 = sum of w_v·lambda_v</td></tr>
 * <tr><td>rho, rho_j</td><td>r and r_j of a token: r_ac·s + r_d, r_(ac,j)·s + r_(d,j)</td></tr>
 * </table>
 *
 * <p><b>Security.</b> Who has no key that satisfies the policy, any number of them pooled, and no token of the keyword learns nothing of keyword and posting list;
 * adaptively, in the generic group model with random oracles (docs/spec/zxa14.md, section 4). <b>Not given:</b> anything against quantum computers; secrecy of a token's
 * keyword from who holds the token, who can guess it offline with public data; secrecy from each other of searchers who satisfy a policy: each can make every token.
 * Tokens of one key can be linked.
 *
 * <p>Source: Q. Zheng, S. Xu, G. Ateniese, "VABKS: Verifiable Attribute-based Keyword Search over Outsourced Encrypted Data" (INFOCOM 2014), section IV, over a
 * symmetric pairing there and with a verdict as only result. Deviations, and why they are needed, are in docs/spec/zxa14.md. Safe for use by several threads if the
 * random source is.
 */
@Secret
public final class Zxa14 {
    private static final String H1 = Domains.g1("ZXA14", "ATTRIBUTE");
    private static final String H = Domains.zr("ZXA14", "KEYWORD");

    private final SecureRandom random;

    /** @param random seeds the coins of setup, keys and tokens */
    public Zxa14(SecureRandom random) {
        this.random = Objects.requireNonNull(random);
    }

    /** With a {@link SecureRandom} of the platform's choice. */
    public static Zxa14 withDefaults() {
        return new Zxa14(new SecureRandom());
    }

    /** Setup: a, b, c, d uniform in [1, r). Draws one seed; of it 48 bytes an exponent, here and below. */
    public KeyPair setup() {
        try (CoinStream coins = CoinStream.fresh(random)) {
            MasterKey masterKey = new MasterKey(
                    new MasterKey.Parts(Zr.random(coins), Zr.random(coins), Zr.random(coins), Zr.random(coins)));
            return new KeyPair(masterKey.publicKey(), masterKey);
        }
    }

    /**
     * KeyGen: a searcher's key. Keys of two searchers cannot be combined, for each half of each key has its own r. Draws one seed.
     *
     * @throws IllegalStateException for a master key that was destroyed
     */
    public SecretKey keyGen(MasterKey masterKey, AttributeSet attributes) {
        MasterKey.Parts master = masterKey.parts();
        try (CoinStream coins = CoinStream.fresh(random)) {
            SecretKey.Half masking = half(master.a().times(master.c()), master.b(), attributes, coins);
            return new SecretKey(new SecretKey.Parts(masking, half(master.d(), master.b(), attributes, coins)));
        }
    }

    /** A = g1^((z - r)/b), A_j = g1^r · H1(j)^r_j, B_j = g2^r_j. */
    private static SecretKey.Half half(Zr z, Zr b, AttributeSet attributes, CoinStream coins) {
        Zr r = Zr.random(coins);
        G1 g1R = G1.GENERATOR.times(r);
        SortedMap<Attribute, SecretKey.Component> components = new TreeMap<>();
        for (Attribute j : attributes.attributes()) {
            Zr rJ = Zr.random(coins);
            components.put(j, new SecretKey.Component(g1R.plus(hash(j).times(rJ)), G2.GENERATOR.times(rJ)));
        }
        return new SecretKey.Half(G1.GENERATOR.times(z.minus(r).times(b.inverse())), components);
    }

    /**
     * TokenGen: what lets the gateway search the domain's scope and epoch for a keyword, under one policy of one authority. Without the authority: whoever has a key
     * that satisfies the policy makes tokens of all keywords.
     *
     * <p>Tells the gateway which leaves of the policy were taken, and lets it check guesses of the keyword. Draws one seed, of it s. <b>s is used once:</b> two tokens of
     * different keywords under one s give tokens of all keywords.
     *
     * @return empty if the key's attributes do not satisfy the policy of the domain's epoch
     * @throws IllegalStateException for a key that was destroyed
     */
    public Optional<ScopedTrapdoor> token(SecretKey key, IndexPublicKey index, KeywordDomain domain, Keyword keyword) {
        SecretKey.Parts parts = key.parts();
        SecretSharing sharing = index.sharing(domain.epoch());
        return sharing.parts(key.attributes()).map(taken -> {
            try (CoinStream coins = CoinStream.fresh(random)) {
                Zr h = hash(index.id(), domain, keyword);
                Token token = token(parts, index.authority(), sharing, taken, h, Zr.random(coins));
                return new ScopedTrapdoor(
                        Zxa14IndexScheme.ID,
                        BlockLayout.PARAMETERS,
                        index.id(),
                        domain.scope(),
                        domain.epoch(),
                        token.encode());
            }
        });
    }

    /**
     * A token from these parts of the policy, whether or not they satisfy it. Asks for no attribute that the parts do not name.
     *
     * <p>tok1 = (g1^a · g1^(b·h))^s, tok2 = g2^(c·s), tok3 = A_ac^s · A_d; A'_v = (A_ac,j^s · A_d,j)^w_v, B'_v = (B_ac,j^s · B_d,j)^w_v, j = att(v).
     */
    static Token token(
            SecretKey.Parts key,
            PublicKey authority,
            SecretSharing sharing,
            List<SecretSharing.Part> taken,
            Zr h,
            Zr s) {
        List<SecretSharing.Leaf> leaves = sharing.leaves();
        List<Token.Part> parts = new ArrayList<>(taken.size());
        for (SecretSharing.Part part : taken) {
            Attribute j = leaves.get(part.leaf()).attribute();
            // only leaves of the key's attributes take part
            SecretKey.Component ac =
                    Objects.requireNonNull(key.masking().components().get(j));
            SecretKey.Component d =
                    Objects.requireNonNull(key.opening().components().get(j));
            Zr w = part.coefficient();
            Zr ws = w.times(s);
            parts.add(new Token.Part(
                    part.leaf(),
                    ac.a().times(ws).plus(d.a().times(w)),
                    ac.b().times(ws).plus(d.b().times(w))));
        }
        return new Token(
                leaves.size(),
                authority.g1A().plus(authority.g1B().times(h)).times(s),
                authority.g2C().times(s),
                key.masking().a().times(s).plus(key.opening().a()),
                parts);
    }

    /**
     * A slot, and its secret.
     *
     * @param key K = Y^r2
     */
    record Sealed(Ciphertext ciphertext, Gt key) {}

    /**
     * Enc: W = g2^(c·r1), W_0 = g1^(a·(r1+r2)) · g1^(b·h·r1), W' = g2^(b·r2), W_v = g2^lambda_v, D_v = H1(att(v))^lambda_v, K = Y^r2.
     *
     * @param sharing along the policy
     * @param hashes  H1(att(v)) of each leaf of it
     * @param h       of the keyword
     * @param coins   r1, r2, then those of the shares
     */
    static Sealed seal(PublicKey authority, SecretSharing sharing, List<G1> hashes, Zr h, CoinStream coins) {
        Zr r1 = Zr.random(coins);
        Zr r2 = Zr.random(coins);
        List<Zr> lambda = sharing.share(r2, () -> Zr.random(coins));
        List<Ciphertext.Leaf> leaves = new ArrayList<>(lambda.size());
        for (int v = 0; v < lambda.size(); v++) {
            Zr share = lambda.get(v);
            leaves.add(
                    new Ciphertext.Leaf(G2.GENERATOR.times(share), hashes.get(v).times(share)));
        }
        G1 w0 = authority.g1A().times(r1.plus(r2)).plus(authority.g1B().times(h.times(r1)));
        Ciphertext ciphertext =
                new Ciphertext(w0, authority.g2C().times(r1), authority.g2B().times(r2), leaves);
        return new Sealed(ciphertext, authority.y().power(r2));
    }

    /**
     * Test: K if the slot is of the token's keyword and the token's parts satisfy the policy, else an element that nobody knows.
     *
     * <pre>
     *   e(tok3, W') · prod_v [ e(A'_v, W_v) / e(D_v, B'_v) ]    = e(g1, g2)^((acs + d - rho)·r2) · e(g1, g2)^(rho·r2)
     *   e(W_0, tok2) / e(tok1, W)                               = e(g1, g2)^(acs·r2),  of the same keyword
     * </pre>
     *
     * @param taken the slot with those of its leaves that the token takes
     */
    static Gt tested(Token token, Ciphertext taken) {
        PairingProduct product = new PairingProduct().times(token.tok3(), taken.wPrime());
        for (int i = 0; i < token.parts().size(); i++) {
            Token.Part part = token.parts().get(i);
            Ciphertext.Leaf leaf = taken.leaves().get(i);
            product.times(part.a(), leaf.w()).over(leaf.d(), part.b());
        }
        return product.times(token.tok1(), taken.w())
                .over(taken.w0(), token.tok2())
                .value();
    }

    /** H1: of an attribute. */
    static G1 hash(Attribute attribute) {
        return G1.hash(H1, attribute.encode());
    }

    /** H: of a keyword in its domain, under one authority and policy. */
    static Zr hash(KeyId keyId, KeywordDomain domain, Keyword keyword) {
        return Zr.hash(H, domain.hashInput(keyId, keyword));
    }
}
