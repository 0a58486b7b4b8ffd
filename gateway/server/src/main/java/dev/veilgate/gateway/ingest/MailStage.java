package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.deliver.OutboundMail;
import dev.veilgate.gateway.deliver.OutboundQueue;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.NamedEnvelopes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Queues mail for its recipients: a sealed mail for each recipient once, however often it is submitted within a week.
 * Another mail under the same envelope id, or with another header, is another mail: what a recipient would see of it is
 * in its digest.
 */
@Component
@Order(3)
class MailStage implements ArrivalStage {
    /** Senders give up long before. */
    static final Duration REMEMBERED = Duration.ofDays(7);

    /** Received fields, of which servers refuse more than some fifty. */
    private static final int MANY_HOPS = 30;

    private final JdbcClient jdbc;
    private final OutboundQueue queue;
    private final NamedEnvelopes envelopes;
    private final Clock clock;

    /** @param envelopes tell what rows of earlier versions mean, which have no digest */
    MailStage(Database database, OutboundQueue queue, NamedEnvelopes envelopes, Clock clock) {
        this.jdbc = database.jdbc();
        this.queue = queue;
        this.envelopes = envelopes;
        this.clock = clock;
    }

    @Override
    public void apply(List<Applied> batch) {
        for (Applied applied : batch) {
            byte[] message = applied.message();
            if (message == null) {
                continue;
            }
            List<String> recipients = applied.arrival()
                    .map(arrival -> notYet(arrival.envelope(), message, applied))
                    .orElse(applied.recipients());
            if (!recipients.isEmpty()) {
                queue.add(new OutboundMail(applied.reversePath(), recipients, message));
            }
        }
    }

    private List<String> notYet(Envelope envelope, byte[] message, Applied applied) {
        EnvelopeName name = EnvelopeName.of(envelope);
        String shown = shown(envelope, message, applied.reversePath());
        List<String> left = new ArrayList<>();
        for (String recipient : applied.recipients()) {
            String address = recipient.toLowerCase(Locale.ROOT);
            List<String> seen = jdbc.sql("SELECT digest FROM mail_seen WHERE tenant = ? AND envelope = ?"
                            + " AND recipient = ? AND digest IN (?, ?, '')")
                    .params(envelope.tenant(), name.id(), address, shown, name.digest())
                    .query(String.class)
                    .list();
            boolean there = seen.contains(shown)
                    || seen.contains(name.digest()) // by versions that did not look at the header
                    || !seen.isEmpty() && envelopes.means(envelope.tenant(), name);
            if (!there) {
                jdbc.sql("INSERT INTO mail_seen (tenant, envelope, digest, recipient, seen) VALUES (?, ?, ?, ?, ?)")
                        .params(
                                envelope.tenant(),
                                name.id(),
                                shown,
                                address,
                                clock.instant().atOffset(ZoneOffset.UTC))
                        .update();
                left.add(recipient);
            }
        }
        return left;
    }

    /**
     * SHA-256 of what a recipient sees, and of what decides whether the next server takes it: the content's digest, the
     * header without Received, whether it has very many of these, and the reverse path. So a copy that comes first,
     * altered or in a form that nobody takes, does not stand for the genuine mail.
     */
    private static String shown(Envelope envelope, byte[] message, String reversePath) {
        try (InputStream in = new ByteArrayInputStream(message)) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(envelope.detachedDigest().orElse(new byte[0]));
            if (envelope.mailCertificate().isEmpty()) {
                sha.update(envelope.digest()); // nobody says that two of them are of one mail
            }
            sha.update((reversePath.toLowerCase(Locale.ROOT) + "\r\n").getBytes(StandardCharsets.UTF_8));
            int received = 0;
            for (MailHeader.Field field : MailHeader.read(in).header().fields()) {
                if (field.name().equals("received")) {
                    received++;
                } else {
                    sha.update(field.raw().getBytes(StandardCharsets.ISO_8859_1));
                }
            }
            sha.update((byte) (received > MANY_HOPS ? 1 : 0));
            return HexFormat.of().formatHex(sha.digest());
        } catch (IOException | MalformedMailException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("a mail that was written here", e);
        }
    }

    /** Forgets what is older than a week. */
    void forget() {
        jdbc.sql("DELETE FROM mail_seen WHERE seen < ?")
                .param(clock.instant().minus(REMEMBERED).atOffset(ZoneOffset.UTC))
                .update();
    }
}
