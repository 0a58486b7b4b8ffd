package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Expression.And;
import dev.veilgate.query.Expression.Not;
import dev.veilgate.query.Expression.Or;
import dev.veilgate.query.Expression.Term;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the text of a {@link KeywordQuery}.
 *
 * <pre>
 *   any  = all { "OR" all }        all = one { [ "AND" ] one }        one = { "NOT" } ( "(" any ")" / term )
 * </pre>
 */
final class QueryParser {
    private static final int MAX_OPEN = 8;
    private static final String ANCHOR =
            "needs something that is searched for beside NOT, in an AND: level:error AND NOT user:root";

    private final String query;
    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;
    private final Map<List<Keyword>, Term> terms = new LinkedHashMap<>();
    private int at;
    private int keywords;
    private int place;
    private int open;

    QueryParser(String query, ExtractorProfile profile, KeywordQuery.Fields own) {
        this.query = query;
        this.profile = profile;
        this.own = own;
    }

    KeywordQuery parse() throws MalformedQueryException {
        if (query.length() > KeywordQuery.MAX_CHARACTERS) {
            throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_CHARACTERS + " characters");
        }
        if (query.isBlank()) {
            throw new MalformedQueryException(0, "has no word, number, address or field:value");
        }
        Expression expression = any();
        if (next() == ')') {
            throw new MalformedQueryException(0, "has a ) without its (; text with parentheses goes into quotes")
                    .at(at);
        }
        if (expression instanceof Not) {
            throw new MalformedQueryException(0, ANCHOR);
        }
        try {
            return new KeywordQuery(List.copyOf(terms.keySet()), expression);
        } catch (IllegalArgumentException e) {
            throw new MalformedQueryException(0, "is too large or too deep");
        }
    }

    private Expression any() throws MalformedQueryException {
        Set<Expression> members = new LinkedHashSet<>();
        do {
            Expression member = all();
            members.addAll(member instanceof Or or ? or.of() : List.of(member));
        } while (operator("OR"));
        if (members.size() == 1) {
            return members.iterator().next();
        }
        if (members.stream().anyMatch(Not.class::isInstance)) {
            throw new MalformedQueryException(0, ANCHOR);
        }
        return new Or(List.copyOf(members));
    }

    private Expression all() throws MalformedQueryException {
        List<Expression> members = new ArrayList<>();
        do {
            members.add(one());
        } while (operator("AND") || next() != 0 && next() != ')' && !atOperator("OR"));
        return and(members);
    }

    private static Expression and(List<Expression> of) throws MalformedQueryException {
        Set<Expression> members = new LinkedHashSet<>();
        of.forEach(member -> members.addAll(member instanceof And and ? and.of() : List.of(member)));
        if (members.size() == 1) {
            return members.iterator().next();
        }
        if (members.stream().allMatch(Not.class::isInstance)) {
            throw new MalformedQueryException(0, ANCHOR);
        }
        return new And(List.copyOf(members));
    }

    private Expression one() throws MalformedQueryException {
        boolean negated = false;
        while (operator("NOT")) {
            negated = !negated;
        }
        Expression found = next() == '(' ? group() : term();
        if (!negated) {
            return found;
        }
        return found instanceof Not not ? not.of() : new Not(found);
    }

    private Expression group() throws MalformedQueryException {
        if (++open > MAX_OPEN) {
            throw new MalformedQueryException(0, "has more than " + MAX_OPEN + " parentheses within each other").at(at);
        }
        int from = at++;
        Expression found = any();
        if (next() != ')') {
            throw new MalformedQueryException(0, "has a ( without its ); text with parentheses goes into quotes")
                    .at(from);
        }
        at++;
        open--;
        return found;
    }

    private Expression term() throws MalformedQueryException {
        if (next() == 0 || next() == ')' || atOperator("AND") || atOperator("OR")) {
            throw new MalformedQueryException(
                            0,
                            "needs terms on both sides of AND and OR, behind NOT and in parentheses; as words they go into quotes")
                    .at(at);
        }
        QueryTerm term = new QueryTerm(profile, own, ++place);
        int from = at;
        try {
            read(term);
        } catch (MalformedQueryException e) {
            throw e.at(from);
        }
        List<Expression> members = new ArrayList<>();
        for (List<Keyword> anyOf : term.allOf()) {
            Term member = terms.get(anyOf);
            if (member == null) {
                keywords += anyOf.size();
                if (keywords > KeywordQuery.MAX_KEYWORDS) {
                    throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_KEYWORDS + " keywords");
                }
                member = new Term(terms.size());
                terms.put(anyOf, member);
            }
            members.add(member);
        }
        return and(members);
    }

    private void read(QueryTerm term) throws MalformedQueryException {
        if (query.charAt(at) == '"') {
            term.bare(quoted());
            return;
        }
        String text = unquoted();
        String name = QueryTerm.fieldOf(text);
        if (name == null) {
            term.bareOrPrefix(text);
        } else if (text.length() == name.length() + 1 && at < query.length() && query.charAt(at) == '"') {
            term.field(name, quoted());
        } else {
            term.field(name, text.substring(name.length() + 1));
        }
    }

    /** Up to white space, a quote, or a parenthesis that does not belong to it. */
    private String unquoted() {
        int from = at;
        int inside = 0;
        for (; at < query.length(); at++) {
            char c = query.charAt(at);
            inside += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (Character.isWhitespace(c) || c == '"' || inside < 0) {
                break;
            }
        }
        return query.substring(from, at);
    }

    private String quoted() throws MalformedQueryException {
        StringBuilder out = new StringBuilder();
        for (at++; at < query.length(); at++) {
            char c = query.charAt(at);
            if (c == '"') {
                at++;
                return out.toString();
            }
            boolean escape = c == '\\' && at + 1 < query.length() && "\"\\".indexOf(query.charAt(at + 1)) >= 0;
            out.append(escape ? query.charAt(++at) : c);
        }
        throw new MalformedQueryException(place, "has a quote without its end");
    }

    /** The next character that is not white space; 0 at the end. */
    private char next() {
        while (at < query.length() && Character.isWhitespace(query.charAt(at))) {
            at++;
        }
        return at < query.length() ? query.charAt(at) : 0;
    }

    private boolean operator(String name) {
        boolean there = atOperator(name);
        at += there ? name.length() : 0;
        return there;
    }

    private boolean atOperator(String name) {
        next();
        int end = at + name.length();
        return query.startsWith(name, at)
                && (end == query.length()
                        || Character.isWhitespace(query.charAt(end))
                        || "()\"".indexOf(query.charAt(end)) >= 0);
    }
}
