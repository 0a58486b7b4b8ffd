package dev.veilgate.gateway.chain;

import dev.veilgate.gateway.database.Database;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads what the chains say. */
@Component
class SenderLedger {
    private static final int MAX_FINDINGS = 1000;

    /** Numbers that are not there. */
    record Gap(long from, long to) {}

    /** Something that a chain says beside gaps. */
    record Finding(String problem, long sequence, String detail, Instant noticed) {}

    /**
     * A registered sender that sent at least once.
     *
     * @param gaps        that are older than the window in which envelopes may overtake one another
     * @param forks       how many numbers were signed twice
     * @param silentSince when it had promised its next envelope, if that is over
     */
    record SenderStatus(
            String sender,
            long envelopes,
            long highestSequence,
            List<Gap> gaps,
            long forks,
            List<Finding> findings,
            Instant lastSealed,
            Instant lastArrived,
            @Nullable Instant silentSince) {}

    /**
     * When a sender was last seen to make keywords by some rules.
     *
     * @param sender     empty for all mail that no sender of the tenant signed
     * @param rules      their number, at most {@value RulesStage#GREATEST}
     * @param lastSealed of the latest envelope of these rules, as it says
     */
    record RulesSeen(String sender, int rules, Instant lastSealed) {}

    private record Chain(
            String sender,
            long envelopes,
            long contiguous,
            long highest,
            Instant sealed,
            Instant arrived,
            @Nullable Instant promised) {}

    private final JdbcClient jdbc;
    private final ChainSettings settings;
    private final Clock clock;

    SenderLedger(Database database, ChainSettings settings, Clock clock) {
        this.jdbc = database.jdbc();
        this.settings = settings;
        this.clock = clock;
    }

    /** All senders that sent, by name; three statements, however many they are. */
    List<SenderStatus> senders(String tenant) {
        List<Chain> chains = jdbc.sql(
                        "SELECT sender, envelopes, contiguous, highest, last_sealed, last_arrived, promised_until FROM chain"
                                + " WHERE tenant = ? ORDER BY sender")
                .param(tenant)
                .query((row, n) -> new Chain(
                        row.getString(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getObject(5, OffsetDateTime.class).toInstant(),
                        row.getObject(6, OffsetDateTime.class).toInstant(),
                        instant(row.getObject(7, OffsetDateTime.class))))
                .list();
        Instant now = clock.instant();
        Map<String, List<Finding>> findings = findings(tenant);
        Map<String, List<Gap>> gaps = gaps(tenant, chains, now);
        return chains.stream()
                .map(chain -> status(
                        chain,
                        findings.getOrDefault(chain.sender, List.of()),
                        gaps.getOrDefault(chain.sender, List.of()),
                        now))
                .toList();
    }

    /** All senders that were seen with keywords, by name; a row or two for each, whatever is stored. */
    List<RulesSeen> rules(String tenant) {
        return jdbc.sql("SELECT sender, rules, last_sealed FROM sender_rules WHERE tenant = ? ORDER BY sender, rules")
                .param(tenant)
                .query((row, n) -> new RulesSeen(
                        row.getString(1),
                        row.getInt(2),
                        row.getObject(3, OffsetDateTime.class).toInstant()))
                .list();
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    private SenderStatus status(Chain chain, List<Finding> findings, List<Gap> gaps, Instant now) {
        boolean silent = chain.promised != null
                && now.isAfter(chain.promised.plus(settings.gapWindow()))
                && now.isAfter(chain.arrived.plus(settings.gapWindow()));
        return new SenderStatus(
                chain.sender,
                chain.envelopes,
                chain.highest,
                gaps,
                findings.stream()
                        .filter(finding -> finding.problem.equals(ChainStage.FORKED))
                        .count(),
                findings,
                chain.sealed,
                chain.arrived,
                silent ? chain.promised : null);
    }

    /** The newest of each sender, newest first. */
    private Map<String, List<Finding>> findings(String tenant) {
        Map<String, List<Finding>> findings = new HashMap<>();
        jdbc.sql("SELECT sender, problem, sequence, detail, noticed FROM (SELECT sender, problem, sequence, detail,"
                        + " noticed, ROW_NUMBER() OVER (PARTITION BY sender ORDER BY noticed DESC, sequence DESC)"
                        + " AS place FROM chain_finding WHERE tenant = ?) AS placed WHERE place <= ?"
                        + " ORDER BY sender, place")
                .params(tenant, MAX_FINDINGS)
                .query(row -> {
                    findings.computeIfAbsent(row.getString(1), _ -> new ArrayList<>())
                            .add(new Finding(
                                    row.getString(2),
                                    row.getLong(3),
                                    row.getString(4),
                                    row.getObject(5, OffsetDateTime.class).toInstant()));
                });
        return findings;
    }

    /** Only what is older than the window: shared subscriptions and several connections deliver in another order. */
    private Map<String, List<Gap>> gaps(String tenant, List<Chain> chains, Instant now) {
        Map<String, Long> expected = new HashMap<>();
        chains.forEach(chain -> expected.put(chain.sender, chain.contiguous + 1));
        Map<String, List<Gap>> gaps = new HashMap<>();
        jdbc.sql("SELECT sender, sequence, arrived FROM chain_link WHERE tenant = ? ORDER BY sender, sequence")
                .param(tenant)
                .query(row -> {
                    String sender = row.getString(1);
                    long sequence = row.getLong(2);
                    Instant arrived = row.getObject(3, OffsetDateTime.class).toInstant();
                    Long next = expected.put(sender, sequence + 1);
                    if (next != null && sequence > next && !now.isBefore(arrived.plus(settings.gapWindow()))) {
                        gaps.computeIfAbsent(sender, _ -> new ArrayList<>()).add(new Gap(next, sequence - 1));
                    }
                });
        return gaps;
    }
}
