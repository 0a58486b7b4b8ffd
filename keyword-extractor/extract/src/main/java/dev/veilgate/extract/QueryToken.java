package dev.veilgate.extract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A piece of a query's text, cut where {@link QueryParser} cuts.
 *
 * @param from its first character in the query
 * @param to   behind its last
 * @param text of the query, with its quotes
 */
record QueryToken(Kind kind, int from, int to, String text) {
    /** What the grammar makes of it. */
    enum Kind {
        TERM,
        QUOTED,
        OPERATOR,
        OPEN,
        CLOSE
    }

    /** Signs of other products that leave out what is in parentheses right behind them. */
    private static final List<String> SIGNS =
            List.of("-", "!", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212");

    private static final List<String> OPERATORS = List.of("AND", "OR", "NOT");

    /** All pieces in order. A quote without its end goes to the end of the query. */
    static List<QueryToken> of(String query) {
        List<QueryToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < query.length()) {
            char c = query.charAt(at);
            if (isSpace(c)) {
                at++;
                continue;
            }
            Kind kind = kindAt(query, at);
            int end = switch (kind) {
                case OPEN, CLOSE -> at + 1;
                case QUOTED -> endOfQuoted(query, at);
                case OPERATOR -> at + operatorAt(query, at).length();
                case TERM -> endOfTerm(query, at);
            };
            tokens.add(new QueryToken(kind, at, end, query.substring(at, end)));
            at = end;
        }
        return tokens;
    }

    /** Tells of each token if records that have it are left out: NOT is before it, or before a group that it is in. */
    static boolean[] leftOut(List<QueryToken> tokens) {
        boolean[] under = new boolean[tokens.size()];
        Deque<Boolean> groups = new ArrayDeque<>(List.of(false));
        boolean not = false;
        for (int i = 0; i < under.length; i++) {
            QueryToken token = tokens.get(i);
            boolean opens = token.opensWhatIsLeftOut();
            under[i] = groups.getLast() ^ not ^ opens;
            for (int open = opens ? token.openAtEnd() : 0; open > 0; open--) {
                groups.addLast(under[i]);
            }
            switch (token.kind()) {
                case OPEN -> groups.addLast(under[i]);
                case CLOSE -> {
                    if (groups.size() > 1) {
                        groups.removeLast();
                    }
                }
                default -> {}
            }
            not = token.isNot() && !not;
        }
        return under;
    }

    /** Tells if it leaves out what is behind it, or would if it were written in capital letters. */
    private boolean isNot() {
        return (kind == Kind.OPERATOR || kind == Kind.TERM) && text.equalsIgnoreCase("NOT");
    }

    /** Tells if it is a sign and a parenthesis, {@code -(user:root}, as other products leave out a group. */
    private boolean opensWhatIsLeftOut() {
        return kind == Kind.TERM && text.startsWith("(", 1) && SIGNS.contains(text.substring(0, 1));
    }

    private int openAtEnd() {
        return text.chars().map(c -> c == '(' ? 1 : c == ')' ? -1 : 0).sum();
    }

    private static Kind kindAt(String query, int at) {
        return switch (query.charAt(at)) {
            case '(' -> Kind.OPEN;
            case ')' -> Kind.CLOSE;
            case '"' -> Kind.QUOTED;
            default -> operatorAt(query, at).isEmpty() ? Kind.TERM : Kind.OPERATOR;
        };
    }

    private static String operatorAt(String query, int at) {
        return OPERATORS.stream()
                .filter(name -> isOperatorAt(query, at, name))
                .findFirst()
                .orElse("");
    }

    static boolean isOperatorAt(String query, int at, String name) {
        int end = at + name.length();
        return query.startsWith(name, at)
                && (end == query.length() || isSpace(query.charAt(end)) || "()\"".indexOf(query.charAt(end)) >= 0);
    }

    /** White space, also of the kinds that do not break lines: they come with text that was copied. */
    static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    /** Where text without quotes ends: at white space, a quote, or a parenthesis that does not belong to it. */
    static int endOfTerm(String query, int from) {
        int inside = 0;
        int at = from;
        for (; at < query.length(); at++) {
            char c = query.charAt(at);
            inside += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (isSpace(c) || c == '"' || inside < 0) {
                break;
            }
        }
        return at;
    }

    /** Behind the quote that ends what begins with one; the end of the query if none does. */
    static int endOfQuoted(String query, int from) {
        for (int at = from + 1; at < query.length(); at++) {
            char c = query.charAt(at);
            if (c == '"') {
                return at + 1;
            }
            at += c == '\\' && at + 1 < query.length() && "\"\\".indexOf(query.charAt(at + 1)) >= 0 ? 1 : 0;
        }
        return query.length();
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /** A text in quotes, as it is. */
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
