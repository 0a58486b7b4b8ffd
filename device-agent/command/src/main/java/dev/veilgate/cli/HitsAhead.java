package dev.veilgate.cli;

import dev.veilgate.client.RunningSearch.Found;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Hits that were fetched and are opened later, in their order, so that a gateway is asked for the pairings of many at once: each request carries a whole key. A hit's turn comes when enough came behind it,
 * or when none came for a moment. For one thread.
 */
final class HitsAhead {
    /** More than one request asks for, so that the gateway works on the next while these are opened. */
    private static final int HITS = 32;

    /** Of sealed mails; an envelope of records is bounded by what is fetched at a time. */
    private static final long MAX_BYTES = 32 << 20;

    private static final long MOMENT_NANOS = Duration.ofMillis(250).toNanos();

    private final int most;
    private final ArrayDeque<Found> waiting = new ArrayDeque<>();
    private long bytes;
    private long lastCame;

    /** @param isHelped whether it is worth waiting; otherwise a hit's turn comes at once */
    HitsAhead(boolean isHelped) {
        this.most = isHelped ? HITS : 0;
    }

    /** Behind all that are here. */
    void add(Found found) {
        waiting.add(found);
        bytes += sizeOf(found);
        lastCame = System.nanoTime();
    }

    /** The next one whose turn has come. */
    Optional<Found> due() {
        boolean isDue = waiting.size() > most || bytes > MAX_BYTES || System.nanoTime() - lastCame > MOMENT_NANOS;
        return isDue ? next() : Optional.empty();
    }

    /** The next one, whether its turn has come or not. */
    Optional<Found> next() {
        Optional<Found> next = Optional.ofNullable(waiting.poll());
        next.ifPresent(found -> bytes -= sizeOf(found));
        return next;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    private static long sizeOf(Found found) {
        byte[] content = found.content();
        return content == null ? 0 : content.length;
    }
}
