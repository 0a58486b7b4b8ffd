package dev.veilgate.console.rules;

import dev.veilgate.console.rules.Rule.InvalidRuleException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * All rules, in their order.
 *
 * @param version of what was read; one more with every change
 */
record Rules(long version, List<Rule> rules) {
    static final int MAX = 200;

    /** @throws InvalidRuleException if there are too many, or two of a name */
    @SuppressWarnings("ConstantValue") // a body may leave out anything
    Rules {
        if (rules == null || rules.size() > MAX || rules.stream().anyMatch(Objects::isNull)) {
            throw new InvalidRuleException("rules are a list of at most " + MAX);
        }
        Set<String> names = new HashSet<>();
        for (Rule rule : rules) {
            if (!names.add(rule.name())) {
                throw new InvalidRuleException("two rules have the name \"" + rule.name() + "\"");
            }
        }
        rules = List.copyOf(rules);
    }
}
