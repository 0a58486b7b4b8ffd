package dev.veilgate.extract;

import dev.veilgate.peks.DyadicIntervals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What other query languages write within one term: comparisons, ranges, wildcards, regular expressions. */
final class ForeignTerms {
    /** A field, a sign and a value, or no value if it stands in quotes behind. */
    static final Pattern COMPARED = Pattern.compile(
            "([\\p{L}_@](?:[\\p{L}\\p{N}_.@+-]*[\\p{L}\\p{N}_])?)(==|!=|>=|<=|=|>|<|\u2265|\u2264|\u2260)((?:[\\p{L}\\p{N}\"'*/-].*)?)");

    private static final Pattern NAME = Pattern.compile("[\\p{L}_@](?:[\\p{L}\\p{N}_.@-]*[\\p{L}\\p{N}_])?");
    private static final Pattern SIGN = Pattern.compile("(!=|==|>=|<=|>|<|=|!|\u2265|\u2264|\u2260)(.+)");
    private static final Pattern BRACKETED =
            Pattern.compile("[\\[{]\\s*([^\\s\\[\\]{}]+)\\s+TO\\s+([^\\s\\[\\]{}]+)\\s*[\\]}]");
    private static final Pattern DOTS = Pattern.compile(
            "([\\p{L}\\p{N}+:-](?:[\\p{L}\\p{N}_:.+-]*[\\p{L}\\p{N}])?)\\.\\.([\\p{L}\\p{N}+-](?:[\\p{L}\\p{N}_:.+-]*[\\p{L}\\p{N}])?)");
    private static final Pattern FUZZY = Pattern.compile("([^~/\\\\^]*[\\p{L}\\p{N}])[~^][0-9.]*");
    private static final Pattern EXPRESSION = Pattern.compile("/(.+)/([gimsux]{0,3})");
    private static final Pattern NETWORK = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){0,2})((?:\\.\\*){1,3})");
    private static final Pattern CIDR = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}/[0-9]{1,2}");
    private static final Pattern BARS = Pattern.compile("[\\p{L}\\p{N}_.-]+(?:\\|[\\p{L}\\p{N}_.-]+)+");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_-]+");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?[A-Za-z%]{0,3}");
    private static final Pattern WILD = Pattern.compile("[*?]+");
    private static final List<String> TIMES = List.of("time", "@timestamp", "timestamp", "date", "_time");

    /** Longer terms are text that was copied; the work of looking at one stays small. */
    private static final int LONGEST = 512;

    private static final String COLON = "has a colon between a field and its value, and signs in quotes only";
    private static final String WHOLE =
            "finds whole words and whole values only; for one of several, OR goes between them";

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

    ForeignTerms(ExtractorProfile profile, KeywordQuery.Fields own) {
        this.profile = profile;
        this.own = own;
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Text without a field. */
    @Nullable
    Reading bare(String text) {
        if (text.length() > LONGEST) {
            return null;
        }
        Reading expression = expression("", text);
        if (expression != null) {
            return expression;
        }
        Matcher compared = COMPARED.matcher(text);
        if (compared.matches() && isComparison(compared)) {
            return compared(compared.group(1), compared.group(2), compared.group(3));
        }
        if (CIDR.matcher(text).matches()) {
            return quotedToo(network(text), text);
        }
        if (BARS.matcher(text).matches()) {
            return new Reading(joins(), alternatives("", text.split("\\|")), QueryToken.quoted(text));
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
            return bareRange(text, dots);
        }
        return wildcardOrFuzzy("", text);
    }

    private static String joins() {
        return "is joined with the words AND, OR and NOT; symbols do not join";
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
        if (field.equals("_exists_") || value.equals("*")) {
            return new Reading("has nothing that finds every record with a field: a value belongs to it");
        }
        Matcher sign = SIGN.matcher(value);
        if (sign.matches() && !value.endsWith(">") && isSigned(sign)) {
            return compared(name, sign.group(1), sign.group(2));
        }
        Reading expression = expression(name, value);
        if (expression != null) {
            return expression;
        }
        if (BARS.matcher(value).matches()) {
            return new Reading(
                    joins(), alternatives(name + ":", value.split("\\|")), name + ":" + QueryToken.quoted(value));
        }
        Matcher dots = DOTS.matcher(value);
        boolean isRange = dots.matches()
                && !value.contains("...")
                && profile.numericField(field).isEmpty();
        if (isRange) {
            return range(name, dots.group(1), dots.group(2), name + ":" + QueryToken.quoted(value));
        }
        return wildcardOrFuzzy(name, value);
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

    /** A field, a sign of comparison and a value, which may be in quotes. */
    Reading compared(String name, String sign, String value) {
        String text = name + sign + value;
        String asText = value.startsWith("\"") ? name + " " + value : QueryToken.quoted(text);
        return switch (sign) {
            case "=", "==", ":" -> new Reading(COLON, name + ":" + value, asText);
            case "!=", "\u2260", "!" -> new Reading(COLON, "NOT " + name + ":" + value, asText);
            case ">", ">=", "\u2265" -> range(name, beyond(sign, ">", value, 1), "*", asText);
            default -> range(name, "*", beyond(sign, "<", value, -1), asText);
        };
    }

    /** Behind or before a whole number; others are rounded down, as they are indexed. */
    private static String beyond(String sign, String strict, String value, int step) {
        boolean isWhole = sign.equals(strict) && value.matches("-?[0-9]{1,17}");
        if (isWhole) {
            return Long.toString(Long.parseLong(value) + step);
        }
        String level = KeywordText.level(KeywordText.fold(value));
        int at = KeywordText.LEVELS.indexOf(level);
        boolean isNext = sign.equals(strict) && at >= 0;
        return isNext && at + step >= 0 && at + step < KeywordText.LEVELS.size()
                ? KeywordText.LEVELS.get(at + step)
                : value;
    }

    /** {@code field:[10 TO 20]} at a place of the query. */
    @Nullable
    Reading bracketed(String name, String query, int from) {
        Matcher found = BRACKETED.matcher(query).region(from, query.length());
        if (!found.lookingAt()) {
            return null;
        }
        Reading range = range(
                name,
                found.group(1),
                found.group(2),
                name + ":" + QueryToken.quoted(query.substring(from, found.end())));
        return new Reading(range.why(), range.instead(), found.end());
    }

    private Reading bareRange(String text, Matcher dots) {
        boolean numbers = Numbers.floor(dots.group(1)).isPresent()
                && Numbers.floor(dots.group(2)).isPresent();
        Stream<String> fields =
                numbers ? profile.numericFields().stream().map(field -> field.field() + ":" + text) : Stream.of();
        List<String> instead = Stream.concat(fields, Stream.of(QueryToken.quoted(text)))
                .limit(3)
                .toList();
        return new Reading(ranges(), instead, 0);
    }

    /** From one value to another, each of which may be {@code *}. */
    private Reading range(String name, String from, String to, String asText) {
        String field = KeywordText.field(name);
        DyadicIntervals intervals = profile.numericField(field).orElse(null);
        if (intervals != null) {
            return numbers(name, intervals, from, to);
        }
        if (TIMES.contains(field)) {
            return new Reading("has no range of times: that is chosen beside the query, for the search as a whole", "");
        }
        int first = from.equals("*") ? 0 : level(from);
        int last = to.equals("*") ? KeywordText.LEVELS.size() - 1 : level(to);
        if (first >= 0 && last >= first) {
            String[] levels = KeywordText.LEVELS.subList(first, last + 1).toArray(String[]::new);
            return new Reading(
                    "has each level that is wanted, with OR between them", alternatives(name + ":", levels), asText);
        }
        return new Reading(ranges(), asText);
    }

    private static int level(String text) {
        return KeywordText.LEVELS.indexOf(KeywordText.level(KeywordText.fold(text)));
    }

    private static Reading numbers(String name, DyadicIntervals intervals, String from, String to) {
        OptionalLong first = from.equals("*") ? OptionalLong.of(intervals.origin()) : Numbers.floor(from);
        OptionalLong last = to.equals("*") ? OptionalLong.of(intervals.last()) : Numbers.floor(to);
        String why = "has a range as two numbers with two points between them: 100..200";
        if (first.isEmpty() || last.isEmpty()) {
            return new Reading(why);
        }
        long low = Math.max(first.getAsLong(), intervals.origin());
        long high = Math.min(last.getAsLong(), intervals.last());
        return low > high ? new Reading(why) : new Reading(why, name + ":" + low + ".." + high);
    }

    /** Names of fields are the profile's, which everybody may know. */
    private String ranges() {
        List<DyadicIntervals> numeric = profile.numericFields();
        return numeric.isEmpty()
                ? "asks for a range, and the tenant's profile has no field with ranges"
                : "asks for a range; those are of the fields "
                        + numeric.stream().map(DyadicIntervals::field).limit(8).collect(Collectors.joining(", "))
                        + " only, with two points: 100..200";
    }

    private @Nullable Reading wildcardOrFuzzy(String name, String text) {
        Matcher network = NETWORK.matcher(text);
        if (network.matches()) {
            int bytes = text.split("\\.").length - network.group(2).length() / 2;
            boolean isAddress = text.split("\\.").length <= 4;
            String address = network.group(1) + ".0".repeat(Math.max(0, 4 - bytes));
            return isAddress ? network(address + "/" + 8 * bytes) : new Reading(networks());
        }
        if (name.isEmpty() ? isWild(text) : text.indexOf('*') >= 0 || isWild(text)) {
            return wildcard(name, text);
        }
        Matcher fuzzy = FUZZY.matcher(text);
        return fuzzy.matches()
                ? new Reading(
                        "finds words as they are written, all alike: nothing follows them",
                        prefixed(name, fuzzy.group(1)),
                        prefixed(name, QueryToken.quoted(text)))
                : null;
    }

    private static String prefixed(String name, String value) {
        return name.isEmpty() ? value : name + ":" + value;
    }

    /** A question mark behind a slash is one of an address of the web. */
    private static boolean isWild(String text) {
        int mark = text.indexOf('?');
        return text.indexOf('*') >= 0 || mark >= 0 && text.lastIndexOf('/', mark) < 0;
    }

    private @Nullable Reading wildcard(String name, String text) {
        if (name.isEmpty() && !own.keywords("", text).isEmpty()) {
            return null; // scripts without spaces
        }
        List<String> pieces = Arrays.stream(WILD.split(text))
                .map(ForeignTerms::stripped)
                .filter(piece -> !piece.isEmpty())
                .toList();
        boolean isPrefix = text.endsWith("*") && pieces.size() == 1 && WILD.split(text).length == 1 && isOneToken(text);
        var prefixes = profile.wordPrefixes();
        if (isPrefix && prefixes.enabled()) {
            return prefix(name, pieces.getFirst(), prefixes.shortest(), prefixes.longest());
        }
        String why =
                isPrefix ? "asks for a prefix of words, which the profile does not index; " + "it " + WHOLE : WHOLE;
        return pieces.size() == 1
                ? new Reading(
                        why, isOneTerm(pieces.getFirst()) ? pieces.getFirst() : QueryToken.quoted(pieces.getFirst()))
                : new Reading(why);
    }

    private static @Nullable Reading prefix(String name, String word, int shortest, int longest) {
        int length = word.codePointCount(0, word.length());
        if (name.isEmpty() && length >= shortest && length <= longest) {
            return null;
        }
        String why =
                "asks for a prefix of words; they have " + shortest + " to " + longest + " characters and no field";
        if (length < shortest) {
            return new Reading(why, word);
        }
        return new Reading(why, word.substring(0, word.offsetByCodePoints(0, Math.min(length, longest))) + "*");
    }

    private static boolean isOneToken(String text) {
        return text.codePoints()
                .limit(text.codePointCount(0, text.length() - 1))
                .allMatch(KeywordText::continuesToken);
    }

    private static boolean isOneTerm(String text) {
        return WORD.matcher(text).matches()
                && !text.startsWith("-")
                && !KeywordText.fold(text).matches("and|or|not");
    }

    /** Without what is in no keyword at its ends. */
    private static String stripped(String text) {
        int[] points = text.codePoints().toArray();
        int from = 0;
        int to = points.length;
        while (from < to && !KeywordText.beginsToken(points[from])) {
            from++;
        }
        while (to > from && !KeywordText.continuesToken(points[to - 1])) {
            to--;
        }
        return new String(points, from, to - from);
    }

    private @Nullable Reading expression(String name, String text) {
        Matcher found = EXPRESSION.matcher(text);
        if (!found.matches()) {
            return null;
        }
        String inner = found.group(1);
        boolean isPath =
                inner.indexOf('/') >= 0 || !found.group(2).isEmpty() || name.matches("(?i)path|source|filename");
        if (isPath && inner.chars().noneMatch(c -> "[](){}*?|\\^$".indexOf(c) >= 0)) {
            return null;
        }
        String why = "has no regular expressions: it " + WHOLE;
        String plain = inner.replaceAll("^\\^?(?:\\.[*+])?|(?:\\.[*+])?\\$?$", "");
        String field = name.isEmpty() ? "" : name + ":";
        if (WORD.matcher(plain).matches()) {
            boolean whole = plain.equals(inner);
            return new Reading(why, (whole ? field : "") + (isOneTerm(plain) ? plain : QueryToken.quoted(plain)));
        }
        String[] words = plain.replaceAll("^\\(|\\)$", "").split("\\|");
        boolean each = Arrays.stream(words).allMatch(word -> WORD.matcher(word).matches());
        return each ? new Reading(why, alternatives(field, words)) : new Reading(why);
    }

    private static String alternatives(String field, String[] values) {
        String joined = Arrays.stream(values)
                .map(value -> field + (isOneTerm(value) ? value : QueryToken.quoted(value)))
                .collect(Collectors.joining(" OR "));
        return values.length == 1 ? joined : "(" + joined + ")";
    }

    private String networks() {
        return profile.ipPrefixes().isEmpty()
                ? "asks for a network, and the tenant's profile has none: addresses are found as a whole"
                : "has networks as ip:10.0.0.0/8, of the lengths "
                        + profile.ipPrefixes().stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** The network itself, or else the smallest that is indexed and holds it. */
    private Reading network(String cidr) {
        int slash = cidr.indexOf('/');
        int bits = Integer.parseInt(cidr.substring(slash + 1));
        List<String> instead = new ArrayList<>();
        IntStream.rangeClosed(0, bits)
                .map(shorter -> bits - shorter)
                .filter(profile.ipPrefixes()::contains)
                .findFirst()
                .ifPresent(indexed -> instead.add("ip:" + cidr.substring(0, slash + 1) + indexed));
        return new Reading(networks(), instead, 0);
    }

    private static Reading quotedToo(Reading reading, String text) {
        List<String> instead = new ArrayList<>(reading.instead());
        instead.add(QueryToken.quoted(text));
        return new Reading(reading.why(), instead, 0);
    }
}
