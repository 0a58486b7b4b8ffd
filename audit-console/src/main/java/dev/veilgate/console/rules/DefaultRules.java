package dev.veilgate.console.rules;

import dev.veilgate.console.identity.Role;
import dev.veilgate.console.rules.Rule.Effect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a new installation; a keeper replaces them. In words: auditors whom attributes name may look for mail that says that it is urgent; everything else in mailboxes takes a second person, and
 * nobody else looks there at all. In logs, what names a person takes a second person, the rest is free to auditors. Operators install routes of logs and of urgent mail; other routes of
 * mail, and all that auditors make of their searches, take a second person.
 */
final class DefaultRules {
    private static final List<String> MAILBOXES = List.of("mailbox-*");
    private static final List<String> PERSONS = List.of(
            "user",
            "*user",
            "user.*",
            "*username",
            "user_name",
            "uid",
            "login",
            "account",
            "from",
            "to",
            "cc",
            "mail",
            "email",
            "*.email");
    private static final String NAMED = "role:auditor OR role:dpo";
    private static final int PER_HOUR = 1000;
    private static final int HOURS = 24;

    private DefaultRules() {}

    static List<Rule> rules() {
        List<String> words = List.of("word", "subject");
        List<String> urgent = List.of("urgent");
        return List.of(
                search("urgent mail", Effect.ALLOW, NAMED, MAILBOXES, words, urgent, null, true),
                search("other mail", Effect.APPROVE, NAMED, MAILBOXES, null, null, null, true),
                search("mailboxes", Effect.REFUSE, null, MAILBOXES, null, null, null, true),
                search("persons", Effect.APPROVE, null, null, PERSONS, null, null, true),
                search("logs", Effect.ALLOW, null, null, null, null, PER_HOUR, false),
                route("routes of urgent mail", Effect.ALLOW, Role.OPERATOR, null, MAILBOXES, words, urgent, true),
                route("routes of other mail", Effect.APPROVE, Role.OPERATOR, null, MAILBOXES, null, null, true),
                route("routes", Effect.ALLOW, Role.OPERATOR, null, null, null, null, false),
                route("routes of auditors", Effect.APPROVE, Role.AUDITOR, NAMED, null, null, null, true));
    }

    private static Rule search(
            String name,
            Effect effect,
            @Nullable String attributes,
            @Nullable List<String> scopes,
            @Nullable List<String> fields,
            @Nullable List<String> values,
            @Nullable Integer perHour,
            boolean hideKeywords) {
        return new Rule(
                name,
                effect,
                List.of(Role.AUDITOR.label()),
                attributes,
                scopes,
                fields,
                values,
                List.of("search"),
                null,
                perHour,
                effect == Effect.APPROVE ? HOURS : null,
                hideKeywords ? true : null);
    }

    /** A standing route is a search that goes on: who may not look for a word alone may not have it looked for alone, either. */
    private static Rule route(
            String name,
            Effect effect,
            Role role,
            @Nullable String attributes,
            @Nullable List<String> scopes,
            @Nullable List<String> fields,
            @Nullable List<String> values,
            boolean hideKeywords) {
        return new Rule(
                name,
                effect,
                List.of(role.label()),
                attributes,
                scopes,
                fields,
                values,
                List.of("route"),
                null,
                null,
                effect == Effect.APPROVE ? HOURS : null,
                hideKeywords ? true : null);
    }
}
