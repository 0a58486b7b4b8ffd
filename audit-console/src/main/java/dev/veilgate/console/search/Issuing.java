package dev.veilgate.console.search;

import dev.veilgate.abe.Label;
import dev.veilgate.authority.PendingRequest;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.custody.Slice;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.reading.Reading;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What an allowed search takes: trapdoors with a grant, and attribute keys of who searches. All of it is in the issuing log before it is handed out. The keys are asked for again and again, for a slice
 * of the work each time, so that others have them in between. For one thread; how far it is may be asked by any.
 */
final class Issuing {
    /** A gateway looks at the grant when a search begins. */
    private static final Duration GRANT_HOLDS = Duration.ofHours(1);

    /** What it gives. The reading is closed by who has it. */
    record Issued(SearchRequest request, Reading reading) {
        @Override
        public String toString() {
            return "Issued[hidden]";
        }
    }

    private final Custody custody;
    private final AuditLog log;
    private final Clock clock;
    private final SecureRandom random;
    private final User user;
    private final Intent intent;
    private final Decision decision;
    private final PendingRequest pending;
    private final Deque<String> epochsWithoutKey;
    private volatile int logged;

    /**
     * Of nothing yet.
     *
     * @param decision by which it was allowed
     * @param pending  the trapdoors
     */
    Issuing(
            Custody custody,
            AuditLog log,
            Clock clock,
            SecureRandom random,
            User user,
            Intent intent,
            Decision decision,
            PendingRequest pending) {
        this.custody = custody;
        this.log = log;
        this.clock = clock;
        this.random = random;
        this.user = user;
        this.intent = intent;
        this.decision = decision;
        this.pending = pending;
        this.epochsWithoutKey = new ArrayDeque<>(user.attributes().isPresent() ? intent.epochs() : List.of());
    }

    /** Sentences that name the scopes and epochs that the search leaves out, since the user's attributes do not reach them. */
    List<String> notSearched() {
        return pending.reach().texts();
    }

    /** How many trapdoors it takes. */
    int total() {
        return pending.total();
    }

    /** How many of them have been issued and are in the log. */
    int logged() {
        return logged;
    }

    /**
     * Issues all.
     *
     * @param stopped asked whenever the keys are there: from then on they are not used
     * @return nothing if it was stopped
     */
    Optional<Issued> run(BooleanSupplier stopped) throws Exception {
        Optional<SearchRequest> request = Optional.empty();
        while (request.isEmpty()) {
            request =
                    custody.issue((keys, store) -> stopped.getAsBoolean() ? Optional.empty() : trapdoors(keys, store));
            if (stopped.getAsBoolean()) {
                return Optional.empty();
            }
        }
        List<ReaderKey> held = new ArrayList<>();
        Optional<Reading> reading = Optional.empty();
        try {
            while (reading.isEmpty()) {
                reading = custody.use(keys -> stopped.getAsBoolean() ? Optional.empty() : reading(keys, held));
                if (stopped.getAsBoolean()) {
                    reading.ifPresent(Reading::close);
                    return Optional.empty();
                }
            }
        } finally {
            if (reading.isEmpty()) {
                held.forEach(ReaderKey::close);
            }
        }
        return Optional.of(new Issued(request.get(), reading.get()));
    }

    /** Some more trapdoors; the last ones with the grant. */
    private Optional<SearchRequest> trapdoors(TenantKeys keys, TrapdoorStore store) throws Exception {
        List<LogDraft> entries = new ArrayList<>();
        Slice slice = new Slice();
        while (!pending.isComplete() && slice.step()) {
            pending.next(store)
                    .map(issued ->
                            Entries.trapdoor(log, user.id(), decision.logNumber(), issued, decision.hideKeywords()))
                    .ifPresent(entries::add);
        }
        if (!pending.isComplete()) {
            if (!entries.isEmpty()) {
                log.append(entries);
            }
            logged = pending.done();
            return Optional.empty();
        }
        SearchRequest request = pending.request().with(intent.asked());
        Instant expires = clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(GRANT_HOLDS);
        entries.add(Entries.grant(user.id(), decision.logNumber(), request, expires));
        long granted = log.append(entries) + entries.size() - 1;
        logged = pending.done();
        return Optional.of(keys.granted(request, Entries.GRANT_HOLDER, expires, granted));
    }

    /** Some more keys for the user's own attributes in the epochs that are searched; the last ones with the entry of all. */
    private Optional<Reading> reading(TenantKeys keys, List<ReaderKey> held) throws Exception {
        if (user.attributes().isPresent()) {
            Label label = new Label.OfAttributes(user.attributes().get());
            Slice slice = new Slice();
            while (!epochsWithoutKey.isEmpty() && slice.step()) {
                List<String> next = List.of(epochsWithoutKey.removeFirst());
                held.addAll(keys.sessionReaderKeys(user.id(), label, next, random));
            }
            if (!epochsWithoutKey.isEmpty()) {
                return Optional.empty();
            }
            if (!held.isEmpty()) {
                log.append(Entries.attributeKey(user.id(), user.id(), label.toString(), intent.epochs()));
            }
        }
        return Optional.of(Reading.throughAuthority(held, keys));
    }
}
