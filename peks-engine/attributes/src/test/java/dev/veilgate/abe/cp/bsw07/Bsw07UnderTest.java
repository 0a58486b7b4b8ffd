package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.AuthorityUnderTest;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.Gt;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@link Bsw07} for the suites. */
final class Bsw07UnderTest
        extends AuthorityUnderTest<PublicKey, MasterKey, SecretKey, AttributeSet, Policy, Ciphertext> {
    Bsw07UnderTest() {
        super(new Bsw07(), (policy, attributes) -> attributes, (policy, attributes) -> policy);
    }

    @Override
    public Gt combine(
            SecretKey key, Ciphertext ciphertext, List<SecretSharing.Leaf> leaves, List<SecretSharing.Part> parts) {
        return Bsw07.combine(key.parts(), ciphertext, leaves, parts);
    }

    /** The attributes of both, with the D of one or of the other. */
    @Override
    public List<SecretKey> pooled(SecretKey first, SecretKey second) {
        SortedMap<Attribute, SecretKey.Component> both =
                new TreeMap<>(first.parts().components());
        both.putAll(second.parts().components());
        return List.of(
                new SecretKey(new SecretKey.Parts(first.parts().d(), both)),
                new SecretKey(new SecretKey.Parts(second.parts().d(), both)));
    }

    /** Each leaf has a share of its own under the same H(u): a use index has no part in the algebra. */
    @Override
    public boolean separatesUses() {
        return false;
    }
}
