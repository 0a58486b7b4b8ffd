package dev.veilgate.peks.pairing.bdop04;

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
import java.util.Objects;

/**
 * BCO, the first public-key encryption with keyword search, over {@code e: G1 x G2 -> GT} of order r.
 *
 * <pre>
 *   KeyGen        alpha random; h = g2^alpha
 *   PEKS(w)       r random; A = g2^r, t = e(H(w), h^r); the tag is a hash of t
 *   Trapdoor(w)   T_w = H(w)^alpha
 *   Test          the hash of e(T_w, A) is the tag:  e(H(w)^alpha, g2^r) = e(H(w), g2^(alpha·r))
 * </pre>
 *
 * <table>
 * <caption>Symbols (the paper's)</caption>
 * <tr><td>alpha, h</td><td>secret and public key, h in G2</td></tr>
 * <tr><td>H(w)</td><td>random oracle into G1 of tenant, scope, epoch and keyword</td></tr>
 * <tr><td>T_w</td><td>a trapdoor, in G1</td></tr>
 * <tr><td>r, A</td><td>drawn once a block; A in G2</td></tr>
 * <tr><td>t</td><td>a slot's secret, in GT</td></tr>
 * </table>
 *
 * <p><b>Security.</b> Who has no trapdoor of a keyword learns nothing of it (IND-CKA with chosen trapdoors of others), under the bilinear Diffie-Hellman assumption,
 * in the random oracle model. About 120 bits against classical computers and <b>none against quantum computers</b>: what is recorded today is searchable then.
 * Who holds a trapdoor, the gateway, can guess its keyword offline, with public data alone: seal a guess, Test. That is so with every public-key scheme of this kind,
 * NTRU-PEKS too (Byun, Rhee, Park, Lee, "Off-Line Keyword Guessing Attacks on Recent Keyword Search Schemes over Encrypted Data", SDM 2006).
 *
 * <p>Source: Boneh, Di Crescenzo, Ostrovsky, Persiano, "Public Key Encryption with Keyword Search" (EUROCRYPT 2004), section 3.1, over a symmetric pairing there.
 * Deviations are in docs/spec/bdop04.md. Trapdoors are deterministic, so that none need be kept. Safe for use by several threads if the random source is.
 */
@Secret
public final class Bdop04 {
    private static final String H = Domains.g1("BDOP04-PEKS", "KEYWORD");

    private final SecureRandom random;

    /** @param random seeds the coins of key generation */
    public Bdop04(SecureRandom random) {
        this.random = Objects.requireNonNull(random);
    }

    /** With a {@link SecureRandom} of the platform's choice. */
    public static Bdop04 withDefaults() {
        return new Bdop04(new SecureRandom());
    }

    /** KeyGen: alpha uniform in [1, r), h = g2^alpha. Finding alpha is the discrete logarithm problem in G2. Draws one seed. */
    public KeyPair keyGen() {
        try (CoinStream coins = CoinStream.fresh(random)) {
            SecretKey secretKey = new SecretKey(Zr.random(coins));
            return new KeyPair(secretKey.publicKey(), secretKey);
        }
    }

    /**
     * Trapdoor: T_w = H(w)^alpha, the same whenever it is asked for.
     *
     * <p>Lets its holder search the domain's scope and epoch for the keyword, and check guesses of it. Says nothing of other keywords. Draws no coins.
     *
     * @throws IllegalStateException for a secret key that was destroyed
     */
    public ScopedTrapdoor trapdoor(SecretKey secretKey, KeywordDomain domain, Keyword keyword) {
        KeyId id = secretKey.publicKey().id();
        Trapdoor trapdoor = new Trapdoor(hash(id, domain, keyword).times(secretKey.alpha()));
        return new ScopedTrapdoor(
                Bdop04IndexScheme.ID, BlockLayout.PARAMETERS, id, domain.scope(), domain.epoch(), trapdoor.encode());
    }

    /** H(w). */
    static G1 hash(KeyId keyId, KeywordDomain domain, Keyword keyword) {
        return G1.hash(H, domain.hashInput(keyId, keyword));
    }

    /** t = e(H(w), h^r), as the sender has it. */
    static Gt sealed(G1 hash, G2 hToR) {
        return Gt.pairing(hash, hToR);
    }

    /** t = e(T_w, A), as a trapdoor has it. */
    static Gt tested(Trapdoor trapdoor, G2 a) {
        return Gt.pairing(trapdoor.t(), a);
    }
}
