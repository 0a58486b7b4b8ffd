package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.AuthorityUnderTest;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Gt;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@link Fabeo22Cp} for the suites. */
final class CpUnderTest
        extends AuthorityUnderTest<PublicKey, MasterKey, CpSecretKey, AttributeSet, Policy, CpCiphertext> {
    CpUnderTest() {
        super(new Fabeo22Cp(), (policy, attributes) -> attributes, (policy, attributes) -> policy);
    }

    @Override
    public Gt combine(
            CpSecretKey key, CpCiphertext ciphertext, List<SecretSharing.Leaf> leaves, List<SecretSharing.Part> parts) {
        return Fabeo22Cp.combine(key.parts(), ciphertext, leaves, parts);
    }

    /** Whose sk1, and whose sk3, the attributes of both. */
    @Override
    public List<CpSecretKey> pooled(CpSecretKey first, CpSecretKey second) {
        CpSecretKey.Parts one = first.parts();
        CpSecretKey.Parts two = second.parts();
        SortedMap<Attribute, G1> sk2 = new TreeMap<>(one.sk2());
        sk2.putAll(two.sk2());
        return List.of(
                new CpSecretKey(new CpSecretKey.Parts(one.sk1(), sk2, one.sk3())),
                new CpSecretKey(new CpSecretKey.Parts(two.sk1(), sk2, two.sk3())),
                new CpSecretKey(new CpSecretKey.Parts(one.sk1(), sk2, two.sk3())),
                new CpSecretKey(new CpSecretKey.Parts(two.sk1(), sk2, one.sk3())));
    }
}
