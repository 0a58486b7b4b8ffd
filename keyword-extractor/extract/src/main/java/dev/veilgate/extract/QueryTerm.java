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
    private final Set<List<Keyword>> allOf = new LinkedHashSet<>();
    private final Set<Integer> leftOut = new LinkedHashSet<>();
    private boolean cutUp;

    /**
     * @param own  fields that are read in another way
     * @param term its place in the query, from 1
     */
    QueryTerm(ExtractorProfile profile, KeywordQuery.Fields own, int term) {
        this.profile = profile;
        this.own = own;
        this.term = term;
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

    /**
     * What another product's name of a field stands for, and that name itself, since records are indexed by their own names too.
     *
     * @return whether it stands for a field
     */
    private boolean alias(String field, String value, String normal) throws MalformedQueryException {
        String common = FieldNames.common(field).orElse(null);
        if (common == null || profile.fields().contains(field)) {
            return false;
        }
        Set<Keyword> anyOf = new LinkedHashSet<>();
        switch (common) {
            case "level" -> anyOf.addAll(levels(normal));
            case "ip" -> {
                if (NetworkTerm.isNetwork(normal)) {
                    address(normal);
                    return true;
                }
                String canonical = IpAddresses.canonical(normal);
                if (!canonical.isEmpty()) {
                    anyOf.add(Keyword.text(common, canonical));
                }
            }
            case "time" -> {
                if (!TimeKeywords.parts(normal).isEmpty()) {
                    time(normal);
                    return true;
                }
            }
            case SourceKeyword.FIELD -> {
                SourceKeyword.of(value, profile).ifPresent(anyOf::add);
                anyOf.add(Keyword.text("path", normal));
            }
            default -> anyOf.add(Keyword.text(common, normal));
        }
        if (normal.getBytes(StandardCharsets.UTF_8).length <= profile.limits().fieldValueBytes()) {
            anyOf.add(Keyword.text(field, normal));
        }
        if (!anyOf.isEmpty()) {
            allOf.add(List.copyOf(anyOf));
        }
        return !anyOf.isEmpty();
    }

    private void named(String field, String value, String normal) throws MalformedQueryException {
        DyadicIntervals intervals = profile.numericField(field).orElse(null);
        if (intervals == null && alias(field, value, normal)) {
            return;
        }
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
        if (normal.getBytes(StandardCharsets.UTF_8).length > profile.limits().fieldValueBytes()) {
            bare(value);
        } else {
            allOf.add(List.of(Keyword.text(field, normal)));
        }
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
