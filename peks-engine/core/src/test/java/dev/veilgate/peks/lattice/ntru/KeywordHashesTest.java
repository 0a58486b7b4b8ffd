package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.math.ring.RingHash;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kept hash is the keyword's own, however full the cache is and whoever else uses it. */
class KeywordHashesTest {
    private static final TestSeed SEED = TestSeed.of(KeywordHashesTest.class);
    private static final NtruParameters P = NtruParameters.N512_Q24;
    private static final PublicKey KEY = TestKeys.of(P).publicKey();
    private static final List<KeywordDomain> DOMAINS = List.of(
            TestKeys.DOMAIN,
            new KeywordDomain("acme", "plant-7", "2026-12"),
            new KeywordDomain("acme", "plant-8", "2026-11"),
            new KeywordDomain("acme2", "plant-7", "2026-11"));
    private static final int KEYWORDS = 5;

    private static int[][] expected() {
        int[][] out = new int[DOMAINS.size() * KEYWORDS][P.n()];
        for (int i = 0; i < out.length; i++) {
            byte[] input = DOMAINS.get(i / KEYWORDS).hashInput(KEY.id(), TestKeys.keyword(i % KEYWORDS));
            RingSampling.hashToRingHat(input, P.ring().modulus(), out[i]);
        }
        return out;
    }

    private static boolean alwaysRight(KeywordHashes hashes, int[][] expected, SplittableRandom random) {
        int[] outHat = new int[P.n()];
        try (RingHash hash = new RingHash(P.ring().modulus())) {
            for (int round = 0; round < 2000; round++) {
                int first = random.nextInt(expected.length);
                int i = Math.min(first, random.nextInt(expected.length)); // some more often
                hashes.hat(DOMAINS.get(i / KEYWORDS), TestKeys.keyword(i % KEYWORDS), hash, outHat);
                if (!Arrays.equals(outHat, expected[i])) {
                    return false;
                }
                outHat[random.nextInt(P.n())] = -1; // a caller's array is its own
            }
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 19, 20, 1000})
    void isTheHashOfTheKeywordAtEveryCapacity(int capacity) {
        KeywordHashes hashes = new KeywordHashes(KEY, capacity);
        assertThat(alwaysRight(hashes, expected(), SEED.random("capacity " + capacity)))
                .isTrue();
    }

    @Test
    void severalThreadsMayShareIt() throws Exception {
        KeywordHashes hashes = new KeywordHashes(KEY, 3);
        int[][] expected = expected();
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            SplittableRandom random = SEED.random("thread " + thread);
            tasks.add(() -> alwaysRight(hashes, expected, random));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Boolean> right : threads.invokeAll(tasks)) {
                assertThat(right.get()).isTrue();
            }
        }
    }
}
