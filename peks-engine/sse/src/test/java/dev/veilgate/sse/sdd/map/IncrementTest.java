package dev.veilgate.sse.sdd.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.SseException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class IncrementTest {
    private final TestSeed seed = TestSeed.of(getClass());

    private MapAtServer map(int level, String use) {
        SecureRandom coins = new ReplayableRandom(seed.coins(use));
        return new MapAtServer(level, coins, coins);
    }

    @Test
    void countsAsATreeMapDoes() throws Exception {
        SplittableRandom random = seed.random("twin");
        for (int level = 1; level <= 9; level++) {
            MapAtServer map = map(level, "twin " + level);
            Map<List<Long>, Integer> twin = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
            for (int i = 0; i < 1 << level; i++) {
                long high = random.nextInt(3) - 1;
                long low = random.nextInt(1 << level) - (1 << level - 1);
                int before = twin.merge(List.of(high, low), 1, Integer::sum) - 1;
                assertThat(map.increment(high, low)).isEqualTo(before);
            }
        }
    }

    @Test
    void staysBalancedInWhateverOrderKeysCome() throws Exception {
        int level = 8;
        IntToLongFunction[] orders = {
            i -> i, i -> -i, i -> Integer.reverse(i), i -> i % 2 == 0 ? i : -i, i -> (i * 167L + 13) % 256
        };
        for (IntToLongFunction order : orders) {
            MapAtServer map = map(level, "order");
            for (int i = 0; i < 1 << level; i++) {
                int key = i % (1 << level - 1);
                assertThat(map.increment(0, order.applyAsLong(key))).isEqualTo(i == key ? 0 : 1);
            }
        }
    }

    @Test
    void readsAsManyWaysAsTheTallestTreeIsHigh() throws Exception {
        int[] expected = {1, 2, 4, 5, 6, 8, 9, 11, 12, 14};
        for (int level = 1; level <= expected.length; level++) {
            assertThat(new MapShape(level).accesses()).isEqualTo(expected[level - 1]);
        }
        assertThat(new MapShape(19).accesses()).isEqualTo(27);
        MapAtServer map = map(6, "ways");
        for (int i = 0; i < 64; i++) {
            map.increment(0, i % 5);
            assertThat(map.leaves).hasSize((i + 1) * map.shape.accesses());
        }
    }

    /** Each leaf, and each pair of a leaf and one that the same way of an earlier increment led to. */
    @Test
    void leavesThatAServerSeesAreUniformWhateverTheKeysAre() throws Exception {
        List<IntToLongFunction> keys = List.of(i -> 5, i -> i, i -> i % 3);
        for (IntToLongFunction key : keys) {
            for (double deviation : deviations(map(6, "uniform"), key)) {
                assertThat(deviation).isBetween(-4.5, 4.5);
            }
        }
    }

    /** Nodes that stay where they are show which one is read: the test above sees it. */
    @Test
    void nodesThatAreNotMovedAreSeen() throws Exception {
        MapAtServer map = new MapAtServer(6, new ReplayableRandom(seed.coins("stuck")), new SecureRandom() {
            private static final long serialVersionUID = 1L;

            @Override
            public void nextBytes(byte[] out) {
                for (int i = 0; i < out.length; i++) {
                    out[i] = (byte) (i * 5);
                }
            }
        });
        assertThat(deviations(map, i -> i % 3)).anyMatch(deviation -> deviation > 20);
    }

    /** Chi-square of leaves, and of pairs of leaves, by how many standard deviations it is above its mean. */
    private static List<Double> deviations(MapAtServer map, IntToLongFunction key) throws SseException {
        for (int i = 0; i < 1 << 6; i++) {
            map.increment(0, key.applyAsLong(i));
        }
        int kinds = map.shape.leaves();
        int ways = map.shape.accesses();
        int[] single = new int[kinds];
        int[] pairs = new int[kinds * kinds];
        List<Integer> leaves = map.leaves;
        for (int i = 0; i < leaves.size(); i++) {
            single[leaves.get(i)]++;
            if (i >= ways) {
                pairs[leaves.get(i) * kinds + leaves.get(i - ways)]++;
            }
        }
        return List.of(deviation(single, leaves.size()), deviation(pairs, leaves.size() - ways));
    }

    private static double deviation(int[] counts, int all) {
        double mean = (double) all / counts.length;
        double square = 0;
        for (int count : counts) {
            square += (count - mean) * (count - mean) / mean;
        }
        int freedom = counts.length - 1;
        return (square - freedom) / Math.sqrt(2.0 * freedom);
    }

    @Test
    void stashStaysSmall() throws Exception {
        MapAtServer map = map(10, "stash");
        for (int i = 0; i < 1 << 10; i++) {
            map.increment(0, i);
        }
        assertThat(map.mostStashed).isLessThan(MapShape.STASH_BLOCKS / 2);
    }

    @Test
    void namesBucketsAndStatesThatAreOld() throws Exception {
        MapAtServer map = map(6, "old");
        for (int i = 0; i < 20; i++) {
            map.increment(0, i);
        }
        Map<Integer, byte[]> old = new HashMap<>(map.cells);
        byte[] oldState = map.state;
        map.increment(0, 30);
        Map<Integer, byte[]> now = new HashMap<>(map.cells);
        int named = 0;
        for (int bucket : old.keySet()) {
            map.cells.putAll(now);
            map.cells.put(bucket, old.get(bucket));
            Increment increment = map.begin(0, 3);
            try {
                map.read(increment);
            } catch (SseException e) {
                named++;
                assertThat(e).hasMessageContaining("older part");
            }
        }
        assertThat(named).isPositive();
        map.cells.putAll(now);
        map.state = oldState;
        assertThatThrownBy(() -> map.begin(0, 3)).hasMessageContaining("older state");
    }

    @Test
    void readsTheSameWaysWhenBegunAgain() throws Exception {
        MapAtServer map = map(6, "again");
        for (int i = 0; i < 20; i++) {
            map.increment(0, i);
        }
        List<List<Integer>> ways = new ArrayList<>();
        for (int attempt = 0; attempt < 2; attempt++) {
            map.leaves.clear();
            map.read(map.begin(0, 0));
            ways.add(List.copyOf(map.leaves.subList(0, 3)));
        }
        assertThat(ways.get(0)).isEqualTo(ways.get(1));
    }
}
