package dev.veilgate.extract;

import dev.veilgate.extract.QueryToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds what other query languages write and this one reads as words: {@code -root}, {@code a or b}, {@code user=root}, {@code 10.0.0.*}. Read as words, such a query would find something
 * else than was meant, and nobody would see it. Text in quotes is text; only characters that turn the direction of writing are found there, too.
 */
final class ForeignSyntax {
    /**
     * Something that is no query here.
     *
     * @param from    first character
     * @param to      behind the last
     * @param why     what is wrong, behind "the query"; never repeats the query
     * @param instead what may be written in its place, the likeliest first; none if nothing finds that
     */
    record Finding(int from, int to, String why, List<String> instead) {}

    private static final Pattern TURNS = Pattern.compile("[\\u202A-\\u202E\\u2066-\\u2069]");
    private static final Pattern MEASURE = Pattern.compile("(>=|<=|>|<|\u2265|\u2264)(-?[0-9]++(?:\\.[0-9]++)?)");
    private static final Pattern OPTION = Pattern.compile("-(?:[0-9].*|[A-Za-z]{1,3})");
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern CLOCK = Pattern.compile("[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]++)?)?Z?");
    private static final String REGULAR = "(?i)";
    private static final String DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212\uFE63\uFF0D";
    private static final String CURLY = "\u201C\u201D\u201E\u201F\u00AB\u00BB\uFF02";
    private static final String NOT =
            "has - or ! where only NOT leaves something out, beside a word that must be there";
    private static final String CAPITALS =
            "has and, or or not in small letters: operators are in capitals, words go into quotes";
    private static final String SYMBOL = "has a symbol between terms, which only AND, OR and NOT join";

    private final String query;
    private final List<QueryToken> tokens;
    private final ForeignTerms terms;
    private final KeywordQuery.Fields own;
    private final boolean[] leavesOut;
    private int lastSingle = Integer.MAX_VALUE;
    private int lastCurly = Integer.MAX_VALUE;

    ForeignSyntax(String query, ExtractorProfile profile, KeywordQuery.Fields own) {
        this.query = query;
        this.tokens = QueryToken.of(query);
        this.terms = new ForeignTerms(profile, own);
        this.own = own;
        this.leavesOut = QueryToken.leftOut(tokens);
    }

    /** All of it, from left to right, none within another. */
    List<Finding> find() {
        List<Finding> found = new ArrayList<>();
        Matcher turns = TURNS.matcher(query);
        while (turns.find()) {
            String why = "has an invisible character that turns the direction of writing, which is in no keyword";
            found.add(new Finding(turns.start(), turns.end(), why, List.of("")));
        }
        if (!found.isEmpty()) {
            return found; // what is between them is looked at without them
        }
        Finding braces = new ForeignBraces(query, terms, own).find();
        if (braces != null) {
            return List.of(braces);
        }
        if (query.startsWith(REGULAR)) {
            String why = "begins as a regular expression does; small and capital letters are the same here anyway";
            return List.of(new Finding(0, REGULAR.length(), why, List.of("")));
        }
        Finding command = new ForeignCommands(query, tokens, terms).find();
        if (command != null) {
            return List.of(command);
        }
        int end = 0;
        for (int i = 0; i < tokens.size(); i++) {
            QueryToken token = tokens.get(i);
            Finding finding = token.is(Kind.TERM) && token.from() >= end ? term(i, token) : null;
            if (finding != null && finding.from() >= end) {
                found.add(finding);
                end = finding.to();
            }
        }
        return found;
    }

    private @Nullable Finding term(int i, QueryToken token) {
        Finding found = isBehindQuote(i) ? modifier(token) : null;
        found = found == null ? operator(i, token) : found;
        found = found == null ? quotes(token, token.from()) : found;
        found = found == null ? new ForeignWords(query, tokens, i, terms::isKnown).small() : found;
        found = found == null ? negation(i, token) : found;
        if (found != null) {
            return found;
        }
        String name = QueryTerm.fieldOf(token.text());
        boolean isCompared = name != null // src_ip=2001:db8::7
                && name.indexOf('=') > 0
                && ForeignTerms.COMPARED.matcher(token.text()).matches();
        return name == null || isCompared ? bare(i, token) : field(i, token, name);
    }

