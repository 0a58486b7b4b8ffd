package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.kem.AuthorityUnderTest;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.Gt;
import java.util.List;

/** {@link Gpsw06} for the suites. */
final class Gpsw06UnderTest
        extends AuthorityUnderTest<PublicKey, MasterKey, SecretKey, Policy, AttributeSet, Ciphertext> {
    Gpsw06UnderTest() {
        super(new Gpsw06(), (policy, attributes) -> policy, (policy, attributes) -> attributes);
    }

    @Override
    public Gt combine(
            SecretKey key, Ciphertext ciphertext, List<SecretSharing.Leaf> leaves, List<SecretSharing.Part> parts) {
        return Gpsw06.combine(key.parts(), ciphertext, leaves, parts);
    }

    /** The AND of both first leaves, their R exchanged, and each share alone. */
    @Override
    public List<SecretKey> pooled(SecretKey first, SecretKey second) {
        SecretKey.Leaf one = first.parts().leaves().getFirst();
        SecretKey.Leaf two = second.parts().leaves().getFirst();
        Policy a = new Policy.Leaf(first.label().leaves().getFirst());
        Policy b = new Policy.Leaf(second.label().leaves().getFirst());
        Policy both = Policy.and(a, b);
        return List.of(
                new SecretKey(new SecretKey.Parts(both, List.of(one, two))),
                new SecretKey(new SecretKey.Parts(
                        both, List.of(new SecretKey.Leaf(one.d(), two.r()), new SecretKey.Leaf(two.d(), one.r())))),
                new SecretKey(new SecretKey.Parts(a, List.of(one))),
                new SecretKey(new SecretKey.Parts(b, List.of(two))));
    }

    /** Each leaf has an r of its own: a use index has no part in the algebra. */
    @Override
    public boolean separatesUses() {
        return false;
    }
}
