package dev.veilgate.agent.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Envelopes that were refused, and which of them for good. A refusal of the content lasts: the gateway would give it again for the same bytes. A refusal of rights may be one of the
 * sender, who is not registered yet: it is one of this envelope only if a later one is taken. Whatever else is refused is tried again for ever. Not for several threads.
 */
final class Refusals {
    /** Refused by its implementation (a time in the future, too large, the number is taken), payload format not valid. */
    private static final Set<Integer> OF_CONTENT = Set.of(0x83, 0x99);

    private static final int NOT_AUTHORIZED = 0x87;

    /** One that is refused. */
    private static final class Refused {
        final long sinceNanos;
        int code;
        String why;
        long lastNanos;

        Refused(long sinceNanos, int code, String why) {
            this.sinceNanos = sinceNanos;
            this.code = code;
            this.why = why;
        }
    }

    private final long patienceNanos;
    private final Map<Long, Refused> refused = new HashMap<>();
    private long latestTaken;
    private long takenNanos;
    /** Reason code of the last one that was given up, as long as none was taken since: the next one with it need not wait as well. */
    private int givenUp;

    /** @param patience how long an envelope is tried again that is refused for good */
    Refusals(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    void refused(long sequence, int code, String why, long now) {
        Refused one = refused.computeIfAbsent(sequence, s -> new Refused(now, code, why));
        one.code = code;
        one.why = why;
        one.lastNanos = now;
    }

    void taken(long sequence, long now) {
        refused.remove(sequence);
        if (sequence > latestTaken) {
            latestTaken = sequence;
            takenNanos = now;
        }
        givenUp = 0;
    }

    /** Those to give up now, with what the gateway said; they are forgotten here. */
    List<RefusedEnvelope> lasting(long now) {
        List<RefusedEnvelope> lasting = new ArrayList<>();
        refused.forEach((sequence, one) -> {
            boolean waited = now - one.sinceNanos >= patienceNanos;
            boolean ofContent = OF_CONTENT.contains(one.code) && (waited || one.code == givenUp);
            boolean ofThisAlone = one.code == NOT_AUTHORIZED
                    && waited
                    && latestTaken > sequence
                    && one.lastNanos - takenNanos > 0; // the sender has its rights
            if (ofContent || ofThisAlone) {
                lasting.add(new RefusedEnvelope(sequence, one.why));
            }
        });
        for (RefusedEnvelope one : lasting) {
            givenUp = Objects.requireNonNull(refused.remove(one.sequence())).code; // each is one of its keys
        }
        lasting.sort(Comparator.comparingLong(RefusedEnvelope::sequence));
        return lasting;
    }

    /** Whether the newest envelope should be tried before the others: only if it is taken, one without rights is known to be refused for itself. */
    boolean wantsProbe(long now) {
        return refused.values().stream()
                .anyMatch(one -> one.code == NOT_AUTHORIZED && now - one.sinceNanos >= patienceNanos);
    }
}
