package dev.veilgate.cli;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.Keyword;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether an opened record contains what it was found by: its keywords are extracted again. An envelope does not say in which format its sender read it, so each
 * is tried. A template's name depends on what the sender's miner had seen, and is not checked.
 */
final class HitCheck {
    private final KeywordQuery query;
    private final ExtractorProfile profile;
    private final List<LogExtractor> extractors = new ArrayList<>();

    HitCheck(KeywordQuery query, ExtractorProfile profile) {
        this.query = query;
        this.profile = profile;
        for (LogFormat format : LogFormat.values()) {
            extractors.add(LogExtractor.of(profile, format));
        }
    }

    /** @param origin where the record came from; empty if its sender does not say */
    boolean holds(byte[] record, String origin) {
        Optional<Keyword> source = SourceKeyword.of(origin, profile);
        for (LogExtractor extractor : extractors) {
            Set<Keyword> keywords = new HashSet<>(extractor.extract(record).keywords());
            source.ifPresent(keywords::add);
            if (query.matches(keyword -> keyword.field().equals("template") || keywords.contains(keyword))) {
                return true;
            }
        }
        return false;
    }
}
