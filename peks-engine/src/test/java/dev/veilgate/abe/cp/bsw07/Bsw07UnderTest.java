package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.CpaKem;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@link Bsw07} for the suites. */
final class Bsw07UnderTest implements SchemeUnderTest<PublicKey, SecretKey, Policy, Ciphertext> {
    final Bsw07 scheme = new Bsw07();
    final KeyPair authority = scheme.setup(CoinStream.ofSeed(new byte[32]));

    @Override
    public CpaKem<PublicKey, SecretKey, Policy, Ciphertext> kem() {
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
        return false;
    }

    @Override
    public SecretKey key(Policy policy, AttributeSet attributes, CoinStream coins) {
        return scheme.keyGen(authority.masterKey(), attributes, coins);
    }

    @Override
    public Policy descriptor(Policy policy, AttributeSet attributes) {
        return policy;
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