    /** What stands behind a quote without a space: how far words may be apart, how much they weigh. */
    private static @Nullable Finding modifier(QueryToken token) {
        String text = token.text();
        return text.matches("[~^*?][0-9.]*")
                ? new Finding(
                        token.from(),
                        token.to(),
                        "has something right behind quotes; words in quotes are found in any order",
                        text.charAt(0) == '^' ? List.of("") : List.of()) // how far words may be apart nobody can ask
                : null;
    }

    private @Nullable Finding operator(int i, QueryToken token) {
        String folded = KeywordText.fold(token.text());
        boolean before = i + 1 < tokens.size();
        return switch (folded) {
            case "and", "or", "not" ->
                whole(token, CAPITALS, folded.toUpperCase(Locale.ROOT), QueryToken.quoted(token.text()));
            case "&&", "&" -> whole(token, SYMBOL, "AND");
            case "||" -> whole(token, SYMBOL, "OR");
            case "|" ->
                new Finding(
                        token.from(),
                        token.to(),
                        "has a bar, behind which other programs have commands: here there are none, and OR goes between one of several",
                        List.of());
            case "!", "\u00AC" -> whole(token, NOT, isApart(i) ? "NOT" : "NOT ");
            case "=",
                    "==",
                    "===",
                    ":=",
                    "!=",
                    "!==",
                    "<>",
                    ">",
                    ">=",
                    "<",
                    "<=",
                    "\u2265",
                    "\u2264",
                    "\u2260",
                    ":",
                    "=~",
                    "!~" -> between(i, token, folded);
            case "|=" -> whole(token, SYMBOL, "");
            case "|~" -> filter(i, token);
            default -> {
                if (before && !isApart(i) && folded.length() == 1 && DASHES.contains(token.text())) {
                    yield whole(token, NOT, "NOT ");
                }
                yield hasToken(folded) || QueryTerm.fieldOf(token.text()) != null || hasQuoteMark(token.text())
                        ? null
                        : symbols(token);
            }
        };
    }

    private static Finding symbols(QueryToken token) {
        if (token.text().equals(",")) {
            return new Finding(token.from(), token.to(), "has a comma between terms, where AND or OR goes", List.of());
        }
        boolean all = token.text().contains("*");
        return whole(
                token,
                all
                        ? "has nothing that finds everything: write a word or a field and its value"
                        : "has a term without a letter or a digit, which is in no keyword",
                "");
    }

    /** A field, a sign and a value with spaces between them. */
    private Finding between(int i, QueryToken sign, String folded) {
        QueryToken left = i > 0 ? tokens.get(i - 1) : null;
        QueryToken right = i + 1 < tokens.size() ? tokens.get(i + 1) : null;
        if (left == null || right == null || right.is(Kind.CLOSE) || right.is(Kind.OPERATOR)) {
            return comparesNothing(sign, folded);
        }
        String name = name(left, isApart(i - 1) || isApart(i));
        if (name.isEmpty()) {
            return comparesNothing(sign, folded);
        }
        if (right.is(Kind.OPEN)) {
            boolean isEqual = ForeignTerms.isEqual(folded);
            String not = ForeignTerms.isUnequal(folded) ? "NOT " : "";
            List<String> instead = isEqual || !not.isEmpty() ? List.of(not + name + ":") : List.of();
            return new Finding(left.from(), right.from(), ForeignTerms.COLON, instead);
        }
        return terms.compared(name, folded, right.text()).over(left.from(), right.to());
    }

    private static Finding comparesNothing(QueryToken sign, String folded) {
        // without a sign that leaves something out, or measures it, something else would be found
        List<String> nothing = List.of("=", "==", ":").contains(folded) ? List.of("") : List.of();
        return new Finding(sign.from(), sign.to(), "has a sign of comparison where it compares nothing", nothing);
    }

    /** The name of a field: in quotes, as JSON has it, only if nothing is between it, the sign and the value. */
    private static String name(QueryToken left, boolean isApart) {
        String name = left.is(Kind.QUOTED) && !isApart ? ForeignPatterns.unquoted(left.text()) : left.text();
        return (left.is(Kind.TERM) || !isApart) && ForeignTerms.isName(name) ? name : "";
    }

