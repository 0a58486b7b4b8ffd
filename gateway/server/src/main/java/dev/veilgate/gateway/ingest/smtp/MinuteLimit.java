package dev.veilgate.gateway.ingest.smtp;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/** How much each of many did in the minute of the clock that it is. Safe for use by several threads. */
final class MinuteLimit {
    /** Beyond so many in one minute, all others share one count: they cannot fill memory. */
    static final int MAX_NAMES = 100_000;

    private static final String OTHERS = "";

    private final int limit;
    private final Clock clock;
    private final Map<String, Integer> counts = new HashMap<>();
    private long minute;

    MinuteLimit(int limit, Clock clock) {
        this.limit = limit;
        this.clock = clock;
    }

    /** Counts one more, unless that would be over the limit. */
    synchronized boolean take(String name) {
        long now = clock.millis() / 60_000;
        if (now != minute) {
            counts.clear();
            minute = now;
        }
        String key = counts.containsKey(name) || counts.size() < MAX_NAMES ? name : OTHERS;
        int before = counts.getOrDefault(key, 0);
        if (before >= limit) {
            return false;
        }
        counts.put(key, before + 1);
        return true;
    }
}
