package dev.veilgate.console.query;

import dev.veilgate.extract.QueryMeaning;
import dev.veilgate.extract.ReadQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How a query is understood; of the interface. Shows the query: for who typed it and who approves it.
 *
 * @param terms in the order in which one reads, with what joins them
 * @param notes sentences
 */
public record QueryTerms(List<Term> terms, List<String> notes) {
    /**
     * A term, or what stands between terms.
     *
     * @param kind  term, operator, bracket, or more: how many terms are not shown
     * @param field of a term; {@code word} for text without a field
     * @param text  its value; of others the operator, parenthesis or number
     */
    public record Term(String kind, String field, String text) {
        private static Term of(QueryMeaning.Part part) {
            return new Term(part.kind().name().toLowerCase(Locale.ROOT), part.field(), part.text());
        }

        @Override
        public String toString() {
            return "Term[hidden]";
        }
    }

    /** The terms and notes to be shown for a query that was understood. */
    public static QueryTerms of(ReadQuery read) {
        return new QueryTerms(read.meaning().stream().map(Term::of).toList(), read.notes());
    }

    /** The same, with what may be a mistake among the notes: for who decides of a query and cannot change it. */
    public static QueryTerms withWarnings(ReadQuery read) {
        List<String> notes = new ArrayList<>(read.notes());
        read.warnings()
                .forEach(warning -> notes.add(
                        "Perhaps a mistake, at character " + (warning.at() + 1) + ": " + warning.message() + "."));
        return new QueryTerms(of(read).terms(), notes);
    }

    @Override
    public String toString() {
        return "QueryTerms[hidden]";
    }
}
