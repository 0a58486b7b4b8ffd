package dev.veilgate.console.chains;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Highest number of each sender's chain that the console has ever seen signed, and when some of the numbers were
 * sealed. A gateway that says less later is contradicted by it. Each key of a sender has a chain of its own.
 */
@Component
public class SeenChains {
    private static final long HOUR_SECONDS = 3600;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    SeenChains(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /**
     * The last that was seen of a chain.
     *
     * @param key              fingerprint of the key that signs it
     * @param highest          number that was signed
     * @param sealed           when that one was sealed, as it says
     * @param heartbeatSeconds within which it promises the next one; 0 for no promise
     */
    public record Seen(String sender, String key, long highest, Instant sealed, int heartbeatSeconds) {
        /** Sight of a chain that a signed envelope gives. */
        public static Seen of(SenderPublicKey key, Envelope signed) {
            return new Seen(
                    key.sender(), key.fingerprint(), signed.sequence(), signed.sealed(), signed.heartbeatSeconds());
        }

        /** Highest number that was signed, or promised by then. */
        public long due(Instant now) {
            boolean isPromised = heartbeatSeconds > 0
                    && highest < Long.MAX_VALUE
                    && !now.isBefore(sealed.plusSeconds(heartbeatSeconds));
            return isPromised ? highest + 1 : highest;
        }
    }

    /** Keeps what a signed envelope shows; the caller has verified that it is signed by the key. */
    public void keep(SenderPublicKey key, Envelope signed) {
        keep(Seen.of(key, signed));
    }

    /** Keeps a sight of a chain, unless more was seen of it. */
    public void keep(Seen seen) {
        transactions.executeWithoutResult(_ -> {
            raise(seen);
            mark(seen);
        });
    }

    private void raise(Seen seen) {
        Optional<Long> before = jdbc.sql(
                        "SELECT highest FROM chain_seen WHERE sender = ? AND sender_key = ? FOR UPDATE")
                .params(seen.sender(), seen.key())
                .query(Long.class)
                .optional();
        if (before.isEmpty()) {
            jdbc.sql("INSERT INTO chain_seen (sender, sender_key, highest, sealed, heartbeat) VALUES (?, ?, ?, ?, ?)")
                    .params(seen.sender(), seen.key(), seen.highest(), at(seen.sealed()), seen.heartbeatSeconds())
                    .update();
        } else if (before.get() < seen.highest()) {
            jdbc.sql("UPDATE chain_seen SET highest = ?, sealed = ?, heartbeat = ? WHERE sender = ? AND sender_key = ?")
                    .params(seen.highest(), at(seen.sealed()), seen.heartbeatSeconds(), seen.sender(), seen.key())
                    .update();
        }
    }

    private void mark(Seen seen) {
        long hours = Math.floorDiv(seen.sealed().getEpochSecond(), HOUR_SECONDS);
        boolean isMarked = jdbc.sql("SELECT number FROM chain_mark WHERE sender = ? AND sender_key = ? AND hours = ?")
                .params(seen.sender(), seen.key(), hours)
                .query(Long.class)
                .optional()
                .isPresent();
        if (!isMarked) {
            jdbc.sql("INSERT INTO chain_mark (sender, sender_key, hours, number, sealed) VALUES (?, ?, ?, ?, ?)")
                    .params(seen.sender(), seen.key(), hours, seen.highest(), at(seen.sealed()))
                    .update();
        }
    }

    /** All chains of which something was seen, at most so many, by sender. */
    public List<Seen> all(int most) {
        return jdbc.sql("SELECT sender, sender_key, highest, sealed, heartbeat FROM chain_seen"
                        + " ORDER BY sender, sender_key LIMIT " + most)
                .query((row, _) -> new Seen(
                        row.getString(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getObject(4, OffsetDateTime.class).toInstant(),
                        row.getInt(5)))
                .list();
    }

    /** Highest number that a key was seen to have signed; 0 for none. */
    public long highest(SenderPublicKey key) {
        return jdbc.sql("SELECT highest FROM chain_seen WHERE sender = ? AND sender_key = ?")
                .params(key.sender(), key.fingerprint())
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    /** When some of the numbers of a chain were sealed, as they say. */
    public NavigableMap<Long, Instant> marks(SenderPublicKey key) {
        NavigableMap<Long, Instant> marks = new TreeMap<>();
        jdbc.sql("SELECT number, sealed FROM chain_mark WHERE sender = ? AND sender_key = ?")
                .params(key.sender(), key.fingerprint())
                .query((row, _) -> marks.put(
                        row.getLong(1), row.getObject(2, OffsetDateTime.class).toInstant()))
                .list();
        return marks;
    }

    private static OffsetDateTime at(Instant time) {
        return OffsetDateTime.ofInstant(time, ZoneOffset.UTC);
    }
}
