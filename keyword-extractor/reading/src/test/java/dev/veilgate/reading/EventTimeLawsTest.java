package dev.veilgate.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.query.Filter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a gateway is asked for has all that is of a range, whatever records say of themselves. */
class EventTimeLawsTest {
    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00.123Z");

    private final SplittableRandom random = random();

    private static SplittableRandom random() {
        String seed = System.getProperty("veilgate.seed", "1");
        System.out.println("EventTimeLawsTest: -Dveilgate.seed=" + seed);
        return new SplittableRandom(seed.hashCode());
    }

    private Duration upTo(Duration longest) {
        return Duration.ofNanos(random.nextLong(longest.toNanos() + 1));
    }

    private Optional<Instant> own(Instant read) {
        return switch (random.nextInt(6)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(Instant.ofEpochSecond(random.nextLong(7_000_000_000L))); // up to 2191
            case 2 -> Optional.of(read.plus(upTo(Duration.ofHours(14)))); // another zone
            case 3 -> Optional.of(read.minus(upTo(Duration.ofMinutes(1))));
            case 4 -> Optional.of(read.minus(upTo(Duration.ofDays(40))));
            default -> Optional.of(read.minus(EventTime.BACKLOG).plusNanos(random.nextInt(3) - 1));
        };
    }

    private Instant end(Instant near) {
        Instant end = random.nextInt(3) == 0
                ? near.plusMillis(random.nextInt(3) - 1)
                : near.plus(upTo(Duration.ofDays(80))).minus(upTo(Duration.ofDays(80)));
        return end.truncatedTo(ChronoUnit.MILLIS);
    }

    private Optional<Filter> range(Instant near) {
        Optional<Instant> from = random.nextInt(5) == 0 ? Optional.empty() : Optional.of(end(near));
        Optional<Instant> to = random.nextInt(5) == 0 ? Optional.empty() : Optional.of(end(near));
        return from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())
                ? Optional.empty()
                : Optional.of(new Filter(from, to, Set.of()));
    }

    @Test
    void nothingOfARangeIsMissed() {
        int inside = 0;
        for (int round = 0; round < 300_000; round++) {
            Instant sealed = NOW.minus(upTo(Duration.ofDays(300))).truncatedTo(ChronoUnit.MILLIS);
            Instant last = sealed.minus(random.nextBoolean() ? Duration.ZERO : upTo(EventTime.SEALING))
                    .truncatedTo(ChronoUnit.MILLIS);
            Instant first = last.minus(upTo(Duration.ofHours(1))).truncatedTo(ChronoUnit.MILLIS);
            EventTime time = EventTime.ofRecord(own(last), last);
            Optional<Filter> range = range(time.at());
            if (range.isEmpty() || !time.isIn(range.get())) {
                continue;
            }
            inside++;
            Filter asked = EventTime.widened(range.get());
            assertThat(asked.admits(first, last))
                    .as("round %d: %s, read %s to %s, %s", round, time, first, last, range)
                    .isTrue();
            if (range.get().from().isPresent()) { // else it is the present epoch that is asked
                for (EpochPolicy policy : EpochPolicy.values()) {
                    assertThat(policy.searched(asked, NOW))
                            .as("round %d: %s, sealed %s, %s", round, time, sealed, range)
                            .contains(policy.at(sealed).name());
                }
            }
        }
        assertThat(inside).isGreaterThan(30_000);
    }

    @Test
    void noEpochIsAskedThatHasNotBegun() {
        for (int round = 0; round < 20_000; round++) {
            Optional<Filter> range = range(NOW.plus(upTo(Duration.ofDays(200))));
            if (range.isPresent()) {
                for (EpochPolicy policy : EpochPolicy.values()) {
                    assertThat(policy.searched(EventTime.widened(range.get()), NOW))
                            .as("%s", range)
                            .isNotEmpty()
                            .allSatisfy(name ->
                                    assertThat(policy.named(name).from()).isBeforeOrEqualTo(NOW));
                }
            }
        }
    }

    @Test
    void aTimeUpToThePresentTakesNoEpochMore() {
        Filter day = new Filter(Optional.of(NOW.minus(Duration.ofDays(1))), Optional.of(NOW), Set.of());
        for (EpochPolicy policy : EpochPolicy.values()) {
            assertThat(policy.searched(EventTime.widened(day), NOW)).isEqualTo(policy.searched(day, NOW));
        }
    }

    @Test
    void moreEpochsThanARangeMayHaveAreRefusedNotLeftOut() {
        Filter all = new Filter(Optional.of(Instant.EPOCH), Optional.empty(), Set.of());
        assertThat(EpochPolicy.MONTHLY.searched(all, NOW)).hasSize(56 * 12 + 11);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EpochPolicy.DAILY.searched(all, NOW))
                .withMessageContaining("at most 1024 epochs");
    }
}
