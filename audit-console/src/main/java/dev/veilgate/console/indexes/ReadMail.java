package dev.veilgate.console.indexes;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.MailKeywords;

/**
 * A mail that was read already to be shown, so that its attachments need not be read twice.
 *
 * @param profile by which it was
 * @param text    its keywords without those that only attachments have
 * @param all     all of its keywords
 */
public record ReadMail(ExtractorProfile profile, MailKeywords text, MailKeywords all) {
    OpenedKeywords by(ExtractorProfile named, byte[] message) {
        return named.equals(profile) ? OpenedKeywords.of(text, all) : OpenedKeywords.ofMail(message, named);
    }

    @Override
    public String toString() {
        return "ReadMail[hidden]";
    }
}
