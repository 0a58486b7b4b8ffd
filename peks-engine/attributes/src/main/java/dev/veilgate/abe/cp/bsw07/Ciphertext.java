package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.List;

/**
 * A ciphertext with a policy.
 *
 * @param policy who may read
 * @param c      C = h^s
 * @param leaves of the policy, in its order
 */
public record Ciphertext(Policy policy, G2 c, List<Leaf> leaves) {
    /**
     * Of leaf i.
     *
     * @param c      C_i = g2^lambda_i
     * @param cPrime C'_i = H(rho(i))^lambda_i
     */
    public record Leaf(G2 c, G1 cPrime) {}

    /** @throws IllegalArgumentException unless there is one for each leaf of the policy */
    public Ciphertext {
        leaves = List.copyOf(leaves);
        if (leaves.size() != policy.leaves().size()) {
            throw new IllegalArgumentException("a ciphertext has two elements for each leaf of its policy");
        }
    }
}
