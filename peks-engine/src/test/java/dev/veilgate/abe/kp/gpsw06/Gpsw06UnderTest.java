package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.kem.CpaKem;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import java.util.List;

/** {@link Gpsw06} for the suites. */
final class Gpsw06UnderTest implements SchemeUnderTest<PublicKey, SecretKey, AttributeSet, Ciphertext> {
    final Gpsw06 scheme = new Gpsw06();
    final KeyPair authority = scheme.setup(CoinStream.ofSeed(new byte[32]));

    @Override
    public CpaKem<PublicKey, SecretKey, AttributeSet, Ciphertext> kem() {
        return scheme;
    }

    @Override
    public PublicKey publicKey() {
        return authority.publicKey();
    }

    @Override
    public PublicKey foreignPublicKey() {
        byte[] seed = new byte[32];
        seed[0] = 1;
        return scheme.setup(CoinStream.ofSeed(seed)).publicKey();
    }

    @Override
    public boolean keysHavePolicies() {
        return true;
    }

    @Override
    public SecretKey key(Policy policy, AttributeSet attributes, CoinStream coins) {
        return scheme.keyGen(authority.masterKey(), policy, coins);
    }

    @Override
    public AttributeSet descriptor(Policy policy, AttributeSet attributes) {
        return attributes;
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
        Policy a = new Policy.Leaf(first.policy().leaves().getFirst());
        Policy b = new Policy.Leaf(second.policy().leaves().getFirst());
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
