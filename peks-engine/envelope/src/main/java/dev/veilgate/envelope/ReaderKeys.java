package dev.veilgate.envelope;

import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Secret;
import java.util.List;

/** Where reader keys come from when something is opened. Safe for use by several threads. */
@FunctionalInterface
@Secret
public interface ReaderKeys {
    /** Nobody's. */
    ReaderKeys NONE = (policyKey, ciphertext, work) -> List.of();

    /**
     * Keys to try, in this order; they stay the source's to close.
     *
     * @param policyKey  names the pair of keys ({@link PolicyKey#id}) that content was wrapped with
     * @param ciphertext of the attribute-based scheme, which says whom it is for; untrusted
     * @param work       to be asked by a source that makes keys for what it is given
     */
    List<ReaderKey> candidates(KeyId policyKey, byte[] ciphertext, OpeningWork work);

    /** All keys that there are, to say what they lack; none where they are made for what is to be opened. */
    default List<ReaderKey> held() {
        return List.of();
    }

    /** Keys that somebody holds. */
    static ReaderKeys of(List<ReaderKey> keys) {
        List<ReaderKey> held = List.copyOf(keys);
        return new ReaderKeys() {
            @Override
            public List<ReaderKey> candidates(KeyId policyKey, byte[] ciphertext, OpeningWork work) {
                return held.stream()
                        .filter(key -> key.policyKey().id().equals(policyKey))
                        .toList();
            }

            @Override
            public List<ReaderKey> held() {
                return held;
            }
        };
    }
}
