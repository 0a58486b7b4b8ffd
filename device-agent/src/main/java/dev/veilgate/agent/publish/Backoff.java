package dev.veilgate.agent.publish;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Waits that double up to a bound, each drawn between half and whole, so that a thousand devices do not come back at once. */
final class Backoff {
    private static final long FIRST_MILLIS = 250;

    private final long maxMillis;
    private long next = FIRST_MILLIS;

    Backoff(Duration max) {
        this.maxMillis = Math.max(1, max.toMillis());
    }

    long nextMillis() {
        long bound = Math.min(next, maxMillis);
        next = Math.min(maxMillis, next * 2);
        return bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1);
    }

    void reset() {
        next = FIRST_MILLIS;
    }
}
