package dev.veilgate.console.rules;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.console.rules.Rule.Effect;
import dev.veilgate.peks.Keyword;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules, ready to decide. For each keyword of a query, those under NOT too, the first rule that matches decides, and none refuses; of the query's keywords the worst decides. Immutable.
 */
final class RuleBook {
    private final List<Ready> rules;

    private RuleBook(List<Ready> rules) {
        this.rules = rules;
    }

    /** A rule with its policy and its values read. */
    private record Ready(Rule rule, Optional<Policy> policy, ListedValues values) {
        boolean covers(Keyword keyword) {
            return KeywordReading.covers(rule, keyword) || values.mayBeFoundBy(keyword);
        }

        boolean mayFind(Keyword keyword) {
            return KeywordReading.mayFind(rule, keyword) || values.mayBeFoundBy(keyword);
        }
    }

    /**
     * What the rules say.
     *
     * @param effect  the worst of the keywords'
     * @param rule    of it; empty if none matched
     * @param deciding every rule that decided of a keyword, each once
     * @param hide    whether the log has the keywords sealed only: so says a rule that decided, or one before it that lists what a keyword may find
     */
    record Verdict(Effect effect, Optional<Rule> rule, List<Rule> deciding, boolean hide) {}

    static RuleBook of(Rules rules) {
        List<Ready> ready = new ArrayList<>();
        for (Rule rule : rules.rules()) {
            try {
                String text = rule.attributes();
                Optional<Policy> policy = text == null ? Optional.empty() : Optional.of(Policy.parse(text));
                ready.add(new Ready(rule, policy, ListedValues.of(rule)));
            } catch (PolicySyntaxException e) {
                throw new IllegalStateException("a rule's policy was checked when it was made", e);
            }
        }
        return new RuleBook(List.copyOf(ready));
    }

    /** @param withinReach whether an intent asks for no epoch earlier than so many before the present one */
    Verdict decide(User user, Intent intent, EpochReach withinReach) {
        List<Ready> open = rules.stream()
                .filter(ready -> concerns(ready, user, intent.text().scope(), intent.purpose()))
                .filter(ready -> ready.rule().epochsBack() == null
                        || withinReach.reaches(intent.epochs(), ready.rule().epochsBack()))
                .toList();
        Optional<Rule> worst = Optional.empty();
        Effect effect = Effect.ALLOW;
        boolean isFirst = true;
        boolean isUnmatched = false;
        boolean isHidden = false;
        Set<Rule> deciding = new LinkedHashSet<>();
        for (Keyword keyword : intent.query().keywords()) {
            Optional<Rule> rule = Optional.empty();
            for (Ready ready : open) {
                isHidden |= ready.rule().hides() && ready.mayFind(keyword);
                if (ready.covers(keyword)) {
                    rule = Optional.of(ready.rule());
                    break;
                }
            }
            rule.ifPresent(deciding::add);
            isUnmatched |= rule.isEmpty();
            Effect its = rule.map(Rule::effect).orElse(Effect.REFUSE);
            if (isFirst || its.compareTo(effect) > 0) {
                effect = its;
                worst = rule;
                isFirst = false;
            }
        }
        isHidden |= isUnmatched && hidesIn(intent.text().scope());
        return new Verdict(effect, worst, List.copyOf(deciding), isHidden);
    }

    /** What no rule speaks of is hidden where some rule hides. */
    private boolean hidesIn(String scope) {
        return rules.stream()
                .map(Ready::rule)
                .anyMatch(rule -> rule.hides() && any(rule.scopes(), p -> Wildcards.matches(p, scope)));
    }

    /** Whether some query in the scope, now or as a route, would not be refused outright. */
    boolean maySearchIn(User user, String scope) {
        return Arrays.stream(Purpose.values()).anyMatch(purpose -> maySearchIn(user, scope, purpose));
    }

    private boolean maySearchIn(User user, String scope, Purpose purpose) {
        for (Ready ready : rules) {
            Rule rule = ready.rule();
            if (concerns(ready, user, scope, purpose)) {
                if (rule.effect() != Effect.REFUSE) {
                    return true;
                }
                if (rule.fields() == null && rule.values() == null && rule.epochsBack() == null) {
                    return false; // nothing reaches the rules behind it
                }
            }
        }
        return false;
    }

    private static boolean concerns(Ready ready, User user, String scope, Purpose purpose) {
        Rule rule = ready.rule();
        return any(rule.roles(), label -> Role.of(label).stream().anyMatch(user::is))
                && any(rule.scopes(), pattern -> Wildcards.matches(pattern, scope))
                && any(rule.purposes(), label -> label.equals(Rule.label(purpose)))
                && ready.policy().stream()
                        .allMatch(policy ->
                                user.attributes().filter(policy::isSatisfiedBy).isPresent());
    }

    private static boolean any(@Nullable List<String> allowed, Predicate<String> test) {
        return Stream.ofNullable(allowed).allMatch(list -> list.stream().anyMatch(test));
    }
}
