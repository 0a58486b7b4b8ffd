package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.RingSampling;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * H1(w) of the keywords used last, transformed and with the Montgomery factor, 4N bytes each. Bounded: the least recently used
 * leaves first. Safe for use by several threads.
 */
final class KeywordHashes {
    private final NegacyclicNtt ring;
    private final Map<Input, int[]> cache;

    KeywordHashes(NtruParameters parameters, int capacity) {
        this.ring = parameters.ring();
        this.cache = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Input, int[]> eldest) {
                return size() > capacity;
            }
        };
    }

    private record Input(byte[] bytes) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Input that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /** H1 of an input; the caller must not change the array. */
    int[] hatMont(byte[] hashInput) {
        Input input = new Input(hashInput);
        synchronized (cache) {
            int[] present = cache.get(input);
            if (present != null) {
                return present;
            }
        }
        int[] hat = new int[ring.n()];
        RingSampling.hashToRingHat(hashInput, ring.modulus(), hat);
        ring.toMontInPlace(hat);
        synchronized (cache) {
            cache.put(input, hat);
        }
        return hat;
    }
}
