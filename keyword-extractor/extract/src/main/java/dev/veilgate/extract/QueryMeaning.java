package dev.veilgate.extract;

import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Shows what a query asks for: read off the expression that is searched, not off the text. */
public final class QueryMeaning {
    private static final int MOST_TERMS = 60;
    private static final int MOST_VALUES = 5;

    /** What a part is. */
    public enum Kind {
        /** A field and a value. */
        TERM,
        /** AND, OR or NOT. */
        OPERATOR,
        /** A parenthesis. */
        BRACKET,
        /** How many terms are not shown. */
        MORE
    }

    /**
     * A piece of what is shown.
     *
     * @param field of a term, else empty; {@code word} for words of the text
     * @param text  the value; of others the operator, parenthesis or number
     */
    public record Part(Kind kind, String field, String text) {}

    private final KeywordQuery query;
    private final ExtractorProfile profile;
    private final List<Part> parts = new ArrayList<>();
    private final Set<Integer> hidden = new LinkedHashSet<>();
    private int terms;

    private QueryMeaning(KeywordQuery query, ExtractorProfile profile) {
        this.query = query;
        this.profile = profile;
    }

    /** In the order in which one reads; of very many terms the first. */
    static List<Part> of(KeywordQuery query, ExtractorProfile profile) {
        QueryMeaning meaning = new QueryMeaning(query, profile);
        meaning.add(query.expression(), false);
        if (!meaning.hidden.isEmpty()) {
            meaning.parts.add(new Part(Kind.MORE, "", String.valueOf(meaning.hidden.size())));
        }
        return meaning.parts;
    }

    private void add(Expression expression, boolean inner) {
        switch (expression) {
            case Expression.Term term -> add(term.index());
            case Expression.Not not -> {
                operator("NOT");
                add(not.of(), true);
            }
            case Expression.And and -> add(and.of(), "AND", inner);
            case Expression.Or or -> add(or.of(), "OR", inner);
        }
    }

    private void add(List<Expression> members, String operator, boolean inner) {
        boolean brackets = inner && !isFull();
        bracket(brackets, "(");
        for (int i = 0; i < members.size(); i++) {
            if (i > 0) {
                operator(operator);
            }
            add(members.get(i), true);
        }
        bracket(brackets, ")");
    }

    private boolean isFull() {
        return terms >= MOST_TERMS;
    }

    private void bracket(boolean there, String text) {
        if (there) {
            parts.add(new Part(Kind.BRACKET, "", text));
        }
    }

    private void operator(String name) {
        if (!isFull()) {
            parts.add(new Part(Kind.OPERATOR, "", name));
        }
    }

    private void add(int term) {
        if (isFull()) {
            hidden.add(term);
            return;
        }
        terms++;
        parts.add(shown(query.terms().get(term)));
    }

    private Part shown(List<Keyword> anyOf) {
        Keyword first = anyOf.getFirst();
        if (first.isInterval()) {
            return profile.numericField(first.field())
                    .map(field -> new Part(Kind.TERM, first.field(), range(field, anyOf)))
                    .orElseThrow(); // intervals are of fields of the profile
        }
        String fields = anyOf.stream().map(Keyword::field).distinct().collect(Collectors.joining(" or "));
        List<String> values = anyOf.stream().map(Keyword::value).distinct().toList();
        String shown = values.stream().limit(MOST_VALUES).collect(Collectors.joining(" or "));
        int more = values.size() - MOST_VALUES;
        return new Part(Kind.TERM, fields, more > 0 ? shown + " or " + more + " more" : shown);
    }

    /** Intervals of one term are next to each other. */
    private static String range(DyadicIntervals field, List<Keyword> intervals) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Keyword interval : intervals) {
            long from = field.origin() + (Long.parseLong(interval.value()) << interval.level());
            first = Math.min(first, from);
            last = Math.max(last, from + (1L << interval.level()) - 1);
        }
        return first == last ? Long.toString(first) : first + ".." + last;
    }
}
