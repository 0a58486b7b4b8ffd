package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.math.pairing.Domains;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.pairing.BlockLayout;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;

/**
 * Keyword search from Gentry's identity-based encryption, which is what Zhang and Imai build theirs from, over {@code e: G1 x G2 -> GT} of order r.
 *
 * <pre>
 *   KeyGen        alpha random, h random in G2; X = g1^alpha
 *   PEKS(w)       s random; u = (X·g1^-w)^s, v = e(g1, g2)^s, K = e(g1, h)^s; the tag is a hash of K
 *   Trapdoor(w)   r_w from a pseudorandom function of w; d_w = (h·g2^-r_w)^(1/(alpha - w))
 *   Test          the hash of e(u, d_w)·v^r_w is the tag:
 *                 e(g1^(s·(alpha - w)), d_w) = e(g1, h)^s·e(g1, g2)^(-s·r_w)
 * </pre>
 *
 * <table>
 * <caption>Symbols (Gentry's; his g' is h here as there)</caption>
 * <tr><td>alpha</td><td>secret key</td></tr>
 * <tr><td>X, h</td><td>public key, in G1 and G2</td></tr>
 * <tr><td>w</td><td>a collision-resistant hash of tenant, scope, epoch and keyword, in Z_r: the identity</td></tr>
 * <tr><td>r_w, d_w</td><td>a trapdoor, in Z_r and G2</td></tr>
 * <tr><td>s, u, v</td><td>drawn once a slot; its public part, in G1 and GT</td></tr>
 * <tr><td>K</td><td>a slot's secret, in GT</td></tr>
 * </table>
 *
 * <p><b>Security.</b> Who has no trapdoor of a keyword learns nothing of it (IND-CKA with chosen trapdoors of others), under the truncated decision augmented bilinear
 * Diffie-Hellman exponent assumption (q-ABDHE, q one above the number of trapdoors), without random oracles: a collision-resistant hash, a pseudorandom function and
 * HKDF as a key derivation function are asked for. Not shown: security against who may ask for Tests of blocks of his own choice. <b>None against quantum
 * computers.</b> Who holds a trapdoor, the gateway, can guess its keyword offline, as with every public-key scheme of this kind.
 *
 * <p>Source: Zhang, Imai, "Generic Combination of Public Key Encryption with Keyword Search and Public Key Encryption" (CANS 2007); Gentry, "Practical Identity-Based
 * Encryption Without Random Oracles" (EUROCRYPT 2006), section 3. What is taken from where, and deviations, are in docs/spec/zi07.md. Safe for use by several threads
 * if the random source is.
 */
@Secret
public final class Zi07 {
    private static final String W = Domains.zr("ZI07-PEKS", "KEYWORD");
    private static final String TRAPDOOR_COINS = "veilgate/zi07-peks/trapdoor/1";

    /** e(g1, g2). */
    static final Gt E = Gt.pairing(G1.GENERATOR, G2.GENERATOR);

    private final SecureRandom random;

    /** @param random seeds the coins of key generation */
    public Zi07(SecureRandom random) {
        this.random = Objects.requireNonNull(random);
    }

    /** With a {@link SecureRandom} of the platform's choice. */
    public static Zi07 withDefaults() {
        return new Zi07(new SecureRandom());
    }

    /**
     * KeyGen: alpha uniform in [1, r), h uniform in G2 without its logarithm, X = g1^alpha. Draws one seed of coins: alpha, h, and the secret seed of trapdoors.
     */
    public KeyPair keyGen() {
        byte[] seed = new byte[SecretKey.SEED_BYTES];
        try (CoinStream coins = CoinStream.fresh(random)) {
            Zr alpha = Zr.random(coins);
            G2 h = G2.random(coins);
            coins.nextBytes(seed);
            SecretKey secretKey = new SecretKey(alpha, seed, h);
            return new KeyPair(secretKey.publicKey(), secretKey);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /**
     * Trapdoor: r_w = F(seed, w), d_w = (h·g2^-r_w)^(1/(alpha - w)), the same whenever it is asked for: with two r_w for one keyword anybody could make trapdoors of it
     * with any third, and the proof, which has one, would not hold.
     *
     * <p>Lets its holder search the domain's scope and epoch for the keyword, and check guesses of it. Draws no coins.
     *
     * @throws IllegalStateException for a secret key that was destroyed
     */
    public ScopedTrapdoor trapdoor(SecretKey secretKey, KeywordDomain domain, Keyword keyword) {
        KeyId id = secretKey.publicKey().id();
        byte[] input = domain.hashInput(id, keyword);
        Zr w = Zr.hash(W, input);
        G2 h = secretKey.publicKey().h();
        Trapdoor trapdoor = secretKey.use((alpha, seed) -> {
            try (CoinStream coins = CoinStream.derived(seed, TRAPDOOR_COINS, input)) {
                Zr r = Zr.random(coins);
                return new Trapdoor(
                        r, h.minus(G2.GENERATOR.times(r)).times(alpha.minus(w).inverse()));
            }
        });
        return new ScopedTrapdoor(
                Zi07IndexScheme.ID, BlockLayout.PARAMETERS, id, domain.scope(), domain.epoch(), trapdoor.encode());
    }

    /** w. */
    static Zr hash(KeyId keyId, KeywordDomain domain, Keyword keyword) {
        return Zr.hash(W, domain.hashInput(keyId, keyword));
    }

    /** u = (X·g1^-w)^s, v = e(g1, g2)^s. */
    static Share share(PublicKey publicKey, Zr w, Zr s) {
        return new Share(publicKey.x().minus(G1.GENERATOR.times(w)).times(s), E.power(s));
    }

    /** K = e(g1, h)^s, as the sender has it. */
    static Gt sealed(PublicKey publicKey, Zr s) {
        return publicKey.mask().power(s);
    }

    /** K = e(u, d_w)·v^r_w, as a trapdoor has it. */
    static Gt tested(Trapdoor trapdoor, Share share) {
        return Gt.pairing(share.u(), trapdoor.d()).times(share.v().power(trapdoor.r()));
    }
}
