package dev.veilgate.gateway.chain;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.LossReport;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.ingest.ArrivalStage;
import dev.veilgate.gateway.store.Arrival;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Follows each registered sender's chain. Up to a number everything is there and linked; of that part only the last digest is kept. What came beyond a gap waits as
 * a row each until the gap closes. Signatures were checked on arrival.
 */
@Component
@Order(1)
class ChainStage implements ArrivalStage {
    static final String FORKED = "forked";
    static final String REPEATED = "repeated-number";
    static final String BROKEN = "broken-link";
    static final String LOSS = "loss-reported";
    private static final int MAX_DETAIL = 500;

    /** @param contiguous all numbers up to it are there; its digest */
    @SuppressWarnings("ArrayRecordComponent")
    private record Chain(long contiguous, byte[] digest, long highest) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Link(byte[] digest, byte[] previous) {}

    private final JdbcClient jdbc;

    ChainStage(Database database) {
        this.jdbc = database.jdbc();
    }

    @Override
    public void apply(List<Applied> batch) {
        for (Applied applied : batch) {
            applied.arrival()
                    .filter(arrival -> arrival.envelope().sequence() > 0)
                    .ifPresent(this::follow);
        }
    }

    private void follow(Arrival arrival) {
        Envelope envelope = arrival.envelope();
        Optional<Chain> known = find(envelope);
        if (known.isEmpty()) {
            begin(arrival);
        }
        Chain chain = known.orElseGet(() -> new Chain(0, new byte[32], 0));
        long sequence = envelope.sequence();
        if (sequence <= chain.contiguous) {
            if (sequence < chain.contiguous || !Arrays.equals(chain.digest, envelope.digest())) {
                note(
                        arrival,
                        REPEATED,
                        "a number that was there already: a fork, or retention had deleted it before it was sent again");
            }
            return;
        }
        Optional<Link> waiting = link(envelope.tenant(), envelope.sender(), sequence);
        if (waiting.isPresent()) {
            if (!Arrays.equals(waiting.get().digest, envelope.digest())) {
                note(arrival, FORKED, "another envelope of this number is signed, too");
            }
            return;
        }
        if (!envelope.loss().isEmpty()) {
            String losses = envelope.loss().stream().map(ChainStage::describe).collect(Collectors.joining("; "));
            note(arrival, LOSS, losses);
        }
        if (sequence == chain.contiguous + 1) {
            checkLink(arrival, chain.digest, envelope.previousDigest(), sequence);
            absorb(arrival, sequence, envelope.digest());
        } else {
            wait(arrival);
        }
        touch(arrival, sequence >= chain.highest);
    }

    private static String describe(LossReport loss) {
        return loss.reason() + ", " + loss.records() + " records, " + loss.bytes() + " bytes, " + loss.from() + " to "
                + loss.to();
    }

    private Optional<Chain> find(Envelope envelope) {
        return jdbc.sql(
                        "SELECT contiguous, contiguous_digest, highest FROM chain WHERE tenant = ? AND sender = ? FOR UPDATE")
                .params(envelope.tenant(), envelope.sender())
                .query((row, n) -> new Chain(row.getLong(1), row.getBytes(2), row.getLong(3)))
                .optional();
    }

    private Optional<Link> link(String tenant, String sender, long sequence) {
        return jdbc.sql("SELECT digest, previous FROM chain_link WHERE tenant = ? AND sender = ? AND sequence = ?")
                .params(tenant, sender, sequence)
                .query(ChainStage::linkOf)
                .optional();
    }

    private static Link linkOf(ResultSet row, int number) throws SQLException {
        return new Link(row.getBytes(1), row.getBytes(2));
    }

    private void begin(Arrival arrival) {
        Envelope envelope = arrival.envelope();
        jdbc.sql(
                        "INSERT INTO chain (tenant, sender, envelopes, contiguous, contiguous_digest, highest, last_sealed, last_arrived)"
                                + " VALUES (?, ?, 0, 0, ?, 0, ?, ?)")
                .params(
                        envelope.tenant(),
                        envelope.sender(),
                        new byte[32],
                        at(envelope.sealed()),
                        at(arrival.arrived()))
                .update();
    }

