package dev.veilgate.gateway.deliver;

import dev.veilgate.gateway.database.Database;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The queue in the relational store. Several gateways may share it: a row is one gateway's for the time of its lease.
 *
 * <p>A mail is sent twice if we die between the next hop's 250 and our commit; H2 makes commits durable half a second later, which is then
 * part of that window.
 */
final class StoredQueue implements OutboundQueue {
    private static final int PIECE_BYTES = 256 << 10;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final String owner;
    private final Duration lease;
    private final Clock clock;
    private volatile Runnable wake = () -> {};

    /** @param owner this gateway, the same after a restart */
    StoredQueue(Database database, String owner, Duration lease, Clock clock) {
        this.jdbc = database.jdbc();
        this.transactions = database.transactions();
        this.owner = owner;
        this.lease = lease;
        this.clock = clock;
    }

    /** What is called when something was queued. */
    void onAdded(Runnable listener) {
        wake = listener;
    }

    @Override
    public void add(OutboundMail mail) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new IllegalStateException("mail is queued within a transaction");
        }
        UUID id = UUID.randomUUID();
        OffsetDateTime now = at(clock.instant());
        jdbc.sql("INSERT INTO outbound_mail (id, reverse_path, created) VALUES (?, ?, ?)")
                .params(id, mail.reversePath(), now)
                .update();
        byte[] message = mail.message();
        for (int i = 0; i == 0 || i * PIECE_BYTES < message.length; i++) {
            byte[] piece =
                    Arrays.copyOfRange(message, i * PIECE_BYTES, Math.min(message.length, (i + 1) * PIECE_BYTES));
            jdbc.sql("INSERT INTO outbound_piece (mail, ordinal, bytes) VALUES (?, ?, ?)")
                    .params(id, i, piece)
                    .update();
        }
        for (String recipient : Set.copyOf(mail.recipients())) {
            String domain = recipient.substring(recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
            jdbc.sql("INSERT INTO outbound_recipient (mail, recipient, domain, attempts, due)"
                            + " VALUES (?, ?, ?, 0, ?)")
                    .params(id, recipient, domain, now)
                    .update();
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                wake.run();
            }
        });
    }

    /** Gives back what this gateway held when it died. */
    void releaseAll() {
        jdbc.sql("UPDATE outbound_recipient SET lease_owner = NULL, due = ? WHERE lease_owner = ?")
                .params(at(clock.instant()), owner)
                .update();
    }

    /** Goes on holding what this gateway holds of these mails. */
    void renew(Collection<UUID> mails) {
        if (!mails.isEmpty()) {
            jdbc.sql("UPDATE outbound_recipient SET due = :due WHERE lease_owner = :owner AND mail IN (:mails)")
                    .param("due", at(clock.instant().plus(lease)))
                    .param("owner", owner)
                    .param("mails", mails)
                    .update();
        }
    }

    /**
     * Takes recipients whose time has come.
     *
     * @param limit of rows
     * @param busy  domains that are passed over
     * @return by mail
     */
    List<Due> claim(int limit, Collection<String> busy) {
        return Optional.ofNullable(transactions.execute(status -> claimed(limit, busy)))
                .orElse(List.of());
    }

    private List<Due> claimed(int limit, Collection<String> busy) {
        Instant now = clock.instant();
        Map<UUID, List<Due.Recipient>> mails = new LinkedHashMap<>();
        String others = busy.isEmpty() ? "" : " AND domain NOT IN (:busy)";
        var query = jdbc.sql("SELECT mail, recipient, domain, attempts FROM outbound_recipient WHERE due <= :now"
                        + others + " ORDER BY due LIMIT :limit FOR UPDATE SKIP LOCKED")
                .param("now", at(now))
                .param("limit", limit);
        if (!busy.isEmpty()) {
            query = query.param("busy", busy);
        }
        query.query(row -> {
            mails.computeIfAbsent(row.getObject(1, UUID.class), id -> new ArrayList<>())
                    .add(new Due.Recipient(row.getString(2), row.getString(3), row.getInt(4)));
        });
        List<Due> due = new ArrayList<>();
        mails.forEach((mail, recipients) -> {
            recipients.forEach(recipient -> jdbc.sql(
                            "UPDATE outbound_recipient SET lease_owner = ?, due = ? WHERE mail = ? AND recipient = ?")
                    .params(owner, at(now.plus(lease)), mail, recipient.address())
                    .update());
            due.add(new Due(mail, recipients));
        });
        return due;
    }

    /**
     * A queued mail.
     *
     * @param created when it was queued
     */
    record Queued(OutboundMail mail, Instant created) {}

    /** A queued mail, with the recipients that are due; empty if it is gone. */
    Optional<Queued> load(Due due) {
        var bytes = new ByteArrayOutputStream();
        return jdbc.sql("SELECT m.reverse_path, m.created, p.bytes FROM outbound_mail m"
                        + " JOIN outbound_piece p ON p.mail = m.id WHERE m.id = ? ORDER BY p.ordinal")
                .param(due.mail())
                .query((ResultSetExtractor<Optional<Queued>>) rows -> {
                    String reversePath = "";
                    @Nullable Instant created = null;
                    while (rows.next()) {
                        reversePath = rows.getString(1);
                        created = rows.getObject(2, OffsetDateTime.class).toInstant();
                        bytes.writeBytes(rows.getBytes(3));
                    }
                    return created == null
                            ? Optional.empty()
                            : Optional.of(new Queued(
                                    new OutboundMail(reversePath, due.addresses(), bytes.toByteArray()), created));
                });
    }

    /**
     * Writes down what became of recipients, in one transaction: they are gone, or wait for the next attempt.
     *
     * @param gone        who got it, or never will
     * @param later       who was refused for now
     * @param next        when those are tried again, if not {@link #reached} makes them due before
     * @param unreachable key of the next hop for which alone those wait; null if it has refused them
     * @param report      to be queued in the same transaction
     */
    void finish(
            Due due,
            Set<String> gone,
            Set<String> later,
            Instant next,
            @Nullable String unreachable,
            Optional<OutboundMail> report) {
        transactions.executeWithoutResult(status -> {
            // One at a time for each mail: whoever takes the last recipient away also takes the mail away.
            jdbc.sql("SELECT id FROM outbound_mail WHERE id = ? FOR UPDATE")
                    .param(due.mail())
                    .query(UUID.class)
                    .optional();
            int still = 0;
            for (String address : gone) {
                still += jdbc.sql("DELETE FROM outbound_recipient WHERE mail = ? AND recipient = ? AND lease_owner = ?")
                        .params(due.mail(), address, owner)
                        .update();
            }
            later.forEach(address -> jdbc.sql("UPDATE outbound_recipient"
                            + " SET lease_owner = NULL, due = ?, attempts = attempts + 1, unreachable = ?"
                            + " WHERE mail = ? AND recipient = ? AND lease_owner = ?")
                    .param(at(next))
                    .param(unreachable)
                    .param(due.mail())
                    .param(address)
                    .param(owner)
                    .update());
            if (still > 0) {
                // Otherwise our lease had ended, and another gateway reports.
                report.ifPresent(this::add);
            }
            jdbc.sql("DELETE FROM outbound_mail WHERE id = ?"
                            + " AND NOT EXISTS (SELECT 1 FROM outbound_recipient WHERE mail = ?)")
                    .params(due.mail(), due.mail())
                    .update();
        });
    }

    /**
     * A next hop answers: who waits for that only is due now.
     *
     * @param key of the hop
     */
    void reached(String key) {
        OffsetDateTime now = at(clock.instant());
        int freed = jdbc.sql("UPDATE outbound_recipient SET due = ?, unreachable = NULL"
                        + " WHERE unreachable = ? AND lease_owner IS NULL AND due > ?")
                .params(now, key, now)
                .update();
        if (freed > 0) {
            wake.run();
        }
    }

    /** Recipients that wait. */
    long depth() {
        return jdbc.sql("SELECT COUNT(*) FROM outbound_recipient")
                .query(Long.class)
                .single();
    }

    /** Age of the oldest mail. */
    Duration oldest() {
        return jdbc.sql("SELECT MIN(created) FROM outbound_mail")
                .query((row, number) -> Optional.ofNullable(row.getObject(1, OffsetDateTime.class)))
                .single()
                .map(created -> Duration.between(created.toInstant(), clock.instant()))
                .orElse(Duration.ZERO);
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
