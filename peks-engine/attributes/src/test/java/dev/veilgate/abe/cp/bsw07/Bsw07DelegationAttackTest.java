package dev.veilgate.abe.cp.bsw07;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.kem.CpaKem.Encapsulated;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Delegation only takes away: what owners of delegated keys do with them, and with the public key, opens nothing more. */
class Bsw07DelegationAttackTest {
    private static final Attribute A = RandomPolicies.UNIVERSE.get(0);
    private static final Attribute B = RandomPolicies.UNIVERSE.get(1);
    private static final Policy BOTH = Policy.and(new Policy.Leaf(A), new Policy.Leaf(B));

    private final CoinStream coins = TestSeed.of(getClass()).coins("keys");
    private final Bsw07 scheme = new Bsw07();
    private final KeyPair<PublicKey, MasterKey> authority = scheme.setup(coins);
    private final PublicKey publicKey = authority.publicKey();
    private final Encapsulated<Ciphertext> sent = scheme.encapsulate(publicKey, BOTH, coins);

    private SecretKey issued(Attribute... attributes) {
        return scheme.keyGen(authority.masterKey(), AttributeSet.of(List.of(attributes)), coins);
    }

    private SecretKey delegated(SecretKey key, Attribute... attributes) {
        return scheme.delegate(publicKey, key, AttributeSet.of(List.of(attributes)), coins);
    }

    private void opensAnotherKey(G1 d, Map<Attribute, SecretKey.Component> components) {
        SecretKey forged = new SecretKey(new SecretKey.Parts(d, new TreeMap<>(components)));
        assertThat(scheme.decapsulate(forged, sent.ciphertext())).get().isNotEqualTo(sent.key());
    }

    @Test
    void opensWhatItsAttributesAllow() {
        SecretKey parent = issued(A, B);
        assertThat(scheme.decapsulate(delegated(parent, A, B), sent.ciphertext()))
                .contains(sent.key());
        assertThat(scheme.decapsulate(delegated(parent, A), sent.ciphertext())).isEmpty();
        Encapsulated<Ciphertext> forA = scheme.encapsulate(publicKey, new Policy.Leaf(A), coins);
        assertThat(scheme.decapsulate(delegated(delegated(parent, A, B), A), forA.ciphertext()))
                .contains(forA.key());
    }

    @Test
    void attributesCannotBeAdded() {
        SecretKey parent = issued(A);
        assertThatThrownBy(() -> delegated(parent, A, B)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> delegated(parent, B)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> delegated(delegated(issued(A, B), A), A, B))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Without the refusal: r~ and every r~_u are the owner's to choose, r is not. */
    @Test
    void attributesCannotBeAddedBelowTheCheck() {
        SecretKey.Parts parent = issued(A).parts();
        SecretKey.Component a = parent.components().get(A);
        Zr r = Zr.random(coins);
        Zr rB = Zr.random(coins);
        G1 g1R = G1.GENERATOR.times(r);
        G1 d = parent.d().plus(publicKey.f().times(r));
        SecretKey.Component aMasked = new SecretKey.Component(a.d().plus(g1R), a.dPrime());
        // of r~ alone
        opensAnotherKey(
                d,
                Map.of(
                        A,
                        aMasked,
                        B,
                        new SecretKey.Component(g1R.plus(Bsw07.hash(B).times(rB)), G2.GENERATOR.times(rB))));
        // on top of A's component, which has r, but under H(A)
        opensAnotherKey(
                d,
                Map.of(
                        A,
                        aMasked,
                        B,
                        new SecretKey.Component(
                                aMasked.d().plus(Bsw07.hash(B).times(rB)),
                                a.dPrime().plus(G2.GENERATOR.times(rB)))));
        opensAnotherKey(d, Map.of(A, aMasked, B, aMasked));
        opensAnotherKey(parent.d(), Map.of(A, a, B, a));
    }

    /** Two children of one parent, who get one attribute each: were keys only cut, not randomised anew, the two would be the parent. */
    @Test
    void childrenOfOneParentDoNotAddUp() {
        SecretKey parent = issued(A, B);
        SecretKey.Parts first = delegated(parent, A).parts();
        SecretKey.Parts second = delegated(parent, B).parts();
        SortedMap<Attribute, SecretKey.Component> both = new TreeMap<>(first.components());
        both.putAll(second.components());
        opensAnotherKey(first.d(), both);
        opensAnotherKey(second.d(), both);
        opensAnotherKey(parent.parts().d(), both);
    }

    @Test
    void childAndAStrangerDoNotAddUp() {
        SecretKey.Parts child = delegated(issued(A, B), A).parts();
        SecretKey.Parts stranger = issued(B).parts();
        SortedMap<Attribute, SecretKey.Component> both = new TreeMap<>(child.components());
        both.putAll(stranger.components());
        opensAnotherKey(child.d(), both);
        opensAnotherKey(stranger.d(), both);
    }
}
