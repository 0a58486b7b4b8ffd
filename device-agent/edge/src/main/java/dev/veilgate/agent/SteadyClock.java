package dev.veilgate.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * A clock that never goes back by a little, so that times and ids of envelopes ascend. One that goes back by more than ten minutes was
 * wrong before: it is believed, or one wrong time would go on until that time has come, and gateways refuse what is sealed in the future.
 */
final class SteadyClock extends Clock {
    private static final Duration BELIEVED = Duration.ofMinutes(10);

    private final Clock clock;
    private Instant latest;
    private long stepsBack;

    SteadyClock(Clock clock, Instant latest) {
        this.clock = clock;
        this.latest = latest;
    }

    @Override
    public synchronized Instant instant() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS); // what an envelope and the state can hold
        if (now.isBefore(latest)) {
            if (now.isAfter(latest.minus(BELIEVED))) {
                return latest;
            }
            stepsBack++;
        }
        latest = now;
        return now;
    }

    /** How often it went back by so much that it was believed. */
    synchronized long stepsBack() {
        return stepsBack;
    }

    @Override
    public ZoneId getZone() {
        return clock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new SteadyClock(clock.withZone(zone), latest);
    }
}
