package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.List;

/**
 * A ciphertext with a policy.
 *
 * @param policy who may read
 * @param ct1    g2^s1
 * @param ct2    g2^s'_j, as many as the policy uses its most used attribute
 * @param ct3    B^lambda_i · H(rho(i))^s'_use(i), for each leaf
 */
public record CpCiphertext(Policy policy, G2 ct1, List<G2> ct2, List<G1> ct3) {
    /** @throws IllegalArgumentException unless the lists fit the policy */
    public CpCiphertext {
        ct2 = List.copyOf(ct2);
        ct3 = List.copyOf(ct3);
        SecretSharing sharing = new SecretSharing(policy);
        if (ct2.size() != sharing.uses() || ct3.size() != sharing.leaves().size()) {
            throw new IllegalArgumentException("a ciphertext has ct2 for each use and ct3 for each leaf");
        }
    }
}
