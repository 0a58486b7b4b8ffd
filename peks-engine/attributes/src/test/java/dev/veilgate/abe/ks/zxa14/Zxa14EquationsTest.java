package dev.veilgate.abe.ks.zxa14;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Keys, tokens and slots held against the equations of the specification, by pairings and the master key, not by finding anything. */
class Zxa14EquationsTest {
    private static final TestSeed SEED = TestSeed.of(Zxa14EquationsTest.class);
    private static final Zxa14UnderTest SCHEME = Zxa14UnderTest.of(new ReplayableRandom(SEED.coins("keys")));
    private static final MasterKey.Parts MASTER = SCHEME.authority().masterKey().parts();
    private static final PublicKey PUBLIC = SCHEME.authority().publicKey();
    private static final G1 G_1 = G1.GENERATOR;
    private static final G2 G_2 = G2.GENERATOR;

    private static Zr h(int word) {
        return Zxa14.hash(SCHEME.index().id(), DOMAIN, word(word));
    }

    private static List<SecretSharing.Leaf> leaves() {
        return SCHEME.index().sharing("").leaves();
    }

    private static List<G1> hashes() {
        return leaves().stream().map(leaf -> Zxa14.hash(leaf.attribute())).toList();
    }

    private static List<SecretSharing.Part> parts() {
        return SCHEME.index().sharing("").parts(SCHEME.key().attributes()).orElseThrow();
    }

    private static Zxa14.Sealed sealed(String use) {
        try (CoinStream coins = SEED.coins(use)) {
            return Zxa14.seal(SCHEME.index().authority(), SCHEME.index().sharing(""), hashes(), h(1), coins);
        }
    }

    @Test
    void publicKeyIsOfTheMasterKey() {
        assertThat(PUBLIC.g1A()).isEqualTo(G_1.times(MASTER.a()));
        assertThat(PUBLIC.g1B()).isEqualTo(G_1.times(MASTER.b()));
        assertThat(PUBLIC.g2B()).isEqualTo(G_2.times(MASTER.b()));
        assertThat(PUBLIC.g2C()).isEqualTo(G_2.times(MASTER.c()));
        assertThat(PUBLIC.y()).isEqualTo(Gt.pairing(G_1, G_2).power(MASTER.d()));
    }

    /** e(A, g2^b) · e(A_j, g2) / e(H1(j), B_j) = e(g1, g2)^(z - r + r), for each attribute and both halves; and r differs. */
    @Test
    void bothHalvesOfAKeyHoldTheirSecretUnderAnROfTheirOwn() {
        SecretKey.Parts key = SCHEME.key().parts();
        Gt ac = Gt.pairing(PUBLIC.g1A(), PUBLIC.g2C());
        for (Attribute j : SCHEME.key().attributes().attributes()) {
            assertThat(secret(key.masking(), j)).isEqualTo(ac);
            assertThat(secret(key.opening(), j)).isEqualTo(PUBLIC.y());
        }
        assertThat(rOf(key.masking(), MASTER.a().times(MASTER.c()))).isNotEqualTo(rOf(key.opening(), MASTER.d()));
    }

    private static Gt secret(SecretKey.Half half, Attribute j) {
        SecretKey.Component own = half.components().get(j);
        return new PairingProduct()
                .times(half.a(), PUBLIC.g2B())
                .times(own.a(), G_2)
                .over(Zxa14.hash(j), own.b())
                .value();
    }

    /** g1^r = g1^z / A^b. */
    private static G1 rOf(SecretKey.Half half, Zr z) {
        return G_1.times(z).minus(half.a().times(MASTER.b()));
    }

