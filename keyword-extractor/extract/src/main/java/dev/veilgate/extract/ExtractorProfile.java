package dev.veilgate.extract;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * By which rules records become keywords. It travels inside the signed public bundle, so that every sender indexes and every searcher asks in the
 * same way; what a profile leaves out is not indexed and cannot be found.
 *
 * <p>Encoded as deterministic CBOR, a map with integer keys; see {@link #encode}. Immutable; nothing secret.
 *
 * @param rules         version of the rules of this package by which text is normalised and cut, {@link #RULES} to {@link #NEWEST_RULES}
 * @param limits        bounds of work and of keywords a record
 * @param ipPrefixes    IPv4 networks to index beside each address: prefix lengths of 8 to 24, by rules 2 to 31, ascending
 * @param fields        keys of {@code key=value} pairs that are indexed as fields wherever they occur, also in plain text; folded
 * @param numericFields fields whose whole numbers are indexed by dyadic intervals, so that they can be searched by range; each field once, name
 *                      folded. A number costs bits + 1 keywords
 * @param wordPrefixes  prefixes of words to index (mails)
 * @param templates     whether log records are indexed by the template of their message
 * @param stemLanguages languages whose stems are indexed (mails), two or three lower-case letters of ISO 639; empty: as detected
 * @param ip6Prefixes   IPv6 networks to index beside each address: prefix lengths of 16 to 127, ascending; none by rules 1
 */
public record ExtractorProfile(
        int rules,
        Limits limits,
        SortedSet<Integer> ipPrefixes,
        SortedSet<String> fields,
        List<DyadicIntervals> numericFields,
        WordPrefixes wordPrefixes,
        boolean templates,
        SortedSet<String> stemLanguages,
        SortedSet<Integer> ip6Prefixes) {

    /** The rules of {@link #defaults()}. Another number means other keywords for the same record. */
    public static final int RULES = 1;

    /**
     * The newest rules that this software follows. Rules 2 are those of 1, and in logs what a record wraps is read, too:
     * lines in container formats, JSON in JSON, escape sequences of terminals, and the forms of line that
     * {@link dev.veilgate.extract.log.LogExtractor} names; and times, paths, networks, sources, dates of mails and text
     * without spaces have more keywords. What a record has by them does not change any more.
     */
    public static final int NEWEST_RULES = 2;

    /** Most items of each list. */
    public static final int MAX_ITEMS = 256;

    private static final Pattern LANGUAGE = Pattern.compile("[a-z]{2,3}");

    /** Fields that the extractors make themselves: a record's keys of these names are not indexed as fields. */
    private static final Set<String> RESERVED =
            Set.of("word", "number", "ip", "ip-prefix", "path", "template", "time", "prefix", SourceKeyword.FIELD);

    /**
     * Bounds of what one record may cost.
     *
     * @param keywords        distinct keywords of a record, 16 to 65,536; more are dropped, and the extraction says so
     * @param valueBytes      UTF-8 bytes of a keyword's value, 32 to {@link Keyword#MAX_VALUE_BYTES}; longer values are cut
     * @param fieldValueBytes a named field's value up to this length is one keyword of that field, 8 to valueBytes; a longer one is text, found by
     *                        its words
     * @param fields          keys of a JSON or key=value record that are indexed as fields, 0 to 1,024; those listed by name come on top
     * @param recordBytes     bytes of a record that are looked at, 1,024 to 67,108,864
     */
    public record Limits(int keywords, int valueBytes, int fieldValueBytes, int fields, int recordBytes) {
        /** @throws IllegalArgumentException if a limit is out of its range */
        public Limits {
            inRange("keywords", keywords, 16, 1 << 16);
            inRange("valueBytes", valueBytes, 32, Keyword.MAX_VALUE_BYTES);
            inRange("fieldValueBytes", fieldValueBytes, 8, valueBytes);
            inRange("fields", fields, 0, 1024);
            inRange("recordBytes", recordBytes, 1024, 1 << 26);
        }

        private static void inRange(String what, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(what + " must be " + least + " to " + most);
            }
        }
    }

    /**
     * Which prefixes of a word are indexed.
     *
     * @param shortest characters of the shortest; 0, together with longest 0, for none
     * @param longest  characters of the longest, at most 32
     */
    public record WordPrefixes(int shortest, int longest) {
        /** No prefixes. */
        public static final WordPrefixes NONE = new WordPrefixes(0, 0);

        /** @throws IllegalArgumentException unless both are 0 or 1 to 32, ascending */
        public WordPrefixes {
            boolean none = shortest == 0 && longest == 0;
            if (!none && (shortest < 1 || longest < shortest || longest > 32)) {
                throw new IllegalArgumentException("word prefixes have 1 to 32 characters");
            }
        }

        /** Whether any are indexed. */
        public boolean enabled() {
            return longest > 0;
        }
    }

    /** @throws IllegalArgumentException if a component is out of its range or not folded */
    public ExtractorProfile {
        if (rules < RULES || rules > NEWEST_RULES) {
            throw new IllegalArgumentException("rules must be " + RULES + " to " + NEWEST_RULES);
        }
        ipPrefixes = new TreeSet<>(atMost("ipPrefixes", ipPrefixes));
        fields = new TreeSet<>(atMost("fields", fields));
        numericFields = List.copyOf(atMost("numericFields", numericFields));
        stemLanguages = new TreeSet<>(atMost("stemLanguages", stemLanguages));
        ip6Prefixes = new TreeSet<>(atMost("ip6Prefixes", ip6Prefixes));
        requireLengths("IP prefixes", ipPrefixes, 8, rules == RULES ? 24 : 31);
        requireLengths("IPv6 prefixes", ip6Prefixes, 16, 127);
        if (rules == RULES && !ip6Prefixes.isEmpty()) {
            throw new IllegalArgumentException("IPv6 prefixes are of rules 2");
        }
        fields.forEach(ExtractorProfile::checkField);
        Set<String> numeric = new TreeSet<>();
        for (DyadicIntervals intervals : numericFields) {
            checkField(intervals.field());
            if (!numeric.add(intervals.field())) {
                throw new IllegalArgumentException("a numeric field is named once");
            }
        }
        if (!stemLanguages.stream()
                .allMatch(language -> LANGUAGE.matcher(language).matches())) {
            throw new IllegalArgumentException("languages are two or three lower-case letters");
        }
        ipPrefixes = Collections.unmodifiableSortedSet(ipPrefixes);
        fields = Collections.unmodifiableSortedSet(fields);
        stemLanguages = Collections.unmodifiableSortedSet(stemLanguages);
        ip6Prefixes = Collections.unmodifiableSortedSet(ip6Prefixes);
    }

    private static void requireLengths(String what, SortedSet<Integer> bits, int least, int most) {
        if (!bits.isEmpty() && (bits.first() < least || bits.last() > most)) {
            throw new IllegalArgumentException(what + " must have " + least + " to " + most + " bits");
        }
    }

    private static <C extends Collection<?>> C atMost(String what, C items) {
        if (items.size() > MAX_ITEMS) {
            throw new IllegalArgumentException(what + " has at most " + MAX_ITEMS + " items");
        }
        return items;
    }

    private static void checkField(String name) {
        if (name.isEmpty() || !name.equals(KeywordText.field(name)) || isReserved(name)) {
            throw new IllegalArgumentException(
                    "a field's name is folded, without spaces, colons and quotes, and not a reserved one");
        }
    }

    /**
     * All keys of structured records, nothing of plain text; no networks, no ranges, no prefixes; templates; languages as detected; 8,192 keywords of
     * 256 bytes, 64 keys of 64 bytes and 1 MiB a record.
     */
    public static ExtractorProfile defaults() {
        return new ExtractorProfile(
                RULES,
                new Limits(8192, 256, 64, 64, 1 << 20),
                new TreeSet<>(),
                new TreeSet<>(),
                List.of(),
                WordPrefixes.NONE,
                true,
                new TreeSet<>(),
                new TreeSet<>());
    }

    /** Whether records cannot have a field of their own of this name. */
    public static boolean isReserved(String folded) {
        return RESERVED.contains(folded);
    }

    /** The numeric field of that name. */
    public Optional<DyadicIntervals> numericField(String folded) {
        return numericFields.stream().filter(i -> i.field().equals(folded)).findFirst();
    }

    /**
     * The profile of {@link #NEWEST_RULES} that takes this one's place: with what this one says, and, where it has no
     * networks, with the usual ones: 8, 16 and 24 bits of IPv4, 32, 40, 48, 56 and 64 of IPv6.
     */
    public ExtractorProfile upgraded() {
        ExtractorProfile later = withRules(NEWEST_RULES);
        later = ipPrefixes.isEmpty() ? later.withIpPrefixes(8, 16, 24) : later;
        return ip6Prefixes.isEmpty() ? later.withIp6Prefixes(32, 40, 48, 56, 64) : later;
    }

    /**
     * Tells if queries can ask for IPv4 networks of a prefix length: by the keyword of that length, or by those of all
     * smaller networks or addresses in it, 128 at most.
     */
    public boolean asksNetworks(int bits) {
        return NetworkTerm.isAsked(bits, ipPrefixes, 32);
    }

    /** Tells the same of IPv6 networks. */
    public boolean asksNetworksOfIp6(int bits) {
        return NetworkTerm.isAsked(bits, ip6Prefixes, 128);
    }

    /**
     * This profile with other rules.
     *
     * @throws IllegalArgumentException if this software does not follow them, or they do not have what it says
     */
    public ExtractorProfile withRules(int number) {
        return new ExtractorProfile(
                number, limits, ipPrefixes, fields, numericFields, wordPrefixes, templates, stemLanguages, ip6Prefixes);
    }

    /** This profile with these networks. */
    public ExtractorProfile withIpPrefixes(Integer... bits) {
        return new ExtractorProfile(
                rules,
                limits,
                new TreeSet<>(List.of(bits)),
                fields,
                numericFields,
                wordPrefixes,
                templates,
                stemLanguages,
                ip6Prefixes);
    }

    /**
     * This profile with these networks of IPv6.
     *
     * @throws IllegalArgumentException by rules 1, which have none
     */
    public ExtractorProfile withIp6Prefixes(Integer... bits) {
        return new ExtractorProfile(
                rules,
                limits,
                ipPrefixes,
                fields,
                numericFields,
                wordPrefixes,
                templates,
                stemLanguages,
                new TreeSet<>(List.of(bits)));
    }

    /** This profile with these fields of plain text; names are folded. */
    public ExtractorProfile withFields(String... names) {
        SortedSet<String> folded = new TreeSet<>();
        for (String name : names) {
            folded.add(name.toLowerCase(Locale.ROOT));
        }
        return new ExtractorProfile(
                rules, limits, ipPrefixes, folded, numericFields, wordPrefixes, templates, stemLanguages, ip6Prefixes);
    }

    /** This profile with these numeric fields. */
    public ExtractorProfile withNumericFields(DyadicIntervals... numeric) {
        return new ExtractorProfile(
                rules,
                limits,
                ipPrefixes,
                fields,
                List.of(numeric),
                wordPrefixes,
                templates,
                stemLanguages,
                ip6Prefixes);
    }

    /** This profile with prefixes of words. */
    public ExtractorProfile withWordPrefixes(WordPrefixes prefixes) {
        return new ExtractorProfile(
                rules, limits, ipPrefixes, fields, numericFields, prefixes, templates, stemLanguages, ip6Prefixes);
    }

    /** This profile with or without templates. */
    public ExtractorProfile withTemplates(boolean on) {
        return new ExtractorProfile(
                rules, limits, ipPrefixes, fields, numericFields, wordPrefixes, on, stemLanguages, ip6Prefixes);
    }

    /** This profile with these languages. */
    public ExtractorProfile withStemLanguages(String... languages) {
        return new ExtractorProfile(
                rules,
                limits,
                ipPrefixes,
                fields,
                numericFields,
                wordPrefixes,
                templates,
                new TreeSet<>(List.of(languages)),
                ip6Prefixes);
    }

    /**
     * The canonical encoding, a CBOR map: 0 rules, 1 limits (an array of five integers in their order above), 2 IP prefixes, 3 fields, 4 numeric fields
     * (arrays of name, origin, bits), 5 word prefixes (shortest, longest), 6 templates, 7 stem languages; by rules 2 also
     * 8 IPv6 prefixes.
     */
    public byte[] encode() {
        return ProfileCodec.encode(this);
    }

    /**
     * Reads untrusted bytes. Keys of 8 (by rules 2: 9) to 63 are critical, for they would change the keywords: they are refused. Keys from 64 on are passed over; keep the bytes,
     * not a second encoding, where a signature covers them.
     *
     * @throws MalformedEncodingException if the bytes are not a valid profile with rules of {@link #RULES} to {@link #NEWEST_RULES}
     */
    public static ExtractorProfile decode(byte[] encoded) throws MalformedEncodingException {
        return ProfileCodec.decode(encoded);
    }
}
