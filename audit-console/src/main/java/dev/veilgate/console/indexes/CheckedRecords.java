package dev.veilgate.console.indexes;

import dev.veilgate.envelope.Envelope;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Results of the checks of opened records, by who answers for them: never their words. Each record counts once. */
@Component
class CheckedRecords {
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Clock clock;

    CheckedRecords(JdbcClient jdbc, TransactionTemplate transactions, Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * A record's place.
     *
     * @param envelope SHA-256 of it, in hex: of an id there may be several
     * @param ordinal  of the record in it
     * @param scope    in which it was found
     */
    record Place(String envelope, int ordinal, String scope) {
        static Place of(Envelope envelope, int ordinal, String scope) {
            return new Place(HexFormat.of().formatHex(envelope.digest()), ordinal, scope);
        }
    }

    /**
     * Counts of a sender.
     *
     * @param outcomes how many records each has
     * @param reasons  how many records each was said of
     */
    record Counts(
            Map<Outcome, Long> outcomes,
            Map<Reason, Long> reasons,
            Instant last,
            @Nullable Instant lastFinding) {
        long of(Outcome outcome) {
            return outcomes.getOrDefault(outcome, 0L);
        }
    }

    /**
     * Keeps what came of a check. A finding stays one, and what was checked stays checked, also if it could not be
     * checked another time.
     *
     * @param sender who answers for it; empty for nobody
     */
    void put(Place place, String sender, IndexState state) {
        transactions.executeWithoutResult(_ -> {
            Optional<String> before = jdbc.sql("SELECT outcome FROM index_check WHERE " + PLACE)
                    .params(place.envelope(), place.ordinal(), place.scope())
                    .query(String.class)
                    .optional();
            if (before.isPresent() && (isFinding(before.get()) || state.outcome() == Outcome.NOT_CHECKED)) {
                return;
            }
            jdbc.sql("DELETE FROM index_check WHERE " + PLACE)
                    .params(place.envelope(), place.ordinal(), place.scope())
                    .update();
            jdbc.sql("INSERT INTO index_check (envelope, ordinal, scope, sender, outcome, lacking, reasons, checked)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                    .params(
                            place.envelope(),
                            place.ordinal(),
                            place.scope(),
                            sender,
                            state.outcome().label(),
                            state.lacking(),
                            state.reasons().stream().map(Reason::label).collect(Collectors.joining(" ")),
                            now())
                    .update();
        });
    }

    /** Number of keywords that an earlier check found to be lacking; empty if it found none. */
    OptionalInt lacking(Place place) {
        return jdbc.sql("SELECT lacking FROM index_check WHERE " + PLACE + " AND outcome = ?")
                .params(place.envelope(), place.ordinal(), place.scope(), Outcome.LACKING.label())
                .query(Integer.class)
                .optional()
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    private static final String PLACE = "envelope = ? AND ordinal = ? AND scope = ?";

    private static boolean isFinding(String outcome) {
        return outcome.equals(Outcome.LACKING.label());
    }

    private OffsetDateTime now() {
        return OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    /** Counts by who answers; those of nobody under the empty name. */
    SortedMap<String, Counts> counts() {
        SortedMap<String, Counts> counts = new TreeMap<>();
        jdbc.sql("SELECT sender, outcome, reasons, COUNT(*), MAX(checked) FROM index_check"
                        + " GROUP BY sender, outcome, reasons")
                .query(row -> {
                    String sender = row.getString(1);
                    Outcome outcome = outcome(row.getString(2));
                    long count = row.getLong(4);
                    Instant last = row.getObject(5, OffsetDateTime.class).toInstant();
                    Counts old = counts.get(sender);
                    Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
                    Map<Reason, Long> reasons = new EnumMap<>(Reason.class);
                    if (old != null) {
                        outcomes.putAll(old.outcomes());
                        reasons.putAll(old.reasons());
                    }
                    outcomes.merge(outcome, count, Long::sum);
                    for (Reason reason : reasons(row.getString(3))) {
                        reasons.merge(reason, count, Long::sum);
                    }
                    counts.put(
                            sender,
                            new Counts(
                                    outcomes,
                                    reasons,
                                    latest(old == null ? null : old.last(), last),
                                    outcome == Outcome.LACKING
                                            ? latest(old == null ? null : old.lastFinding(), last)
                                            : old == null ? null : old.lastFinding()));
                });
        return counts;
    }

    private static Instant latest(@Nullable Instant one, Instant other) {
        return one == null || other.isAfter(one) ? other : one;
    }

    private static Outcome outcome(String label) {
        for (Outcome outcome : Outcome.values()) {
            if (outcome.label().equals(label)) {
                return outcome;
            }
        }
        return Outcome.NOT_CHECKED; // of later software
    }

    private static List<Reason> reasons(String labels) {
        return labels.isEmpty()
                ? List.of()
                : Arrays.stream(labels.split(" "))
                        .flatMap(label -> Reason.of(label).stream())
                        .toList();
    }

    /** Senders that may give keywords themselves, by no rules. */
    Set<String> callers() {
        return new TreeSet<>(
                jdbc.sql("SELECT sender FROM index_caller").query(String.class).list());
    }

    /** Tells if a sender may give keywords itself, by no rules. */
    boolean isCaller(String sender) {
        return callers().contains(sender);
    }

    /** Says whether a sender may give keywords itself. */
    void setCaller(String sender, boolean may) {
        transactions.executeWithoutResult(_ -> {
            jdbc.sql("DELETE FROM index_caller WHERE sender = ?").param(sender).update();
            if (may) {
                jdbc.sql("INSERT INTO index_caller (sender) VALUES (?)")
                        .param(sender)
                        .update();
            }
        });
    }
}
