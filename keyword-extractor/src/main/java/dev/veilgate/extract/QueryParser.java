package dev.veilgate.extract;

import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the text of a {@link KeywordQuery}. */
final class QueryParser {
    private static final Pattern FIELD = Pattern.compile("[\\p{L}_@][^\\s:\"]+");
    private static final Pattern NETWORK = Pattern.compile("([0-9.]+)/([0-9]{1,2})");

    private final ExtractorProfile profile;
    private final Set<List<Keyword>> allOf = new LinkedHashSet<>();
    private int keywords;
    private int term;

    QueryParser(ExtractorProfile profile) {
        this.profile = profile;
    }

    KeywordQuery parse(String query) throws MalformedQueryException {
        if (query.length() > KeywordQuery.MAX_CHARACTERS) {
            throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_CHARACTERS + " characters");
        }
        int at = 0;
        while ((at = pastSpace(query, at)) < query.length()) {
            term++;
            at = term(query, at);
        }
        if (allOf.isEmpty()) {
            throw new MalformedQueryException(0, "has no word, number, address or field:value");
        }
        return new KeywordQuery(List.copyOf(allOf));
    }

    private static int pastSpace(String query, int from) {
        int at = from;
        while (at < query.length() && Character.isWhitespace(query.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Reads one term; returns where it ends. */
    private int term(String query, int from) throws MalformedQueryException {
        StringBuilder value = new StringBuilder();
        if (query.charAt(from) == '"') {
            int end = quoted(query, from, value);
            bare(value.toString());
            return end;
        }
        int end = from;
        while (end < query.length() && !Character.isWhitespace(query.charAt(end)) && query.charAt(end) != '"') {
            end++;
        }
        String text = query.substring(from, end);
        String name = fieldOf(text);
        if (name == null) {
            bareOrPrefix(text);
            return end;
        }
        if (text.length() == name.length() + 1 && end < query.length() && query.charAt(end) == '"') {
            end = quoted(query, end, value);
        } else {
            value.append(text, name.length() + 1, text.length());
        }
        field(name, value.toString());
        return end;
    }

    private int quoted(String query, int from, StringBuilder out) throws MalformedQueryException {
        for (int at = from + 1; at < query.length(); at++) {
            char c = query.charAt(at);
            if (c == '"') {
                return at + 1;
            }
            boolean escape = c == '\\' && at + 1 < query.length() && "\"\\".indexOf(query.charAt(at + 1)) >= 0;
            out.append(escape ? query.charAt(++at) : c);
        }
        throw new MalformedQueryException(term, "has a quote without its end");
    }

    /** The field's name that a term begins with, as written; null for bare text such as fe80::1, C:\Temp or http://example.org. */
    private static @Nullable String fieldOf(String text) {
        int colon = text.indexOf(':');
        if (colon < 2 || !FIELD.matcher(text.substring(0, colon)).matches()) {
            return null;
        }
        boolean bare = text.startsWith("//", colon + 1)
                || text.startsWith(":", colon + 1)
                || !IpAddresses.canonical(KeywordText.fold(text)).isEmpty();
        return bare ? null : text.substring(0, colon);
    }

    private void bareOrPrefix(String text) throws MalformedQueryException {
        String prefix = KeywordText.fold(text);
        int end = prefix.length() - 1;
        boolean isPrefix = end > 0
                && prefix.charAt(end) == '*'
                && prefix.codePoints().limit(prefix.codePointCount(0, end)).allMatch(KeywordText::continuesToken);
        if (isPrefix) {
            prefix(prefix.substring(0, end));
        } else {
            bare(text);
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
        and(List.of(Keyword.text("prefix", prefix)));
    }

    /** All tokens of a text. */
    private void bare(String text) throws MalformedQueryException {
        byte[] utf8 = KeywordText.fold(text).getBytes(StandardCharsets.UTF_8);
        List<List<Keyword>> found = new ArrayList<>();
        int max = profile.limits().valueBytes();
        Tokenizer.ofQueries((kind, bytes, from, to) -> {
                    int end = KeywordText.cut(bytes, from, to, max);
                    String value = new String(bytes, from, end - from, StandardCharsets.UTF_8);
                    found.add(alternatives(kind, value));
                })
                .cut(utf8, 0, utf8.length);
        if (found.isEmpty()) {
            throw new MalformedQueryException(term, "has no letter and no digit");
        }
        for (List<Keyword> anyOf : found) {
            and(anyOf);
        }
    }

    /** A process id is not indexed as a number as well, so a number is looked for as both. */
    private static List<Keyword> alternatives(TokenKind kind, String value) {
        Keyword keyword = Keyword.text(kind.field(), value);
        boolean mayBePid = kind == TokenKind.NUMBER && RecordKeywords.mayBePid(value);
        return mayBePid ? List.of(keyword, Keyword.text(TokenKind.PID.field(), value)) : List.of(keyword);
    }

    private void field(String name, String value) throws MalformedQueryException {
        String field = KeywordText.field(name);
        String normal = KeywordText.value(value, profile.limits().valueBytes());
        if (field.isEmpty() || normal.isEmpty()) {
            throw new MalformedQueryException(term, "needs a field's name and a value");
        }
        switch (field) {
            case "word", "number" -> bare(value);
            case "ip", "ip-prefix" -> address(normal);
            case "time" -> time(normal);
            case "level" -> {
                String level = KeywordText.level(normal);
                and(List.of(Keyword.text("level", level.isEmpty() ? normal : level)));
            }
            case "prefix" -> prefix(normal);
            case SourceKeyword.FIELD ->
                and(SourceKeyword.of(value, profile).map(List::of).orElseThrow()); // normal is not empty
            case "path", "template", "host", "app", "pid" -> and(List.of(Keyword.text(field, normal)));
            default -> named(field, value, normal);
        }
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
                and(intervals.keywordsOfRange(number.getAsLong(), number.getAsLong()));
                return;
            }
        }
        if (normal.getBytes(StandardCharsets.UTF_8).length > profile.limits().fieldValueBytes()) {
            bare(value);
        } else {
            and(List.of(Keyword.text(field, normal)));
        }
    }

    private void range(DyadicIntervals intervals, OptionalLong from, OptionalLong to) throws MalformedQueryException {
        if (from.isEmpty() || to.isEmpty() || from.getAsLong() > to.getAsLong()) {
            throw new MalformedQueryException(term, "needs a range of two numbers, the smaller first: 100..200");
        }
        if (from.getAsLong() > intervals.last() || to.getAsLong() < intervals.origin()) {
            throw new MalformedQueryException(term, "asks for numbers outside the range of their field");
        }
        and(intervals.keywordsOfRange(
                Math.max(from.getAsLong(), intervals.origin()), Math.min(to.getAsLong(), intervals.last())));
    }

    private void address(String normal) throws MalformedQueryException {
        Matcher network = NETWORK.matcher(normal);
        if (network.matches()) {
            byte[] text = network.group(1).getBytes(StandardCharsets.US_ASCII);
            int bits = Integer.parseInt(network.group(2));
            if (IpAddresses.endOfIp4(text, 0, text.length) != text.length || text.length == 0) {
                throw new MalformedQueryException(term, "needs a network such as 10.0.0.0/8");
            }
            if (!profile.ipPrefixes().contains(bits)) {
                throw new MalformedQueryException(
                        term, "asks for a network of a length that the profile does not index");
            }
            byte[] out = new byte[IpAddresses.MAX_TEXT_BYTES];
            int length = IpAddresses.network(IpAddresses.ip4(text, 0, text.length), bits, out);
            and(List.of(Keyword.text("ip-prefix", new String(out, 0, length, StandardCharsets.US_ASCII))));
            return;
        }
        String canonical = IpAddresses.canonical(normal);
        if (canonical.isEmpty()) {
            throw new MalformedQueryException(term, "needs an IPv4 or IPv6 address");
        }
        and(List.of(Keyword.text("ip", canonical)));
    }

    private void time(String normal) throws MalformedQueryException {
        List<String> parts = TimeKeywords.parts(normal);
        if (parts.isEmpty()) {
            throw new MalformedQueryException(
                    term, "needs a month, day, hour or minute: 2026-11, 2026-11-21, 2026-11-21T12 or 2026-11-21T12:23");
        }
        for (String part : parts) {
            and(List.of(Keyword.text("time", part)));
        }
    }

    private void and(List<Keyword> anyOf) throws MalformedQueryException {
        if (allOf.add(anyOf)) {
            keywords += anyOf.size();
        }
        if (keywords > KeywordQuery.MAX_KEYWORDS) {
            throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_KEYWORDS + " keywords");
        }
    }
}
