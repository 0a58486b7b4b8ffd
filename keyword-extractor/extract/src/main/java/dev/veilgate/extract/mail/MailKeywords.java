package dev.veilgate.extract.mail;

import dev.veilgate.peks.Keyword;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a mail can be found by. Its {@link #toString} hides it.
 *
 * @param keywords  distinct; those of the header first, then words by first occurrence, then stems, then prefixes
 * @param subject   the decoded subject, "" if there is none
 * @param refusals  what was not read
 * @param bytes     bytes read of the message
 * @param parts     parts that are not multiparts
 * @param textChars characters of text that were read
 */
public record MailKeywords(
        List<Keyword> keywords, String subject, List<Refusal> refusals, long bytes, int parts, int textChars) {
    /** Copies the lists. */
    public MailKeywords {
        keywords = List.copyOf(keywords);
        refusals = List.copyOf(refusals);
    }

    /** Whether something was not read because it took too long or too much, so that the mail is not found by it. */
    public boolean isCutShort() {
        return refusals.stream().anyMatch(refusal -> refusal.reason().isOfCost());
    }

    /**
     * Whether attachments alone took too long or too much: with more time for them the mail may be read to its end. If
     * the message itself did, it would again.
     */
    public boolean isCutShortByAttachments() {
        return isCutShort()
                && refusals.stream()
                        .filter(refusal -> refusal.reason().isOfCost())
                        .noneMatch(refusal -> refusal.part().isEmpty());
    }

    /** Whether nothing was read, not even the header, since it is known that it takes too long. */
    public boolean isUnread() {
        return bytes == 0 && isCutShort();
    }

    /** The same with something more that was not read. */
    MailKeywords and(Refusal refusal) {
        return new MailKeywords(
                keywords,
                subject,
                Stream.concat(refusals.stream(), Stream.of(refusal)).toList(),
                bytes,
                parts,
                textChars);
    }

    /** Whether attachments were left out, as was asked for. */
    public boolean leavesOut() {
        return refusals.stream().anyMatch(refusal -> refusal.reason() == Refusal.Reason.LEFT_OUT);
    }

    @Override
    public String toString() {
        return "MailKeywords[hidden]";
    }
}
