package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.search.Unfound.Place;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Numbers in which nothing was found are drawn, each as often as any other and in no order, and none besides. */
class UnfoundStatTest {
    private static final int RUNS = 40_000;
    /** Chi square of 9 degrees of freedom is more than this once in 130,000 times. */
    private static final double MOST = 40;

    private final SecureRandom random = new SecureRandom();

    private static Unfound sample() {
        Unfound unfound = new Unfound();
        unfound.add("a", 3, 8, new long[] {1, 3, 5, 6, 9}); // 4, 7, 8
        unfound.add("none", 5, 4, new long[] {});
        unfound.add("all", 1, 2, new long[] {1, 2});
        unfound.add("b", 1, 7, new long[] {}); // 1 to 7
        return unfound;
    }

    private static double chiSquare(Map<Place, Integer> counts, double expected) {
        return counts.values().stream()
                        .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                        .sum()
                + (10 - counts.size()) * expected;
    }

    @Test
    void hasWhatWasNotFoundAndNothingElse() {
        Unfound unfound = sample();
        assertThat(unfound.size()).isEqualTo(10);
        assertThat(unfound.draw(100, random))
                .containsExactlyInAnyOrder(
                        new Place("a", 4),
                        new Place("a", 7),
                        new Place("a", 8),
                        new Place("b", 1),
                        new Place("b", 2),
                        new Place("b", 3),
                        new Place("b", 4),
                        new Place("b", 5),
                        new Place("b", 6),
                        new Place("b", 7));
    }

    @Test
    void drawsEachAsOftenAsAnyOtherAndEachAsOftenFirst() {
        Unfound unfound = sample();
        Map<Place, Integer> drawn = new HashMap<>();
        Map<Place, Integer> first = new HashMap<>();
        for (int i = 0; i < RUNS; i++) {
            List<Place> places = unfound.draw(3, random);
            assertThat(new HashSet<>(places)).hasSize(3);
            places.forEach(place -> drawn.merge(place, 1, Integer::sum));
            first.merge(places.getFirst(), 1, Integer::sum);
        }
        assertThat(chiSquare(drawn, RUNS * 0.3)).isLessThan(MOST);
        assertThat(chiSquare(first, RUNS * 0.1)).isLessThan(MOST);
    }

    @Test
    void aDrawThatPrefersTheBeginningWouldBeSeen() {
        Map<Place, Integer> biased = new HashMap<>();
        List<Place> all = sample().draw(100, random);
        for (int i = 0; i < RUNS; i++) {
            int place = Math.min(random.nextInt(all.size()), random.nextInt(all.size() + 100));
            biased.merge(all.get(place), 1, Integer::sum);
        }
        assertThat(chiSquare(biased, RUNS * 0.1)).isGreaterThan(MOST);
    }

    @Test
    void drawsFromAsManyAsASenderCanClaim() {
        Unfound unfound = new Unfound();
        unfound.add("a", 1, 1L << 40, new long[] {7});
        unfound.add("b", 1L << 50, (1L << 50) + 3, new long[] {});
        assertThat(unfound.draw(500, random)).hasSize(500).allMatch(place -> place.number() != 7);
    }
}
