package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.AuthorityUnderTest;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Gt;
import java.util.List;

/** {@link Fabeo22Kp} for the suites. */
final class KpUnderTest
        extends AuthorityUnderTest<PublicKey, MasterKey, KpSecretKey, Policy, AttributeSet, KpCiphertext> {
    KpUnderTest() {
        super(new Fabeo22Kp(), (policy, attributes) -> policy, (policy, attributes) -> attributes);
    }

    @Override
    public Gt combine(
            KpSecretKey key, KpCiphertext ciphertext, List<SecretSharing.Leaf> leaves, List<SecretSharing.Part> parts) {
        return Fabeo22Kp.combine(key.parts(), ciphertext, leaves, parts);
    }

    /** The AND of both first leaves, with the randomness of one or of the other; each share alone as well. */
    @Override
    public List<KpSecretKey> pooled(KpSecretKey first, KpSecretKey second) {
        KpSecretKey.Parts one = first.parts();
        KpSecretKey.Parts two = second.parts();
        Policy a = new Policy.Leaf(one.policy().leaves().getFirst());
        Policy b = new Policy.Leaf(two.policy().leaves().getFirst());
        List<G1> sk1 = List.of(one.sk1().getFirst(), two.sk1().getFirst());
        return List.of(
                new KpSecretKey(new KpSecretKey.Parts(Policy.and(a, b), sk1, one.sk2())),
                new KpSecretKey(new KpSecretKey.Parts(Policy.and(a, b), sk1, two.sk2())),
                new KpSecretKey(new KpSecretKey.Parts(a, sk1.subList(0, 1), one.sk2())),
                new KpSecretKey(new KpSecretKey.Parts(b, sk1.subList(1, 2), two.sk2())));
    }
}
