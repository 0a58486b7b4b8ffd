package dev.veilgate.abe.ks.zxa14;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.abe.policy.WeakerPolicies;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.abe.sharing.SecretSharing.Part;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Searchers who do not ask the policy check but do the algebra: with too little, each must find another secret than the slot's. A round trip sees none of this, for no token
 * is made where the check says no.
 */
class Zxa14AttackTest {
    private static final Attribute A = RandomPolicies.UNIVERSE.get(0);
    private static final Attribute B = RandomPolicies.UNIVERSE.get(1);
    private static final Attribute C = RandomPolicies.UNIVERSE.get(2);
    private static final Attribute D = RandomPolicies.UNIVERSE.get(3);
    private static final AttributeSet ALL = AttributeSet.of(RandomPolicies.UNIVERSE);
    private static final int ROUNDS = 5;
    private static final TestSeed SEED = TestSeed.of(Zxa14AttackTest.class);
    private static final Zxa14 ZXA14 = new Zxa14(new ReplayableRandom(SEED.coins("keys")));
    private static final KeyPair AUTHORITY = ZXA14.setup();
    private static final Zr KEYWORD = Zr.of(17);

    private CoinStream coins;
    private RandomPolicies policies;

    @BeforeEach
    void prepare() {
        coins = SEED.coins("attacks");
        policies = new RandomPolicies(SEED.random("policies"));
    }

    private static Policy leaf(Attribute attribute) {
        return new Policy.Leaf(attribute);
    }

    private static SecretKey.Parts key(Attribute... attributes) {
        return ZXA14.keyGen(AUTHORITY.masterKey(), AttributeSet.of(List.of(attributes)))
                .parts();
    }

    /** One slot under a policy, and tokens made below the check. */
    private final class Attacked {
        final IndexPublicKey index;
        final Zxa14.Sealed sealed;

        Attacked(Policy policy) {
            index = new IndexPublicKey(AUTHORITY.publicKey(), policy);
            List<G1> hashes = policy.leaves().stream().map(Zxa14::hash).toList();
            sealed = Zxa14.seal(index.authority(), index.sharing(""), hashes, KEYWORD, coins);
        }

        Token token(SecretKey.Parts key, List<Part> parts) {
            return Zxa14.token(key, index.authority(), index.sharing(""), parts, KEYWORD, Zr.random(coins));
        }

        Gt tested(Token token) {
            return Zxa14.tested(token, sealed.ciphertext().only(token.places()));
        }

        Gt combine(SecretKey.Parts key, List<Part> parts) {
            return tested(token(key, parts));
        }
    }

    private static SecretKey.Parts everything() {
        return ZXA14.keyGen(AUTHORITY.masterKey(), ALL).parts();
    }

    @Test
    void everyStrictSubsetOfTheNeededAttributesFails() {
        SecretKey.Parts key = everything();
        List<Policy> all = new ArrayList<>(List.of(
                Policy.and(leaf(A), leaf(B)),
                Policy.and(leaf(A), leaf(B), leaf(C)),
                new Policy.Gate(2, List.of(leaf(A), leaf(B), leaf(C))),
                new Policy.Gate(3, List.of(leaf(A), leaf(B), leaf(C), leaf(D))),
                Policy.and(leaf(A), Policy.or(leaf(B), leaf(C)), leaf(A))));
        IntStream.range(0, ROUNDS).forEach(i -> all.add(policies.ofDepth(1 + i, 10)));
        for (Policy policy : all) {
            Attacked attacked = new Attacked(policy);
            List<Part> needed = attacked.index.sharing("").parts(ALL).orElseThrow();
            assertThat(attacked.combine(key, needed)).as("all of %s", policy).isEqualTo(attacked.sealed.key());
            int subsets = 1 << Math.min(needed.size(), 5);
            for (int chosen = 0; chosen < subsets; chosen++) {
                int bits = chosen;
                // of more than five parts, the last ones are taken always
                List<Part> some = IntStream.range(0, needed.size())
                        .filter(i -> i >= 5 || (bits >>> i & 1) == 1)
                        .mapToObj(needed::get)
                        .toList();
                if (some.size() < needed.size()) {
                    assertThat(attacked.combine(key, some))
                            .as("parts %s of %s", Integer.toBinaryString(bits), policy)
                            .isNotEqualTo(attacked.sealed.key());
                }
            }
        }
    }

