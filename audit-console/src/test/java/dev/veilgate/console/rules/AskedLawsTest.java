package dev.veilgate.console.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.EventTime;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an approval is good for, of random times: never more than was asked for, and the same again whenever it is asked. */
class AskedLawsTest {
    private static final EpochPolicy MONTHLY = EpochPolicy.MONTHLY;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final SplittableRandom random = random();

    private static SplittableRandom random() {
        String seed = System.getProperty("veilgate.seed", "1");
        System.out.println("AskedLawsTest: -Dveilgate.seed=" + seed);
        return new SplittableRandom(seed.hashCode());
    }

    private static Asked search(@Nullable Instant from, @Nullable Instant to, Instant now) {
        Filter filter = new Filter(Optional.ofNullable(from), Optional.ofNullable(to), Set.of());
        List<String> epochs = MONTHLY.searched(EventTime.widened(filter), now);
        return new Asked("search", "q", "s", false, from, to, List.of(), epochs, "");
    }

    private static Asked route(int epochs, Instant now) {
        List<String> names = MONTHLY.routed(Filter.NONE, now, epochs - 1);
        return new Asked("route", "q", "s", false, null, null, List.of(), names, "Route r");
    }

    private static boolean covers(Asked approved, Instant requested, Asked other, Instant now) {
        return approved.covers(other, requested, MONTHLY, now);
    }

    private Instant later(Instant than, int days) {
        return than.plus(Duration.ofMinutes(random.nextInt(days * 24 * 60)));
    }

    private @Nullable Instant perhaps(Instant from, int days) {
        return random.nextInt(3) == 0 ? null : later(from, days);
    }

    private static YearMonth month(Instant time) {
        return YearMonth.from(time.atOffset(ZoneOffset.UTC));
    }

    private static YearMonth month(String epoch) {
        return YearMonth.parse(epoch);
    }

    @Test
    void aSearchReachesUpToThePresentAtMost() {
        int covered = 0;
        for (int round = 0; round < 20_000; round++) {
            Instant requested = later(BEGIN.plus(Duration.ofDays(200)), 200);
            Instant now = later(requested, 100);
            Instant from = perhaps(BEGIN, 190);
            Instant otherFrom = perhaps(BEGIN, 190);
            Asked approved =
                    search(from, random.nextBoolean() ? requested : perhaps(requested.minusMillis(1), 90), requested);
            Asked other = search(otherFrom, perhaps(BEGIN.plus(Duration.ofDays(200)), 600), now);
            if (approved.epochs().isEmpty() || other.epochs().isEmpty() || !covers(approved, requested, other, now)) {
                continue;
            }
            covered++;
            YearMonth first = month(approved.epochs().getFirst());
            assertThat(other.epochs())
                    .as("round %d: %s", round, approved.epochs())
                    .allSatisfy(epoch -> {
                        assertThat(month(epoch)).isAfterOrEqualTo(first);
                        assertThat(approved.epochs().contains(epoch)
                                        || !month(epoch).isAfter(month(now)))
                                .as(epoch)
                                .isTrue();
                    });
        }
        assertThat(covered).isGreaterThan(1000);
    }

    @Test
    void aRouteReachesNoFurtherAheadThanWasAskedFor() {
        int covered = 0;
        for (int round = 0; round < 20_000; round++) {
            Instant requested = later(BEGIN, 300);
            Instant now = later(requested, 100);
            int approvedEpochs = 1 + random.nextInt(24);
            int epochs = 1 + random.nextInt(24);
            Asked approved = route(approvedEpochs, requested);
            Asked other = route(epochs, now);
            assertThat(covers(approved, requested, other, now))
                    .as("%d epochs at %s, then %d at %s", approvedEpochs, requested, epochs, now)
                    .isEqualTo(epochs <= approvedEpochs);
            covered += epochs <= approvedEpochs ? 1 : 0;
        }
        assertThat(covered).isGreaterThan(1000);
    }

    @Test
    void theSameIsCoveredWheneverItIsAskedAgain() {
        for (int round = 0; round < 5_000; round++) {
            Instant requested = later(BEGIN.plus(Duration.ofDays(200)), 200);
            Instant now = later(requested, 100);
            Instant from = perhaps(BEGIN, 200);
            assertThat(covers(search(from, null, requested), requested, search(from, null, now), now))
                    .as("from %s, at %s and %s", from, requested, now)
                    .isTrue();
            assertThat(covers(search(from, requested, requested), requested, search(from, now, now), now))
                    .as("from %s up to %s and %s", from, requested, now)
                    .isTrue();
            if (from != null) {
                Instant to = later(from.plusMillis(1), 100);
                assertThat(covers(search(from, to, requested), requested, search(from, to, now), now))
                        .as("from %s to %s, at %s and %s", from, to, requested, now)
                        .isTrue();
            }
        }
    }

    @Test
    void gapsInWhatWasAskedForStayGaps() {
        Instant requested = Instant.parse("2026-11-22T12:00:00Z");
        List<String> epochs = List.of("2026-08", "2026-10");
        Asked approved = new Asked("search", "q", "s", false, null, null, List.of(), epochs, "");
        Asked between = new Asked("search", "q", "s", false, null, null, List.of(), List.of("2026-09"), "");
        assertThat(covers(approved, requested, approved, requested)).isTrue();
        assertThat(covers(approved, requested, between, requested)).isFalse();
        assertThat(Collections.max(epochs)).isLessThan("2026-11");
    }
}
