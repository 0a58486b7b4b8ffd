package dev.veilgate.extract;

import java.io.Serial;
import java.util.List;
import java.util.OptionalInt;

/** A query cannot be understood or asks for what the profile does not index. The message never repeats the query; the suggestions do. */
public final class MalformedQueryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private transient OptionalInt at = OptionalInt.empty();
    private transient List<String> suggestions = List.of();
    private transient String field = "";

    /**
     * @param term what is wrong, by its place: 1 for the first term; 0 for the whole query
     * @param why  what is allowed
     */
    MalformedQueryException(int term, String why) {
        super(term == 0 ? "the query " + why : "term " + term + " of the query " + why);
    }

    /** The same, at a character of the query, unless it says so already. */
    MalformedQueryException at(int character) {
        if (at.isEmpty()) {
            at = OptionalInt.of(character);
        }
        return this;
    }

    /** The same, with the field that belongs in the place of the one that the term names. */
    MalformedQueryException meaning(String name) {
        field = name;
        return this;
    }

    /** The field that belongs in the place of the one that the term names; empty if none is known. */
    String meant() {
        return field;
    }

    /** The same, with queries that may have been meant. */
    MalformedQueryException suggesting(List<String> queries) {
        suggestions = List.copyOf(queries);
        return this;
    }

    /** Where the term begins that cannot be understood, or the parenthesis or operator; from 0, empty for the query as a whole. */
    public OptionalInt at() {
        return at;
    }

    /**
     * What may have been meant: whole queries, the likeliest first, each of which can be read. They consist of the words of the query: for who typed it, never for a log.
     */
    public List<String> suggestions() {
        return suggestions;
    }
}