    /** Lines that a regular expression matches, as stores of logs have it: words, of which one must be there. */
    private Finding filter(int i, QueryToken sign) {
        QueryToken right = i + 1 < tokens.size() ? tokens.get(i + 1) : null;
        return right == null || !right.is(Kind.QUOTED)
                ? new Finding(sign.from(), sign.to(), SYMBOL, List.of())
                : terms.matched(right.text()).over(sign.from(), right.to());
    }

    /** Quotes of typographers, and single ones: from one to the next. */
    private @Nullable Finding quotes(QueryToken token, int from) {
        char mark = query.charAt(from);
        boolean single = mark == '\'' || mark == '\u2018' || mark == '`';
        if (!single && CURLY.indexOf(mark) < 0) {
            return null;
        }
        int end = endOfQuote(from + 1, single);
        if (end == query.length() || query.substring(from, end).indexOf('"') >= 0) {
            return single ? null : new Finding(from, from + 1, "has quotes of another form than \"", List.of("\""));
        }
        boolean isPlain = single
                && from == token.from()
                && query.substring(from, end).chars().noneMatch(c -> QueryToken.isSpace((char) c));
        return isPlain
                ? null // as in 'tis and 'root', which are words either way
                : new Finding(
                        from,
                        end + 1,
                        "has quotes of another form than \"",
                        List.of(QueryToken.quoted(query.substring(from + 1, end))));
    }

    /** The end of the query if there is none; then there is none behind either, and nobody looks again. */
    private int endOfQuote(int from, boolean single) {
        if (from > (single ? lastSingle : lastCurly)) {
            return query.length();
        }
        int end = from;
        while (end < query.length() && !endsQuote(query, end, single)) {
            end++;
        }
        if (end == query.length() && single) {
            lastSingle = from - 1;
        } else if (end == query.length()) {
            lastCurly = from - 1;
        }
        return end;
    }

    private static boolean hasQuoteMark(String text) {
        return CURLY.indexOf(text.charAt(0)) >= 0 || text.charAt(0) == '\'' || text.charAt(0) == '\u2018';
    }

    private static boolean endsQuote(String query, int at, boolean single) {
        char c = query.charAt(at);
        boolean mark = single ? c == '\'' || c == '\u2019' || c == '`' : CURLY.indexOf(c) >= 0;
        return mark
                && (at + 1 == query.length()
                        || QueryToken.isSpace(query.charAt(at + 1))
                        || query.charAt(at + 1) == ')');
    }

    /** A hyphen or exclamation mark right before a term: two hyphens begin an option of a command, which is text. A plus before a field or a group, which changes nothing. */
    private @Nullable Finding negation(int i, QueryToken token) {
        String text = token.text();
        char first = text.charAt(0);
        if (first == '+' && (text.startsWith("(", 1) || QueryTerm.fieldOf(text.substring(1)) != null)) {
            return whole(token, "has + before a term; terms side by side must all be there anyway", text.substring(1));
        }
        if (text.length() < 2 || first != '!' && DASHES.indexOf(first) < 0) {
            return null;
        }
        int next = text.codePointAt(1);
        if (!KeywordText.beginsToken(next) && "_@(/'".indexOf(next) < 0 && CURLY.indexOf(next) < 0) {
            return null;
        }
        boolean negated = i > 0 && tokens.get(i - 1).text().equals("NOT");
        String rest = (negated ? "" : "NOT ") + text.substring(1);
        boolean isText =
                i > 0 && tokens.get(i - 1).is(Kind.TERM) && OPTION.matcher(text).matches();
        return isText // an option of a command, or a number below zero, that was copied
                ? whole(token, NOT, QueryToken.quoted(text), rest)
                : whole(token, NOT, rest); // in quotes it would find what is to be left out
    }

    private @Nullable Finding bare(int i, QueryToken token) {
        boolean isValue = i > 0
                && tokens.get(i - 1).is(Kind.TERM)
                && tokens.get(i - 1).text().endsWith(":");
        if (isValue && QueryTerm.fieldOf(tokens.get(i - 1).text()) != null) {
            return null; // it is looked at with its field once the space between them is gone
        }
        Finding word = new ForeignWords(query, tokens, i, terms::isKnown).find();
        if (word != null) {
            return word;
        }
        String text = token.text();
        if (text.contains("://")) {
            return null;
        }
        Finding measure = measure(i, token);
        if (measure != null) {
            return measure;
        }
        QueryToken next = i + 1 < tokens.size() ? tokens.get(i + 1) : null;
        if (next != null && next.is(Kind.QUOTED) && !isApart(i)) {
            Matcher sign = ForeignTerms.COMPARED.matcher(text);
            if (sign.matches() && sign.group(3).isEmpty()) {
                return terms.compared(sign.group(1), sign.group(2), next.text()).over(token.from(), next.to());
            }
        }
        ForeignTerms.Reading reading = terms.bare(text);
        return reading == null ? null : ofWhole(i, reading).over(token.from(), token.to());
    }

