package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.CpaKem;
import dev.veilgate.abe.kem.SchemeUnderTest;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import java.util.List;

/** {@link Fabeo22Kp} for the suites. */
final class KpUnderTest implements SchemeUnderTest<PublicKey, KpSecretKey, AttributeSet, KpCiphertext> {
    private final Fabeo22Kp scheme = new Fabeo22Kp();
    private final KeyPair authority = scheme.setup(CoinStream.ofSeed(new byte[32]));

    @Override
    public CpaKem<PublicKey, KpSecretKey, AttributeSet, KpCiphertext> kem() {
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
    public KpSecretKey key(Policy policy, AttributeSet attributes, CoinStream coins) {
        return scheme.keyGen(authority.masterKey(), policy, coins);
    }

    @Override
    public AttributeSet descriptor(Policy policy, AttributeSet attributes) {
        return attributes;
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
