package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Expression.And;
import dev.veilgate.query.Expression.Not;
import dev.veilgate.query.Expression.Or;
import dev.veilgate.query.Expression.Term;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the text of a {@link KeywordQuery}.
 *
 * <pre>
 *   any  = all { "OR" all }        all = one { [ "AND" ] one }        one = { "NOT" } ( "(" any ")" / term )
 * </pre>
 */
final class QueryParser {
    static final int MAX_OPEN = 8;

    private static final int MOST_LEFT_OUT = 20;
    /** Characters of a query up to which others are suggested for it. */
    private static final int MOST_SUGGESTED_FOR = 2048;

    private static final String UNSUGGESTED =
            "Nothing is suggested, as the query has more than " + MOST_SUGGESTED_FOR + " characters.";
    private static final String ANCHOR =
            "needs something that is searched for beside NOT, in an AND: level:error AND NOT user:root";

    private final String query;
    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;
    private final QuerySlips slips;
    private final Map<List<Keyword>, Term> terms = new LinkedHashMap<>();
    private int at;
    private int keywords;
    private int place;
    private int open;
    private final Set<Integer> leftOut = new LinkedHashSet<>();
    private boolean cutUp;
    private boolean isBehindAnd;
    private boolean byWords;
    private boolean isLeftOut;
    private String lastField = "";

    QueryParser(String query, ExtractorProfile profile, KeywordQuery.Fields own) {
        this.query = query;
        this.profile = profile;
        this.own = own;
        this.slips = new QuerySlips(query, profile, own);
    }

    /** As {@link #parse}; what cannot be read comes with suggestions. */
    ReadQuery read() throws MalformedQueryException {
        try {
            KeywordQuery parsed = parse();
            List<String> notes = notes();
            if (!slips.isEmpty() && !isSuggestedFor()) {
                notes.add(UNSUGGESTED);
            }
            return new ReadQuery(parsed, QueryMeaning.of(parsed, profile), notes, slips.warnings(isSuggestedFor()));
        } catch (MalformedQueryException e) {
            throw isSuggestedFor() ? e.suggesting(suggestions(e)) : e;
        }
    }

    private List<String> suggestions(MalformedQueryException e) {
        QueryRepair repair = new QueryRepair(profile, own);
        if (e.meant().isEmpty()) {
            return repair.of(query);
        }
        int at = e.at().orElseThrow();
        String renamed = query.substring(0, at) + e.meant() + query.substring(query.indexOf(':', at));
        return repair.isRead(renamed) ? List.of(renamed) : List.of();
    }

    /** Each suggestion is read, which for the longest queries would take ten times as long as the query itself. */
    private boolean isSuggestedFor() {
        return query.length() <= MOST_SUGGESTED_FOR;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (byWords) {
            notes.add("A value of more than "
                    + profile.limits().fieldValueBytes()
                    + " bytes is searched by its words, in whatever field of a record they are.");
        }
        if (cutUp) {
            notes.add("A term of several words is searched word by word, in any order.");
        }
        if (!leftOut.isEmpty()) {
            notes.add(leftOut.stream()
                    .limit(MOST_LEFT_OUT)
                    .map(QueryParser::visible)
                    .collect(Collectors.joining(" ", "Left out, as no keyword has it: ", ".")));
        }
        return notes;
    }

    /** A character, or its number if nothing of it is seen. */
    private static String visible(int c) {
        return Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT
                        || Character.getType(c) == Character.SURROGATE
                ? String.format(Locale.ROOT, "U+%04X", c)
                : Character.toString(c);
    }

    KeywordQuery parse() throws MalformedQueryException {
        if (query.length() > KeywordQuery.MAX_CHARACTERS) {
            throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_CHARACTERS + " characters");
        }
        if (query.isBlank()) {
            throw new MalformedQueryException(0, "has no word, number, address or field:value");
        }
        List<ForeignSyntax.Finding> foreign = new ForeignSyntax(query, profile, own).find();
        if (!foreign.isEmpty()) {
            throw new MalformedQueryException(0, foreign.getFirst().why())
                    .at(foreign.getFirst().from());
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
        boolean isMixed = false;
        next();
        int from = at;
        do {
            Expression member = all();
            isMixed |= isBehindAnd;
            members.addAll(member instanceof Or or ? or.of() : List.of(member));
        } while (operator("OR"));
        isBehindAnd = false;
        if (members.size() == 1) {
            return members.iterator().next();
        }
        if (isMixed) {
            slips.add(QuerySlips.LOOSE, from, at);
        }
        if (members.stream().anyMatch(Not.class::isInstance)) {
            throw new MalformedQueryException(0, ANCHOR);
        }
        return new Or(List.copyOf(members));
    }

    private Expression all() throws MalformedQueryException {
        List<Expression> members = new ArrayList<>();
        Set<String> fields = new HashSet<>();
        boolean isJoined = false;
        boolean goesOn = true;
        while (goesOn) {
            next();
            int from = at;
            Expression member = one();
            members.add(member);
            if (member instanceof Term && slips.hasFewValues(lastField) && !fields.add(lastField + ' ' + member)) {
                fields.add(lastField); // the same again
            } else if (member instanceof Term && slips.hasFewValues(lastField) && !fields.add(lastField)) {
                slips.add(QuerySlips.SEVERAL, from, at);
            }
            boolean isAnd = operator("AND");
            goesOn = isAnd || next() != 0 && next() != ')' && !atOperator("OR");
            isJoined |= goesOn;
        }
        isBehindAnd = isJoined;
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
        boolean outer = isLeftOut;
        isLeftOut ^= negated;
        Expression found = next() == '(' ? group() : term();
        isLeftOut = outer;
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
        if (++place > KeywordQuery.MAX_TERMS) {
            throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_TERMS + " terms").at(at);
        }
        QueryTerm term = new QueryTerm(profile, own, place, isLeftOut);
        int from = at;
        try {
            read(term);
        } catch (MalformedQueryException e) {
            throw e.at(from);
        }
        leftOut.addAll(term.leftOut());
        cutUp |= term.isCutUp();
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
            lastField = "";
            term.bare(quoted());
            return;
        }
        int from = at;
        String text = unquoted();
        String name = QueryTerm.fieldOf(text);
        lastField = name == null ? "" : FieldNames.withoutKind(KeywordText.field(name));
        if (name == null) {
            term.bareOrPrefix(text);
            slips.ofText(text, from);
            if (text.endsWith(",") && text.length() > 1 && next() != 0) {
                slips.add(QuerySlips.COMMA, from, from);
            }
            return;
        }
        boolean quotes = text.length() == name.length() + 1 && at < query.length() && query.charAt(at) == '"';
        int value = from + name.length() + 1;
        String written = quotes ? quoted() : text.substring(name.length() + 1);
        String field = FieldNames.withoutKind(KeywordText.field(name));
        term.field(name, written);
        byWords |= term.isByWords();
        if (term.widenedTo().isEmpty()) {
            slips.ofField(field, written, from, value, at);
        } else if (!FieldNames.isTime(field)) {
            slips.ofWidened(term.widenedTo(), from, value - 1);
        }
    }

    /** Up to white space, a quote, or a parenthesis that does not belong to it. */
    private String unquoted() {
        int from = at;
        at = QueryToken.endOfTerm(query, from);
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
        while (at < query.length() && QueryToken.isSpace(query.charAt(at))) {
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
        return QueryToken.isOperatorAt(query, at, name);
    }
}