    /** {@code bytes >1000}: a space before a sign of comparison, and none behind it. */
    private @Nullable Finding measure(int i, QueryToken token) {
        Matcher sign = MEASURE.matcher(token.text());
        if (i == 0 || !sign.matches() || !tokens.get(i - 1).is(Kind.TERM) || !isApart(i - 1)) {
            return null;
        }
        QueryToken left = tokens.get(i - 1);
        return ForeignTerms.isName(left.text())
                ? terms.compared(left.text(), sign.group(1), sign.group(2)).over(left.from(), token.to())
                : null;
    }

    /** Suggests nothing for a wildcard or a range under NOT: what finds less than it would leave out less. */
    private ForeignTerms.Reading ofWhole(int i, ForeignTerms.Reading reading) {
        String text = tokens.get(i).text();
        boolean isWild = text.indexOf('*') >= 0 || text.indexOf('?') >= 0 || text.startsWith("/");
        return leavesOut[i] && (isWild || text.contains(".."))
                ? new ForeignTerms.Reading(reading.why(), List.of(), reading.end())
                : reading;
    }

    private @Nullable Finding field(int i, QueryToken token, String name) {
        String value = token.text().substring(name.length() + 1);
        int from = token.from() + name.length() + 1;
        QueryToken next = i + 1 < tokens.size() ? tokens.get(i + 1) : null;
        QueryToken quoted = next != null && next.is(Kind.QUOTED) && !isApart(i) ? next : null;
        QueryToken last = value.isEmpty() && quoted != null ? quoted : token;
        KeywordQuery.Refusal refusal = value.isEmpty() && quoted == null || value.startsWith("(")
                ? null
                : own.refusal(name, last == token ? value : last.text()).orElse(null);
        if (refusal != null) {
            return new Finding(token.from(), last.to(), refusal.why(), refusal.instead());
        }
        if (value.isEmpty()) {
            if (next != null && isApart(i) && !next.is(Kind.OPERATOR) && !next.is(Kind.CLOSE)) {
                return joined(name, token, next);
            }
            return quoted != null || terms.isKnown(name)
                    ? null
                    : whole(token, "has a field's name without a value", QueryToken.quoted(token.text()));
        }
        Finding quotes = quotes(token, from);
        if (quotes != null) {
            return quotes;
        }
        if (value.charAt(0) == '(') {
            return group(i, name, token, from);
        }
        ForeignTerms.Reading range = terms.bracketed(name, query, from);
        if (range != null) {
            return range.over(token.from(), range.end());
        }
        if (quoted != null && !hasToken(value)) {
            return terms.signed(name, value, quoted.text()).over(token.from(), quoted.to());
        }
        Finding clock = next != null && isApart(i) ? clock(name, value, token, next) : null;
        if (clock != null) {
            return clock;
        }
        ForeignTerms.Reading reading = terms.field(name, value);
        return reading == null ? null : ofWhole(i, reading).over(token.from(), token.to());
    }

    /** {@code time:2026-11-28 02:47}. */
    private static @Nullable Finding clock(String name, String value, QueryToken token, QueryToken next) {
        boolean isTime = FieldNames.common(KeywordText.field(name))
                .orElse(KeywordText.field(name))
                .equals("time");
        return isTime
                        && next.is(Kind.TERM)
                        && DAY.matcher(value).matches()
                        && CLOCK.matcher(next.text()).matches()
                ? new Finding(
                        token.from(),
                        next.to(),
                        "has a space between a day and its clock, where T goes",
                        List.of(name + ":" + value + "T" + next.text()))
                : null;
    }

