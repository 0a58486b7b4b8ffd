package dev.veilgate.profiles;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.peks.DyadicIntervals;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parts of an extractor profile as an operator writes them. A part that is null stays as it is, an empty one is
 * cleared.
 *
 * @param ipPrefixes   bits of networks, such as 16, or {@code ::/48} of IPv6
 * @param fields       names of fields in plain text
 * @param numeric      numeric fields, such as {@code temperature=-50..200}
 * @param wordPrefixes lengths, such as {@code 3..8}
 * @param templates    whether kinds of messages are named
 * @param stems        languages
 */
public record ProfileParts(
        @Nullable List<String> ipPrefixes,
        @Nullable List<String> fields,
        @Nullable List<String> numeric,
        @Nullable String wordPrefixes,
        @Nullable Boolean templates,
        @Nullable List<String> stems) {
    /** No part is named. */
    public static final ProfileParts NONE = new ProfileParts(null, null, null, null, null, null);

    private static final Pattern BITS = Pattern.compile("\\d{1,2}");
    private static final Pattern BITS_OF_IP6 = Pattern.compile("::/\\d{1,3}");
    private static final String IP6 = "::/";
    private static final Pattern RANGE = Pattern.compile("([^=]+)=(-?\\d{1,18})\\.\\.(-?\\d{1,18})");
    private static final Pattern LENGTHS = Pattern.compile("(\\d{1,2})\\.\\.(\\d{1,2})");

    /** All parts of a profile. */
    public static ProfileParts of(ExtractorProfile profile) {
        WordPrefixes prefixes = profile.wordPrefixes();
        return new ProfileParts(
                Stream.concat(
                                profile.ipPrefixes().stream().map(String::valueOf),
                                profile.ip6Prefixes().stream().map(bits -> IP6 + bits))
                        .toList(),
                List.copyOf(profile.fields()),
                profile.numericFields().stream()
                        .map(field -> field.field() + "=" + field.origin() + ".." + field.last())
                        .toList(),
                prefixes.enabled() ? prefixes.shortest() + ".." + prefixes.longest() : "",
                profile.templates(),
                List.copyOf(profile.stemLanguages()));
    }

    /** Whether a profile stays as it is. */
    public boolean isNone() {
        return equals(NONE);
    }

    /**
     * Adds the IPv6 networks of a profile, where these parts name networks and none of IPv6. Who names no networks at
     * all, by an empty list, means those of IPv6 too.
     */
    public ProfileParts withIp6Of(ExtractorProfile profile) {
        List<String> named = ipPrefixes == null ? List.of() : present(ipPrefixes);
        if (named.isEmpty() || named.stream().anyMatch(text -> text.startsWith(IP6))) {
            return this;
        }
        List<String> all = Stream.concat(
                        named.stream(), profile.ip6Prefixes().stream().map(bits -> IP6 + bits))
                .toList();
        return new ProfileParts(all, fields, numeric, wordPrefixes, templates, stems);
    }

    /**
     * A profile with these parts in place of its own.
     *
     * @throws IllegalArgumentException for a part that is written otherwise, or that a profile cannot have
     */
    public ExtractorProfile in(ExtractorProfile profile) {
        ExtractorProfile changed = profile;
        if (ipPrefixes != null) {
            changed = networks(changed, present(ipPrefixes));
        }
        if (fields != null) {
            changed = changed.withFields(present(fields).toArray(String[]::new));
        }
        if (numeric != null) {
            changed = changed.withNumericFields(
                    present(numeric).stream().map(ProfileParts::intervals).toArray(DyadicIntervals[]::new));
        }
        if (wordPrefixes != null) {
            changed = changed.withWordPrefixes(prefixes(wordPrefixes));
        }
        if (templates != null) {
            changed = changed.withTemplates(templates);
        }
        if (stems != null) {
            changed = changed.withStemLanguages(present(stems).toArray(String[]::new));
        }
        return changed;
    }

    private static List<String> present(List<String> values) {
        return values.stream()
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    private static ExtractorProfile networks(ExtractorProfile profile, List<String> written) {
        Integer[] ip4 = written.stream()
                .filter(text -> !text.startsWith(IP6))
                .map(ProfileParts::bits)
                .toArray(Integer[]::new);
        Integer[] ip6 = written.stream()
                .filter(text -> BITS_OF_IP6.matcher(text).matches())
                .map(text -> Integer.valueOf(text.substring(IP6.length())))
                .toArray(Integer[]::new);
        if (ip4.length + ip6.length < written.size()) {
            throw new IllegalArgumentException("networks of IPv6 are written by their bits, like ::/32,::/48");
        }
        return profile.withIpPrefixes(ip4).withIp6Prefixes(ip6);
    }

    private static Integer bits(String text) {
        if (!BITS.matcher(text).matches()) {
            throw new IllegalArgumentException("networks are written by their bits, like 8,16,24");
        }
        return Integer.valueOf(text);
    }

    private static DyadicIntervals intervals(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches() || Long.parseLong(range.group(2)) > Long.parseLong(range.group(3))) {
            throw new IllegalArgumentException("numeric fields are written like temperature=-50..200");
        }
        long from = Long.parseLong(range.group(2));
        long last = Long.parseLong(range.group(3));
        int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(last - from));
        return new DyadicIntervals(range.group(1).strip(), from, bits);
    }

    private static WordPrefixes prefixes(String text) {
        if (text.isBlank()) {
            return WordPrefixes.NONE;
        }
        Matcher lengths = LENGTHS.matcher(text.strip());
        if (!lengths.matches()) {
            throw new IllegalArgumentException("lengths of word prefixes are written like 3..8");
        }
        return new WordPrefixes(Integer.parseInt(lengths.group(1)), Integer.parseInt(lengths.group(2)));
    }
}
