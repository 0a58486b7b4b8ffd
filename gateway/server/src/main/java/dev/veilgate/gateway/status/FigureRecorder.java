package dev.veilgate.gateway.status;

import dev.veilgate.gateway.figures.Counts;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.status.FigureStore.Measured;
import dev.veilgate.gateway.status.FigureStore.Sample;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes figures down once a minute, in one transaction. {@link #tick} is called more often; it writes when the clock
 * shows another minute than at the call before, so that no minute is passed over while the process runs. While the
 * database is away the last {@value #MAX_UNWRITTEN} minutes are kept in memory.
 */
final class FigureRecorder {
    static final int MAX_UNWRITTEN = 120;

    private static final Logger LOG = LoggerFactory.getLogger(FigureRecorder.class);

    /** Measures levels; what it cannot measure is null. */
    @FunctionalInterface
    interface Meter {
        /** Levels of each tenant that is served, and of {@link FigureStore#MACHINE}. */
        Map<String, Levels> now();
    }

    private final FigureCounts counts;
    private final Meter meter;
    private final FigureStore store;
    private final Clock clock;
    private final Deque<Sample> unwritten = new ArrayDeque<>();
    private @Nullable Instant minute;
    private boolean isTroubled;

    FigureRecorder(FigureCounts counts, Meter meter, FigureStore store, Clock clock) {
        this.counts = counts;
        this.meter = meter;
        this.store = store;
        this.clock = clock;
    }

    /** To be called every few seconds. */
    synchronized void tick() {
        Instant now = Step.MINUTE.begin(clock.instant());
        Instant before = minute;
        minute = now;
        if (before != null && !before.equals(now)) {
            write(before);
        }
    }

    /** Writes the minute that has begun, before a stop. */
    synchronized void finish() {
        if (minute != null) {
            write(minute);
            minute = null;
        }
    }

    private void write(Instant of) {
        Map<String, Levels> levels = meter.now();
        Map<String, Counts> taken = counts.take();
        Map<String, Measured> measured = new HashMap<>();
        levels.forEach((tenant, each) ->
                measured.put(tenant, new Measured(taken.getOrDefault(tenant, Counts.NONE), each)));
        taken.forEach((tenant, each) -> measured.putIfAbsent(tenant, new Measured(each, Levels.ofTenant(null, null))));
        if (unwritten.size() == MAX_UNWRITTEN) {
            unwritten.removeFirst();
        }
        unwritten.addLast(new Sample(of, measured));
        try {
            store.add(List.copyOf(unwritten), clock.instant());
            unwritten.clear();
            isTroubled = false;
        } catch (RuntimeException e) {
            if (!isTroubled) {
                LOG.warn("figures are not written for now; they are kept for {} minutes", MAX_UNWRITTEN, e);
            }
            isTroubled = true;
        }
    }
}
