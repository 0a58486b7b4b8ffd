package dev.veilgate.proxy;

import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailLimits;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes the keywords of mails, by the profile that the epoch asks for; at once, and with more time for those whose
 * attachments need it. Safe for use by several threads.
 */
final class MailIndexers implements AutoCloseable {
    private final IndexProfiles profiles;
    private final MailLimits limits;
    private final MailLimits patiently;
    private final Map<IndexProfiles.Used, Indexer> made = new HashMap<>();

    /**
     * Reader of mails by one profile.
     *
     * @param used    the profile
     * @param atOnce  within the limits
     * @param patient within more time, and by a process of its own, so that nobody waits for what it reads
     */
    record Indexer(IndexProfiles.Used used, MailExtractor atOnce, MailExtractor patient) {}

    /**
     * Nothing is started before a mail is read.
     *
     * @param patiently limits of the second try
     */
    MailIndexers(IndexProfiles profiles, MailLimits limits, MailLimits patiently) {
        this.profiles = profiles;
        this.limits = limits;
        this.patiently = patiently;
    }

    /** The one for an epoch. */
    synchronized Indexer of(String epoch) {
        return made.computeIfAbsent(
                profiles.toSeal(epoch),
                used -> new Indexer(
                        used, new MailExtractor(used.profile(), limits), new MailExtractor(used.profile(), patiently)));
    }

    @Override
    public synchronized void close() {
        for (Indexer indexer : made.values()) {
            indexer.atOnce().close();
            indexer.patient().close();
        }
    }
}
