package dev.veilgate.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Coins drawn many at a time are those drawn one at a time, rejected ones included; a stream can be started again. */
class CoinStreamBulkTest {
    private static final TestSeed SEED = TestSeed.of(CoinStreamBulkTest.class);

    private static byte[] seed(String label) {
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        SEED.random(label).nextBytes(seed);
        return seed;
    }

    @Test
    void wordsAreThoseOfSingleDrawsAtEveryPlaceOfThePiece() {
        for (int skipped = 0; skipped <= 4096; skipped += skipped < 10 || skipped > 4080 ? 1 : 97) {
            CoinStream bulk = CoinStream.ofSeed(seed("words"));
            CoinStream single = CoinStream.ofSeed(seed("words"));
            bulk.nextBytes(new byte[skipped]);
            single.nextBytes(new byte[skipped]);
            int[] words = new int[2600];
            Arrays.fill(words, 7);
            bulk.nextInts(words, 5, 2590);
            for (int i = 5; i < 2590; i++) {
                assertThat(words[i]).isEqualTo(single.nextInt());
            }
            assertThat(words).startsWith(7, 7, 7, 7, 7).endsWith(7, 7, 7, 7, 7, 7, 7, 7, 7, 7);
            assertThat(bulk.nextLong()).isEqualTo(single.nextLong());
        }
    }

    /** By the definition, in unsigned 64-bit arithmetic: one word a value, then again for the rejected ones, in order. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 256, 7_432_923, 1 << 30, (1 << 30) + 1, 1_500_000_001, Integer.MAX_VALUE})
    void boundedIntegersFollowTheRule(int bound) {
        int count = 3000;
        CoinStream bulk = CoinStream.ofSeed(seed("bounded"));
        CoinStream single = CoinStream.ofSeed(seed("bounded"));
        int[] values = new int[count];
        bulk.nextInts(values, bound);
        int[] expected = new int[count];
        for (int i = 0; i < count; i++) {
            expected[i] = taken(single.nextInt(), bound);
        }
        int rejected = 0;
        for (int i = 0; i < count; i++) {
            while (expected[i] < 0) {
                rejected++;
                expected[i] = taken(single.nextInt(), bound);
            }
        }
        assertThat(values).isEqualTo(expected);
        assertThat(bulk.nextInt()).isEqualTo(single.nextInt());
        double share = (double) ((1L << 32) % bound) / (1L << 32);
        assertThat((double) rejected).isBetween(count * share / 2 - 8, 2 * count * share / (1 - share) + 20);
    }

    /** Of the 2^32 words, those whose low product half is below 2^32 mod bound are too many for equal shares. */
    private static int taken(int word, int bound) {
        long product = Integer.toUnsignedLong(word) * bound;
        return product % (1L << 32) < (1L << 32) % bound ? -1 : (int) (product / (1L << 32));
    }

    @Test
    void boundedIntegersAreUniform() {
        int[] values = new int[700_000];
        CoinStream.ofSeed(seed("uniform")).nextInts(values, 7);
        long[] counts = new long[7];
        for (int value : values) {
            counts[value]++;
        }
        TwoSided check = new TwoSided();
        check.equalCounts("values", counts);
        assertThat(check.outliers()).isEmpty();
    }

    @Test
    void aReseededStreamIsTheSeedsOwn() {
        CoinStream coins = CoinStream.ofSeed(seed("first"));
        coins.nextBytes(new byte[5000]);
        coins.reseed(seed("second"));
        CoinStream fresh = CoinStream.ofSeed(seed("second"));
        for (int i = 0; i < 3000; i++) {
            assertThat(coins.nextInt()).isEqualTo(fresh.nextInt());
        }
    }

    @Test
    void refusesWhatIsNoBoundNoSeedOrClosed() {
        CoinStream coins = CoinStream.ofSeed(seed("refused"));
        for (int bound : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> coins.nextInts(new int[1], bound));
        }
        for (int length : new int[] {0, 31, 33}) {
            assertThatIllegalArgumentException().isThrownBy(() -> coins.reseed(new byte[length]));
        }
        coins.close();
        assertThatIllegalStateException().isThrownBy(() -> coins.reseed(new byte[32]));
        assertThatIllegalStateException().isThrownBy(() -> coins.nextInts(new int[1], 0, 1));
        assertThatIllegalStateException().isThrownBy(() -> coins.nextInts(new int[1], 5));
    }
}
