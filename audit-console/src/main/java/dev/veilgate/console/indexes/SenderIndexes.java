package dev.veilgate.console.indexes;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether senders index what they seal, as far as opened records show it; of the interface.
 *
 * @param dayStopped   whether there were so many findings in a day that nothing is looked into any more
 * @param mostOfSender findings after which nothing of a sender is looked into
 * @param mostOfDay    findings of all in a day after which nothing is
 * @param senders      by name, registered ones and others; the first may be without a name, for what nobody signed
 */
record SenderIndexes(boolean dayStopped, int mostOfSender, int mostOfDay, List<OfSender> senders) {
    /**
     * Counts of one sender; each record counts once.
     *
     * @param name       of a registered sender; {@code mail/} and a fingerprint for who signs mail; empty for what
     *                   nobody answers for
     * @param checked    records whose keywords were looked for
     * @param lacking    those of them with a finding, and others whose envelope says something that cannot be
     * @param excused    records whose keywords the sender may give itself
     * @param notChecked records of which nothing is said
     * @param reasons    why, and how often
     * @param counted    findings towards the most that there may be
     * @param stopped    whether there were so many that nothing is looked into
     * @param caller     whether the sender may give keywords itself, by no rules
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record OfSender(
            String name,
            long checked,
            long lacking,
            long excused,
            long notChecked,
            List<ReasonCount> reasons,
            int counted,
            boolean stopped,
            boolean caller,
            @Nullable Instant last,
            @Nullable Instant lastFinding) {}

    /** Number of records for which a reason was given. */
    record ReasonCount(Reason reason, long count) {}
}
