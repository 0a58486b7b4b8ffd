package dev.veilgate.cli;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a search scanned, and what the gateway learned from it: everything that it was given or could see, which are not the words. */
final class Explanation {
    private static final int SHOWN = 20;

    private final SearchRequest request;
    private final List<String> envelopes = new ArrayList<>();
    private SearchEvent.@Nullable End end;
    private long hits;

    Explanation(SearchRequest request) {
        this.request = request;
    }

    void hit(SearchEvent.Hit hit) {
        hits++;
        if (envelopes.size() < SHOWN) {
            envelopes.add(hit.envelope() + " (" + hit.records().size()
                    + (hit.detached() ? " mail)" : hit.records().size() == 1 ? " record)" : " records)"));
        }
    }

    void ended(SearchEvent.End at) {
        end = at;
    }

    /** @param marked records that did not contain what they were found by */
    void print(PrintStream out, long marked) {
        SearchEvent.End at = end;
        if (at != null) {
            SearchEvent.Progress done = at.progress();
            out.printf(
                    "scanned: %,d of %,d envelopes in %,d ms; %,d blocks tested, %,d remembered from earlier searches%n",
                    done.envelopesDone(), done.envelopes(), at.millis(), done.blocksTested(), done.blocksRemembered());
            out.printf(
                    "found: %,d envelopes, %,d records; %,d were marked here%n", done.hits(), done.records(), marked);
        }
        out.println("the gateway learned:");
        out.println("  form:      " + text(request.expression(), true));
        for (int i = 0; i < request.terms().size(); i++) {
            List<ScopedTrapdoor> term = request.terms().get(i);
            out.printf("  term %-5s %,d trapdoors%n", (i + 1) + ":", term.size());
        }
        out.println("  scopes:    " + all(ScopedTrapdoor::scope));
        out.println("  epochs:    " + all(ScopedTrapdoor::epoch));
        out.println("  keys:      " + all(trapdoor -> trapdoor.keyId().toString()));
        out.println("  filter:    " + text(request.filter()));
        out.println("  grant:     "
                + request.grant()
                        .map(grant -> "of " + Printable.of(grant.holder()) + " until " + grant.expires())
                        .orElse("none"));
        out.println("  envelopes: " + (envelopes.isEmpty() ? "none" : String.join("\n             ", envelopes)));
        if (hits > envelopes.size()) {
            out.printf("             and %,d more%n", hits - envelopes.size());
        }
        out.println("it did not learn the words; who holds a trapdoor can test guesses of them");
    }

    private String all(Function<ScopedTrapdoor, String> part) {
        TreeSet<String> names = new TreeSet<>();
        request.terms().forEach(term -> term.forEach(trapdoor -> names.add(part.apply(trapdoor))));
        return names.stream().map(Printable::of).collect(Collectors.joining(", "));
    }

    private static String text(Filter filter) {
        if (filter.equals(Filter.NONE)) {
            return "none";
        }
        List<String> parts = new ArrayList<>();
        filter.from().ifPresent(from -> parts.add("from " + from));
        filter.to().ifPresent(to -> parts.add("before " + to));
        Optional.of(new TreeSet<>(filter.senders()))
                .filter(senders -> !senders.isEmpty())
                .ifPresent(senders -> parts.add("senders " + Printable.of(String.join(", ", senders))));
        return String.join(", ", parts);
    }

    /** Terms by their numbers. */
    static String text(Expression expression, boolean outermost) {
        return switch (expression) {
            case Expression.Term term -> String.valueOf(term.index() + 1);
            case Expression.Not not -> "NOT " + text(not.of(), false);
            case Expression.And and -> joined(and.of(), " AND ", outermost);
            case Expression.Or or -> joined(or.of(), " OR ", outermost);
        };
    }

    private static String joined(List<Expression> members, String operator, boolean outermost) {
        String text = members.stream().map(member -> text(member, false)).collect(Collectors.joining(operator));
        return outermost ? text : "(" + text + ")";
    }
}
