package dev.veilgate.gateway.chain;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.ingest.ArrivalStage;
import dev.veilgate.gateway.store.Arrival;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Notes by which rules each sender makes keywords, as headers of envelopes say, and when it last did: what an authority
 * has to know before it gives rules up. A statement or two for each sender and rules of a batch, and as many rows as
 * there are senders, whatever is stored.
 *
 * <p>Does not give: that a header is true; and of mail that no sender of the tenant signed, which anybody can send,
 * more than one row for all.
 */
@Component
@Order(4)
final class RulesStage implements ArrivalStage {
    /** The rules of envelopes that say nothing. */
    private static final int FIRST = 1;

    /** Greater numbers are noted as this one: a sender cannot fill the database by making numbers up. */
    static final int GREATEST = 16;

    private record Seal(String tenant, String sender, int rules) {}

    private static final Comparator<Seal> BY_NAME =
            Comparator.comparing(Seal::tenant).thenComparing(Seal::sender).thenComparingInt(Seal::rules);

    private final JdbcClient jdbc;

    RulesStage(Database database) {
        this.jdbc = database.jdbc();
    }

    @Override
    public void apply(List<Applied> batch) {
        Map<Seal, Instant> last = new TreeMap<>(BY_NAME); // one order for all gateways of a database
        for (Applied applied : batch) {
            Optional<Arrival> arrival = applied.arrival();
            if (arrival.isPresent()) {
                Envelope envelope = arrival.get().envelope();
                int rules = envelope.indexRules().map(IndexRules::rules).orElse(FIRST);
                if (rules > 0 && !envelope.index().isEmpty()) {
                    Seal seal = new Seal(envelope.tenant(), envelope.sender(), Math.min(rules, GREATEST));
                    last.merge(seal, envelope.sealed(), (one, other) -> one.isAfter(other) ? one : other);
                }
            }
        }
        last.forEach(this::note);
    }

    private void note(Seal seal, Instant sealed) {
        OffsetDateTime at = sealed.atOffset(ZoneOffset.UTC);
        int moved = jdbc.sql("UPDATE sender_rules SET last_sealed = ?"
                        + " WHERE tenant = ? AND sender = ? AND rules = ? AND last_sealed < ?")
                .params(at, seal.tenant, seal.sender, seal.rules, at)
                .update();
        if (moved == 0 && !isThere(seal)) {
            jdbc.sql("INSERT INTO sender_rules (tenant, sender, rules, last_sealed) VALUES (?, ?, ?, ?)")
                    .params(seal.tenant, seal.sender, seal.rules, at)
                    .update();
        }
    }

    private boolean isThere(Seal seal) {
        return jdbc.sql("SELECT COUNT(*) FROM sender_rules WHERE tenant = ? AND sender = ? AND rules = ?")
                        .params(seal.tenant, seal.sender, seal.rules)
                        .query(Long.class)
                        .single()
                > 0;
    }
}
