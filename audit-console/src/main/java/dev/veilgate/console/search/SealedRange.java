package dev.veilgate.console.search;

import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Numbers of one chain that were sealed in a span of time, as far as signed envelopes say. Where it is not known when a
 * number was sealed it counts: the range is never too small for a sender whose clock goes forwards, and with each
 * number that is learned it becomes smaller, or stays. For one thread.
 */
final class SealedRange {
    private final Instant from;
    private final Instant to;
    private final long top;
    private final NavigableMap<Long, Instant> known = new TreeMap<>();

    /** @param top highest number of the chain; no number above it is looked at */
    SealedRange(Instant from, Instant to, long top) {
        this.from = from;
        this.to = to;
        this.top = top;
    }

    /** An envelope of a number says when it was sealed. */
    void learn(long number, Instant sealed) {
        if (number >= 1 && number <= top) {
            known.put(number, sealed);
        }
    }

    /** When the next known number from this one on was sealed: this one was not sealed later. */
    Optional<Instant> notAfter(long number) {
        return Optional.ofNullable(known.ceilingEntry(number)).map(Map.Entry::getValue);
    }

    private boolean isBefore(Instant sealed) {
        return sealed.isBefore(from);
    }

    private boolean isBehind(Instant sealed) {
        return !sealed.isBefore(to);
    }

    /** Least known number that was not sealed before the span; one behind the top if there is none. */
    private long firstNotBefore() {
        for (Map.Entry<Long, Instant> each : known.entrySet()) {
            if (!isBefore(each.getValue())) {
                return each.getKey();
            }
        }
        return top + 1;
    }

    /** Greatest known number that was not sealed behind the span; 0 if there is none. */
    private long lastNotBehind() {
        for (Map.Entry<Long, Instant> each : known.descendingMap().entrySet()) {
            if (!isBehind(each.getValue())) {
                return each.getKey();
            }
        }
        return 0;
    }

    /** First number of the range. */
    long low() {
        Long below = known.lowerKey(firstNotBefore());
        return below == null ? 1 : below + 1;
    }

    /** Last number of the range; below the first if there is none. */
    long high() {
        Long above = known.higherKey(lastNotBehind());
        return above == null ? top : above - 1;
    }

    /** How many numbers it has. */
    long size() {
        return Math.max(0, high() - low() + 1);
    }

    /**
     * How many numbers are in it only since it is not known when they were sealed.
     */
    long unknown() {
        return unknownLow() + unknownHigh();
    }

    private long unknownLow() {
        return Math.max(0, firstNotBefore() - low());
    }

    private long unknownHigh() {
        return Math.max(0, high() - lastNotBehind());
    }

    /** The number whose sealing time says most about where the range begins or ends; 0 if nothing is to be learned. */
    long probe() {
        if (unknown() == 0 || size() == 0) {
            return 0;
        }
        return unknownLow() >= unknownHigh() ? low() + (unknownLow() - 1) / 2 : high() - (unknownHigh() - 1) / 2;
    }

    /** Whether a later number was sealed earlier: the sender's clock went back, and the ends are not sure. */
    boolean isUneven() {
        Instant last = Instant.MIN;
        for (Instant sealed : known.values()) {
            if (sealed.isBefore(last)) {
                return true;
            }
            last = sealed;
        }
        return false;
    }
}
