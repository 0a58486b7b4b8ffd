package dev.veilgate.extract;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.extract.ExtractorProfile.Limits;
import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The bytes of an {@link ExtractorProfile}; the format is told there. */
final class ProfileCodec {
    private static final int KEYS = 8;
    private static final int KEYS_OF_RULES_2 = 9;
    private static final int FIRST_IGNORED_KEY = 64;
    private static final int MAX_PAIRS = 128;
    private static final String WHAT = "profile";

    private ProfileCodec() {}

    static byte[] encode(ExtractorProfile profile) {
        CborWriter out = new CborWriter(256).map(keys(profile.rules()));
        Limits limits = profile.limits();
        out.integer(0).integer(profile.rules());
        out.integer(1).array(5).integer(limits.keywords()).integer(limits.valueBytes());
        out.integer(limits.fieldValueBytes()).integer(limits.fields()).integer(limits.recordBytes());
        out.integer(2).array(profile.ipPrefixes().size());
        profile.ipPrefixes().forEach(out::integer);
        out.integer(3).array(profile.fields().size());
        profile.fields().forEach(out::text);
        out.integer(4).array(profile.numericFields().size());
        for (DyadicIntervals field : profile.numericFields()) {
            out.array(3).text(field.field()).integer(field.origin()).integer(field.bits());
        }
        WordPrefixes prefixes = profile.wordPrefixes();
        out.integer(5).array(2).integer(prefixes.shortest()).integer(prefixes.longest());
        out.integer(6).bool(profile.templates());
        out.integer(7).array(profile.stemLanguages().size());
        profile.stemLanguages().forEach(out::text);
        if (profile.rules() > ExtractorProfile.RULES) {
            out.integer(8).array(profile.ip6Prefixes().size());
            profile.ip6Prefixes().forEach(out::integer);
        }
        return out.toByteArray();
    }

    private static int keys(int rules) {
        return rules == ExtractorProfile.RULES ? KEYS : KEYS_OF_RULES_2;
    }

    static ExtractorProfile decode(byte[] encoded) throws MalformedEncodingException {
        CborReader in = new CborReader(WHAT, encoded);
        int pairs = in.map("map", MAX_PAIRS);
        if (pairs < KEYS) {
            throw in.malformed("map", "must have the keys 0 to " + (KEYS - 1));
        }
        CborReader.MapKeys keys = in.mapKeys("map");
        expect(in, keys, 0);
        int rules = in.uint("rules", Integer.MAX_VALUE);
        if (rules < ExtractorProfile.RULES || rules > ExtractorProfile.NEWEST_RULES) {
            throw in.malformed("rules", "must be " + ExtractorProfile.RULES + " to " + ExtractorProfile.NEWEST_RULES);
        }
        return rest(in, keys, pairs, rules);
    }

    private static ExtractorProfile rest(CborReader in, CborReader.MapKeys keys, int pairs, int rules)
            throws MalformedEncodingException {
        try {
            expect(in, keys, 1);
            Limits limits = limits(in);
            expect(in, keys, 2);
            SortedSet<Integer> ipPrefixes = lengths(in, "ipPrefixes", 32);
            expect(in, keys, 3);
            SortedSet<String> fields = texts(in, "fields", Keyword.MAX_FIELD_BYTES);
            expect(in, keys, 4);
            List<DyadicIntervals> numeric = numericFields(in);
            expect(in, keys, 5);
            pair(in, "wordPrefixes", 2);
            var prefixes = new WordPrefixes(in.uint("shortest", 32), in.uint("longest", 32));
            expect(in, keys, 6);
            boolean templates = in.bool("templates");
            expect(in, keys, 7);
            SortedSet<String> languages = texts(in, "stemLanguages", 3);
            SortedSet<Integer> ip6Prefixes = new TreeSet<>();
            if (rules > ExtractorProfile.RULES) {
                expect(in, keys, 8);
                ip6Prefixes = lengths(in, "ip6Prefixes", 128);
            }
            passOverRest(in, keys, pairs - keys(rules));
            return new ExtractorProfile(
                    rules, limits, ipPrefixes, fields, numeric, prefixes, templates, languages, ip6Prefixes);
        } catch (IllegalArgumentException e) { // of a validated component; its message names the component only
            throw in.malformed("value", String.valueOf(e.getMessage()));
        }
    }

    private static SortedSet<Integer> lengths(CborReader in, String what, int most) throws MalformedEncodingException {
        SortedSet<Integer> lengths = new TreeSet<>();
        int size = in.array(what, ExtractorProfile.MAX_ITEMS);
        for (int i = 0; i < size; i++) {
            ascending(in, what, lengths, in.uint(what, most));
        }
        return lengths;
    }

    private static Limits limits(CborReader in) throws MalformedEncodingException {
        pair(in, "limits", 5);
        int most = Integer.MAX_VALUE;
        return new Limits(
                in.uint("keywords", most),
                in.uint("valueBytes", most),
                in.uint("fieldValueBytes", most),
                in.uint("fields", most),
                in.uint("recordBytes", most));
    }

    private static List<DyadicIntervals> numericFields(CborReader in) throws MalformedEncodingException {
        List<DyadicIntervals> numeric = new ArrayList<>();
        int size = in.array("numericFields", ExtractorProfile.MAX_ITEMS);
        for (int i = 0; i < size; i++) {
            pair(in, "numericField", 3);
            numeric.add(new DyadicIntervals(
                    in.text("name", Keyword.MAX_FIELD_BYTES), in.integer("origin"), in.uint("bits", 62)));
        }
        return numeric;
    }

    private static SortedSet<String> texts(CborReader in, String what, int maxBytes) throws MalformedEncodingException {
        SortedSet<String> texts = new TreeSet<>();
        int size = in.array(what, ExtractorProfile.MAX_ITEMS);
        for (int i = 0; i < size; i++) {
            ascending(in, what, texts, in.text(what, maxBytes));
        }
        return texts;
    }

    /** One encoding only: sets are in ascending order. */
    private static <T extends Comparable<T>> void ascending(CborReader in, String what, SortedSet<T> set, T item)
            throws MalformedEncodingException {
        if (!set.isEmpty() && set.last().compareTo(item) >= 0) {
            throw in.malformed(what, "must be in ascending order, each once");
        }
        set.add(item);
    }

    private static void pair(CborReader in, String what, int size) throws MalformedEncodingException {
        if (in.array(what, size) != size) {
            throw in.malformed(what, "must have " + size + " items");
        }
    }

    private static void expect(CborReader in, CborReader.MapKeys keys, int key) throws MalformedEncodingException {
        if (keys.nextInt() != key) {
            throw in.malformed("map", "must have the keys from 0 on");
        }
    }

    private static void passOverRest(CborReader in, CborReader.MapKeys keys, int pairs)
            throws MalformedEncodingException {
        for (int i = 0; i < pairs; i++) {
            if (keys.nextInt() < FIRST_IGNORED_KEY) {
                throw in.malformed("map", "has a critical key that this version does not know");
            }
            in.rawItem("ignored");
        }
        in.end();
    }
}