    /** One leaf taken as if its share were its gate's, its gate's gate's, and so up to r2 itself. */
    @Test
    void shareOfALeafIsNotThatOfItsParents() {
        SecretKey.Parts key = everything();
        for (int round = 0; round < ROUNDS; round++) {
            Policy policy = Policy.and(policies.ofDepth(1 + round % 4, 6), leaf(A));
            Attacked attacked = new Attacked(policy);
            for (int i = 0; i < policy.leaves().size(); i++) {
                assertThat(attacked.combine(key, List.of(new Part(i, Zr.ONE))))
                        .as("leaf %s of %s", i, policy)
                        .isNotEqualTo(attacked.sealed.key());
            }
        }
    }

    /** As if a gate asked for fewer children: coefficients solved for the weaker policy, over the leaves of the real one. */
    @Test
    void gatesGiveNothingToFewerChildren() {
        int attacks = 0;
        List<Policy> all = new ArrayList<>(List.of(
                Policy.and(leaf(A), leaf(B)),
                new Policy.Gate(2, List.of(leaf(A), leaf(B), leaf(C))),
                new Policy.Gate(3, List.of(leaf(A), leaf(B), leaf(C), leaf(D))),
                Policy.and(leaf(C), new Policy.Gate(3, List.of(leaf(A), leaf(B), leaf(C), leaf(D))))));
        IntStream.range(0, ROUNDS).forEach(i -> all.add(policies.ofDepth(2 + i % 3, 8)));
        AttributeSet attributes = AttributeSet.of(List.of(A, C));
        SecretKey.Parts key = key(A, C);
        for (Policy policy : all) {
            if (policy.isSatisfiedBy(attributes)) {
                continue;
            }
            Attacked attacked = new Attacked(policy);
            for (Policy weaker : WeakerPolicies.of(policy)) {
                List<Part> parts = new SecretSharing(weaker).parts(attributes).orElse(null);
                if (parts != null) {
                    assertThat(attacked.combine(key, parts))
                            .as("%s as if it were %s", policy, weaker)
                            .isNotEqualTo(attacked.sealed.key());
                    attacks++;
                }
            }
        }
        assertThat(attacks).isGreaterThan(3);
    }

    /** Each of the four things that a key of both would need is taken from either. */
    @Test
    void keysOfTwoSearchersDoNotAddUp() {
        Attacked attacked = new Attacked(Policy.and(leaf(A), leaf(B)));
        List<Part> both = List.of(new Part(0, Zr.ONE), new Part(1, Zr.ONE));
        SecretKey.Parts first = key(A, C);
        SecretKey.Parts second = key(B, D);
        for (int mix = 0; mix < 4; mix++) {
            G1 masking = (mix & 1) == 0 ? first.masking().a() : second.masking().a();
            G1 opening = (mix & 2) == 0 ? first.opening().a() : second.opening().a();
            SecretKey.Parts pooled = new SecretKey.Parts(
                    pooled(masking, first.masking(), second.masking()),
                    pooled(opening, first.opening(), second.opening()));
            assertThat(attacked.combine(pooled, both)).as("mix %s", mix).isNotEqualTo(attacked.sealed.key());
        }
        // nor does the middle of both
        Zr half = Zr.of(2).inverse();
        SecretKey.Parts middle = new SecretKey.Parts(
                pooled(first.masking().a().plus(second.masking().a()).times(half), first.masking(), second.masking()),
                pooled(first.opening().a().plus(second.opening().a()).times(half), first.opening(), second.opening()));
        assertThat(attacked.combine(middle, both)).isNotEqualTo(attacked.sealed.key());
        assertThat(attacked.combine(key(A, B), both)).isEqualTo(attacked.sealed.key());
    }

