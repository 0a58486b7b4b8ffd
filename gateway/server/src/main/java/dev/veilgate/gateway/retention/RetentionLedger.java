package dev.veilgate.gateway.retention;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.ingest.DeletedEnvelopes;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore.Expired;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Holds and tombstones in the relational store. What returns is durable. */
final class RetentionLedger implements DeletedEnvelopes {
    private final Database database;
    private final JdbcClient jdbc;
    private final String gateway;

    RetentionLedger(Database database, GatewayId gateway) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.gateway = gateway.value();
    }

    void place(String tenant, Hold hold) {
        jdbc.sql("INSERT INTO hold (id, tenant, scope, envelope, digest, reason, placed, placed_by)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                .param(hold.id())
                .param(tenant)
                .param(hold.scope())
                .param(hold.envelope())
                .param(hold.digest())
                .param(hold.reason())
                .param(time(hold.placed()))
                .param(hold.placedBy())
                .update();
        database.sync();
    }

    /** False if there is none of that id. */
    boolean lift(String tenant, UUID id) {
        int lifted = jdbc.sql("DELETE FROM hold WHERE tenant = ? AND id = ?")
                .params(tenant, id)
                .update();
        database.sync();
        return lifted > 0;
    }

    List<Hold> holds(String tenant) {
        return jdbc.sql("SELECT id, scope, envelope, digest, reason, placed, placed_by FROM hold WHERE tenant = ?"
                        + " ORDER BY placed, id")
                .param(tenant)
                .query((row, n) -> new Hold(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getObject(3, UUID.class),
                        row.getString(4),
                        row.getString(5),
                        row.getObject(6, OffsetDateTime.class).toInstant(),
                        row.getString(7)))
                .list();
    }

    @Override
    public List<EnvelopeName> signed(String tenant, String sender, UUID id) {
        return jdbc.sql("SELECT digest FROM tombstone WHERE tenant = ? AND envelope = ? AND sender = ?")
                .params(tenant, id, sender)
                .query((row, n) -> EnvelopeName.of(id, row.getBytes(1)))
                .list();
    }

    /** Notes that these are going to be deleted. */
    void decide(String tenant, List<Expired> envelopes, String why, Instant now) {
        database.transactions().executeWithoutResult(status -> {
            for (Expired envelope : envelopes) {
                jdbc.sql("DELETE FROM tombstone WHERE tenant = ? AND envelope = ? AND digest = ?")
                        .params(tenant, envelope.name().id(), envelope.name().digestBytes())
                        .update();
                jdbc.sql("INSERT INTO tombstone (tenant, envelope, gateway, sender, sequence, digest, why, decided)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                        .params(
                                tenant,
                                envelope.name().id(),
                                gateway,
                                envelope.sender(),
                                envelope.sequence(),
                                envelope.name().digestBytes(),
                                why,
                                time(now))
                        .update();
            }
        });
        database.sync();
    }

    /** Notes that they are deleted. */
    void deleted(String tenant, List<EnvelopeName> envelopes, Instant now) {
        database.transactions()
                .executeWithoutResult(status -> envelopes.forEach(envelope -> jdbc.sql(
                                "UPDATE tombstone SET deleted = ? WHERE tenant = ? AND envelope = ? AND digest = ?")
                        .params(time(now), tenant, envelope.id(), envelope.digestBytes())
                        .update()));
    }

    /** A decision that was not carried out. */
    void undecide(String tenant, EnvelopeName envelope) {
        jdbc.sql("DELETE FROM tombstone WHERE tenant = ? AND envelope = ? AND digest = ? AND deleted IS NULL")
                .params(tenant, envelope.id(), envelope.digestBytes())
                .update();
    }

    /** Envelopes of this gateway's store for which it was decided, and nobody knows whether it was done. */
    List<EnvelopeName> unfinished(String tenant) {
        return jdbc.sql("SELECT envelope, digest FROM tombstone WHERE gateway = ? AND tenant = ? AND deleted IS NULL")
                .params(gateway, tenant)
                .query((row, n) -> EnvelopeName.of(row.getObject(1, UUID.class), row.getBytes(2)))
                .list();
    }

    /** Deleted ones in the order of sender and sequence, behind one of them. */
    List<Tombstone> tombstones(String tenant, String sender, long afterSequence, int limit) {
        return jdbc.sql("SELECT envelope, sender, sequence, digest, why, deleted FROM tombstone"
                        + " WHERE tenant = ? AND sender = ? AND sequence > ? AND deleted IS NOT NULL"
                        + " ORDER BY sequence, envelope, digest FETCH FIRST ? ROWS ONLY")
                .params(tenant, sender, afterSequence, limit)
                .query((row, n) -> new Tombstone(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getLong(3),
                        HexFormat.of().formatHex(row.getBytes(4)),
                        row.getString(5),
                        row.getObject(6, OffsetDateTime.class).toInstant()))
                .list();
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
