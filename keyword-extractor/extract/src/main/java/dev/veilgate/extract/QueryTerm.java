package dev.veilgate.extract;

import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keywords that one term of a query asks for. */
final class QueryTerm {
    private static final Pattern FIELD = Pattern.compile("[\\p{L}_@][^\\s:\"]+");

    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;
    private final int term;
    private final boolean isLeftOut;
    private final Set<List<Keyword>> allOf = new LinkedHashSet<>();
    private final Set<Integer> leftOut = new LinkedHashSet<>();
    private boolean cutUp;
    private boolean byWords;
    private String widenedTo = "";

    /**
     * @param own       fields that are read in another way
     * @param term      its place in the query, from 1
     * @param isLeftOut whether records that have it are left out
     */
    QueryTerm(ExtractorProfile profile, KeywordQuery.Fields own, int term, boolean isLeftOut) {
        this.profile = profile;
        this.own = own;
        this.term = term;
        this.isLeftOut = isLeftOut;
    }

    /** What must be there, all of it: of each list one. */
    Set<List<Keyword>> allOf() {
        return allOf;
    }

    /** Characters of its text that are in none of its keywords. */
    Set<Integer> leftOut() {
        return leftOut;
    }

    /** Whether its text is searched by several keywords, whatever their order. */
    boolean isCutUp() {
        return cutUp;
    }

    /** Tells if the value of a field is too long to be indexed as one, so that it is searched by its words. */
    boolean isByWords() {
        return byWords;
    }

    /** The field that is searched in the place of one that is not indexed under its own name; empty if none is. */
    String widenedTo() {
        return widenedTo;
    }

    /** The field's name that a term begins with, as written; null for bare text such as fe80::1, C:\Temp or http://example.org. */
    static @Nullable String fieldOf(String text) {
        int colon = text.indexOf(':');
        if (colon < 2 || !FIELD.matcher(text.substring(0, colon)).matches()) {
            return null;
        }
        String behind = KeywordText.fold(text.substring(colon + 1));
        boolean isAddress = // ip:::1
                !IpAddresses.canonical(behind).isEmpty() || NetworkTerm.isNetwork(behind);
        boolean bare = text.endsWith("]:")
                || text.startsWith("//", colon + 1)
                || text.startsWith(":", colon + 1) && !isAddress
                || !IpAddresses.canonical(KeywordText.fold(text)).isEmpty();
        return bare ? null : text.substring(0, colon);
    }

    /** Text without quotes and without a field. */
    void bareOrPrefix(String text) throws MalformedQueryException {
        if (ownField("", text)) {
            return;
        }
        String prefix = KeywordText.fold(text);
        int end = prefix.length() - 1;
        boolean isPrefix = end > 0
                && prefix.charAt(end) == '*'
                && prefix.codePoints().limit(prefix.codePointCount(0, end)).allMatch(KeywordText::continuesToken);
        if (isPrefix) {
            prefix(prefix.substring(0, end));
        } else {
            tokens(text);
        }
    }

    private void prefix(String prefix) throws MalformedQueryException {
        var prefixes = profile.wordPrefixes();
        int length = prefix.codePointCount(0, prefix.length());
        if (!prefixes.enabled()) {
            throw new MalformedQueryException(term, "asks for a prefix of words, which the profile does not index");
        }
        if (length < prefixes.shortest() || length > prefixes.longest()) {
            throw new MalformedQueryException(
                    term,
                    "asks for a prefix of words; they have " + prefixes.shortest() + " to " + prefixes.longest()
                            + " characters");
        }
        allOf.add(List.of(Keyword.text("prefix", prefix)));
    }

    /** Text in quotes. */
    void bare(String text) throws MalformedQueryException {
        if (!ownField("", text)) {
            tokens(text);
        }
    }

