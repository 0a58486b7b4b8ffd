package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader's key with a policy, for ciphertexts with attributes. */
public final class KpSecretKey implements AutoCloseable {
    /**
     * Its elements.
     *
     * @param policy what it opens
     * @param sk1    g1^lambda_i · H(rho(i))^r'_use(i), for each leaf
     * @param sk2    g2^r'_j, as many as the policy uses its most used attribute
     */
    record Parts(Policy policy, List<G1> sk1, List<G2> sk2) {
        Parts {
            sk1 = List.copyOf(sk1);
            sk2 = List.copyOf(sk2);
            SecretSharing sharing = new SecretSharing(policy);
            if (sk1.size() != sharing.leaves().size() || sk2.size() != sharing.uses()) {
                throw new IllegalArgumentException("a key has sk1 for each leaf and sk2 for each use");
            }
        }
    }

    private final Policy policy;
    private final Erasable<Parts> parts;

    KpSecretKey(Parts parts) {
        this.policy = parts.policy();
        this.parts = new Erasable<>(parts);
    }

    /** What it opens. */
    public Policy policy() {
        return policy;
    }

    Parts parts() {
        return parts.get();
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        parts.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time for the same policy; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof KpSecretKey that && parts.sameAs(that.parts, Fabeo22Codec::encode);
    }

    @Override
    public int hashCode() {
        return policy.hashCode();
    }

    @Override
    public String toString() {
        return "KpSecretKey[hidden, " + policy + "]";
    }
}
