package dev.veilgate.console.search;

import dev.veilgate.client.EnvelopeRef;
import dev.veilgate.client.GatewayException;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.reading.OpenedMail;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** What is behind a row: fetched again and opened again, for nothing of it is kept in clear. */
@Component
class FoundContent {
    private final Gateway gateway;
    private final Custody custody;

    FoundContent(Gateway gateway, Custody custody) {
        this.gateway = gateway;
        this.custody = custody;
    }

    /**
     * A record.
     *
     * @param envelope it is in
     * @param bytes    as sealed
     * @param origin   where it was read; empty if its sender does not say
     * @param format   in which it was read; empty if its sender does not say
     */
    record Found(Envelope envelope, byte[] bytes, String origin, String format) {
        @Override
        public String toString() {
            return "Found[hidden]";
        }
    }

    /**
     * The envelope of a row, exactly the one that was found: what was said of it then, and by whom it was signed, is
     * true of no other.
     *
     * @throws ProblemException 502 if the gateway gives another
     */
    Envelope envelope(SearchJob job, Row row) {
        Envelope envelope = envelope(which(job, row), "the gateway sent another envelope than it found");
        try {
            if (job.wasFoundIn(row.row(), envelope)) {
                return envelope;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw ProblemException.gateway("the gateway sent another envelope than it found");
    }

    /** The envelope in which a row was found, with its digest if the gateway told it. */
    EnvelopeRef which(SearchJob job, Row row) {
        try {
            return job.which(row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An envelope, as the gateway has it now. */
    Envelope envelope(EnvelopeRef which) {
        return envelope(which, "the gateway sent another envelope than was asked for");
    }

    private Envelope envelope(EnvelopeRef which, String ifAnother) {
        byte[] bytes = fetch(client -> client.envelope(which));
        try {
            Envelope envelope = Envelope.decode(bytes);
            if (which.means(envelope) && envelope.tenant().equals(custody.tenant())) {
                return envelope;
            }
        } catch (MalformedEncodingException e) {
            throw ProblemException.gateway("the gateway sent something that is no envelope: " + e.getMessage());
        }
        throw ProblemException.gateway(ifAnother);
    }

    /** The record of a row. */
    Found record(SearchJob job, Row row) {
        Envelope envelope = envelope(job, row);
        Integer ordinal = row.ordinal();
        if (ordinal == null) {
            throw ProblemException.notFound("a record of this row");
        }
        try (UnlockedEnvelope unlocked = job.reading().opener().unlock(envelope)) {
            List<String> origins = unlocked.origins();
            List<String> formats = unlocked.formats();
            return new Found(
                    envelope,
                    unlocked.record(ordinal),
                    origins.isEmpty() ? "" : origins.get(ordinal),
                    formats.isEmpty() ? "" : formats.get(ordinal));
        } catch (UnopenableEnvelopeException e) {
            throw unreadable(e);
        }
    }

    /**
     * A mail.
     *
     * @param envelope that is its index
     */
    record FoundMail(Envelope envelope, OpenedMail mail) {
        byte[] message() {
            return mail.message();
        }

        @Override
        public String toString() {
            return "FoundMail[hidden]";
        }
    }

    /** The mail of a row. */
    FoundMail mail(SearchJob job, Row row) {
        Envelope envelope = envelope(job, row);
        byte[] content = fetch(client -> client.content(which(job, row)));
        try {
            return new FoundMail(envelope, OpenedMail.of(envelope, content, job.reading()));
        } catch (UnopenableEnvelopeException e) {
            throw unreadable(e);
        }
    }

    /** A mail that was not checked. */
    FoundMail mail(SearchJob job, Opening.Unchecked unchecked) {
        EnvelopeRef which = EnvelopeRef.of(unchecked.row().envelope(), unchecked.digest());
        Envelope envelope = envelope(which, "the gateway sent another envelope than it found");
        byte[] content = fetch(client -> client.content(which));
        try {
            return new FoundMail(envelope, OpenedMail.of(envelope, content, job.reading()));
        } catch (UnopenableEnvelopeException e) {
            throw unreadable(e);
        }
    }

    static ProblemException unreadable(UnopenableEnvelopeException e) {
        return new ProblemException(HttpStatus.UNPROCESSABLE_CONTENT, "unreadable", String.valueOf(e.getMessage()));
    }

    /** What was found may have been deleted since, as its retention says: that is no failure of the gateway. */
    private byte[] fetch(Gateway.Question<byte[]> question) {
        return gateway.ask(client -> {
            try {
                return question.with(client);
            } catch (GatewayException e) {
                if (e.status() == HttpStatus.NOT_FOUND.value()) {
                    throw new ProblemException(
                            HttpStatus.GONE, "gone", "the gateway does not have this message any more");
                }
                throw e;
            }
        });
    }
}