    /** {@code user: root}, or a word and a colon of a text: what is no field that is known is likelier that. */
    private Finding joined(String name, QueryToken token, QueryToken next) {
        String asField = name + ":";
        String asText = QueryToken.quoted(asField) + " ";
        boolean isLikely = ForeignTerms.isLikeAField(name);
        boolean isField = isLikely || terms.isKnown(name);
        if (isField && next.is(Kind.TERM) && isNegative(next.text())) {
            return new Finding(
                    token.from(),
                    next.to(),
                    "has - or ! behind a field's colon; NOT user:root leaves out, beside a word that must be there",
                    List.of("NOT " + asField + next.text().substring(1)));
        }
        if (isField && next.is(Kind.TERM) && next.text().equals("*")) {
            return new Finding(token.from(), next.to(), ForeignTerms.ANY_VALUE, List.of());
        }
        return new Finding(
                token.from(),
                next.from(),
                "has a space between a field's colon and its value",
                terms.isKnown(name)
                        ? List.of(asField)
                        : isLikely ? List.of(asField, asText) : List.of(asText, asField));
    }

    /** One field and several values, {@code user:(root OR admin)}: the field goes before each. */
    private @Nullable Finding group(int i, String name, QueryToken token, int from) {
        int end = endOfGroup(from);
        if (end < 0) {
            return null;
        }
        List<QueryToken> inner = QueryToken.of(query.substring(from + 1, end));
        StringBuilder each = new StringBuilder("(");
        boolean joined = true;
        for (QueryToken part : inner) {
            boolean isValue = part.is(Kind.QUOTED)
                    || part.is(Kind.TERM) && !KeywordText.fold(part.text()).matches("and|or|not");
            if (isValue && QueryTerm.fieldOf(part.text()) != null) {
                return null;
            }
            boolean isNot = KeywordText.fold(part.text()).equals("not");
            if ((isValue || isNot) && !joined) {
                // some mean all of them, some one of them: what is suggested finds no more than was meant
                each.append(leavesOut[i] ? " OR " : " AND ");
            }
            boolean isSign = part.is(Kind.TERM) && part.text().length() == 1 && isNegative(part.text());
            each.append(isSign ? "NOT " : isValue ? value(name, part) : " " + part.text() + " ");
            joined = !isValue || isSign;
        }
        return new Finding(
                token.from(),
                end + 1,
                "has one field before several values; it goes before each",
                inner.isEmpty()
                        ? List.of()
                        : List.of(each.append(')').toString().replaceAll(" +", " ")));
    }

    /** The field goes behind what leaves a value out; words of a text are found without it. */
    private String value(String name, QueryToken part) {
        boolean isText = FieldNames.isWholeText(KeywordText.field(name))
                && own.keywords(KeywordText.field(name), "x").isEmpty();
        String field = isText ? "" : name + ":";
        String text = part.text();
        boolean isSigned = part.is(Kind.TERM)
                && text.length() > 1
                && (Character.isLetter(text.codePointAt(1)) || ForeignTerms.isAddress(text.substring(1)));
        boolean isLeftOut = isSigned && isNegative(text);
        boolean isPlus = isSigned && text.charAt(0) == '+';
        return (isLeftOut ? "NOT " : "") + field + text.substring(isLeftOut || isPlus ? 1 : 0);
    }

    private static boolean isNegative(String text) {
        return text.charAt(0) == '!' || DASHES.indexOf(text.charAt(0)) >= 0;
    }

    private int endOfGroup(int from) {
        int open = 0;
        for (int at = from; at < query.length(); at++) {
            char c = query.charAt(at);
            if (c == '"') {
                at = QueryToken.endOfQuoted(query, at) - 1;
            }
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (open == 0) {
                return at;
            }
        }
        return -1;
    }

    private boolean isBehindQuote(int i) {
        return i > 0
                && tokens.get(i - 1).is(Kind.QUOTED)
                && tokens.get(i - 1).to() == tokens.get(i).from();
    }

    /** Whether there is a space, or the end, behind a token. */
    private boolean isApart(int i) {
        return i + 1 == tokens.size()
                || tokens.get(i + 1).from() > tokens.get(i).to();
    }

    private static boolean hasToken(String folded) {
        return folded.codePoints().anyMatch(KeywordText::beginsToken);
    }

    private static Finding whole(QueryToken token, String why, String... instead) {
        return new Finding(token.from(), token.to(), why, List.of(instead));
    }
}
