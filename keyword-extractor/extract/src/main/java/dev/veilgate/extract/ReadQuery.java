package dev.veilgate.extract;

import java.util.List;

/**
 * A query as it is understood, with what its author may want to know. For who typed it and who approves it, never for a log.
 *
 * @param query    what is searched
 * @param meaning  the same in order, to be shown
 * @param notes    sentences: what of the text is not searched, or not as it stands there
 * @param warnings what may be a mistake
 */
public record ReadQuery(
        KeywordQuery query, List<QueryMeaning.Part> meaning, List<String> notes, List<Warning> warnings) {
    /**
     * Something that is searched as it stands and was probably meant otherwise.
     *
     * @param message never repeats the query
     * @param at      where, a character of the query from 0
     * @param instead the whole query as it may have been meant; it may be read
     */
    public record Warning(String message, int at, List<String> instead) {
        /** Copies. */
        public Warning {
            instead = List.copyOf(instead);
        }
    }

    /** Copies. */
    public ReadQuery {
        meaning = List.copyOf(meaning);
        notes = List.copyOf(notes);
        warnings = List.copyOf(warnings);
    }

    /**
     * Text of the meaning on one line: {@code word:disk AND (level:error OR level:warn)}. For what keeps how a query was
     * understood; it is no query.
     */
    public String reading() {
        StringBuilder text = new StringBuilder();
        for (QueryMeaning.Part part : meaning) {
            switch (part.kind()) {
                case TERM -> text.append(part.field()).append(':').append(part.text());
                case OPERATOR -> text.append(part.text().equals("NOT") ? "NOT " : " " + part.text() + " ");
                case BRACKET -> text.append(part.text());
                case MORE -> text.append(" and ").append(part.text()).append(" more");
            }
        }
        return text.toString();
    }

    /** Says nothing of the query. */
    @Override
    public String toString() {
        return "ReadQuery[hidden]";
    }
}
