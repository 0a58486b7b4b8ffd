package dev.veilgate.extract;

import dev.veilgate.extract.ForeignTerms.Reading;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Wildcards, regular expressions and fuzzy words as other query languages write them. */
final class ForeignPatterns {
    private static final Pattern FUZZY = Pattern.compile("^([^~/\\\\^]*[\\p{L}\\p{N}])[~^][0-9.]*");
    private static final Pattern EXPRESSION = Pattern.compile("/(.+)/([gimsux]{0,3})");
    private static final Pattern THREE_BYTES = Pattern.compile("^((?:[0-9]{1,3}\\.){3})[xX]?$");
    private static final Pattern NETWORK = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){0,2})((?:\\.\\*){1,3})");
    private static final Pattern CLASS =
            Pattern.compile("\\\\[dswDSW](?:[+*{?]|$)|^\\\\b|\\.[+](?=[\\p{L}\\p{N}(\\[])");
    private static final Pattern RANGE =
            Pattern.compile("\\[\\^?(?:0-9|a-z|A-Z|a-f|A-F|1-9)|[0-9]\\.\\[[0-9-]{2,10}\\]$");
    private static final Pattern BOTH_CASES = Pattern.compile("^\\[([A-Za-z])([A-Za-z])\\](?=[a-z])");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_-]+");
    private static final Pattern WILD = Pattern.compile("[*?]+");
    private static final String WHOLE =
            "only whole words and values are found; for one of several, OR goes between them";

    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;

    ForeignPatterns(ExtractorProfile profile, KeywordQuery.Fields own) {
        this.profile = profile;
        this.own = own;
    }

    /** Stars, question marks, tildes and carets. */
    @Nullable
    Reading wildcardOrFuzzy(String name, String text) {
        String starred = THREE_BYTES.matcher(text).replaceFirst("$1*");
        Matcher network = NETWORK.matcher(starred);
        if (network.matches()) {
            int parts = starred.split("\\.").length;
            int bytes = parts - network.group(2).length() / 2;
            boolean isAddress = parts <= 4;
            String address = network.group(1) + ".0".repeat(Math.max(0, 4 - bytes));
            return isAddress ? network(address + "/" + 8 * bytes) : new Reading("has networks as ip:10.0.0.0/8");
        }
        if (name.isEmpty() ? isWild(text) : text.indexOf('*') >= 0 || isWild(text)) {
            return wildcard(name, text);
        }
        Matcher fuzzy = FUZZY.matcher(text);
        return fuzzy.matches()
                ? new Reading(
                        "has ~ or ^ behind a word, but words are found as they are written",
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
                .map(ForeignPatterns::stripped)
                .filter(piece -> !piece.isEmpty())
                .toList();
        boolean isPrefix = text.endsWith("*") && pieces.size() == 1 && WILD.split(text).length == 1 && isOneToken(text);
        var prefixes = profile.wordPrefixes();
        if (isPrefix && prefixes.enabled()) {
            return prefix(name, pieces.getFirst(), prefixes.shortest(), prefixes.longest());
        }
        String why = isPrefix
                ? "asks for a prefix of words, which the profile does not index: " + WHOLE
                : "has a wildcard, but " + WHOLE;
        if (pieces.size() != 1) {
            return new Reading(why);
        }
        String piece = pieces.getFirst();
        if (!WILD.matcher(text).replaceAll("").equals(piece)) {
            return new Reading(why); // without the hyphen of web-* it would find each web
        }
        String field = KeywordText.field(name);
        String written = isOneTerm(piece) ? piece : QueryToken.quoted(piece);
        if (name.isEmpty() || FieldNames.isWholeText(field)) {
            return new Reading(why, written);
        }
        return own.keywords(field, piece).isPresent() && !KnownFields.isWholeOfMails(field)
                ? new Reading(why, prefixed(name, written))
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
        return new Reading(why); // a shorter one, or one of any field, would find more
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

    /** {@code /re/}, which a path of one name looks like. */
    @Nullable
    Reading expression(String name, String text) {
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
        String why = "has a regular expression, but " + WHOLE;
        String plain = inner.replaceAll("^\\^?(?:\\.[*+])?|(?:\\.[*+])?\\$?$", "");
        String field = name.isEmpty() ? "" : name + ":";
        if (WORD.matcher(plain).matches()) {
            boolean whole = plain.equals(inner) || name.isEmpty();
            return whole
                    ? new Reading(why, field + (isOneTerm(plain) ? plain : QueryToken.quoted(plain)))
                    : new Reading(why);
        }
        String[] words = plain.replaceAll("^\\(|\\)$", "").split("\\|");
        boolean each = Arrays.stream(words).allMatch(word -> WORD.matcher(word).matches());
        return each ? new Reading(why, alternatives(field, words)) : new Reading(why);
    }

    /** Classes of characters and other signs that hardly a text has, but regular expressions do. */
    @Nullable
    Reading inText(String text) {
        boolean isPath = text.startsWith("\\\\") || text.startsWith(":\\", 1);
        if (!isPath && (CLASS.matcher(text).find() || RANGE.matcher(text).find())) {
            return new Reading("has a regular expression, but " + WHOLE);
        }
        Matcher cases = BOTH_CASES.matcher(text);
        boolean isBoth = cases.find() && KeywordText.fold(cases.group(1)).equals(KeywordText.fold(cases.group(2)));
        if (isBoth) {
            return new Reading(
                    "has a regular expression; small and capital letters are the same here anyway",
                    text.substring(0, cases.start()) + cases.group(1) + text.substring(cases.end()));
        }
        String[] words = text.split("\\\\\\|", -1);
        boolean isList = words.length > 1
                && Arrays.stream(words).allMatch(word -> WORD.matcher(word).matches());
        return isList ? new Reading("has a regular expression, but " + WHOLE, alternatives("", words)) : null;
    }

    /** {@code field=~"re"} and {@code field!~"re"}: a word, or several to choose from. */
    Reading matched(String name, String sign, String value) {
        String inner = value.replaceAll("^[\"'`]|[\"'`]$", "");
        String why = "has a regular expression, but " + WHOLE;
        String[] words = inner.replaceAll("^\\^?\\(?|\\)?\\$?$", "").split("\\|", -1);
        if (Arrays.stream(words).anyMatch(word -> !WORD.matcher(word).matches())) {
            return new Reading(why);
        }
        String field = name.isEmpty() ? "" : name + ":";
        return new Reading(why, (sign.equals("!~") ? "NOT " : "") + alternatives(field, words));
    }

    static String unquoted(String text) {
        return text.replaceAll("^\"|\"$", "");
    }

    /** Without the backslashes before signs. */
    static String unescaped(String text) {
        return text.replaceAll("\\\\([^\\p{L}\\p{N}])", "$1");
    }

    /** Values with OR between them. */
    static String alternatives(String field, String[] values) {
        String joined = Arrays.stream(values)
                .map(value -> field + (isOneTerm(value) ? value : QueryToken.quoted(value)))
                .collect(Collectors.joining(" OR "));
        return values.length == 1 ? joined : "(" + joined + ")";
    }

    /** The network, if it can be asked for. */
    Reading network(String cidr) {
        NetworkTerm network = NetworkTerm.of(KeywordText.fold(cidr));
        if (network == null || network.keywords(profile).isEmpty()) {
            return new Reading(
                    network == null
                            ? "has a network that is none; one is written as ip:10.0.0.0/8 or ip:2001:db8::/32"
                            : "asks for a network of a length that the tenant's profile does not index; "
                                    + network.lengthsOf(profile));
        }
        return new Reading("has networks as ip:10.0.0.0/8", List.of("ip:" + cidr), 0);
    }
}
