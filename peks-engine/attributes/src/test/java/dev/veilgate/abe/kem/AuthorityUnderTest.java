package dev.veilgate.abe.kem;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.ErasableKey;
import java.util.function.BiFunction;

/** A scheme with authorities whose coins never change. What is left to the scheme is its algebra. */
public abstract class AuthorityUnderTest<P, M extends ErasableKey, S extends ReaderKey<L, ?>, L, D, C>
        implements SchemeUnderTest<P, S, D, C> {
    /** The scheme. */
    public final AuthorityKem<P, M, S, L, D, C> scheme;
    /** The one authority. */
    public final KeyPair<P, M> authority;

    private final BiFunction<Policy, AttributeSet, L> ofKey;
    private final BiFunction<Policy, AttributeSet, D> ofCiphertext;

    /**
     * A scheme and its authority.
     *
     * @param ofKey        which of the two a key has
     * @param ofCiphertext and which a ciphertext
     */
    protected AuthorityUnderTest(
            AuthorityKem<P, M, S, L, D, C> scheme,
            BiFunction<Policy, AttributeSet, L> ofKey,
            BiFunction<Policy, AttributeSet, D> ofCiphertext) {
        this.scheme = scheme;
        this.ofKey = ofKey;
        this.ofCiphertext = ofCiphertext;
        this.authority = authority(0);
    }

    private KeyPair<P, M> authority(int number) {
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        seed[0] = (byte) number;
        return scheme.setup(CoinStream.ofSeed(seed));
    }

    @Override
    public final AuthorityKem<P, M, S, L, D, C> kem() {
        return scheme;
    }

    @Override
    public final P publicKey() {
        return authority.publicKey();
    }

    @Override
    public final P foreignPublicKey() {
        return authority(1).publicKey();
    }

    @Override
    public final boolean keysHavePolicies() {
        return ofCiphertext.apply(
                        new Policy.Leaf(RandomPolicies.UNIVERSE.getFirst()), AttributeSet.of(RandomPolicies.UNIVERSE))
                instanceof AttributeSet;
    }

    @Override
    public final S key(Policy policy, AttributeSet attributes, CoinStream coins) {
        return scheme.keyGen(authority.masterKey(), ofKey.apply(policy, attributes), coins);
    }

    @Override
    public final D descriptor(Policy policy, AttributeSet attributes) {
        return ofCiphertext.apply(policy, attributes);
    }
}
