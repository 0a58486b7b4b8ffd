package dev.veilgate.abe.kem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.abe.policy.WeakerPolicies;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.abe.sharing.SecretSharing.Leaf;
import dev.veilgate.abe.sharing.SecretSharing.Part;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Attackers who do not ask the policy check but do the algebra: with too little, each must find another key. A round trip sees none of this, for the check answers before any
 * pairing; under such a check a gate can hand out the whole secret to one child for years.
 */
public abstract class CpaKemAttackTest<P, S, D, C> extends KemSuite<P, S, D, C> {
    private static final Attribute A = RandomPolicies.UNIVERSE.get(0);
    private static final Attribute B = RandomPolicies.UNIVERSE.get(1);
    private static final Attribute C = RandomPolicies.UNIVERSE.get(2);
    private static final Attribute D = RandomPolicies.UNIVERSE.get(3);
    private static final AttributeSet ALL = AttributeSet.of(RandomPolicies.UNIVERSE);
    private static final int ROUNDS = 5;

    /** One key and one ciphertext; what decryption's algebra makes of them. */
    private final class Attacked {
        final List<Leaf> leaves;
        final S key;
        final CpaKem.Encapsulated<C> sent;

        Attacked(Policy policy, AttributeSet attributes) {
            leaves = new SecretSharing(policy).leaves();
            key = scheme.key(policy, attributes, coins);
            sent = kem.encapsulate(scheme.publicKey(), scheme.descriptor(policy, attributes), coins);
        }

        Gt combine(List<Part> parts) {
            return scheme.combine(key, sent.ciphertext(), leaves, parts);
        }
    }

    private static Policy leaf(Attribute attribute) {
        return new Policy.Leaf(attribute);
    }

    @Test
    void everyStrictSubsetOfTheNeededAttributesFails() {
        List<Policy> all = new ArrayList<>(List.of(
                Policy.and(leaf(A), leaf(B)),
                Policy.and(leaf(A), leaf(B), leaf(C)),
                new Policy.Gate(2, List.of(leaf(A), leaf(B), leaf(C))),
                new Policy.Gate(3, List.of(leaf(A), leaf(B), leaf(C), leaf(D))),
                Policy.and(leaf(A), Policy.or(leaf(B), leaf(C)), leaf(A))));
        IntStream.range(0, ROUNDS).forEach(i -> all.add(policies.ofDepth(1 + i, 10)));
        for (Policy policy : all) {
            Attacked attacked = new Attacked(policy, ALL);
            List<Part> needed = new SecretSharing(policy).parts(ALL).orElseThrow();
            assertThat(attacked.combine(needed)).as("all of %s", policy).isEqualTo(attacked.sent.key());
            int subsets = 1 << Math.min(needed.size(), 5);
            for (int chosen = 0; chosen < subsets; chosen++) {
                int bits = chosen;
                // of more than five parts, the last ones are taken always
                List<Part> some = IntStream.range(0, needed.size())
                        .filter(i -> i >= 5 || (bits >>> i & 1) == 1)
                        .mapToObj(needed::get)
                        .toList();
                if (some.size() < needed.size()) {
                    assertThat(attacked.combine(some))
                            .as("parts %s of %s", Integer.toBinaryString(bits), policy)
                            .isNotEqualTo(attacked.sent.key());
                }
            }
        }
    }

    /** One leaf taken as if its share were its gate's, its gate's gate's, and so up to the secret itself. */
    @Test
    void shareOfALeafIsNotThatOfItsParents() {
        for (int round = 0; round < ROUNDS; round++) {
            Policy policy = Policy.and(policies.ofDepth(1 + round % 4, 6), leaf(A));
            Attacked attacked = new Attacked(policy, ALL);
            for (int i = 0; i < attacked.leaves.size(); i++) {
                assertThat(attacked.combine(List.of(new Part(i, Zr.ONE))))
                        .as("leaf %s of %s", i, policy)
                        .isNotEqualTo(attacked.sent.key());
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
        for (Policy policy : all) {
            AttributeSet attributes = AttributeSet.of(List.of(A, C));
            if (policy.isSatisfiedBy(attributes)) {
                continue;
            }
            Attacked attacked = new Attacked(policy, attributes);
            for (Policy weaker : WeakerPolicies.of(policy)) {
                List<Part> parts = new SecretSharing(weaker).parts(attributes).orElse(null);
                if (parts != null) {
                    assertThat(attacked.combine(parts))
                            .as("%s as if it were %s", policy, weaker)
                            .isNotEqualTo(attacked.sent.key());
                    attacks++;
                }
            }
        }
        assertThat(attacks).isGreaterThan(3);
    }

    @Test
    void colludersDoNotAddUp() {
        boolean keys = scheme.keysHavePolicies();
        AttributeSet both = AttributeSet.of(List.of(A, B));
        Policy together = Policy.and(leaf(A), leaf(B));
        S first = scheme.key(Policy.and(leaf(A), leaf(C)), AttributeSet.of(List.of(A)), coins);
        S second = scheme.key(Policy.and(leaf(B), leaf(D)), AttributeSet.of(List.of(B)), coins);
        CpaKem.Encapsulated<C> sent = kem.encapsulate(scheme.publicKey(), scheme.descriptor(together, both), coins);
        assertThat(kem.decapsulate(first, sent.ciphertext())).isEmpty();
        assertThat(kem.decapsulate(second, sent.ciphertext())).isEmpty();
        List<S> pooled = scheme.pooled(first, second);
        assertThat(pooled).isNotEmpty();
        for (S key : pooled) {
            assertThat(kem.decapsulate(key, sent.ciphertext()))
                    .as("a key of two, policies in %s", keys ? "keys" : "ciphertexts")
                    .get()
                    .isNotEqualTo(sent.key());
        }
    }

    @Test
    void anotherUseOfAnAttributeHasOtherRandomness() {
        if (!scheme.separatesUses()) {
            return; // nothing of the sort in its algebra
        }
        Policy policy = Policy.or(Policy.and(leaf(A), leaf(B)), Policy.and(leaf(A), leaf(C)));
        AttributeSet attributes = AttributeSet.of(List.of(A, C));
        Attacked attacked = new Attacked(policy, attributes);
        List<Part> parts = new SecretSharing(policy).parts(attributes).orElseThrow();
        List<Leaf> wrong = attacked.leaves.stream()
                .map(leaf -> leaf.attribute().equals(A) ? new Leaf(A, 1 - leaf.use()) : leaf)
                .toList();
        assertThat(attacked.combine(parts)).isEqualTo(attacked.sent.key());
        assertThat(scheme.combine(attacked.key, attacked.sent.ciphertext(), wrong, parts))
                .isNotEqualTo(attacked.sent.key());
    }

    /** A key for one ciphertext says nothing of the next, for the same policy. */
    @Test
    void keysOfTwoCiphertextsDiffer() {
        Attacked attacked = new Attacked(leaf(A), ALL);
        assertThat(new Attacked(leaf(A), ALL).sent.key()).isNotEqualTo(attacked.sent.key());
    }
}
