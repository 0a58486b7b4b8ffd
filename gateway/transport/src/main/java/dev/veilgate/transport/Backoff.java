package dev.veilgate.transport;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Pauses between attempts that fail: the first, then each longer than the one before by a factor, up to the longest.
 *
 * @param first   pause, after one failure
 * @param factor  at least 2
 * @param longest pause, before it is spread; also bounds the first
 * @param spread  how far a pause is drawn from what it would be
 */
public record Backoff(Duration first, int factor, Duration longest, Spread spread) {
    /** How far pauses are drawn apart, so that a thousand devices that lost the same server do not all come back at once. */
    public enum Spread {
        /** Not at all. */
        NONE(1, 1),
        /** A tenth more or less. */
        TENTH(0.9, 1.1),
        /** Between half and whole. */
        HALF(0.5, 1);

        private final double least;
        private final double most;

        Spread(double least, double most) {
            this.least = least;
            this.most = most;
        }

        /** A pause near this one. */
        public Duration draw(Duration pause) {
            return draw(pause, ThreadLocalRandom.current());
        }

        Duration draw(Duration pause, RandomGenerator random) {
            if (this == NONE || pause.isZero()) {
                return pause;
            }
            double part = least + (most - least) * random.nextDouble();
            return Duration.ofNanos((long) (pause.toNanos() * part));
        }
    }

    /** @throws IllegalArgumentException if a pause is not positive, or the factor less than 2 */
    public Backoff {
        if (!first.isPositive() || !longest.isPositive() || factor < 2) {
            throw new IllegalArgumentException("pauses must be positive and grow: " + first + ", " + longest);
        }
    }

    /** Pauses that double. */
    public static Backoff doubling(Duration first, Duration longest, Spread spread) {
        return new Backoff(first, 2, longest, spread);
    }

    /** The pause after so many failures without a success, 1 for the first; never zero. */
    public Duration pause(int failures) {
        return pause(failures, ThreadLocalRandom.current());
    }

    Duration pause(int failures, RandomGenerator random) {
        Duration pause = first;
        Duration last = longest.dividedBy(factor); // what is longer than it is followed by the longest
        for (int failure = 1; failure < failures && pause.compareTo(longest) < 0; failure++) {
            pause = pause.compareTo(last) > 0 ? longest : pause.multipliedBy(factor);
        }
        return spread.draw(pause.compareTo(longest) < 0 ? pause : longest, random);
    }
}
