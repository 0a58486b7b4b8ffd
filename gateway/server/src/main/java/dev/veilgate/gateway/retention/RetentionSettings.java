package dev.veilgate.gateway.retention;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long envelopes are kept, by the time of their arrival. What no rule speaks of is kept for good.
 *
 * @param every how often what is too old is looked for
 * @param rules of tenants and scopes
 */
@ConfigurationProperties("veilgate.retention")
public record RetentionSettings(
        @DefaultValue("1h") Duration every, @DefaultValue List<Rule> rules) {
    /**
     * A rule. An envelope of several scopes is kept as long as the longest says.
     *
     * @param tenant its name
     * @param scope  of index blocks; without it the rule is for all scopes of the tenant that have none, and for envelopes without an index
     * @param days   that an envelope is kept, from 1
     */
    public record Rule(String tenant, @Nullable String scope, int days) {
        /** @throws IllegalArgumentException naming the key */
        @SuppressWarnings("ConstantValue")
        public Rule {
            check(tenant != null && !tenant.isEmpty(), "rules[].tenant is missing");
            check(days >= 1, "rules[].days must be at least 1");
        }
    }

    /** @throws IllegalArgumentException naming the key */
    public RetentionSettings {
        rules = List.copyOf(rules);
        check(every.toSeconds() >= 1, "every must be at least 1s");
        Set<List<Optional<String>>> different = new HashSet<>();
        for (Rule rule : rules) {
            check(
                    different.add(List.of(Optional.of(rule.tenant), Optional.ofNullable(rule.scope))),
                    "rules[] has two for the same tenant and scope");
        }
    }

    /** Days that envelopes of a scope are kept; none: for good. */
    OptionalInt days(String tenant, String scope) {
        OptionalInt others = OptionalInt.empty();
        for (Rule rule : rules) {
            if (rule.tenant.equals(tenant)) {
                if (scope.equals(rule.scope)) {
                    return OptionalInt.of(rule.days);
                }
                if (rule.scope == null) {
                    others = OptionalInt.of(rule.days);
                }
            }
        }
        return others;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("veilgate.retention." + message);
        }
    }
}
