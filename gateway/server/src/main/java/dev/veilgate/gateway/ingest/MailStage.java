package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.deliver.OutboundMail;
import dev.veilgate.gateway.deliver.OutboundQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Queues mail for its recipients: a sealed mail for each recipient once, however often it is submitted within a week. */
@Component
@Order(3)
class MailStage implements ArrivalStage {
    /** Senders give up long before. */
    static final Duration REMEMBERED = Duration.ofDays(7);

    private final JdbcClient jdbc;
    private final OutboundQueue queue;
    private final Clock clock;

    MailStage(Database database, OutboundQueue queue, Clock clock) {
        this.jdbc = database.jdbc();
        this.queue = queue;
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
                    .map(arrival -> notYet(arrival.envelope(), applied.recipients()))
                    .orElse(applied.recipients());
            if (!recipients.isEmpty()) {
                queue.add(new OutboundMail(applied.reversePath(), recipients, message));
            }
        }
    }

    private List<String> notYet(Envelope envelope, List<String> recipients) {
        List<String> left = new ArrayList<>();
        for (String recipient : recipients) {
            String address = recipient.toLowerCase(Locale.ROOT);
            boolean there =
                    jdbc.sql("SELECT COUNT(*) FROM mail_seen WHERE tenant = ? AND envelope = ? AND recipient = ?")
                                    .params(envelope.tenant(), envelope.id(), address)
                                    .query(Long.class)
                                    .single()
                            > 0;
            if (!there) {
                jdbc.sql("INSERT INTO mail_seen (tenant, envelope, recipient, seen) VALUES (?, ?, ?, ?)")
                        .params(
                                envelope.tenant(),
                                envelope.id(),
                                address,
                                clock.instant().atOffset(ZoneOffset.UTC))
                        .update();
                left.add(recipient);
            }
        }
        return left;
    }

    /** Forgets what is older than a week. */
    void forget() {
        jdbc.sql("DELETE FROM mail_seen WHERE seen < ?")
                .param(clock.instant().minus(REMEMBERED).atOffset(ZoneOffset.UTC))
                .update();
    }
}
