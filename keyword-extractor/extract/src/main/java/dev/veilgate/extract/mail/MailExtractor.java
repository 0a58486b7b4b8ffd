package dev.veilgate.extract.mail;

import dev.veilgate.extract.ExtractorProfile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * From a mail to its keywords.
 *
 * <table>
 * <caption>Keywords of a mail</caption>
 * <tr><th>field</th><th>value</th></tr>
 * <tr><td>from, to, cc</td><td>{@code alice@example.org}, {@code @example.org}, words of the display name; from is
 * the Sender where From has no address</td></tr>
 * <tr><td>subject</td><td>each word, number, address; they are also those of the text</td></tr>
 * <tr><td>list-id, message-id, in-reply-to</td><td>without angle brackets</td></tr>
 * <tr><td>date</td><td>{@code 2026-11-21} and {@code 2026-11} of the Date field, in UTC</td></tr>
 * <tr><td>filename</td><td>the whole name, and {@code *.pdf}; its words are also words of the text. Also of files
 * inside attachments</td></tr>
 * <tr><td>attachment-type</td><td>the declared type of whatever is not text, and the real one if it differs</td></tr>
 * <tr><td>word, number, ip, ip-prefix, path</td><td>of subject, bodies (HTML and plain alike), attached messages and
 * attachments, as in logs ({@link dev.veilgate.extract.Tokenizer}); where no spaces divide words also each pair of
 * characters</td></tr>
 * <tr><td>stem.en, stem.de, ...</td><td>of each text whose language is clear, by Lucene's analyzer of that language,
 * of words without digits; stop words have none</td></tr>
 * <tr><td>prefix</td><td>of words, where the profile says so</td></tr>
 * </table>
 *
 * <p>Bcc is never extracted, neither are Received and other trace fields. The same bytes give the same keywords, with
 * one exception: an attachment that is refused for its time on one machine may be read on a faster one.
 *
 * <p>Never fails for what a mail contains: what cannot be read is a {@link Refusal}, and the rest is read. Takes
 * memory by its limits, not by the length of the mail. For several threads. Close it to end the process that reads
 * attachments, if there is one.
 */
public final class MailExtractor implements AutoCloseable {
    /** Fields of which attachments have no keywords. */
    private static final Set<String> OF_HEADER =
            Set.of("from", "to", "cc", "subject", "list-id", "message-id", "in-reply-to", "date");

    private final ExtractorProfile profile;
    private final MailLimits limits;
    private final AttachmentReader attachments;
    private final @Nullable CostlyAttachments costly;
    private final ConcurrentLinkedDeque<MailWords> idle = new ConcurrentLinkedDeque<>();

    /** An extractor that follows the tenant's profile, within the default limits. */
    public MailExtractor(ExtractorProfile profile) {
        this(profile, MailLimits.DEFAULT);
    }

    /** An extractor that follows the tenant's profile. */
    public MailExtractor(ExtractorProfile profile, MailLimits limits) {
        this(profile, limits, null);
    }

    /**
     * An extractor that follows the tenant's profile.
     *
     * @param costly attachments of which it is known that they take too long; more become known. Null to know none:
     *               each is tried
     */
    public MailExtractor(ExtractorProfile profile, MailLimits limits, @Nullable CostlyAttachments costly) {
        this.profile = profile;
        this.limits = limits;
        this.attachments = new AttachmentReader(limits);
        this.costly = costly;
    }

    /** The keywords of a mail in a file. */
    public MailKeywords extract(Path mail) throws IOException {
        try (InputStream in = Files.newInputStream(mail)) {
            return extract(in);
        }
    }

