package dev.veilgate.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.transport.Backoff.Spread;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    /** Draws the least, and the most, that there is. */
    private static final RandomGenerator LEAST = () -> 0;

    private static final RandomGenerator MOST = () -> -1;

    private static List<Long> millis(Backoff backoff, RandomGenerator random) {
        return IntStream.rangeClosed(1, 6)
                .mapToObj(
                        failures -> backoff.pause(failures, random).plusNanos(1).toMillis())
                .toList();
    }

    @Test
    void pausesGrowByTheFactorUpToTheLongest() {
        Backoff backoff = Backoff.doubling(Duration.ofMillis(250), Duration.ofSeconds(3), Spread.NONE);
        assertThat(millis(backoff, MOST)).containsExactly(250L, 500L, 1000L, 2000L, 3000L, 3000L);
        Backoff three = new Backoff(Duration.ofMillis(10), 3, Duration.ofSeconds(3), Spread.NONE);
        assertThat(millis(three, MOST)).containsExactly(10L, 30L, 90L, 270L, 810L, 2430L);
    }

    @Test
    void pausesAreDrawnWithinTheirSpread() {
        Backoff half = Backoff.doubling(Duration.ofMillis(100), Duration.ofMillis(400), Spread.HALF);
        assertThat(millis(half, LEAST)).containsExactly(50L, 100L, 200L, 200L, 200L, 200L);
        assertThat(millis(half, MOST)).containsExactly(100L, 200L, 400L, 400L, 400L, 400L);
        Backoff tenth = Backoff.doubling(Duration.ofMillis(100), Duration.ofMillis(400), Spread.TENTH);
        assertThat(millis(tenth, LEAST)).containsExactly(90L, 180L, 360L, 360L, 360L, 360L);
        assertThat(millis(tenth, MOST)).containsExactly(110L, 220L, 440L, 440L, 440L, 440L);
    }

    @Test
    void drawsDiffer() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Duration pause = Duration.ofSeconds(10);
        assertThat(IntStream.range(0, 50)
                        .mapToObj(n -> Spread.TENTH.draw(pause, random))
                        .distinct()
                        .count())
                .as("seed %d", seed)
                .isGreaterThan(40);
        assertThat(Spread.HALF.draw(Duration.ZERO)).isEqualTo(Duration.ZERO);
    }

    @Test
    void longestBoundsTheFirstToo() {
        Backoff backoff = Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(1), Spread.NONE);
        assertThat(millis(backoff, MOST)).containsOnly(1000L);
    }

    @Test
    void noNumberOfFailuresAndNoPauseIsTooLarge() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        Backoff backoff = Backoff.doubling(Duration.ofDays(1), longest, Spread.NONE);
        assertThat(backoff.pause(Integer.MAX_VALUE)).isEqualTo(longest);
        assertThat(backoff.pause(0)).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void refusesPausesThatDoNotGrow() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> Backoff.doubling(Duration.ZERO, second, Spread.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.doubling(second, Duration.ZERO, Spread.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second, 1, second, Spread.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
