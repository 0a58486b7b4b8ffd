package dev.veilgate.acceptance;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.template.TemplateMiner;
import dev.veilgate.extract.template.TemplateSettings;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sender.SealedLines;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The opened records, their keywords extracted anew, and a search over these by comparison. */
final class PlainSearch {
    /** A record: where it is, and what the extractor says. */
    record Place(Envelope envelope, int ordinal, Set<Keyword> keywords) {}

    private final ExtractorProfile profile;
    private final List<Place> places = new ArrayList<>();
    private final Map<String, List<Place>> byBytes = new HashMap<>();

    private PlainSearch(ExtractorProfile profile) {
        this.profile = profile;
    }

    /** Opens and extracts; the miner sees what the agent's saw, in the same order. */
    static PlainSearch of(KeyFolder keys, List<Envelope> envelopes) throws Exception {
        PlainSearch search = new PlainSearch(ExtractorProfile.decode(
                keys.keys().profiles().next().orElseThrow().encoded()));
        LogExtractor extractor = LogExtractor.of(search.profile, LogFormat.AUTO);
        TemplateMiner miner = new TemplateMiner(TemplateSettings.DEFAULT, Clock.systemUTC());
        EnvelopeOpener opener = keys.keys().opener();
        for (Envelope envelope : envelopes) {
            if (SealedLines.areIn(envelope)) {
                List<String> origins = opener.origins(envelope);
                int ordinal = 0;
                for (byte[] record : opener.open(envelope)) {
                    Set<Keyword> keywords = keywords(extractor, miner, record);
                    keywords.addAll(SourceKeyword.ofRecord(origins.get(ordinal), search.profile));
                    search.add(record, new Place(envelope, ordinal++, keywords));
                }
            }
        }
        return search;
    }

    private static Set<Keyword> keywords(LogExtractor extractor, TemplateMiner miner, byte[] record) {
        Extraction found = extractor.extract(record);
        Set<Keyword> keywords = new HashSet<>(found.keywords());
        if (found.messageTo() > found.messageFrom()) {
            String name =
                    miner.learn(record, found.messageFrom(), found.messageTo()).value();
            keywords.add(Keyword.text("template", name));
        }
        return keywords;
    }

    private void add(byte[] record, Place place) {
        places.add(place);
        byBytes.computeIfAbsent(text(record), bytes -> new ArrayList<>()).add(place);
    }

    private static String text(byte[] record) {
        return new String(record, StandardCharsets.ISO_8859_1);
    }

    ExtractorProfile profile() {
        return profile;
    }

    int size() {
        return places.size();
    }

    /** Where a line went; to several places if it was written several times. */
    List<Place> placesOf(byte[] line) {
        return byBytes.getOrDefault(text(line), List.of());
    }

    /** All keywords by field. */
    SortedMap<String, TreeSet<Keyword>> keywords() {
        SortedMap<String, TreeSet<Keyword>> byField = new TreeMap<>();
        for (Place place : places) {
            for (Keyword keyword : place.keywords()) {
                byField.computeIfAbsent(keyword.field(), field -> new TreeSet<>())
                        .add(keyword);
            }
        }
        return byField;
    }

    /** Ordinals by sequence number. */
    SortedMap<Long, List<Integer>> find(KeywordQuery query) {
        SortedMap<Long, List<Integer>> found = new TreeMap<>();
        for (Place place : places) {
            if (query.matches(place.keywords()::contains)) {
                found.computeIfAbsent(place.envelope().sequence(), sequence -> new ArrayList<>())
                        .add(place.ordinal());
            }
        }
        return found;
    }
}