    /** The keywords of a mail in memory. */
    public MailKeywords extract(byte[] mail) {
        try {
            return extract(new ByteArrayInputStream(mail));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
    }

    /**
     * The keywords of a document by itself, such as a PDF or an office document: those of a mail that has nothing but
     * this file.
     */
    public MailKeywords extractDocument(String filename, byte[] content) {
        try {
            return extract(LoneDocument.of(filename, content));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
    }

    /**
     * The keywords of a mail. Reads to the end or to a limit; does not close.
     *
     * @param mail local: while an attachment is read from it, other attachments wait
     * @throws IOException if the stream does
     */
    public MailKeywords extract(InputStream mail) throws IOException {
        return extract(mail, timed(new AttachmentBudget(Duration.ofNanos(Long.MAX_VALUE))));
    }

    /**
     * The keywords of the header, the texts and the names of files of a mail in memory: those of
     * {@link #extract(byte[])} without the ones that only attachments have. No process is used.
     */
    public MailKeywords extractText(byte[] mail) {
        return remembered(
                "text",
                mail,
                limits.processorMillis() * 1_000_000L,
                () -> true,
                () -> extract(mail, AttachmentTexts.LEFT_OUT),
                reason -> new MailKeywords(List.of(), "", List.of(new Refusal("", reason)), 0, 0, 0));
    }

    /**
     * The same.
     *
     * @param budget of this and other mails; less by what this takes
     */
    public MailKeywords extractText(byte[] mail, AttachmentBudget budget) {
        ProcessorTime own = new ProcessorTime(limits.processorMillis());
        MailKeywords found = extractText(mail);
        budget.spend(own.usedNanos());
        return found;
    }

    /**
     * The keywords of a mail in memory.
     *
     * @param budget of this and other mails; less by what this takes, in this thread and in processes
     */
    public MailKeywords extract(byte[] mail, AttachmentBudget budget) {
        TimedAttachments files = timed(budget);
        long available = limits.attachments().time(mail.length).toNanos();
        return remembered(
                "mail",
                mail,
                available,
                files::isOfMail,
                () -> {
                    ProcessorTime own = new ProcessorTime(limits.processorMillis());
                    MailKeywords found = extract(mail, files);
                    budget.spend(own.usedNanos());
                    return found;
                },
                reason -> extractText(mail).and(new Refusal("", reason)));
    }

    /**
     * Reads a mail, unless it is known that it takes too long.
     *
     * @param available time that there is, by which it is known
     * @param isOfMail  tells afterwards if what was not read in time would not be read another time either
     * @param unread    what is found if it is not read
     */
    private MailKeywords remembered(
            String what,
            byte[] mail,
            long available,
            BooleanSupplier isOfMail,
            Supplier<MailKeywords> reading,
            Function<Refusal.Reason, MailKeywords> unread) {
        CostlyAttachments known = costly;
        if (known == null) {
            return reading.get();
        }
        CostlyAttachments.Name name = known.name(what, mail);
        Optional<Refusal.Reason> before = known.find(name, available);
        if (before.isPresent()) {
            return unread.apply(before.get());
        }
        MailKeywords found = reading.get();
        if (!found.isCutShort()) {
            known.remove(name);
        } else if (isOfMail.getAsBoolean()) {
            known.add(name, available, Refusal.Reason.TIME_LIMIT);
        }
        return found;
    }

    private TimedAttachments timed(AttachmentBudget budget) {
        return new TimedAttachments(attachments, limits.attachments(), budget, costly);
    }

    private MailKeywords extract(byte[] mail, AttachmentTexts files) {
        try {
            return extract(new ByteArrayInputStream(mail), files);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
    }

    private MailKeywords extract(InputStream mail, AttachmentTexts files) throws IOException {
        MailWords words = idle.pollFirst();
        if (words == null) {
            words = new MailWords(profile);
        }
        var time = new ProcessorTime(limits.processorMillis());
        words.begin(time);
        MailReader reader =
                new MailReader(new MailSource(mail, limits.maxMessageBytes(), time), limits, files, words, time);
        MailKeywords keywords = reader.read();
        idle.offerFirst(words);
        return keywords;
    }

    /**
     * Tells if the attachments of a mail may have keywords of a field, so that {@link #extractText} does not give all
     * of them.
     *
     * @param field folded
     */
    public static boolean isInAttachments(String field) {
        return !OF_HEADER.contains(field);
    }

    /** Processes started for attachments. */
    int readersStarted() {
        return attachments.started();
    }

    /** The process that reads attachments, if there is one. */
    Optional<ProcessHandle> readerProcess() {
        return attachments.process();
    }

    /**
     * Ends the process that reads attachments at once, also while it reads one; no other is started. What was not read
     * for that is refused with {@link Refusal.Reason#READER_FAILED}, and not remembered. For any thread.
     */
    public void abandon() {
        attachments.abandon();
    }

    @Override
    public void close() {
        attachments.close();
    }
}
