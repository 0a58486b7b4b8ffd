package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Attachments of one mail, read by a process within the mail's processor time, to which what is done here with
 * attachments and their texts belongs. An attachment by which the process dies
 * is tried once more by a new one, and is the last of its mail if that dies too; so is one by which the process says
 * that it has to end, and the second one behind which it ends. For one thread.
 */
final class TimedAttachments implements AttachmentTexts {
    private final AttachmentReader reader;
    private final AttachmentLimits limits;
    private final AttachmentBudget budget;
    private final AttachmentTime time;
    private final @Nullable CostlyAttachments costly;
    private boolean isDeadly;
    private int ended;
    private boolean isUnsure;

    /** @param costly those of which it is known that they take too long; null to know none */
    TimedAttachments(
            AttachmentReader reader,
            AttachmentLimits limits,
            AttachmentBudget budget,
            @Nullable CostlyAttachments costly) {
        this.reader = reader;
        this.limits = limits;
        this.budget = budget;
        this.time = new AttachmentTime(limits, budget);
        this.costly = costly;
    }

    /** Tells if it is the mail's own cost that something was not read, so that the next one need not try again. */
    boolean isOfMail() {
        return !isUnsure && budget.leftNanos() > 0;
    }

    @Override
    public void read(String type, InputStream body, int maxChars, ProcessorTime opener, Consumer<AttachmentText> use)
            throws IOException {
        if (isDeadly) {
            use.accept(AttachmentText.refused(Refusal.Reason.READER_FAILED));
        } else if (time.leftNanos() <= 0) {
            use.accept(AttachmentText.refused(Refusal.Reason.TIME_LIMIT));
        } else if (costly == null) {
            take(answer(type, body, maxChars), opener, use);
        } else {
            byte[] bytes = body.readNBytes(limits.maxBytes() + 1);
            CostlyAttachments.Name name = costly.name(type, bytes);
            long available = time.leftNanos(bytes.length);
            if (!take(answer(type, bytes, maxChars, costly, name, available), opener, use)) {
                costly.add(name, available, Refusal.Reason.TIME_LIMIT);
            }
        }
    }

    /** Whether the text was used to its end within the time that is left. */
    private boolean take(AttachmentText text, ProcessorTime opener, Consumer<AttachmentText> use) {
        long before = opener.processorNanos();
        boolean isUsed = opener.within(time.leftNanos(), () -> use.accept(text));
        time.spendHere(opener.processorNanos() - before);
        if (!isUsed) {
            use.accept(AttachmentText.refused(Refusal.Reason.TIME_LIMIT));
        }
        return isUsed;
    }

    private AttachmentText answer(String type, InputStream body, int maxChars) throws IOException {
        try {
            return ask(type, body, maxChars).text();
        } catch (ReaderProcess.StartException e) {
            return unsure();
        }
    }

    private AttachmentText unsure() {
        isUnsure = true;
        return AttachmentText.refused(Refusal.Reason.READER_FAILED);
    }

    private AttachmentText answer(
            String type,
            byte[] body,
            int maxChars,
            CostlyAttachments known,
            CostlyAttachments.Name name,
            long available)
            throws IOException {
        Optional<Refusal.Reason> before = known.find(name, available);
        if (before.isPresent()) {
            return AttachmentText.refused(before.get());
        }
        try {
            return read(type, body, maxChars, known, name, available);
        } catch (ReaderProcess.StartException e) {
            return unsure();
        }
    }

    private AttachmentText read(
            String type,
            byte[] body,
            int maxChars,
            CostlyAttachments known,
            CostlyAttachments.Name name,
            long available)
            throws IOException {
        ReaderProcess.Answer answer = ask(type, new ByteArrayInputStream(body), maxChars);
        if (answer.has(Refusal.Reason.READER_FAILED) && !answer.isAnswered()) {
            answer = ask(type, new ByteArrayInputStream(body), maxChars);
        }
        if (answer.has(Refusal.Reason.READER_FAILED)) {
            isDeadly = true;
            known.add(name, available, Refusal.Reason.READER_FAILED);
        } else if (answer.has(Refusal.Reason.TIME_LIMIT)) {
            known.add(name, available, Refusal.Reason.TIME_LIMIT);
        } else {
            known.remove(name);
        }
        return answer.text();
    }

    private ReaderProcess.Answer ask(String type, InputStream body, int maxChars) throws IOException {
        time.hand();
        ReaderProcess.Answer answer = reader.read(type, body, maxChars, time);
        ended += answer.isSound() ? 0 : 1;
        isDeadly |= ended > 1;
        return answer;
    }
}
