package dev.veilgate.gateway.deliver;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.transport.smtp.SmtpMessage;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
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
    /** Pieces of one transaction; more are written and deleted in several. */
    private static final int PIECES_AT_ONCE = 8;

    private static final Duration UNADDRESSED = Duration.ofHours(1);

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    /** Transactions beside the one that the caller is in. */
    private final TransactionTemplate beside;

    private final String owner;
    private final Duration lease;
    private final Clock clock;
    private volatile Runnable wake = () -> {};

    /** @param owner this gateway, the same after a restart */
    StoredQueue(Database database, String owner, Duration lease, Clock clock) {
        this.jdbc = database.jdbc();
        this.transactions = database.transactions();
        this.beside = new TransactionTemplate(Objects.requireNonNull(transactions.getTransactionManager()));
        this.beside.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
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
        int pieces = Math.max(1, (mail.message().length + PIECE_BYTES - 1) / PIECE_BYTES);
        if (pieces <= PIECES_AT_ONCE) {
            insert(id, mail, now);
            insert(id, mail.message(), 0, pieces);
        } else {
            prepare(id, mail, pieces, now);
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

    private void insert(UUID id, OutboundMail mail, OffsetDateTime now) {
        jdbc.sql("INSERT INTO outbound_mail (id, reverse_path, created) VALUES (?, ?, ?)")
                .params(id, mail.reversePath(), now)
                .update();
    }

    private void insert(UUID id, byte[] message, int from, int to) {
        for (int i = from; i < to; i++) {
            byte[] piece =
                    Arrays.copyOfRange(message, i * PIECE_BYTES, Math.min(message.length, (i + 1) * PIECE_BYTES));
            jdbc.sql("INSERT INTO outbound_piece (mail, ordinal, bytes) VALUES (?, ?, ?)")
                    .params(id, i, piece)
                    .update();
        }
    }

    /**
     * Writes a large mail without its recipients, a few pieces a transaction: H2 has all that a transaction wrote in
     * memory, more than once. The caller's transaction then makes a mail of it, with the recipients. If it does not,
     * nobody sees the pieces, and they go.
     */
    private void prepare(UUID id, OutboundMail mail, int pieces, OffsetDateTime now) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                if (status == STATUS_ROLLED_BACK) {
                    try {
                        remove(id);
                    } catch (DataAccessException | TransactionException e) {
                        // forgetUnaddressed does it
                    }
                }
            }
        });
        beside.executeWithoutResult(status -> insert(id, mail, now));
        for (int from = 0; from < pieces; from += PIECES_AT_ONCE) {
            int begin = from;
            beside.executeWithoutResult(
                    status -> insert(id, mail.message(), begin, Math.min(pieces, begin + PIECES_AT_ONCE)));
        }
    }

    /** Takes away a mail that has no recipients, a few pieces a transaction, the first ones first. */
    private void remove(UUID id) {
        int pieces = beside.execute(
                status -> jdbc.sql("SELECT COALESCE(MAX(ordinal), -1) + 1 FROM outbound_piece WHERE mail = ?")
                        .param(id)
                        .query(Integer.class)
                        .single());
        for (int to = PIECES_AT_ONCE; to < pieces + PIECES_AT_ONCE; to += PIECES_AT_ONCE) {
            int end = to;
            beside.executeWithoutResult(status -> jdbc.sql("DELETE FROM outbound_piece WHERE mail = ? AND ordinal < ?")
                    .params(id, end)
                    .update());
        }
        beside.executeWithoutResult(status ->
                jdbc.sql("DELETE FROM outbound_mail WHERE id = ?").param(id).update());
    }

    /** Takes away what was written of large mails whose transaction, or gateway, ended before it was done. */
    void forgetUnaddressed() {
        jdbc.sql("SELECT id FROM outbound_mail m WHERE created < ?"
                        + " AND NOT EXISTS (SELECT 1 FROM outbound_recipient r WHERE r.mail = m.id)")
                .param(at(clock.instant().minus(UNADDRESSED)))
                .query(UUID.class)
                .list()
                .forEach(this::remove);
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
     * @param beginning the mail with the recipients that are due, cut behind the first piece of its message, which has
     *     the header
     * @param message   all of it
     * @param created   when it was queued
     */
    record Queued(OutboundMail beginning, SmtpMessage message, Instant created) {}

    /** A queued mail, with the recipients that are due; empty if it is gone. */
    Optional<Queued> load(Due due) {
        return jdbc.sql("SELECT m.reverse_path, m.created, p.bytes FROM outbound_mail m"
                        + " JOIN outbound_piece p ON p.mail = m.id WHERE m.id = ? AND p.ordinal = 0")
                .param(due.mail())
                .query((row, number) -> new Queued(
                        new OutboundMail(row.getString(1), due.addresses(), row.getBytes(3)),
                        new QueuedMessage(jdbc, due.mail()),
                        row.getObject(2, OffsetDateTime.class).toInstant()))
                .optional();
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
        boolean isLargeLeft = Boolean.TRUE.equals(transactions.execute(status -> {
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
            if (jdbc.sql("SELECT COUNT(*) FROM outbound_recipient WHERE mail = ?")
                            .param(due.mail())
                            .query(Long.class)
                            .single()
                    > 0) {
                return false;
            }
            jdbc.sql("DELETE FROM outbound_mail WHERE id = ?"
                            + " AND NOT EXISTS (SELECT 1 FROM outbound_piece WHERE mail = ? AND ordinal >= ?)")
                    .params(due.mail(), due.mail(), PIECES_AT_ONCE)
                    .update();
            return jdbc.sql("SELECT COUNT(*) FROM outbound_mail WHERE id = ?")
                            .param(due.mail())
                            .query(Long.class)
                            .single()
                    > 0;
        }));
        if (isLargeLeft) {
            remove(due.mail());
        }
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
        return jdbc.sql("SELECT MIN(m.created) FROM outbound_mail m"
                        + " WHERE EXISTS (SELECT 1 FROM outbound_recipient r WHERE r.mail = m.id)")
                .query((row, number) -> Optional.ofNullable(row.getObject(1, OffsetDateTime.class)))
                .single()
                .map(created -> Duration.between(created.toInstant(), clock.instant()))
                .orElse(Duration.ZERO);
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
