package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.ReaderKey;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.secret.Secret;
import java.util.List;

/** A reader's key with a policy, for ciphertexts with attributes. */
@Secret
public final class KpSecretKey extends ReaderKey<Policy, KpSecretKey.Parts> {
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

    KpSecretKey(Parts parts) {
        super(parts.policy(), parts, Fabeo22Codec::encode);
    }

    Parts parts() {
        return held();
    }
}