    /** All tokens of a text. */
    private void tokens(String text) throws MalformedQueryException {
        byte[] utf8 = KeywordText.fold(text).getBytes(StandardCharsets.UTF_8);
        List<List<Keyword>> found = new ArrayList<>();
        int max = profile.limits().valueBytes();
        Tokenizer.ofQueries((kind, bytes, from, to) -> {
                    int end = KeywordText.cut(bytes, from, to, max);
                    String value = new String(bytes, from, end - from, StandardCharsets.UTF_8);
                    parts(kind, value).forEach(part -> found.add(alternatives(kind, part)));
                })
                .cut(utf8, 0, utf8.length);
        if (found.isEmpty()) {
            throw new MalformedQueryException(term, "has no letter and no digit");
        }
        allOf.addAll(found);
        cutUp |= found.size() > 1;
        Set<Integer> signs = KeywordText.fold(text)
                .codePoints()
                .filter(c -> !QueryToken.isSpace((char) c) && !KeywordText.continuesToken(c))
                .boxed()
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (!signs.isEmpty()) {
            found.forEach(anyOf -> anyOf.getFirst().value().codePoints().forEach(signs::remove));
        }
        leftOut.addAll(signs);
    }

    /** Text without spaces between its words is found by pairs of characters where rules 2 indexed it. */
    private List<String> parts(TokenKind kind, String value) {
        boolean isCut = kind == TokenKind.WORD && profile.rules() > ExtractorProfile.RULES && UnspacedScripts.in(value);
        return isCut ? UnspacedScripts.pieces(value) : List.of(value);
    }

    private boolean ownField(String field, String value) throws MalformedQueryException {
        List<List<Keyword>> keywords = own.keywords(field, value).orElse(null);
        if (keywords == null) {
            return false;
        }
        if (keywords.isEmpty()) {
            throw new MalformedQueryException(term, "has no letter and no digit");
        }
        allOf.addAll(keywords);
        return true;
    }

    /** A process id is not indexed as a number as well, so a number is looked for as both. */
    private static List<Keyword> alternatives(TokenKind kind, String value) {
        Keyword keyword = Keyword.text(kind.field(), value);
        boolean mayBePid = kind == TokenKind.NUMBER && RecordKeywords.mayBePid(value);
        return mayBePid ? List.of(keyword, Keyword.text(TokenKind.PID.field(), value)) : List.of(keyword);
    }

    /** The value of a field. */
    void field(String name, String value) throws MalformedQueryException {
        String field = FieldNames.withoutKind(KeywordText.field(name));
        String normal = KeywordText.value(value, profile.limits().valueBytes());
        if (field.isEmpty() || normal.isEmpty()) {
            throw new MalformedQueryException(term, "needs a field's name and a value");
        }
        if (ownField(field, value)) {
            return;
        }
        switch (field) {
            case "word", "number" -> bare(value);
            case "ip", "ip-prefix" -> address(normal);
            case "time" -> time(normal);
            case "level" -> allOf.add(List.copyOf(levels(normal)));
            case "prefix" -> prefix(normal);
            case SourceKeyword.FIELD -> allOf.add(List.of(Keyword.text(field, withoutSeparator(normal))));
            case "path" -> allOf.add(List.of(Keyword.text(field, withoutSeparator(normal))));
            case "template", "host", "app", "pid" -> allOf.add(List.of(Keyword.text(field, normal)));
            default -> named(field, value, normal);
        }
    }

    /** A folder may be written with a separator at its end; records have it without. */
    private static String withoutSeparator(String path) {
        int end = path.length();
        while (end > 1 && (path.charAt(end - 1) == '/' || path.charAt(end - 1) == '\\')) {
            end--;
        }
        return path.substring(0, end);
    }

    /** By its common name; a number as it is, too. */
    private static Set<Keyword> levels(String normal) {
        Set<Keyword> anyOf = new LinkedHashSet<>();
        String level = KeywordText.level(normal);
        anyOf.add(Keyword.text("level", level.isEmpty() ? normal : level));
        String ofNumber = KeywordText.levelOfNumber(normal);
        if (!ofNumber.isEmpty()) {
            anyOf.add(Keyword.text("level", ofNumber));
        }
        return anyOf;
    }

