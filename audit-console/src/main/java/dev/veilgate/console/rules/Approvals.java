package dev.veilgate.console.rules;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.QueryReader;
import dev.veilgate.console.query.QueryTerms;
import dev.veilgate.console.rules.Approval.State;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Requests for a second person's approval. One that nobody decides is over after {@link #PENDING}; one that was approved may be used as often as the rules let it, until it expires. Safe for use
 * by several threads.
 */
@Component
public final class Approvals {
    /** How long a request waits. */
    static final Duration PENDING = Duration.ofHours(72);
    /** Most requests of one person that wait. */
    static final int MAX_PENDING = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Approvals.class);
    private static final Duration SWEPT = Duration.ofMinutes(1);
    private static final String REQUESTER = "requester";

    private final ApprovalStore store;
    private final AuditLog log;
    private final Custody custody;
    private final QueryReader reader;
    private final TransactionTemplate transactions;
    private final Clock clock;

    Approvals(
            ApprovalStore store,
            AuditLog log,
            Custody custody,
            QueryReader reader,
            TransactionTemplate transactions,
            Clock clock,
            TaskScheduler scheduler) {
        this.store = store;
        this.log = log;
        this.custody = custody;
        this.reader = reader;
        this.transactions = transactions;
        this.clock = clock;
        scheduler.scheduleWithFixedDelay(this::sweep, SWEPT);
    }

    /** One of the user's own, or, for approvers, any. */
    public Optional<ApprovalView> find(User user, UUID id) {
        return store.find(id)
                .filter(approval -> maySee(user, approval))
                .map(approval -> view(user, approval, clock.instant()));
    }

    private ApprovalView view(User user, Approval approval, Instant now) {
        return ApprovalView.of(approval, understood(user, approval, now), user.id(), now);
    }

    /** The terms of a request's query, as it would be searched now; empty while the keys, and so the profile, are locked, and of requests that are over. */
    private Optional<QueryTerms> understood(User user, Approval approval, Instant now) {
        Asked asked = approval.asked();
        State state = approval.stateAt(now);
        if (state != State.PENDING && state != State.APPROVED) {
            return Optional.empty();
        }
        try {
            return Optional.of(QueryTerms.withWarnings(reader.understood(user, asked.query(), asked.mail(), Set.of())));
        } catch (MalformedQueryException e) {
            return Optional.of(
                    new QueryTerms(List.of(), List.of("It cannot be searched any more: " + e.getMessage() + ".")));
        } catch (ProblemException e) {
            return Optional.empty();
        } catch (Exception e) {
            LOG.error("the query of a request cannot be read", e);
            return Optional.empty();
        }
    }

    private static boolean maySee(User user, Approval approval) {
        return user.is(Role.APPROVER) || approval.requester().equals(user.id());
    }

    List<ApprovalView> list(User user, @Nullable State state) {
        Instant now = clock.instant();
        return store.list(user.is(Role.APPROVER) ? null : user.id(), state, now).stream()
                .map(approval -> view(user, approval, now))
                .toList();
    }

    /** An approval, or else a request that waits, of the same question about this time. */
    Optional<Approval> known(User user, Asked asked, EpochPolicy policy) {
        Instant now = clock.instant();
        return store.open(user.id(), asked.id(), now).stream()
                .filter(approval -> approval.asked().covers(asked, approval.requested(), policy, now))
                .findFirst();
    }

    /**
     * Asks.
     *
     * @param requested the entry that says so
     * @return empty if too many wait already
     */
    Optional<Approval> request(User user, Asked asked, Rule rule, String reason, LogDraft requested) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        if (store.pending(user.id(), now) >= MAX_PENDING) {
            return Optional.empty();
        }
        UUID id = UUID.randomUUID();
        long number = log.append(requested.with(Entries.APPROVAL, id.toString()));
        Approval approval = new Approval(
                id,
                user.id(),
                now,
                now.plus(PENDING),
                State.PENDING,
                rule.name(),
                rule.hours(),
                asked,
                number,
                reason,
                null,
                null,
                null);
        store.insert(approval);
        return Optional.of(approval);
    }

    ApprovalView decide(User user, UUID id, State to, String reason) {
        user.require(Role.APPROVER);
        Approval approval = store.find(id).orElseThrow(() -> ProblemException.notFound("the request"));
        if (approval.requester().equals(user.id())) {
            throw ProblemException.forbidden("this is your own request: another person has to decide it");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Instant expires = to == State.APPROVED ? now.plus(Duration.ofHours(approval.hours())) : approval.expires();
        transactions.executeWithoutResult(status -> {
            if (!store.decide(id, to, expires, user.id(), now, reason)) {
                throw ProblemException.conflict(
                        "the request was decided, or has expired, meanwhile: it is " + current(id, now));
            }
            LogDraft draft = LogDraft.of(to == State.APPROVED ? EntryKind.APPROVED : EntryKind.REFUSED, user.id());
            log.append(about(draft, approval)
                    .with(DetailName.EXPIRES, expires.toString())
                    .with(DetailName.REASON, reason));
        });
        return find(user, id).orElseThrow();
    }

    private String current(UUID id, Instant now) {
        return store.find(id).orElseThrow().stateAt(now).label();
    }

    private static LogDraft about(LogDraft draft, Approval approval) {
        return draft.with(Entries.APPROVAL, approval.id().toString())
                .with(REQUESTER, approval.requester())
                .with(DetailName.REQUEST, Long.toString(approval.logNumber()))
                .with(DetailName.RULE, approval.rule())
                .with(DetailName.SCOPE, approval.asked().scope())
                .with(DetailName.EPOCHS, IssuedEntries.epochs(approval.asked().epochs()));
    }

    /** Marks what is over; says so of what nobody decided. Waits while the keys, and so the log, are locked. */
    void sweep() {
        if (custody.isLocked()) {
            return;
        }
        try {
            Instant now = clock.instant();
            for (Approval approval : store.over(now)) {
                transactions.executeWithoutResult(status -> {
                    if (store.expire(approval, now) && approval.state() == State.PENDING) {
                        log.append(about(LogDraft.of(EntryKind.EXPIRED, approval.requester()), approval));
                    }
                });
            }
        } catch (RuntimeException e) {
            LOG.warn("requests that are over could not be marked; that is tried again: {}", e.getMessage());
        }
    }
}