    /** tok1 and tok2 have one s; with each part the token holds acs + d. */
    @Test
    void aTokenIsAKeyOfACSAndD() throws MalformedEncodingException {
        Token token = Token.decode(SCHEME.trapdoor(DOMAIN, word(1)).bytes());
        assertThat(Gt.pairing(token.tok1(), PUBLIC.g2C()))
                .isEqualTo(Gt.pairing(PUBLIC.g1A().plus(PUBLIC.g1B().times(h(1))), token.tok2()));
        assertThat(token.places()).containsExactly(0, 1);
        Gt acsAndD = Gt.pairing(PUBLIC.g1A(), token.tok2()).times(PUBLIC.y());
        for (Token.Part part : token.parts()) {
            Gt found = new PairingProduct()
                    .times(token.tok3(), PUBLIC.g2B())
                    .times(part.a(), G_2)
                    .over(hashes().get(part.leaf()), part.b())
                    .value();
            assertThat(found).isEqualTo(acsAndD);
        }
    }

    @Test
    void aSlotIsOfItsKeywordAndPolicy() {
        Zxa14.Sealed sealed = sealed("slot");
        Ciphertext slot = sealed.ciphertext();
        G2 g2R2 = slot.wPrime().times(MASTER.b().inverse());
        // W_0 = g1^(a·(r1+r2)) · g1^(b·h·r1), paired with g2^c
        Gt w0 = new PairingProduct()
                .times(PUBLIC.g1A().plus(PUBLIC.g1B().times(h(1))), slot.w())
                .times(G_1.times(MASTER.a().times(MASTER.c())), g2R2)
                .value();
        assertThat(Gt.pairing(slot.w0(), PUBLIC.g2C())).isEqualTo(w0);
        assertThat(sealed.key()).isEqualTo(Gt.pairing(G_1.times(MASTER.d()), g2R2));
        // leaves 0 AND 1, or leaf 2
        assertThat(slot.leaves().get(0).w().plus(slot.leaves().get(1).w())).isEqualTo(g2R2);
        assertThat(slot.leaves().get(2).w()).isEqualTo(g2R2);
        for (int v = 0; v < 3; v++) {
            Ciphertext.Leaf leaf = slot.leaves().get(v);
            assertThat(Gt.pairing(leaf.d(), G_2)).isEqualTo(Gt.pairing(hashes().get(v), leaf.w()));
        }
    }

    /** The paper's Test: without d, the quotient of both sides is 1 for the keyword and nothing else. */
    @Test
    void withoutTheSecondHalfTestIsThePapersVerdict() {
        SortedMap<Attribute, SecretKey.Component> nothing = new TreeMap<>();
        for (Attribute j : SCHEME.key().attributes().attributes()) {
            nothing.put(j, new SecretKey.Component(G1.IDENTITY, G2.IDENTITY));
        }
        SecretKey.Parts papers =
                new SecretKey.Parts(SCHEME.key().parts().masking(), new SecretKey.Half(G1.IDENTITY, nothing));
        try (CoinStream coins = SEED.coins("verdict")) {
            for (int i = 0; i < 3; i++) {
                Token token = Zxa14.token(
                        papers,
                        SCHEME.index().authority(),
                        SCHEME.index().sharing(""),
                        parts(),
                        h(i),
                        Zr.random(coins));
                Ciphertext slot = sealed("verdict " + i).ciphertext();
                assertThat(Zxa14.tested(token, slot.only(token.places())).isOne())
                        .isEqualTo(i == 1);
            }
        }
    }

    /** What a match finds does not depend on who searches, nor on s. */
    @Test
    void allTokensOfAKeywordFindTheSameSecret() throws MalformedEncodingException {
        Zxa14.Sealed sealed = sealed("same");
        SecretKey officer =
                SCHEME.zxa14().keyGen(SCHEME.authority().masterKey(), Zxa14UnderTest.attributes("role:dpo"));
        for (SecretKey key : List.of(SCHEME.key(), SCHEME.key(), officer)) {
            Token token = Token.decode(SCHEME.zxa14()
                    .token(key, SCHEME.index(), DOMAIN, word(1))
                    .orElseThrow()
                    .bytes());
            assertThat(Zxa14.tested(token, sealed.ciphertext().only(token.places())))
                    .isEqualTo(sealed.key());
        }
        Token other = Token.decode(SCHEME.trapdoor(DOMAIN, word(2)).bytes());
        assertThat(Zxa14.tested(other, sealed.ciphertext().only(other.places())))
                .isNotEqualTo(sealed.key());
    }
}
