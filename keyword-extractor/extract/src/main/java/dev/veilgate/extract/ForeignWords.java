package dev.veilgate.extract;

import dev.veilgate.extract.ForeignSyntax.Finding;
import dev.veilgate.extract.QueryToken.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Operators that are words in other query languages: {@code level IN (error, warn)}, {@code a XOR b}, {@code a NEAR/5 b}, {@code user LIKE 'ro%'}. In capitals only, else they are words here too. */
final class ForeignWords {
    private static final Pattern NEAR =
            Pattern.compile("(?:NEAR|ONEAR|ADJ|WITHIN|W|N|PRE)(?:/[0-9]{1,4})|NEAR|ONEAR|AROUND|ADJ[0-9]{1,2}");
    private static final Pattern COMPARES = Pattern.compile(
            "LIKE|ILIKE|RLIKE|REGEXP|MATCHES|CONTAINS|IS|EQUALS|EQ|NE|STARTSWITH|ENDSWITH|BEGINSWITH|BETWEEN|HAS");

    private static final String COMPARES_BY_WORD =
            "compares with a word of another language: here a field's whole value stands behind its colon";

    /** In small letters only between what is known to be a field and a text in quotes. */
    private static final Pattern SMALL = Pattern.compile(
            "!?(?:contains|startswith|endswith|beginswith|has|is|equals|like|matches|in)(?:_cs|_any|_all)?+");

    private final String query;
    private final List<QueryToken> tokens;
    private final int i;
    private final Predicate<String> isKnown;

    /** @param isKnown tells if a name is that of a field */
    ForeignWords(String query, List<QueryToken> tokens, int i, Predicate<String> isKnown) {
        this.isKnown = isKnown;
        this.query = query;
        this.tokens = tokens;
        this.i = i;
    }

    /** The operator that a token is, or that begins with it; null if it is a word. */
    @Nullable
    Finding find() {
        QueryToken token = tokens.get(i);
        Finding in = ForeignTerms.isName(token.text()) ? in(token) : null;
        if (in != null) {
            return in;
        }
        if (!isBetweenTerms() || isAllInCapitals()) {
            return null;
        }
        if (token.text().equals("XOR")) {
            return xor(token);
        }
        if (NEAR.matcher(token.text()).matches()) {
            return new Finding(
                    token.from(),
                    token.to(),
                    "asks how far words are apart, which no keyword has; AND finds those that have both anywhere",
                    List.of());
        }
        if (COMPARES.matcher(token.text()).matches()
                && ForeignTerms.isName(tokens.get(i - 1).text())) {
            return compares(token);
        }
        return null;
    }

    /** {@code level contains "err"}, {@code user !in (root)}: null if it is a word. */
    @Nullable
    Finding small() {
        QueryToken token = tokens.get(i);
        if (!isBetweenTerms() || !SMALL.matcher(token.text()).matches() || !isField(tokens.get(i - 1))) {
            return null;
        }
        QueryToken next = tokens.get(i + 1);
        boolean isText = next.is(Kind.QUOTED) && !KeywordText.fold(next.text()).matches("\"(?:and|or|not)\"");
        if (token.text().startsWith("!")) {
            return new Finding(token.from(), token.to(), COMPARES_BY_WORD, List.of());
        }
        return isText ? compares(token) : null;
    }

    private static boolean isField(QueryToken token) {
        String field = KeywordText.field(token.text());
        return KnownFields.OF_LOGS.contains(field)
                || KnownFields.OF_MAILS.contains(field)
                || FieldNames.common(field).isPresent()
                || FieldNames.isWholeText(field);
    }

    /** As in a line that was copied, {@code DISK IS FULL}: words among words. */
    private boolean isAllInCapitals() {
        String around = tokens.get(i - 1).text() + tokens.get(i + 1).text();
        return around.equals(around.toUpperCase(Locale.ROOT)) && !around.equals(around.toLowerCase(Locale.ROOT));
    }

