package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** AttachmentTexts of one mail, read by a process within the mail's processor time. For one thread. */
final class TimedAttachments implements AttachmentTexts {
    private final AttachmentReader reader;
    private final AttachmentLimits limits;
    private final AttachmentTime time;
    private final @Nullable CostlyAttachments costly;

    /** @param costly those of which it is known that they take too long; null to know none */
    TimedAttachments(
            AttachmentReader reader,
            AttachmentLimits limits,
            AttachmentBudget budget,
            @Nullable CostlyAttachments costly) {
        this.reader = reader;
        this.limits = limits;
        this.time = new AttachmentTime(limits, budget);
        this.costly = costly;
    }

    @Override
    public AttachmentText read(String type, InputStream body, int maxChars) throws IOException {
        if (time.leftNanos() <= 0) {
            return AttachmentText.refused(Refusal.Reason.TIME_LIMIT);
        }
        return costly == null
                ? reader.read(type, body, maxChars, time)
                : read(type, body.readNBytes(limits.maxBytes() + 1), maxChars, costly);
    }

    private AttachmentText read(String type, byte[] body, int maxChars, CostlyAttachments known) throws IOException {
        CostlyAttachments.Name name = known.name(type, body);
        long available = time.leftNanos(body.length);
        Optional<Refusal.Reason> before = known.find(name, available);
        if (before.isPresent()) {
            return AttachmentText.refused(before.get());
        }
        AttachmentText text = reader.read(type, new ByteArrayInputStream(body), maxChars, time);
        text.refusals().stream()
                .map(Refusal::reason)
                .filter(Refusal.Reason::isOfCost)
                .findFirst()
                .ifPresent(reason -> known.add(name, available, reason));
        return text;
    }
}
