package dev.veilgate.console.search;

import dev.veilgate.client.EnvelopeRef;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.reading.EventTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Records that the same source wrote before and after one: in its envelope, and then, of the time that was asked for, in those that its sender sealed before and after. Only envelopes
 * that the search itself looks into are opened, and each of them is in the issuing log. The gateway learns that they were fetched.
 */
@Component
class Surroundings {
    /** Other envelopes that are looked at on each side. */
    private static final int MOST_ENVELOPES = 20;

    private final FoundContent content;
    private final Gateway gateway;
    private final AuditLog log;

    Surroundings(FoundContent content, Gateway gateway, AuditLog log) {
        this.content = content;
        this.gateway = gateway;
        this.log = log;
    }

    /**
     * A record, or in place of the records of an envelope why it cannot be read.
     *
     * @param time  when it happened
     * @param bytes as sealed; absent if it cannot be read
     * @param why   absent if it can
     */
    record Nearby(
            Envelope envelope,
            int ordinal,
            EventTime time,
            byte @Nullable [] bytes,
            @Nullable String why) {
        @Override
        public String toString() {
            return "Nearby[hidden]";
        }
    }

    /** Goes one way, away from the record. */
    private final class Walk {
        private final SearchJob job;
        private final Row from;
        private final String source;
        private final boolean later;
        private final int wanted;
        private final LogExtractor extractor;
        private final List<Nearby> found = new ArrayList<>();
        private final List<Entries.Opened> opened;

        Walk(
                SearchJob job,
                LogExtractor extractor,
                Row from,
                String source,
                boolean later,
                int wanted,
                List<Entries.Opened> opened) {
            this.job = job;
            this.extractor = extractor;
            this.from = from;
            this.source = source;
            this.later = later;
            this.wanted = wanted;
            this.opened = opened;
        }

        List<Nearby> go(Envelope own, UnlockedEnvelope unlocked, int ordinal) throws UnopenableEnvelopeException {
            take(own, unlocked, ordinal);
            long place = own.sequence();
            for (EnvelopeRef which : found.size() < wanted ? beside(own.sender(), place) : List.<EnvelopeRef>of()) {
                Envelope next = content.envelope(which);
                boolean isBehind = later ? next.sequence() > place : next.sequence() < place;
                if (!next.sender().equals(own.sender()) || !isBehind) {
                    break; // than was asked for: no record is shown in a place that it does not name itself
                }
                place = next.sequence();
                if (isAskedFor(next) && !read(next) || found.size() >= wanted) {
                    break;
                }
            }
            return later ? found : found.reversed();
        }

        /** Asked for at once: each look takes the gateway through the whole chain. Nothing if its sender is not named, so that it has none. What the gateway leaves out between two is not seen here. */
        private List<EnvelopeRef> beside(String sender, long place) {
            List<EnvelopeRef> beside = sender.isEmpty()
                    ? List.of()
                    : gateway.ask(client -> client.beside(sender, place, later, MOST_ENVELOPES));
            return beside.subList(0, Math.min(MOST_ENVELOPES, beside.size()));
        }

        /** Not a sign of life, a mail, what is for another scope or time, or what anybody may have written in the name of who signed the record. */
        private boolean isAskedFor(Envelope envelope) {
            return envelope.detachedDigest().isEmpty()
                    && job.covers(envelope)
                    && (!from.proven() || job.reading().isProven(envelope));
        }

        /** Whether to go on behind it. */
        private boolean read(Envelope envelope) throws UnopenableEnvelopeException {
            try (UnlockedEnvelope unlocked = job.reading().opener().unlock(envelope)) {
                take(envelope, unlocked, later ? -1 : envelope.recordCount());
                return true;
            } catch (UnopenableEnvelopeException e) {
                EventTime time = EventTime.ofRecord(Optional.empty(), envelope.last());
                found.add(new Nearby(envelope, later ? 0 : envelope.recordCount() - 1, time, null, e.getMessage()));
                return false;
            }
        }

        private void take(Envelope envelope, UnlockedEnvelope unlocked, int beside) throws UnopenableEnvelopeException {
            List<String> origins = unlocked.origins();
            int count = 0;
            int step = later ? 1 : -1;
            try {
                for (int i = beside + step; i >= 0 && i < envelope.recordCount() && found.size() < wanted; i += step) {
                    if (source.equals(origin(origins, i))) {
                        byte[] record = unlocked.record(i);
                        count++;
                        EventTime time = time(extractor, envelope, record);
                        if (envelope.id().equals(from.envelope()) || job.asksFor(time)) {
                            found.add(new Nearby(envelope, i, time, record, null));
                        }
                    }
                }
            } finally { // those before one that cannot be opened are shown
                if (count > 0) {
                    opened.add(new Entries.Opened(envelope.id(), count));
                }
            }
        }
    }

    /**
     * A record and those around it, in the order in which they were written.
     *
     * @param before how many before it, where there are so many
     * @param after  how many behind it
     */
    List<Nearby> of(SearchJob job, Row row, int before, int after) throws MalformedEncodingException {
        Envelope envelope = content.envelope(job, row);
        Integer ordinal = row.ordinal();
        if (ordinal == null) {
            throw ProblemException.notFound("a record of this row");
        }
        try (UnlockedEnvelope unlocked = job.reading().opener().unlock(envelope)) {
            String source = origin(unlocked.origins(), ordinal);
            List<Entries.Opened> opened = new ArrayList<>();
            LogExtractor extractor = job.extractor();
            try {
                List<Nearby> all = new ArrayList<>(
                        new Walk(job, extractor, row, source, false, before, opened).go(envelope, unlocked, ordinal));
                byte[] record = unlocked.record(ordinal);
                all.add(new Nearby(envelope, ordinal, time(extractor, envelope, record), record, null));
                all.addAll(new Walk(job, extractor, row, source, true, after, opened).go(envelope, unlocked, ordinal));
                return all;
            } finally { // before anybody sees them, and also if nobody does
                if (!opened.isEmpty()) {
                    log.append(Entries.decryptions(job.owner(), job.id(), opened));
                }
            }
        } catch (UnopenableEnvelopeException e) {
            throw FoundContent.unreadable(e);
        }
    }

    private static EventTime time(LogExtractor extractor, Envelope envelope, byte[] record) {
        return EventTime.ofRecord(extractor.extract(record).time(envelope.last()), envelope.last());
    }

    private static String origin(List<String> origins, int ordinal) {
        return origins.isEmpty() ? "" : origins.get(ordinal);
    }
}
