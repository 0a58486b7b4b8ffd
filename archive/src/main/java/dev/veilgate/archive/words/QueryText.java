package dev.veilgate.archive.words;

import dev.veilgate.sse.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts a typed query into terms, operators and brackets. */
final class QueryText {
    private static final Pattern FIELD = Pattern.compile("([\\p{L}_@][^\\s:\"*?]+):(?!//|:)(.*)", Pattern.DOTALL);

    private final String query;
    private final List<Part> parts = new ArrayList<>();
    private int at;
    private int open;

    /** A part of a query. */
    sealed interface Part {}

    /**
     * A term.
     *
     * @param field  that is searched
     * @param text   as it was typed, without the quotes
     * @param quoted whether it stood in quotes, where a star is none
     */
    record Term(String field, String text, boolean quoted) implements Part {
        @Override
        public String toString() {
            return "Term[hidden]";
        }
    }

    /** Operators and brackets. */
    enum Sign implements Part {
        AND,
        OR,
        NOT,
        OPEN,
        CLOSE
    }

    private QueryText(String query) {
        this.query = query;
    }

    /** @throws RefusedException if it is too long, or a quote or bracket has no other */
    static List<Part> parts(String query) throws RefusedException {
        if (query.length() > ArchiveQuery.MAX_CHARACTERS) {
            throw new RefusedException("a query has at most " + ArchiveQuery.MAX_CHARACTERS + " characters");
        }
        QueryText text = new QueryText(query);
        while (text.skipSpace()) {
            text.next();
        }
        if (text.open > 0) {
            throw new RefusedException("the query has a bracket without its end");
        }
        return text.parts;
    }

    private void next() throws RefusedException {
        char first = query.charAt(at);
        if (first == '(') {
            at++;
            open++;
            parts.add(Sign.OPEN);
        } else if (first == ')') {
            at++;
            close();
        } else if (first == '"') {
            parts.add(new Term(ArchiveWords.TEXT, quoted(), true));
        } else {
            unquoted();
        }
    }

    private void close() throws RefusedException {
        if (open == 0) {
            throw new RefusedException("the query has a bracket without its beginning");
        }
        open--;
        parts.add(Sign.CLOSE);
    }

    private void unquoted() throws RefusedException {
        int from = at;
        while (at < query.length() && !isSpace(query.charAt(at)) && query.charAt(at) != '"') {
            at++;
        }
        int closing = Math.min(open, unmatched(query.substring(from, at)));
        String term = query.substring(from, at - closing);
        switch (term) {
            case "AND" -> parts.add(Sign.AND);
            case "OR" -> parts.add(Sign.OR);
            case "NOT" -> parts.add(Sign.NOT);
            default -> {
                Matcher named = FIELD.matcher(term);
                String field = named.matches() ? ArchiveWords.field(named.group(1)) : ArchiveWords.TEXT;
                String text = named.matches() ? named.group(2) : term;
                boolean quote = text.isEmpty() && at < query.length() && query.charAt(at) == '"';
                if (field.isEmpty()) {
                    throw new RefusedException("no field has such a name");
                }
                parts.add(new Term(field, quote ? quoted() : text, quote));
            }
        }
        for (int i = 0; i < closing; i++) {
            close();
        }
    }

    /** Brackets at the end of a term that have no beginning in it, as {@code main()} has. */
    private static int unmatched(String term) {
        int end = term.length();
        while (end > 0 && term.charAt(end - 1) == ')') {
            end--;
        }
        int opened = (int) term.chars().filter(c -> c == '(').count()
                - (int) term.substring(0, end).chars().filter(c -> c == ')').count();
        return Math.max(0, term.length() - end - Math.max(0, opened));
    }

    private boolean skipSpace() {
        while (at < query.length() && isSpace(query.charAt(at))) {
            at++;
        }
        return at < query.length();
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private String quoted() throws RefusedException {
        int end = query.indexOf('"', at + 1);
        if (end < 0) {
            throw new RefusedException("the query has a quote without its end");
        }
        String text = query.substring(at + 1, end);
        at = end + 1;
        return text;
    }
}
