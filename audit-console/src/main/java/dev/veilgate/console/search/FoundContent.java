package dev.veilgate.console.search;

import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.reading.OpenedMail;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** What is behind a row: fetched again and opened again, for nothing of it is kept in clear. */
@Component
class FoundContent {
    private final Gateway gateway;
    private final Custody custody;
    private final AuditLog log;

    FoundContent(Gateway gateway, Custody custody, AuditLog log) {
        this.gateway = gateway;
        this.custody = custody;
        this.log = log;
    }

    /**
     * A record and those around it.
     *
     * @param envelope it is in
     * @param first    ordinal of the first of the records
     * @param records  as sealed
     * @param origins  where each was read; empty texts if its sender does not say
     */
    record Records(Envelope envelope, int first, List<byte[]> records, List<String> origins) {
        @Override
        public String toString() {
            return "Records[hidden]";
        }
    }

    /** The envelope of a row. */
    Envelope envelope(UUID id) {
        byte[] bytes = gateway.ask(client -> client.envelope(id));
        try {
            Envelope envelope = Envelope.decode(bytes);
            if (envelope.id().equals(id) && envelope.tenant().equals(custody.tenant())) {
                return envelope;
            }
        } catch (MalformedEncodingException e) {
            throw ProblemException.gateway("the gateway sent something that is no envelope: " + e.getMessage());
        }
        throw ProblemException.gateway("the gateway sent another envelope than was asked for");
    }

    /**
     * Records of the row's envelope.
     *
     * @param before how many before the row's own
     * @param after  how many behind it
     */
    Records records(SearchJob job, Row row, int before, int after) {
        Envelope envelope = envelope(row.envelope());
        Integer ordinal = row.ordinal();
        if (ordinal == null) {
            throw ProblemException.notFound("a record of this row");
        }
        int from = Math.max(0, ordinal - before);
        int to = Math.min(envelope.recordCount() - 1, ordinal + after);
        if (to > from) {
            log.append(Entries.decryptions(
                    job.owner(), job.id(), List.of(new Entries.Opened(envelope.id(), to - from + 1))));
        }
        try (UnlockedEnvelope unlocked = job.reading().opener().unlock(envelope)) {
            List<String> origins = unlocked.origins();
            List<byte[]> records = new ArrayList<>();
            List<String> names = new ArrayList<>();
            for (int i = from; i <= to; i++) {
                records.add(unlocked.record(i));
                names.add(origins.isEmpty() ? "" : origins.get(i));
            }
            return new Records(envelope, from, records, names);
        } catch (UnopenableEnvelopeException e) {
            throw unreadable(e);
        }
    }

    /** The mail of a row. */
    OpenedMail mail(SearchJob job, Row row) {
        Envelope envelope = envelope(row.envelope());
        byte[] content = gateway.ask(client -> client.content(row.envelope()));
        try {
            return OpenedMail.of(envelope, content, job.reading().opener());
        } catch (UnopenableEnvelopeException e) {
            throw unreadable(e);
        }
    }

    private static ProblemException unreadable(UnopenableEnvelopeException e) {
        return new ProblemException(HttpStatus.UNPROCESSABLE_CONTENT, "unreadable", String.valueOf(e.getMessage()));
    }
}
