package dev.veilgate.gateway.retention;

import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.EnvelopeStore.Expired;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what is too old and not held. First the decision is noted, with what is left of the envelope, then the store deletes it, then that is noted too: whatever is between when
 * the process ends, the next run takes up. A hold that was placed before the store has deleted still holds.
 */
final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final int BATCH = 256;

    private final EnvelopeStore store;
    private final RetentionLedger ledger;
    private final RetentionSettings settings;
    private final Clock clock;
    private final Counter deleted;

    Retention(
            EnvelopeStore store,
            RetentionLedger ledger,
            RetentionSettings settings,
            Clock clock,
            MeterRegistry metrics) {
        this.store = store;
        this.ledger = ledger;
        this.settings = settings;
        this.clock = clock;
        this.deleted = metrics.counter("veilgate.retention.deleted");
    }

    /** From now on nothing is deleted that it speaks of. */
    synchronized void place(String tenant, Hold hold) {
        ledger.place(tenant, hold);
    }

    /** Goes through all tenants once. */
    void run() throws IOException {
        for (String tenant : settings.rules().stream()
                .map(RetentionSettings.Rule::tenant)
                .collect(Collectors.toCollection(TreeSet::new))) {
            finish(tenant);
            for (int days : settings.rules().stream()
                    .filter(rule -> rule.tenant().equals(tenant))
                    .map(RetentionSettings.Rule::days)
                    .collect(Collectors.toCollection(TreeSet::new))) {
                while (deleteSome(tenant, days)) {}
            }
        }
    }

    /** Takes envelopes out of the store at once, whatever rules and holds say: the caller has kept them elsewhere. */
    synchronized void remove(String tenant, List<Expired> envelopes, String why) throws IOException {
        List<EnvelopeName> names = envelopes.stream().map(Expired::name).toList();
        Instant now = clock.instant();
        ledger.decide(tenant, envelopes, why, now);
        store.delete(tenant, names);
        store.commit();
        ledger.deleted(tenant, names, now);
    }

    /** Decisions that the last run left open: those that are still stored are decided again. */
    private synchronized void finish(String tenant) throws IOException {
        for (EnvelopeName envelope : ledger.unfinished(tenant)) {
            if (store.contains(tenant, envelope)) {
                ledger.undecide(tenant, envelope);
            } else {
                ledger.deleted(tenant, List.of(envelope), clock.instant());
            }
        }
    }

    /** A batch of those all of whose scopes are kept for at most so many days; false if there are no more. */
    private synchronized boolean deleteSome(String tenant, int days) throws IOException {
        Instant now = clock.instant();
        List<Hold> holds = ledger.holds(tenant);
        Set<String> heldScopes =
                holds.stream().map(Hold::scope).filter(Objects::nonNull).collect(Collectors.toSet());
        Map<UUID, List<Hold>> byId = holds.stream()
                .filter(hold -> hold.envelope() != null)
                .collect(Collectors.groupingBy(hold -> Objects.requireNonNull(hold.envelope())));
        Predicate<EnvelopeName> held =
                name -> byId.getOrDefault(name.id(), List.of()).stream().anyMatch(hold -> hold.holds(name));
        Predicate<String> isOver = scope -> {
            OptionalInt kept = settings.days(tenant, scope);
            return kept.isPresent() && kept.getAsInt() <= days && !heldScopes.contains(scope);
        };
        List<Expired> expired = store.expired(tenant, now.minus(Duration.ofDays(days)), isOver, held, BATCH);
        if (expired.isEmpty()) {
            return false;
        }
        remove(tenant, expired, "kept for " + days + " days");
        deleted.increment(expired.size());
        LOG.info("{} envelopes of {} deleted after {} days", expired.size(), tenant, days);
        return expired.size() == BATCH;
    }
}
