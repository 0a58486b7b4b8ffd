package dev.veilgate.query;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.envelope.Envelope;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What of an envelope's clear metadata a search asks for, before any Test.
 *
 * @param from    records of that time or later, in whole milliseconds
 * @param to      records before that time, in whole milliseconds
 * @param senders one of these; none: any. The empty name stands for senders that are not registered
 */
public record Filter(Optional<Instant> from, Optional<Instant> to, Set<String> senders) {
    /** Most senders. */
    public static final int MAX_SENDERS = 1024;

    /** Lets everything pass. */
    public static final Filter NONE = new Filter(Optional.empty(), Optional.empty(), Set.of());

    /** @throws IllegalArgumentException naming what is wrong */
    public Filter {
        senders = Set.copyOf(senders);
        check(senders.size() <= MAX_SENDERS, "a filter has at most " + MAX_SENDERS + " senders");
        check(
                senders.stream().allMatch(sender -> ByteWriter.utf8(sender).length <= 255),
                "a sender has at most 255 bytes in UTF-8");
        check(
                from.stream().allMatch(Filter::isWholeMillis) && to.stream().allMatch(Filter::isWholeMillis),
                "from and to must be whole milliseconds");
        check(from.isEmpty() || to.isEmpty() || from.get().isBefore(to.get()), "from must be before to");
    }

    /** Whether an envelope may hold what is asked for: its times overlap, and its sender is one of those named. */
    public boolean admits(Envelope envelope) {
        return admits(envelope.sender(), envelope.first(), envelope.last());
    }

    /**
     * The same, by metadata.
     *
     * @param first time of the earliest record
     * @param last  time of the latest record
     */
    public boolean admits(String sender, Instant first, Instant last) {
        return (senders.isEmpty() || senders.contains(sender)) && admits(first, last);
    }

    /** By time alone. */
    public boolean admits(Instant first, Instant last) {
        return (from.isEmpty() || !last.isBefore(from.get())) && (to.isEmpty() || first.isBefore(to.get()));
    }

    private static boolean isWholeMillis(Instant time) {
        try {
            return Instant.ofEpochMilli(time.toEpochMilli()).equals(time);
        } catch (ArithmeticException e) {
            return false; // beyond 292 million years
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
