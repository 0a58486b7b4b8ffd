package dev.veilgate.gateway.route;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What actions of this gateway reached and did not reach, so that the database is asked seldom what waits for it. For several threads. */
final class Reachability {
    /** Between two releases of what waits for the same: a host that takes some connections and refuses others is not overrun. */
    static final Duration GAP = Duration.ofSeconds(2);

    /** Another gateway may have noted something that waits for what is always reached here. */
    private static final Duration RELEASE_EVERY = Duration.ofSeconds(5);
    /** More targets than this are forgotten, and are asked for once more than they need be. */
    private static final int MOST = 10_000;

    private final Clock clock;
    private final Map<String, Instant> released = new HashMap<>();
    private final Map<String, Long> reached = new HashMap<>();
    private final Map<String, Instant> answeredAt = new HashMap<>();
    private final Set<String> missed = new HashSet<>();
    private final Map<String, Instant> lookedFor = new HashMap<>();
    private long count;

    Reachability(Clock clock) {
        this.clock = clock;
    }

    /** The beginning of an attempt, for {@link #hasAnsweredSince}. */
    synchronized long begin() {
        return count;
    }

    /**
     * It answered.
     *
     * @return whether something may wait for it
     */
    synchronized boolean answered(String needed) {
        Instant now = clock.instant();
        if (reached.size() >= MOST) {
            reached.clear();
            released.clear();
            answeredAt.clear();
            lookedFor.clear();
        }
        reached.put(needed, ++count);
        answeredAt.put(needed, now);
        lookedFor.remove(needed);
        Instant last = released.get(needed);
        Duration after = missed.contains(needed) ? GAP : RELEASE_EVERY;
        boolean may = last == null || !now.isBefore(last.plus(after));
        if (may) {
            released.put(needed, now);
            missed.remove(needed);
        }
        return may;
    }

    /** It did not answer, which is about to be noted. */
    synchronized void missed(String needed) {
        if (missed.size() >= MOST) {
            missed.clear();
        }
        missed.add(needed);
    }

    /** Whether it answered to another attempt meanwhile: what is noted after that has missed its release. */
    synchronized boolean hasAnsweredSince(String needed, long began) {
        return reached.getOrDefault(needed, 0L) > began;
    }

    /** Whether it answered so short a time ago that its next answer may release nothing: what is noted now is tried again after {@link #GAP}. */
    synchronized boolean hasJustAnswered(String needed, Instant now) {
        Instant at = answeredAt.get(needed);
        return at != null && now.isBefore(at.plus(GAP));
    }

    /** Whether the caller is the one to look for it again after a short pause. */
    synchronized boolean isToBeLookedFor(String needed, Instant now, Duration every) {
        Instant next = lookedFor.get(needed);
        if (next != null && now.isBefore(next)) {
            return false;
        }
        lookedFor.put(needed, now.plus(every));
        return true;
    }
}
