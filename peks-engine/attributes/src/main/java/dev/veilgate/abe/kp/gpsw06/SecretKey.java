package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.kem.ReaderKey;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.secret.Secret;
import java.util.List;

/** A reader's key, for the ciphertexts whose attributes satisfy its policy. */
@Secret
public final class SecretKey extends ReaderKey<Policy, SecretKey.Parts> {
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

    SecretKey(Parts parts) {
        super(parts.policy(), parts, Gpsw06Codec::encode);
    }

    Parts parts() {
        return held();
    }
}
