package dev.veilgate.console.indexes;

import dev.veilgate.envelope.AttachmentReading;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailKeywords;
import org.jspecify.annotations.Nullable;

/**
 * A mail that was read already to be shown, so that its attachments need not be read twice.
 *
 * @param profile by which it was
 * @param text    its keywords without those that only attachments have
 * @param all     all of its keywords
 */
public record ReadMail(ExtractorProfile profile, MailKeywords text, MailKeywords all) {
    /** Reads a mail. */
    public static ReadMail of(ExtractorProfile profile, byte[] message) {
        try (MailExtractor extractor = new MailExtractor(profile)) {
            return new ReadMail(profile, extractor.extractText(message), extractor.extract(message));
        }
    }

    OpenedKeywords by(ExtractorProfile named, byte[] message, @Nullable AttachmentReading reading) {
        return named.equals(profile)
                ? OpenedKeywords.of(text, all, reading)
                : OpenedKeywords.ofMail(message, reading, named);
    }

    @Override
    public String toString() {
        return "ReadMail[hidden]";
    }
}
