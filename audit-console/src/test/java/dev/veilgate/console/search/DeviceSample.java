package dev.veilgate.console.search;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.Origin;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** Envelopes as a device makes them, that may leave keywords out. */
final class DeviceSample {
    static final String ORIGIN = "/var/log/press/auth.log";

    private DeviceSample() {}

    /** The profile that a device seals by. */
    static IndexProfiles.Used used(PublicBundle bundle, Instant now) throws Exception {
        return IndexProfiles.of(bundle).toSeal(EpochPolicy.MONTHLY.at(now).name());
    }

    /** A draft of lines, or a mail's without any. */
    static EnvelopeDraft draft(String scope, Instant now, List<String> lines, List<Posting> postings) {
        return new EnvelopeDraft(
                scope,
                EpochPolicy.MONTHLY.at(now).name(),
                now,
                now,
                "text/plain",
                lines.stream().map(DeviceSample::bytes).toList(),
                postings,
                List.of(),
                0,
                lines.isEmpty() ? List.of() : List.of(new Origin(ORIGIN, lines.size())));
    }

    /** Keywords of lines as an agent makes them, but for those of the text that it leaves out. */
    static List<Posting> postings(
            ExtractorProfile profile, List<String> lines, LogFormat format, Predicate<Keyword> taken) {
        LogExtractor extractor = LogExtractor.of(profile, format);
        PostingCollector collector = new PostingCollector();
        for (int i = 0; i < lines.size(); i++) {
            List<Keyword> keywords = extractor.extract(bytes(lines.get(i))).keywords();
            collector.add(i, keywords.stream().filter(taken).toList());
            collector.add(i, Keyword.text("template", "0123456789abcdef"));
            for (Keyword source : SourceKeyword.ofRecord(ORIGIN, profile)) {
                collector.add(i, source);
            }
        }
        return collector.finish();
    }

    private static byte[] bytes(String line) {
        return line.getBytes(StandardCharsets.UTF_8);
    }
}
