package dev.veilgate.console.rules;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.SearchReach;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.rules.Approval.State;
import dev.veilgate.console.rules.Decision.Outcome;
import dev.veilgate.console.rules.Rule.Effect;
import dev.veilgate.console.rules.RuleBook.Verdict;
import dev.veilgate.issuing.EntryKind;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Whether somebody may have trapdoors: by the rules, their limits, and approvals; and by the policies of index keys, which no rule and no approval goes beyond. Asked before any exists, and what it says is in the issuing log before it says it. Safe for use by
 * several threads.
 */
@Component
public final class Authorizer {
    private static final int MAX_REASON = 1000;

    private final RuleStore rules;
    private final Approvals approvals;
    private final HourlyLimit limit;
    private final AuditLog log;
    private final Custody custody;
    private final Clock clock;
    private final ReentrantLock counting = new ReentrantLock();
    private volatile @Nullable EpochPolicy epochs;

    Authorizer(RuleStore rules, Approvals approvals, HourlyLimit limit, AuditLog log, Custody custody, Clock clock)
            throws IOException {
        this.rules = rules;
        this.approvals = approvals;
        this.limit = limit;
        this.log = log;
        this.custody = custody;
        this.clock = clock;
        custody.afterUnlocking(folder -> epochs = folder.keys().epochs());
        custody.beforeLocking(() -> epochs = null);
    }

    /** What would be said; nothing is counted, asked for or written. */
    public Decision decide(User user, Intent intent) {
        return decide(user, intent, verdict(user, intent), reach(user, intent), Asked.of(intent, ""));
    }

    /** {@link #authorise(User, Intent, String, String)} of a search. */
    public Decision authorise(User user, Intent intent, String reason) {
        return authorise(user, intent, reason, "");
    }

    /**
     * Decides, counts, and writes that into the issuing log. Where a second person has to agree, the request for that is made, or found if it waits already.
     *
     * @param reason the user's, at most 1,000 characters
     * @param about  what else an approval is bound to, such as what a route does; for approvers to read
     * @throws ProblemException 423 if the keys are locked, 500 if the log cannot be written
     */
    public Decision authorise(User user, Intent intent, String reason, String about) {
        if (reason.length() > MAX_REASON) {
            throw ProblemException.malformed("a reason has at most " + MAX_REASON + " characters");
        }
        Asked asked = Asked.of(intent, about);
        SearchReach reach = reach(user, intent); // not while counting: who has the keys may wait for that
        counting.lock(); // so that nobody searches twice on the last place of the hour, or asks twice for the same
        try {
            Verdict verdict = verdict(user, intent);
            Decision decision = decide(user, intent, verdict, reach, asked);
            DecisionEntry entry = new DecisionEntry(log, user, intent, asked, decision, reason);
            return switch (decision.outcome()) {
                case ALLOWED -> {
                    limit.count(user, verdict.deciding());
                    yield decision.at(log.append(entry.of(EntryKind.APPROVED)));
                }
                case REFUSED -> decision.at(log.append(entry.of(EntryKind.REFUSED)));
                case NEEDS_APPROVAL -> request(user, verdict, decision, asked, reason, entry);
            };
        } finally {
            counting.unlock();
        }
    }

    private Decision request(
            User user, Verdict verdict, Decision decision, Asked asked, String reason, DecisionEntry entry) {
        Approval waiting = approvals
                .known(user, asked, policy())
                .or(() -> approvals.request(
                        user, asked, verdict.rule().orElseThrow(), reason, entry.of(EntryKind.REQUESTED)))
                .orElseThrow(() -> ProblemException.conflict(
                        Approvals.MAX_PENDING + " of your requests wait already; wait for some to be decided"));
        return new Decision(
                Outcome.NEEDS_APPROVAL,
                decision.reason(),
                decision.rule(),
                Optional.of(waiting.id()),
                decision.hideKeywords(),
                waiting.logNumber());
    }

    /** Whether some query in a scope, now or as a route, would not be refused outright. */
    public boolean maySearchIn(User user, String scope) {
        return rules.book().maySearchIn(user, scope);
    }

    /**
     * Which index keys the user's attributes search: where keywords are sealed for searchers whom a policy names, trapdoors are made with a searcher's key of these attributes.
     *
     * @throws ProblemException 423 if the keys are locked
     */
    public SearchReach reach(User user, Intent intent) {
        try {
            return custody.use(keys -> keys.reach(user.attributes(), intent.epochs()));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the index policies cannot be read", e);
        }
    }

    private Verdict verdict(User user, Intent intent) {
        return rules.book().decide(user, intent, EpochReach.at(policy(), clock.instant()));
    }

    private EpochPolicy policy() {
        EpochPolicy policy = epochs;
        if (policy == null) {
            throw ProblemException.locked();
        }
        return policy;
    }

    private Decision decide(User user, Intent intent, Verdict verdict, SearchReach reach, Asked asked) {
        Optional<String> rule = verdict.rule().map(Rule::name);
        String by = rule.map(name -> " by the rule \"" + name + "\"").orElse("");
        if (verdict.effect() == Effect.REFUSE) {
            String why = rule.isPresent()
                    ? "refused" + by
                    : "no rule allows this in " + intent.text().scope();
            return decision(Outcome.REFUSED, why, rule, Optional.empty(), verdict);
        }
        if (reach.isNothing()) {
            String why =
                    "your attributes satisfy no index policy: " + reach.texts().getFirst();
            return decision(Outcome.REFUSED, why, Optional.empty(), Optional.empty(), verdict);
        }
        Optional<Rule> exhausted = limit.exhausted(user, verdict.deciding());
        if (exhausted.isPresent()) {
            Rule its = exhausted.get();
            String why = "the rule \"" + its.name() + "\" allows " + its.perHour()
                    + " searches an hour, and you have had them; try later";
            return decision(Outcome.REFUSED, why, Optional.of(its.name()), Optional.empty(), verdict);
        }
        if (verdict.effect() == Effect.ALLOW) {
            return decision(Outcome.ALLOWED, "allowed" + by, rule, Optional.empty(), verdict);
        }
        Optional<Approval> good =
                approvals.known(user, asked, policy()).filter(known -> known.state() == State.APPROVED);
        return good.map(known -> decision(
                        Outcome.ALLOWED,
                        "approved by " + known.decidedBy() + " until " + known.expires(),
                        rule,
                        Optional.of(known.id()),
                        verdict))
                .orElseGet(() -> decision(
                        Outcome.NEEDS_APPROVAL, "nobody has approved it yet", rule, Optional.empty(), verdict));
    }

    private static Decision decision(
            Outcome outcome, String reason, Optional<String> rule, Optional<UUID> approval, Verdict verdict) {
        return new Decision(outcome, reason, rule, approval, verdict.hide(), 0);
    }
}
