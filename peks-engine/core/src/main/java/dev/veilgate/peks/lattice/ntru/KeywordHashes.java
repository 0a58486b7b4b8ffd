package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.ring.RingHash;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import java.util.LinkedHashMap;

/**
 * H1(w) of the keywords used last, transformed, 4N bytes each. Bounded: the least recently used leaves first, and its array is
 * taken for the next one, since a heap full of arrays that live for a while is what a garbage collector copies most. Safe for use by
 * several threads.
 */
final class KeywordHashes {
    private final NtruParameters parameters;
    private final KeyId keyId;
    private final int capacity;
    private final LinkedHashMap<Input, int[]> cache = new LinkedHashMap<>(16, 0.75f, true);

    KeywordHashes(PublicKey publicKey, int capacity) {
        this.parameters = publicKey.parameters();
        this.keyId = publicKey.id();
        this.capacity = capacity;
    }

    /** What is hashed, not yet encoded: an encoding is made for keywords that are new only. */
    private record Input(Keyword keyword, KeywordDomain domain) {
        @Override
        public String toString() {
            return "Input[hidden]";
        }
    }

    /**
     * H1 of a keyword.
     *
     * @param hash   the calling thread's
     * @param outHat receives N values
     */
    void hat(KeywordDomain domain, Keyword keyword, RingHash hash, int[] outHat) {
        if (capacity == 0) {
            hash.hashHat(domain.hashInput(keyId, keyword), outHat);
            return;
        }
        Input input = new Input(keyword, domain);
        synchronized (cache) {
            int[] present = cache.get(input);
            if (present != null) {
                System.arraycopy(present, 0, outHat, 0, outHat.length);
                return;
            }
        }
        hash.hashHat(domain.hashInput(keyId, keyword), outHat);
        synchronized (cache) {
            if (!cache.containsKey(input)) { // another thread may have been faster
                int[] place = cache.size() < capacity
                        ? new int[parameters.n()]
                        : cache.pollFirstEntry().getValue();
                System.arraycopy(outHat, 0, place, 0, outHat.length);
                cache.put(input, place);
            }
        }
    }
}
