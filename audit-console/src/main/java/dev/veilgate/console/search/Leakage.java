package dev.veilgate.console.search;

import dev.veilgate.console.query.Intent;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a gateway learns of a search, in sentences. */
final class Leakage {
    /** Of a search that ended before its trapdoors were complete. */
    static final List<String> ASKED_NOTHING = List.of("It learned nothing: the search ended before it was asked.");

    private Leakage() {}

    static List<String> of(Intent intent, int trapdoors) {
        List<String> learned = new ArrayList<>();
        learned.add("It gets " + count(trapdoors, "trapdoor") + " for "
                + count(intent.query().terms().size(), "term") + ", and how they are joined ("
                + form(intent.query().expression()) + "). It does not get the words.");
        learned.add(
                "It gets a signed grant for them, with their place in the issuing log: a number, and not who searches.");
        learned.add("They work in the scope " + intent.text().scope() + " and in " + epochs(intent.epochs())
                + ", on what is there and on what comes until they are forgotten.");
        learned.add(
                "It sees which messages each trapdoor finds, and so which messages share a word, and how frequent the word is.");
        learned.add("The same word gives the same trapdoor again: it sees that a search is repeated, by whomever.");
        Filter asked = intent.asked();
        if (!asked.equals(Filter.NONE)) {
            learned.add(
                    "It sees the time of reading and the senders that it is asked for: " + filter(asked) + "."
                            + (asked.to().isEmpty()
                                    ? ""
                                    : " That is 31 days longer than what you asked for, since it may have been read and sealed so late."));
        }
        learned.add("It sees which of the messages are fetched afterwards, their sizes, and when.");
        if (intent.query().keywords().stream()
                .anyMatch(keyword -> Set.of("level", "facility").contains(keyword.field()))) {
            learned.add("A field with few values, such as level, is easy to guess from how often each occurs.");
        }
        return List.copyOf(learned);
    }

    private static String count(int number, String noun) {
        return number == 1 ? "one " + noun : number + " " + noun + "s";
    }

    private static String epochs(List<String> epochs) {
        return epochs.size() == 1
                ? "the epoch " + epochs.getFirst()
                : "the " + epochs.size() + " epochs from " + epochs.getFirst() + " to " + epochs.getLast();
    }

    private static String filter(Filter filter) {
        List<String> parts = new ArrayList<>();
        filter.from().ifPresent(from -> parts.add("from " + from));
        filter.to().ifPresent(to -> parts.add("before " + to));
        if (!filter.senders().isEmpty()) {
            parts.add(String.join(", ", filter.senders()));
        }
        return String.join(", ", parts);
    }

    private static String form(Expression expression) {
        return switch (expression) {
            case Expression.Term term -> String.valueOf(term.index() + 1);
            case Expression.Not not -> "NOT " + nested(not.of());
            case Expression.And and ->
                String.join(" AND ", and.of().stream().map(Leakage::nested).toList());
            case Expression.Or or ->
                String.join(" OR ", or.of().stream().map(Leakage::nested).toList());
        };
    }

    private static String nested(Expression expression) {
        boolean isSimple = expression instanceof Expression.Term || expression instanceof Expression.Not;
        return isSimple ? form(expression) : "(" + form(expression) + ")";
    }
}
