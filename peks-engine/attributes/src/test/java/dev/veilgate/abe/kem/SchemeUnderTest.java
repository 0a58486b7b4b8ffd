package dev.veilgate.abe.kem;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import java.util.List;

/**
 * A scheme as the suites of laws and attacks see it: the contract, one authority, and the algebra under the guard. Of a policy and attributes, one belongs to the key and the
 * other to the ciphertext, as the scheme has it.
 */
public interface SchemeUnderTest<P, S, D, C> {
    OutsourcedKem<P, S, D, C> kem();

    /** The one authority's. */
    P publicKey();

    /** That of another authority. */
    P foreignPublicKey();

    /** Whether the policy is the key's; else the attributes are. */
    boolean keysHavePolicies();

    S key(Policy policy, AttributeSet attributes, CoinStream coins);

    D descriptor(Policy policy, AttributeSet attributes);

    /** What decryption computes from these parts of a policy with these leaves, without asking whether they are enough. Asks for no attribute that the parts do not name. */
    Gt combine(S key, C ciphertext, List<SecretSharing.Leaf> leaves, List<SecretSharing.Part> parts);

    /**
     * Keys that two colluders make of theirs, to look like one key that opens what is for {@code first AND second}.
     *
     * <p>Where keys have attributes: the first has the first attribute, the second has the second. Where keys have policies: the first key's leaf 0 asks for the first
     * attribute, the second's for the second, both under an AND with something that the ciphertext does not have.
     */
    List<S> pooled(S first, S second);

    /** Whether uses of one attribute have randomness of their own, so that a wrong use index must fail. */
    default boolean separatesUses() {
        return true;
    }
}
