package dev.veilgate.extract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What other query languages write within one term: comparisons, ranges, wildcards, regular expressions. */
final class ForeignTerms {
    /** A field, a sign and a value, or no value if it stands in quotes behind. */
    static final Pattern COMPARED = Pattern.compile(
            "([\\p{L}_@](?:[\\p{L}\\p{N}_.@+-]*[\\p{L}\\p{N}_])?)(=~|!~|===|!==|==|!=|<>|>=|<=|=|>|<|\u2265|\u2264|\u2260)((?:[\\p{L}\\p{N}\"'*/.^(-].*)?)");

    static final String ANY_VALUE = "asks for any value of a field, which nothing finds: write a value";
    private static final Pattern NAME = Pattern.compile("[\\p{L}_@](?:[\\p{L}\\p{N}_.@-]*[\\p{L}\\p{N}_])?");
    private static final Pattern SIGN = Pattern.compile("(===|!==|!=|==|<>|>=|<=|>|<|=|!|\u2265|\u2264|\u2260)(.+)");
    private static final Pattern DOTS = Pattern.compile(
            "([\\p{L}\\p{N}+:-](?:[\\p{L}\\p{N}_:.+-]*[\\p{L}\\p{N}])?)\\.\\.([\\p{L}\\p{N}+-](?:[\\p{L}\\p{N}_:.+-]*[\\p{L}\\p{N}])?)");
    private static final Pattern CIDR =
            Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}/[0-9]{1,2}|(?=[^:]*:[^:]*:)[0-9a-fA-F:.]{2,45}/[0-9]{1,3}");
    private static final Pattern BARS = Pattern.compile("[\\p{L}\\p{N}_.-]+(?:\\|[\\p{L}\\p{N}_.-]+)+");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?[A-Za-z%]{0,3}");

    /** Longer terms are text that was copied; the work of looking at one stays small. */
    private static final int LONGEST = 512;

    /** Backslashes before signs, as a query language or a regular expression needs them; before a letter they are those of a path. */
    private static final Pattern ESCAPED = Pattern.compile("[^\\\\\\s]*+(?:\\\\[^\\p{L}\\p{N}\\\\\\s][^\\\\\\s]*+)++");

    private static final Pattern LISTED = Pattern.compile("[\\p{L}\\p{N}_@][\\p{L}\\p{N}_.@/-]*+");
    private static final Pattern SPLUNK = Pattern.compile("(?:TERM|CASE|PHRASE)\\(([^()]++)\\)");
    private static final Pattern DOUBLE = Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_.]*+)::([^:]++)");
    private static final Pattern LISTING = Pattern.compile("(?:in|any_of|contains_any)\\(([^()]++)\\)");
    private static final List<String> EQUAL = List.of("=", "==", "===", ":=", ":");
    private static final List<String> UNEQUAL = List.of("!=", "!==", "<>", "\u2260", "!");

    static final String COLON =
            "has a sign between a field and its value, where a colon belongs; as text it goes into quotes";

    /**
     * What is wrong with a term, and what may be written for it.
     *
     * @param end of what was read beyond the term; 0 for the term's end
     */
    record Reading(String why, List<String> instead, int end) {
        Reading(String why, String... instead) {
            this(why, List.of(instead), 0);
        }

        ForeignSyntax.Finding over(int from, int to) {
            return new ForeignSyntax.Finding(from, to, why, instead);
        }
    }

    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;
    private final ForeignRanges ranges;
    private final ForeignPatterns patterns;

    ForeignTerms(ExtractorProfile profile, KeywordQuery.Fields own) {
        this.profile = profile;
        this.own = own;
        this.ranges = new ForeignRanges(profile);
        this.patterns = new ForeignPatterns(profile, own);
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Tells if a name has a sign in it, as names of fields have and words of a sentence have not. */
    static boolean isLikeAField(String name) {
        return name.indexOf('_') >= 0 || name.indexOf('.') > 0 || name.indexOf('@') >= 0;
    }

    /** Tells if it is an address of four numbers, of six bytes or of IPv6, and no number. */
    static boolean isAddress(String text) {
        return text.indexOf(':') >= 0 || text.chars().filter(c -> c == '.').count() > 1;
    }

    static boolean isEqual(String sign) {
        return EQUAL.contains(sign);
    }

    static boolean isUnequal(String sign) {
        return UNEQUAL.contains(sign);
    }

    /** Whether a field is one that records are known to have, by this or another name. */
    boolean isKnown(String name) {
        String field = KeywordText.field(name);
        return new KnownFields(profile, own.seen()).has(field)
                || FieldNames.isWholeText(field)
                || own.keywords(field, "x").isPresent();
    }

    /** Text without a field. */
    @Nullable
    Reading bare(String text) {
        if (text.length() > LONGEST) {
            return null;
        }
        if (text.startsWith("*@") && own.keywords("from", "x").isPresent() && text.lastIndexOf('*') == 0) {
            String domain = text.substring(1);
            return new Reading("has a wildcard before a domain, which is found as a whole", "from:" + domain, domain);
        }
        Reading expression = patterns.expression("", text);
        expression = expression == null ? patterns.inText(text) : expression;
        expression = expression == null ? called(text) : expression;
        if (expression != null) {
            return expression;
        }
        boolean isPath = text.startsWith("\\") || text.startsWith(":\\", 1);
        if (!isPath && ESCAPED.matcher(text).matches()) {
            return escaped("", text);
        }
        Matcher compared = COMPARED.matcher(text);
        if (compared.matches() && isComparison(compared)) {
            return compared(compared.group(1), compared.group(2), compared.group(3));
        }
        Reading addresses = ranges.addresses(text);
        if (addresses != null) {
            return addresses;
        }
        if (CIDR.matcher(text).matches()) {
            return patterns.network(text);
        }
        if (BARS.matcher(text).matches()) {
            return new Reading(joins(), ForeignPatterns.alternatives("", text.split("\\|")), QueryToken.quoted(text));
        }
        for (String sign : List.of("&&", "||")) {
            int at = text.indexOf(sign);
            if (at > 0 && at + 2 < text.length()) {
                String joined = text.replace(sign, sign.equals("&&") ? " AND " : " OR ");
                return new Reading(joins(), joined, QueryToken.quoted(text));
            }
        }
        Matcher dots = DOTS.matcher(text);
        if (dots.matches() && !text.contains("...")) {
            return ranges.bare(text, dots);
        }
        return patterns.wildcardOrFuzzy("", text);
    }

    /** {@code TERM(10.0.0.7)}, {@code host::press-4}. */
    private @Nullable Reading called(String text) {
        Matcher directive = SPLUNK.matcher(text);
        if (directive.matches()) {
            return new Reading(
                    "has a function, of which there are none: words and values are written as they are",
                    QueryToken.quoted(directive.group(1)));
        }
        Matcher twice = DOUBLE.matcher(text);
        return twice.matches() && new KnownFields(profile, own.seen()).hasByAllRules(KeywordText.field(twice.group(1)))
                ? new Reading(COLON, twice.group(1) + ":" + twice.group(2), QueryToken.quoted(text))
                : null;
    }

    private static Reading escaped(String field, String text) {
        String plain = ForeignPatterns.unescaped(text);
        return new Reading(
                "has backslashes before signs, which need none here; in quotes they are text",
                field + plain,
                field + QueryToken.quoted(text));
    }

    private static String joins() {
        return "has a symbol between terms, which only AND, OR and NOT join";
    }

    /** Bounces are sent from addresses such as list-alice=example.org@example.com; arrows and tags of programs are text. */
    private static boolean isComparison(Matcher compared) {
        String name = compared.group(1);
        String sign = compared.group(2);
        String value = compared.group(3);
        if (value.isEmpty() || value.contains("@") && name.matches(".*[+-].*")) {
            return false;
        }
        boolean mayBeText = sign.equals("<") || sign.equals(">");
        return !mayBeText || isMeasure(value);
    }

    private static boolean isMeasure(String value) {
        return NUMBER.matcher(value).matches()
                || value.startsWith("now")
                || value.matches("[0-9]{4}-[0-9]{2}.*")
                || !KeywordText.level(KeywordText.fold(value)).isEmpty();
    }

    /** A field's value, not empty. */
    @Nullable
    Reading field(String name, String value) {
        String field = KeywordText.field(name);
        if (value.length() > LONGEST || isOwnForm(field, value)) {
            return null;
        }
        boolean isDomain = value.startsWith("*@") && value.lastIndexOf('*') == 0;
        if (isDomain && own.keywords(field, value.substring(1)).isPresent()) {
            return new Reading(
                    "has a wildcard before a domain, which is found as a whole", name + ":" + value.substring(1));
        }
        if (field.equals("_exists_") || value.equals("*")) {
            return new Reading(ANY_VALUE);
        }
        Reading addresses = ranges.addresses(value);
        if (addresses != null) {
            return addresses;
        }
        Matcher sign = SIGN.matcher(value);
        if (sign.matches() && !value.endsWith(">") && isSigned(sign)) {
            return compared(name, sign.group(1), sign.group(2));
        }
        Reading many = many(name, value);
        if (many != null) {
            return many;
        }
        Reading expression = patterns.expression(name, value);
        if (expression != null) {
            return expression;
        }
        if (BARS.matcher(value).matches()) {
            return new Reading(
                    joins(),
                    ForeignPatterns.alternatives(name + ":", value.split("\\|")),
                    name + ":" + QueryToken.quoted(value));
        }
        Matcher dots = DOTS.matcher(value);
        boolean isRange = dots.matches()
                && !value.contains("...")
                && profile.numericField(field).isEmpty();
        if (isRange) {
            return textToo(ranges.range(name, dots.group(1), dots.group(2)), name + ":" + QueryToken.quoted(value));
        }
        return patterns.wildcardOrFuzzy(name, value);
    }

    /** Values with signs between or behind them, with backslashes before signs, in braces, and functions of values. */
    private @Nullable Reading many(String name, String value) {
        if (value.startsWith("{")) {
            return new Reading("has braces behind a field's colon, where its value belongs");
        }
        if (value.startsWith("[") && value.indexOf(']') < 0) {
            return ranges.range(name, "?", "?");
        }
        if (ESCAPED.matcher(value).matches()) {
            return escaped(name + ":", value);
        }
        Matcher listing = LISTING.matcher(value);
        String inner = listing.matches() ? listing.group(1) : value;
        int end = inner.length();
        while (end > 0 && ",;.".indexOf(inner.charAt(end - 1)) >= 0) {
            end--;
        }
        boolean isNetwork = value.matches("(?:[0-9]{1,3}\\.){1,3}");
        boolean isEnded = end > 0 && end < inner.length() && KeywordText.continuesToken(inner.codePointBefore(end));
        String[] values = inner.substring(0, end).split("[,;]");
        boolean isList = values.length > 1
                && Arrays.stream(values).allMatch(one -> LISTED.matcher(one).matches())
                && !Arrays.stream(values).allMatch(one -> one.chars().allMatch(c -> c >= '0' && c <= '9'));
        String asText = name + ":" + QueryToken.quoted(value);
        if (isList) {
            String why = "has signs between the values of a field; for one of several, OR goes between them";
            return new Reading(why, ForeignPatterns.alternatives(name + ":", values), asText);
        }
        return isEnded && !isNetwork && !listing.matches()
                ? new Reading(
                        "has a sign behind a field's value, which ends its text",
                        name + ":" + value.substring(0, end),
                        asText)
                : null;
    }

    /** A sign right behind a field's colon, and a value in quotes behind it. */
    Reading signed(String name, String sign, String quoted) {
        boolean isCompared = EQUAL.contains(sign)
                || UNEQUAL.contains(sign)
                || List.of("=~", "!~", ">", ">=", "<", "<=").contains(sign);
        if (isCompared) {
            return compared(name, sign, quoted);
        }
        if (sign.startsWith("[") || sign.startsWith("{")) {
            return ranges.range(name, "?", "?");
        }
        return sign.equals("-")
                ? new Reading(COLON, "NOT " + name + ":" + quoted)
                : new Reading("has signs between a field's colon and its value");
    }

    /** What a kind of records has a form for: {@code filename:*.pdf}, {@code message-id:<1@example.org>}. */
    private boolean isOwnForm(String field, String value) {
        boolean isForm = field.equals("filename") && value.matches("\\*\\.[^*?]+")
                || value.startsWith("<") && value.endsWith(">");
        return isForm && own.keywords(field, value).isPresent();
    }

    private static boolean isSigned(Matcher sign) {
        String mark = sign.group(1);
        int first = sign.group(2).codePointAt(0);
        return mark.equals("<") || mark.equals(">")
                ? isMeasure(sign.group(2))
                : KeywordText.beginsToken(first) || "-\"'/_".indexOf(first) >= 0;
    }

    /** {@code field:[10 TO 20]} at a place of the query. */
    @Nullable
    Reading bracketed(String name, String query, int from) {
        return ranges.bracketed(name, query, from);
    }

    /** A field, a sign of comparison and a value, which may be in quotes. */
    Reading compared(String name, String sign, String value) {
        if (List.of("earliest", "latest", "_index_earliest", "_index_latest").contains(KeywordText.field(name))) {
            return new Reading("asks for a span of time, which is chosen beside the query, for the search as a whole");
        }
        String inner = ForeignPatterns.unquoted(value);
        boolean isWild = inner.indexOf('*') >= 0 && !sign.equals(":");
        if (isWild && EQUAL.contains(sign)) { // there a star in quotes is one, too
            Reading wild = field(name, inner);
            return wild == null ? new Reading(COLON) : wild;
        }
        if (isWild && UNEQUAL.contains(sign)) {
            return new Reading("has a wildcard, but only whole words and values are found");
        }
        String text = name + sign + value;
        String asText = value.startsWith("\"") ? name + " " + value : QueryToken.quoted(text);
        return switch (sign) {
            case "=", "==", "===", ":=", ":" -> new Reading(COLON, name + ":" + value, asText);
            case "!=", "!==", "<>", "\u2260", "!" -> new Reading(COLON, "NOT " + name + ":" + value);
            case "=~", "!~" -> patterns.matched(name, sign, value);
            case ">", ">=", "\u2265" -> ranges.range(name, ForeignRanges.beyond(sign, ">", value, 1), "*");
            default -> ranges.range(name, "*", ForeignRanges.beyond(sign, "<", value, -1));
        };
    }

    /** {@code |~ "a|b"}. */
    Reading matched(String quoted) {
        return patterns.matched("", "=~", quoted);
    }

    /** A text may have two points in it. */
    private static Reading textToo(Reading reading, String text) {
        List<String> instead = new ArrayList<>(reading.instead());
        instead.add(text);
        return new Reading(reading.why(), instead, 0);
    }
}
