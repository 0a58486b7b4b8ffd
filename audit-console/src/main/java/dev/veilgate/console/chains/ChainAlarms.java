package dev.veilgate.console.chains;

import dev.veilgate.envelope.SenderPublicKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Alarms about what a gateway kept back of a sender's chain. Each stays for good, once for each number; what is kept
 * with it convinces whoever trusts this console, since the gateway signs no answers.
 */
@Component
public class ChainAlarms {
    private static final Logger LOG = LoggerFactory.getLogger(ChainAlarms.class);
    /** Most numbers of a chain and kind that are kept one by one. */
    private static final int MOST_OF_CHAIN = 1_000;

    /** Most bytes of envelopes that are kept whole; of the rest the digest is. */
    private static final long MOST_BYTES = 1L << 30;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Clock clock;

    ChainAlarms(JdbcClient jdbc, TransactionTemplate transactions, Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Ways to keep something back. */
    public enum Kind {
        /** A search did not find an envelope that matches its request. */
        HIDDEN("hidden"),
        /** An envelope that its sender signed or promised is not given, and is not older than retention allows. */
        MISSING("missing"),
        /** The gateway says that a chain ends below what the console has seen of it; the number is its end. */
        SHORTENED("shortened");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** As the interface has it. */
        public String label() {
            return label;
        }
    }

    /**
     * Proof for whoever trusts this console.
     *
     * @param envelope as its sender signed it
     * @param request  that matches it, as the gateway was asked
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Evidence(byte[] envelope, byte[] request) {
        @Override
        public String toString() {
            return "Evidence[hidden]";
        }
    }

    /**
     * An alarm that was raised.
     *
     * @param reason what the gateway did instead, in a word
     * @param search in which it was raised first
     * @param digest SHA-256 of the envelope that is kept with it, in hex; null without one
     * @param whole  whether the envelope itself and the request are kept
     */
    public record Alarm(
            UUID id,
            String kind,
            String sender,
            String key,
            long number,
            String reason,
            Instant first,
            Instant last,
            long times,
            UUID search,
            @Nullable String digest,
            boolean whole) {}

    /** Raises an alarm about a number of a chain, or counts it again. */
    public void raise(
            Kind kind, SenderPublicKey key, long number, String reason, UUID search, @Nullable Evidence evidence) {
        boolean isNew = Boolean.TRUE.equals(transactions.execute(_ -> {
            int again = jdbc.sql("UPDATE chain_alarm SET last_raised = ?, times = times + 1"
                            + " WHERE kind = ? AND sender = ? AND sender_key = ? AND number = ?")
                    .params(now(), kind.label(), key.sender(), key.fingerprint(), number)
                    .update();
            if (again > 0 || kind != Kind.HIDDEN && count(kind, key) >= MOST_OF_CHAIN) {
                return false;
            }
            insert(kind, key, number, reason, search, evidence);
            return true;
        }));
        if (isNew) {
            LOG.error("the gateway keeps something back: {}, number {} of {} ({})", kind, number, key.sender(), reason);
        }
    }

    private long count(Kind kind, SenderPublicKey key) {
        return jdbc.sql("SELECT COUNT(*) FROM chain_alarm WHERE kind = ? AND sender = ? AND sender_key = ?")
                .params(kind.label(), key.sender(), key.fingerprint())
                .query(Long.class)
                .single();
    }

    private void insert(
            Kind kind, SenderPublicKey key, long number, String reason, UUID search, @Nullable Evidence evidence) {
        byte[] envelope = evidence == null ? null : evidence.envelope();
        String digest = envelope == null ? null : hex(sha256(envelope));
        boolean isWhole = envelope != null && keptBytes() + envelope.length <= MOST_BYTES;
        String request = isWhole && evidence != null ? keep(evidence.request()) : null;
        jdbc.sql("INSERT INTO chain_alarm (id, kind, sender, sender_key, number, reason, first_raised, last_raised,"
                        + " times, search, envelope, digest, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)")
                .param(UUID.randomUUID())
                .param(kind.label())
                .param(key.sender())
                .param(key.fingerprint())
                .param(number)
                .param(reason)
                .param(now())
                .param(now())
                .param(search)
                .param(isWhole ? envelope : null)
                .param(digest)
                .param(request)
                .update();
    }

    private long keptBytes() {
        return jdbc.sql("SELECT COALESCE(SUM(OCTET_LENGTH(envelope)), 0) FROM chain_alarm")
                .query(Long.class)
                .single();
    }

    /** Keeps a request once; its digest. */
    private String keep(byte[] request) {
        String digest = hex(sha256(request));
        boolean isKept = jdbc.sql("SELECT digest FROM chain_alarm_request WHERE digest = ?")
                .param(digest)
                .query(String.class)
                .optional()
                .isPresent();
        if (!isKept) {
            jdbc.sql("INSERT INTO chain_alarm_request (digest, request) VALUES (?, ?)")
                    .params(digest, request)
                    .update();
        }
        return digest;
    }

    /** The newest, at most so many. */
    List<Alarm> newest(int most) {
        return jdbc.sql("SELECT id, kind, sender, sender_key, number, reason, first_raised, last_raised, times, search,"
                        + " digest, request FROM chain_alarm ORDER BY last_raised DESC, sender, number LIMIT " + most)
                .query((row, _) -> new Alarm(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getLong(5),
                        row.getString(6),
                        row.getObject(7, OffsetDateTime.class).toInstant(),
                        row.getObject(8, OffsetDateTime.class).toInstant(),
                        row.getLong(9),
                        row.getObject(10, UUID.class),
                        row.getString(11),
                        row.getString(12) != null))
                .list();
    }

    /** Alarms that were ever raised. */
    long count() {
        return jdbc.sql("SELECT COUNT(*) FROM chain_alarm").query(Long.class).single();
    }

    /** Evidence that is kept whole with an alarm. */
    Optional<Evidence> evidence(UUID id) {
        return jdbc.sql("SELECT a.envelope, r.request FROM chain_alarm a"
                        + " JOIN chain_alarm_request r ON r.digest = a.request WHERE a.id = ?")
                .param(id)
                .query((row, _) -> new Evidence(row.getBytes(1), row.getBytes(2)))
                .optional();
    }

    private OffsetDateTime now() {
        return OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