    private void named(String field, String value, String normal) throws MalformedQueryException {
        DyadicIntervals intervals = profile.numericField(field).orElse(null);
        if (intervals != null) {
            int dots = normal.indexOf("..");
            if (dots >= 0) {
                range(intervals, Numbers.floor(normal.substring(0, dots)), Numbers.floor(normal.substring(dots + 2)));
                return;
            }
            OptionalLong number = Numbers.floor(normal);
            if (number.isPresent()
                    && number.getAsLong() >= intervals.origin()
                    && number.getAsLong() <= intervals.last()) {
                allOf.add(intervals.keywordsOfRange(number.getAsLong(), number.getAsLong()));
                return;
            }
        }
        String common = FieldNames.common(field).orElse("");
        if (isAskedAs(common, field, normal)) {
            if (isLeftOut && !FieldNames.isTime(field)) {
                throw new MalformedQueryException(
                                term,
                                "leaves out by a field that is not indexed under this name; write NOT " + common + ":")
                        .meaning(common);
            }
            widenedTo = common;
            field(common, value);
        } else if (normal.getBytes(StandardCharsets.UTF_8).length
                > profile.limits().fieldValueBytes()) {
            byWords = true;
            bare(value);
        } else {
            Set<Keyword> anyOf = new LinkedHashSet<>(Set.of(Keyword.text(field, normal)));
            if (common.equals("ip") && !IpAddresses.canonical(normal).isEmpty()) { // in whichever form it was written
                anyOf.add(Keyword.text(field, IpAddresses.canonical(normal)));
            }
            allOf.add(List.copyOf(anyOf));
        }
    }

    /**
     * Whether the value of another product's name is found under our name of it alone: times are indexed by their
     * parts and networks for all addresses of a record, neither under the names that records have for them, and some
     * profiles index no fields of records.
     */
    private boolean isAskedAs(String common, String field, String normal) {
        boolean isIndexed = profile.limits().fields() > 0 || profile.fields().contains(field);
        return switch (common) {
            case "" -> false;
            case "time" -> !TimeKeywords.parts(normal).isEmpty();
            case "ip" ->
                NetworkTerm.isNetwork(normal)
                        || !isIndexed && !IpAddresses.canonical(normal).isEmpty();
            default -> !isIndexed;
        };
    }

    private void range(DyadicIntervals intervals, OptionalLong from, OptionalLong to) throws MalformedQueryException {
        if (from.isEmpty() || to.isEmpty() || from.getAsLong() > to.getAsLong()) {
            throw new MalformedQueryException(term, "needs a range of two numbers, the smaller first: 100..200");
        }
        if (from.getAsLong() > intervals.last() || to.getAsLong() < intervals.origin()) {
            throw new MalformedQueryException(term, "asks for numbers outside the range of their field");
        }
        allOf.add(intervals.keywordsOfRange(
                Math.max(from.getAsLong(), intervals.origin()), Math.min(to.getAsLong(), intervals.last())));
    }

    private void address(String normal) throws MalformedQueryException {
        NetworkTerm network = NetworkTerm.of(normal);
        if (network != null) {
            List<Keyword> anyOf = network.keywords(profile);
            if (anyOf.isEmpty()) {
                throw new MalformedQueryException(
                        term,
                        "asks for a network of a length that the profile does not index; "
                                + network.lengthsOf(profile));
            }
            allOf.add(anyOf);
            return;
        }
        if (normal.indexOf('/') >= 0) {
            throw new MalformedQueryException(term, "needs a network such as 10.0.0.0/8 or 2001:db8::/32");
        }
        String canonical = IpAddresses.canonical(normal);
        if (canonical.isEmpty()) {
            throw new MalformedQueryException(term, "needs an IPv4 or IPv6 address");
        }
        allOf.add(List.of(Keyword.text("ip", canonical)));
    }

    private void time(String normal) throws MalformedQueryException {
        List<String> parts = TimeKeywords.parts(normal);
        if (parts.isEmpty()) {
            throw new MalformedQueryException(
                    term, "needs a month, day, hour or minute: 2026-11, 2026-11-21, 2026-11-21T12 or 2026-11-21T12:23");
        }
        for (String part : parts) {
            Keyword keyword = Keyword.text("time", part);
            allOf.add(
                    TimeKeywords.isYearAndMonth(part)
                            ? List.of(keyword, Keyword.text("time", TimeKeywords.withoutYear(part)))
                            : List.of(keyword));
        }
    }
}