    private boolean isBetweenTerms() {
        return i > 0
                && i + 1 < tokens.size()
                && isOperand(tokens.get(i - 1), Kind.CLOSE)
                && isOperand(tokens.get(i + 1), Kind.OPEN);
    }

    private static boolean isOperand(QueryToken token, Kind bracket) {
        return token.is(Kind.TERM) || token.is(Kind.QUOTED) || token.is(bracket);
    }

    /** {@code field IN (a, b)} and {@code field NOT IN (a, b)}. */
    private @Nullable Finding in(QueryToken name) {
        boolean not = isAt(i + 1, "NOT");
        int at = not ? i + 2 : i + 1;
        if (at + 1 >= tokens.size() || !tokens.get(at).text().equalsIgnoreCase("IN")) {
            return null;
        }
        int open = tokens.get(at + 1).from();
        boolean brackets = query.charAt(open) == '[';
        if (!brackets && query.charAt(open) != '(') {
            return null;
        }
        int from = open + 1;
        int close = query.indexOf(brackets ? ']' : ')', from);
        boolean isList = close >= 0 && query.substring(from, close).matches("(?s).*[,\"'].*");
        if (!isAt(at, "IN") && !isList && !isKnown.test(name.text()) && !ForeignTerms.isLikeAField(name.text())) {
            return null; // as in "logged in (root)"
        }
        String why = "has a list of values; OR goes between them, with the field before each";
        if (close < 0) {
            return new Finding(name.from(), from, why, List.of());
        }
        String[] values = Arrays.stream(query.substring(from, close).split(","))
                .map(ForeignWords::unquoted)
                .filter(value -> !value.isEmpty())
                .toArray(String[]::new);
        boolean isWhole =
                values.length > 0 && Arrays.stream(values).noneMatch(value -> value.matches("[^*?%]*+[*?%].*+"));
        String each = (not ? "NOT " : "") + ForeignPatterns.alternatives(name.text() + ":", values);
        return new Finding(name.from(), close + 1, why, isWhole ? List.of(each) : List.of());
    }

    private boolean isAt(int place, String word) {
        return place < tokens.size() && tokens.get(place).text().equals(word);
    }

    private static String unquoted(String value) {
        return value.strip().replaceAll("^[\"'`]|[\"'`]$", "").strip();
    }

    /** What may be written for an exclusive or, if that is the whole query. */
    private Finding xor(QueryToken token) {
        String left = tokens.get(i - 1).text();
        String right = tokens.get(i + 1).text();
        boolean alone = tokens.size() == 3;
        return new Finding(
                alone ? tokens.getFirst().from() : token.from(),
                alone ? tokens.getLast().to() : token.to(),
                "has an operator that is not here: those are AND, OR and NOT",
                alone
                        ? List.of("(" + left + " AND NOT " + right + ") OR (" + right + " AND NOT " + left + ")")
                        : List.of());
    }

    /** A value without a wildcard is compared as a whole. */
    private Finding compares(QueryToken token) {
        String name = tokens.get(i - 1).text();
        QueryToken next = tokens.get(i + 1);
        String value = unquoted(next.text());
        String written = value.codePoints().allMatch(KeywordText::continuesToken) ? value : QueryToken.quoted(value);
        boolean isLike = token.text().toUpperCase(Locale.ROOT).endsWith("LIKE");
        boolean isWhole = List.of("LIKE", "ILIKE", "IS", "EQUALS", "EQ")
                        .contains(token.text().toUpperCase(Locale.ROOT))
                && !(isLike && value.matches(".*[%_*?].*"))
                && value.codePoints().anyMatch(KeywordText::beginsToken);
        return new Finding(
                tokens.get(i - 1).from(),
                next.to(),
                COMPARES_BY_WORD,
                isWhole ? List.of(name + ":" + written) : List.of());
    }
}