    private static SecretKey.Half pooled(G1 a, SecretKey.Half first, SecretKey.Half second) {
        SortedMap<Attribute, SecretKey.Component> components = new TreeMap<>(
                Map.of(A, first.components().get(A), B, second.components().get(B)));
        return new SecretKey.Half(a, components);
    }

    /** A half of a key cannot stand for the other: each has its own r, and its own secret. */
    @Test
    void halvesOfAKeyDoNotStandForEachOther() {
        Attacked attacked = new Attacked(leaf(A));
        List<Part> part = List.of(new Part(0, Zr.ONE));
        SecretKey.Parts key = key(A);
        SecretKey.Half m = key.masking();
        SecretKey.Half o = key.opening();
        for (SecretKey.Parts wrong : List.of(
                new SecretKey.Parts(o, m),
                new SecretKey.Parts(m, m),
                new SecretKey.Parts(o, o),
                new SecretKey.Parts(m, new SecretKey.Half(o.a(), m.components())),
                new SecretKey.Parts(m, new SecretKey.Half(m.a(), o.components())),
                new SecretKey.Parts(new SecretKey.Half(m.a(), o.components()), o))) {
            assertThat(attacked.combine(wrong, part)).isNotEqualTo(attacked.sealed.key());
        }
        assertThat(attacked.combine(key, part)).isEqualTo(attacked.sealed.key());
    }

    /** The gateway has tokens that each lack an attribute: leaf 0 of one, leaf 1 of the other, the rest of either. */
    @Test
    void tokensOfTwoSearchersDoNotAddUp() {
        Attacked attacked = new Attacked(Policy.and(leaf(A), leaf(B)));
        Token first = attacked.token(key(A, C), List.of(new Part(0, Zr.ONE)));
        Token second = attacked.token(key(B, D), List.of(new Part(1, Zr.ONE)));
        List<Token.Part> parts =
                List.of(first.parts().getFirst(), second.parts().getFirst());
        for (int mix = 0; mix < 8; mix++) {
            Token pooled = new Token(
                    2,
                    ((mix & 1) == 0 ? first : second).tok1(),
                    ((mix & 2) == 0 ? first : second).tok2(),
                    ((mix & 4) == 0 ? first : second).tok3(),
                    parts);
            assertThat(attacked.tested(pooled)).as("mix %s", mix).isNotEqualTo(attacked.sealed.key());
        }
    }

    @Test
    void keysOfAnotherAuthorityFail() {
        Attacked attacked = new Attacked(leaf(A));
        List<Part> part = List.of(new Part(0, Zr.ONE));
        SecretKey.Parts foreign = ZXA14.keyGen(ZXA14.setup().masterKey(), AttributeSet.of(List.of(A)))
                .parts();
        assertThat(attacked.combine(foreign, part)).isNotEqualTo(attacked.sealed.key());
    }

    /** The key of an attribute is of no other, though leaves of both are there. */
    @Test
    void anAttributesComponentIsOfNoOtherAttribute() {
        Attacked attacked = new Attacked(leaf(B));
        SecretKey.Parts key = key(A);
        SecretKey.Parts renamed = new SecretKey.Parts(renamed(key.masking()), renamed(key.opening()));
        assertThat(attacked.combine(renamed, List.of(new Part(0, Zr.ONE)))).isNotEqualTo(attacked.sealed.key());
    }

    private static SecretKey.Half renamed(SecretKey.Half half) {
        return new SecretKey.Half(
                half.a(), new TreeMap<>(Map.of(B, half.components().get(A))));
    }
}
