package dev.veilgate.console.indexes;

import dev.veilgate.envelope.AttachmentReading;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailKeywords;
import dev.veilgate.peks.Keyword;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keywords that the index of an opened record must have by a profile, whatever an honest sender's machine is like.
 * Limits by number and length are those of the profile, computed again.
 *
 * @param keywords to be asked for
 * @param unasked  how many others the record has, as far as it was read
 * @param why      why others are not asked for; empty if there are none
 */
record OpenedKeywords(Set<Keyword> keywords, int unasked, Optional<Reason> why) {
    /** Makes the keywords of an opened record by a profile. */
    @FunctionalInterface
    interface Maker {
        OpenedKeywords by(ExtractorProfile profile);
    }

    /**
     * Keywords of a line in the format in which its sender read it; where an envelope does not say in which, what all
     * formats have in common. A template's name depends on what the sender's miner had seen, and is not among them.
     *
     * @param origin where it was read; empty if its sender does not say
     * @param format empty if its sender does not say; of one that is not known here nothing is asked for
     */
    static OpenedKeywords ofRecord(byte[] record, String origin, String format, ExtractorProfile profile) {
        Set<Keyword> keywords;
        if (format.isEmpty()) {
            keywords = common(record, profile);
        } else {
            Optional<LogFormat> known = LogFormat.of(format);
            if (known.isEmpty()) {
                return new OpenedKeywords(Set.of(), 0, Optional.of(Reason.UNKNOWN_FORMAT));
            }
            keywords = new LinkedHashSet<>(extracted(record, known.get(), profile));
        }
        keywords.addAll(SourceKeyword.ofRecord(origin, profile));
        return new OpenedKeywords(keywords, 0, Optional.empty());
    }

    /** Keywords that a line has in whatever format it is read. */
    private static Set<Keyword> common(byte[] record, ExtractorProfile profile) {
        Set<Keyword> common = new LinkedHashSet<>(extracted(record, LogFormat.AUTO, profile));
        for (LogFormat format : LogFormat.values()) {
            common.retainAll(Set.copyOf(extracted(record, format, profile)));
        }
        return common;
    }

    private static List<Keyword> extracted(byte[] record, LogFormat format, ExtractorProfile profile) {
        return LogExtractor.of(profile, format).extract(record).keywords();
    }

    /**
     * Keywords of a mail: of its header, its texts, the names of its files, and of its attachments if its sender says
     * that it had the time to read them. Of a sender that had not, or of before this was said, keywords that
     * attachments alone have are not asked for. Where attachments take too long here, their number is not known, nor
     * which words had to give way to theirs: then the header alone is asked for, which gives way to nothing.
     *
     * @param reading what the sender says; null if it does not
     */
    static OpenedKeywords ofMail(byte[] message, @Nullable AttachmentReading reading, ExtractorProfile profile) {
        try (MailExtractor extractor = new MailExtractor(profile)) {
            return of(extractor.extractText(message), extractor.extract(message), reading);
        }
    }

    static OpenedKeywords of(MailKeywords text, MailKeywords all, @Nullable AttachmentReading reading) {
        Set<Keyword> asked = new LinkedHashSet<>((reading == AttachmentReading.WHOLE ? all : text).keywords());
        boolean isCut = text.isCutShort() || all.isCutShort();
        if (isCut) {
            asked.removeIf(keyword -> MailExtractor.isInAttachments(keyword.field()));
        } else {
            asked.retainAll(Set.copyOf(all.keywords()));
        }
        Set<Keyword> unasked = new LinkedHashSet<>(all.keywords());
        unasked.removeAll(asked);
        Reason ofAttachments =
                reading == AttachmentReading.CUT_SHORT ? Reason.ATTACHMENTS_CUT_SHORT : Reason.ATTACHMENTS;
        Optional<Reason> why = isCut
                ? Optional.of(Reason.TOO_COSTLY)
                : Optional.of(ofAttachments).filter(_ -> !unasked.isEmpty());
        return new OpenedKeywords(asked, unasked.size(), why);
    }

    @Override
    public String toString() {
        return "OpenedKeywords[hidden]";
    }
}