    private void checkLink(Arrival arrival, byte[] digest, byte[] previous, long sequence) {
        if (!Arrays.equals(digest, previous)) {
            note(arrival, BROKEN, sequence, "it names another predecessor than the one that is here");
        }
    }

    /** The chain is whole up to this envelope, and on through what waits behind it. */
    private void absorb(Arrival arrival, long sequence, byte[] digest) {
        String tenant = arrival.envelope().tenant();
        String sender = arrival.envelope().sender();
        long whole = sequence;
        byte[] last = digest;
        Optional<Link> next = link(tenant, sender, whole + 1);
        while (next.isPresent()) {
            checkLink(arrival, last, next.get().previous, whole + 1);
            whole++;
            last = next.get().digest;
            next = link(tenant, sender, whole + 1);
        }
        if (whole > sequence) {
            jdbc.sql("DELETE FROM chain_link WHERE tenant = ? AND sender = ? AND sequence <= ?")
                    .params(tenant, sender, whole)
                    .update();
        }
        jdbc.sql("UPDATE chain SET contiguous = ?, contiguous_digest = ? WHERE tenant = ? AND sender = ?")
                .params(whole, last, tenant, sender)
                .update();
    }

    private void wait(Arrival arrival) {
        Envelope envelope = arrival.envelope();
        jdbc.sql(
                        "INSERT INTO chain_link (tenant, sender, sequence, digest, previous, arrived) VALUES (?, ?, ?, ?, ?, ?)")
                .params(
                        envelope.tenant(),
                        envelope.sender(),
                        envelope.sequence(),
                        envelope.digest(),
                        envelope.previousDigest(),
                        at(arrival.arrived()))
                .update();
    }

    private void touch(Arrival arrival, boolean isHighest) {
        Envelope envelope = arrival.envelope();
        jdbc.sql("UPDATE chain SET envelopes = envelopes + 1, last_arrived = ? WHERE tenant = ? AND sender = ?")
                .params(at(arrival.arrived()), envelope.tenant(), envelope.sender())
                .update();
        if (isHighest) {
            @Nullable
            OffsetDateTime promised = envelope.heartbeatSeconds() == 0
                    ? null
                    : at(envelope.sealed().plusSeconds(envelope.heartbeatSeconds()));
            jdbc.sql(
                            "UPDATE chain SET highest = ?, last_sealed = ?, promised_until = CAST(? AS TIMESTAMP WITH TIME ZONE)"
                                    + " WHERE tenant = ? AND sender = ?")
                    .param(envelope.sequence())
                    .param(at(envelope.sealed()))
                    .param(promised)
                    .param(envelope.tenant())
                    .param(envelope.sender())
                    .update();
        }
    }

    private void note(Arrival arrival, String problem, String detail) {
        note(arrival, problem, arrival.envelope().sequence(), detail);
    }

    private void note(Arrival arrival, String problem, long sequence, String detail) {
        Envelope envelope = arrival.envelope();
        long there = jdbc.sql(
                        "SELECT COUNT(*) FROM chain_finding WHERE tenant = ? AND sender = ? AND problem = ? AND sequence = ?")
                .params(envelope.tenant(), envelope.sender(), problem, sequence)
                .query(Long.class)
                .single();
        if (there == 0) {
            jdbc.sql(
                            "INSERT INTO chain_finding (tenant, sender, problem, sequence, detail, noticed) VALUES (?, ?, ?, ?, ?, ?)")
                    .params(
                            envelope.tenant(),
                            envelope.sender(),
                            problem,
                            sequence,
                            fitting(detail),
                            at(arrival.arrived()))
                    .update();
        }
    }

    /** A reason is the sender's text. PostgreSQL takes no NUL, and half a character cannot be shown to anybody. */
    private static String fitting(String detail) {
        String printable = detail.replaceAll("\\p{Cntrl}", "?");
        if (printable.length() <= MAX_DETAIL) {
            return printable;
        }
        boolean splits = Character.isHighSurrogate(printable.charAt(MAX_DETAIL - 1));
        return printable.substring(0, splits ? MAX_DETAIL - 1 : MAX_DETAIL);
    }

    private static OffsetDateTime at(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
