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
                    .map(arrival -> notYet(arrival.envelope(), message, applied.recipients()))
                    .orElse(applied.recipients());
            if (!recipients.isEmpty()) {
                queue.add(new OutboundMail(applied.reversePath(), recipients, message));
            }
        }
    }

    private List<String> notYet(Envelope envelope, byte[] message, List<String> recipients) {
        EnvelopeName name = EnvelopeName.of(envelope);
        String shown = shown(envelope, message);
        List<String> left = new ArrayList<>();
        for (String recipient : recipients) {
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
     * SHA-256 of what is delivered, without the trace of its way: of the content's digest and the header. So an altered
     * copy that comes first does not stand for the genuine mail.
     */
    private static String shown(Envelope envelope, byte[] message) {
        try (InputStream in = new ByteArrayInputStream(message)) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            envelope.detachedDigest().ifPresent(sha::update);
            for (MailHeader.Field field : MailHeader.read(in).header().fields()) {
                if (!field.name().equals("received")) {
                    sha.update(field.raw().getBytes(StandardCharsets.ISO_8859_1));
                }
            }
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
