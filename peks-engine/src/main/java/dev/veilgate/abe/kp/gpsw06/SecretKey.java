package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader's key, for the ciphertexts whose attributes satisfy its policy. */
public final class SecretKey implements AutoCloseable {
    /**
     * Of leaf i.
     *
     * @param d D_i = g1^lambda_i · H(rho(i))^r_i
     * @param r R_i = g2^r_i
     */
    record Leaf(G1 d, G2 r) {}

    /**
     * Its policy and elements.
     *
     * @param policy what its owner may read
     * @param leaves of the policy, in its order
     */
    record Parts(Policy policy, List<Leaf> leaves) {
        /** @throws IllegalArgumentException unless there is one for each leaf of the policy */
        Parts {
            leaves = List.copyOf(leaves);
            if (leaves.size() != policy.leaves().size()) {
                throw new IllegalArgumentException("a key has two elements for each leaf of its policy");
            }
        }
    }

    private final Policy policy;
    private final Erasable<Parts> parts;

    SecretKey(Parts parts) {
        this.policy = parts.policy();
        this.parts = new Erasable<>(parts);
    }

    /** What its owner may read. */
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
        return this == other || other instanceof SecretKey that && parts.sameAs(that.parts, Gpsw06Codec::encode);
    }

    @Override
    public int hashCode() {
        return policy.hashCode();
    }

    @Override
    public String toString() {
        return "SecretKey[hidden, " + policy + "]";
    }
}
