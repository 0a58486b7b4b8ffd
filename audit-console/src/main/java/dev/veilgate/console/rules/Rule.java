package dev.veilgate.console.rules;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.query.Intent.Purpose;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One rule, as the interface has it. What is not there is no condition.
 *
 * @param name          unique
 * @param effect        what follows if it matches
 * @param roles         one of these
 * @param attributes    a policy over the user's attributes
 * @param scopes        patterns of names
 * @param fields        patterns of a keyword's field; {@code word} for text without one
 * @param values        patterns of a keyword's value
 * @param purposes      what the trapdoors are for
 * @param epochsBack    how many epochs before the present one
 * @param perHour       how many searches a user may start by it in an hour; beyond, it refuses
 * @param approvalHours how long an approval holds
 * @param hideKeywords  whether the log has keywords sealed only
 */
record Rule(
        String name,
        Effect effect,
        @Nullable List<String> roles,
        @Nullable String attributes,
        @Nullable List<String> scopes,
        @Nullable List<String> fields,
        @Nullable List<String> values,
        @Nullable List<String> purposes,
        @Nullable Integer epochsBack,
        @Nullable Integer perHour,
        @Nullable Integer approvalHours,
        @Nullable Boolean hideKeywords) {
    static final int DEFAULT_APPROVAL_HOURS = 24;
    static final int MAX_EPOCHS_BACK = 1000;

    private static final int MAX_NAME = 100;
    private static final int MAX_PATTERNS = 200;
    private static final int MAX_PATTERN = 255;
    private static final int MAX_POLICY = 8192;
    private static final int MAX_PER_HOUR = 1_000_000;
    private static final int MAX_APPROVAL_HOURS = 720;

    /** What follows from a match. */
    enum Effect {
        ALLOW,
        APPROVE,
        REFUSE;

        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws InvalidRuleException naming rule and property */
    @SuppressWarnings("ConstantValue") // a body may leave out anything
    Rule {
        if (name == null
                || name.isBlank()
                || name.length() > MAX_NAME
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidRuleException("a rule needs a name of 1 to " + MAX_NAME + " characters");
        }
        if (effect == null) {
            throw wrong(name, "effect", "is allow, approve or refuse");
        }
        roles = checked(
                name, "roles", roles, role -> Role.of(role).isPresent(), "are auditor, approver, keeper, operator");
        scopes = checked(name, "scopes", scopes, Rule::isPattern, "are patterns of 1 to 255 characters");
        fields = checked(name, "fields", fields, Rule::isPattern, "are patterns of 1 to 255 characters");
        values = checked(name, "values", values, Rule::isPattern, "are patterns of 1 to 255 characters");
        purposes = checked(name, "purposes", purposes, Rule::isPurpose, "are search and route");
        if (attributes != null) {
            attributes = attributes.isBlank() ? null : policyText(name, attributes);
        }
        requireRange(name, "epochsBack", epochsBack, 0, MAX_EPOCHS_BACK);
        requireRange(name, "perHour", perHour, 1, MAX_PER_HOUR);
        requireRange(name, "approvalHours", approvalHours, 1, MAX_APPROVAL_HOURS);
    }

    private static @Nullable List<String> checked(
            String name, String property, @Nullable List<String> list, Predicate<String> allowed, String what) {
        if (list == null || list.isEmpty()) {
            return null;
        }
        if (list.size() > MAX_PATTERNS || !list.stream().allMatch(item -> item != null && allowed.test(item))) {
            throw wrong(name, property, what + ", at most " + MAX_PATTERNS);
        }
        return List.copyOf(list);
    }

    private static boolean isPattern(String pattern) {
        return !pattern.isBlank() && pattern.length() <= MAX_PATTERN;
    }

    private static boolean isPurpose(String label) {
        return Arrays.stream(Purpose.values())
                .anyMatch(purpose -> label(purpose).equals(label));
    }

    private static String policyText(String name, String text) {
        if (text.length() > MAX_POLICY) {
            throw wrong(name, "attributes", "has at most " + MAX_POLICY + " characters");
        }
        try {
            Policy.parse(text);
            return text;
        } catch (PolicySyntaxException e) {
            throw wrong(
                    name,
                    "attributes",
                    "is a policy such as role:dpo OR (role:auditor AND site:plant-7): " + e.getMessage());
        }
    }

    private static void requireRange(String name, String property, @Nullable Integer value, int from, int to) {
        if (value != null && (value < from || value > to)) {
            throw wrong(name, property, "is " + from + " to " + to);
        }
    }

    private static InvalidRuleException wrong(String name, String property, String what) {
        return new InvalidRuleException("rule \"" + name + "\": " + property + " " + what);
    }

    static String label(Purpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT);
    }

    /** Whether the log has keywords sealed only. */
    boolean hides() {
        return Boolean.TRUE.equals(hideKeywords);
    }

    /** How long an approval holds. */
    int hours() {
        return approvalHours == null ? DEFAULT_APPROVAL_HOURS : approvalHours;
    }

    /** A rule that cannot be; the message names it. */
    static final class InvalidRuleException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        InvalidRuleException(String message) {
            super(message);
        }
    }
}
