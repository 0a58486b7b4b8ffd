package dev.veilgate.console.search;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.console.rows.LineBrief;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.MailChecks;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.OtherTimes;
import dev.veilgate.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens what was found and makes rows of it; what does not contain what it was found by is counted, not shown. For
 * one thread.
 */
final class Opening implements AutoCloseable {
    /** Takes rows in order. */
    @FunctionalInterface
    interface Rows {
        /**
         * The next one.
         *
         * @return whether there is room for more
         */
        boolean take(OpenedRow row) throws Exception;
    }

    /** Mails that are not checked, and named; more are counted. */
    static final int MOST_UNCHECKED = 1_000;

    private static final int MOST_NAMED = 16;
    private static final byte[] NO_ENVELOPE = new byte[RowSpool.DIGEST_BYTES];
    private static final int MOST_CHARACTERS = 400;
    private static final int MOST_FIELDS = 1_000;

    private final Reading reading;
    private final HitCheck check;
    private final MailChecks<Exception> mails;
    private final Rows rows;
    private long next;
    private int opened;
    private boolean isProven;
    private volatile long dropped; // written by one thread, read by any
    private volatile long unreadable;
    private volatile long otherwiseSigned;
    private volatile long undated;
    private volatile OtherTimes others = OtherTimes.NONE;
    private final Set<String> fields = ConcurrentHashMap.newKeySet();
    private final List<Unchecked> unchecked = new CopyOnWriteArrayList<>();
    private volatile long uncheckedMails;

    /** @param check closed with this */
    Opening(Reading reading, HitCheck check, Rows rows) {
        this.reading = reading;
        this.check = check;
        this.rows = rows;
        this.mails = new MailChecks<>(check, 1, this::mail);
    }

    /**
     * A mail whose attachments decide if it is what was searched for, and take too long to be read.
     *
     * @param row    what is shown of it
     * @param digest SHA-256 of its envelope
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Unchecked(Row row, byte[] digest) {
        @Override
        public String toString() {
            return "Unchecked[hidden]";
        }
    }

    /** Checks one of the mails whose attachments decide; false if there are no more, or no room for more rows. */
    boolean goOn() throws Exception {
        return mails.goOn();
    }

    /** Mails that are not checked: the first of them. */
    List<Unchecked> unchecked() {
        return unchecked;
    }

    /**
     * An unchecked mail was checked after all, when the search had ended.
     *
     * @return what became of it; undecided if it still is not checked
     */
    HitCheck.Verdict settle(Unchecked one, FoundContent.FoundMail mail, HitCheck.CheckedMail checked) throws Exception {
        if (checked.verdict() != HitCheck.Verdict.UNDECIDED && unchecked.contains(one)) {
            mail(mail.envelope(), mail.mail(), checked);
            unchecked.remove(one);
            uncheckedMails--;
        }
        return checked.verdict();
    }

    /** Mails that are not checked: how many. */
    long uncheckedMails() {
        return uncheckedMails;
    }

    /** Records that did not contain what they were found by. */
    long dropped() {
        return dropped;
    }

    /** Count and span of the records that were found and happened outside the time that was asked for. */
    OtherTimes others() {
        return others;
    }

    /** Mails that were found and are signed by others than were asked for. */
    long otherwiseSigned() {
        return otherwiseSigned;
    }

    /** Mails that were found, of the time that was asked for or not, without a date that can be. */
    long undated() {
        return undated;
    }

    /** Names of the fields that opened records have; of very many the first. */
    Set<String> fields() {
        return fields;
    }

    /** Rows of what could not be read. */
    long unreadable() {
        return unreadable;
    }

    /** Whether a registered sender signed the last envelope. */
    boolean isProven() {
        return isProven;
    }

    /** How many records of the last envelope were opened, also if one behind them could not be. */
    int opened() {
        return opened;
    }

    /**
     * What was found in one envelope; {@link #opened} counts what was opened, however this ends.
     *
     * @param content the sealed mail beside it, where there is one
     */
    void open(Envelope envelope, RecordSet found, byte @Nullable [] content) throws Exception {
        opened = 0;
        boolean proven = reading.isProven(envelope);
        isProven = proven;
        try {
            if (content != null) {
                OpenedMail mail = OpenedMail.of(envelope, content, reading);
                opened++;
                mails.add(envelope, mail);
                return;
            }
            try (UnlockedEnvelope unlocked = reading.opener().unlock(envelope)) {
                records(envelope, proven, unlocked, found);
            }
        } catch (UnopenableEnvelopeException e) {
            refuse(envelope, proven, found, e);
        }
    }

    private void records(Envelope envelope, boolean proven, UnlockedEnvelope unlocked, RecordSet found)
            throws Exception {
        byte[] digest = envelope.digest();
        List<String> origins = unlocked.origins();
        for (int ordinal : found.ordinals().toArray()) {
            byte[] record = unlocked.record(ordinal);
            opened++;
            String origin = origins.isEmpty() ? "" : origins.get(ordinal);
            HitCheck.Checked checked = check.check(envelope, record, origin);
            if (checked.verdict() == HitCheck.Verdict.FOUND && fields.size() < MOST_FIELDS) {
                checked.extraction().keywords().forEach(keyword -> fields.add(keyword.field()));
            }
            boolean goesOn = switch (checked.verdict()) {
                case FOUND -> {
                    Row row = row(envelope, proven, ordinal, origin, record, checked);
                    yield rows.take(new OpenedRow(
                            row,
                            digest,
                            LineBrief.of(record, checked.extraction(), envelope.sender()),
                            RecordTerms.values(checked.extraction().keywords(), check.profile(envelope))));
                }
                case OUTSIDE -> leaveOut(checked.time());
                case OTHERWISE_SIGNED -> throw new IllegalStateException("a record, not a mail");
                case LIES -> drop();
                case UNDECIDED -> throw new IllegalStateException("a record has no attachments");
            };
            if (!goesOn) {
                break;
            }
        }
    }

    private boolean leaveOut(EventTime time) {
        others = others.and(time);
        return true;
    }

    private boolean drop() {
        dropped++;
        return true;
    }

    private Row row(
            Envelope envelope, boolean proven, int ordinal, String origin, byte[] record, HitCheck.Checked checked) {
        return new Row(
                next++,
                Row.RECORD,
                envelope.id(),
                ordinal,
                checked.time().at(),
                checked.time().source().label(),
                envelope.sender(),
                proven,
                envelope.sequence(),
                origin.isEmpty() ? null : origin,
                level(checked.extraction()).orElse(null),
                new String(record, StandardCharsets.UTF_8),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static Optional<String> level(Extraction extraction) {
        return extraction.keywords().stream()
                .filter(keyword -> keyword.field().equals("level"))
                .map(Keyword::value)
                .findFirst();
    }

    private boolean mail(Envelope envelope, OpenedMail mail, HitCheck.CheckedMail checked) throws Exception {
        if (checked.isUndated()) {
            undated++;
        }
        return switch (checked.verdict()) {
            case FOUND ->
                rows.take(OpenedRow.of(row(Row.MAIL, next++, envelope, mail, checked.time()), envelope.digest()));
            case OUTSIDE -> leaveOut(checked.time());
            case OTHERWISE_SIGNED -> {
                otherwiseSigned++;
                yield true;
            }
            case LIES -> drop();
            case UNDECIDED -> leaveUnchecked(envelope, mail, checked.time());
        };
    }

    private boolean leaveUnchecked(Envelope envelope, OpenedMail mail, EventTime time) {
        if (unchecked.size() < MOST_UNCHECKED) {
            unchecked.add(new Unchecked(
                    row(Row.UNCHECKED, uncheckedMails, envelope, mail, time).shown(), envelope.digest()));
        }
        uncheckedMails++;
        return true;
    }

    private Row row(String kind, long number, Envelope envelope, OpenedMail mail, EventTime time) {
        return new Row(
                number,
                kind,
                envelope.id(),
                null,
                time.at(),
                time.source().label(),
                envelope.sender(),
                reading.isProven(envelope),
                envelope.sequence(),
                null,
                null,
                mail.subject(),
                mail.from(),
                mail.to(),
                null,
                null,
                mail.author().kind().label(),
                mail.author().address().isEmpty() ? null : mail.author().address(),
                mail.altered().isEmpty() ? null : mail.altered());
    }

    private void refuse(Envelope envelope, boolean proven, RecordSet found, UnopenableEnvelopeException why)
            throws Exception {
        List<String> missing = switch (why.reason()) {
            case UNSATISFIED -> brief(why.lacking());
            case NO_KEY -> brief(envelope.readers());
            case ALTERED, WORK_LIMIT -> List.of();
        };
        refuse(
                envelope,
                proven,
                found,
                missing.isEmpty()
                        ? String.valueOf(why.getMessage())
                        : "it was sealed for readers with other attributes",
                missing);
    }

    /** The first few, shortened: a stranger may have written thousands. */
    private static List<String> brief(List<?> labels) {
        return labels.stream()
                .limit(MOST_NAMED)
                .map(Object::toString)
                .map(text -> text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...")
                .toList();
    }

    /** What the gateway found and did not give, or not as it should. */
    void refuse(SearchEvent.Hit hit, String why) throws Exception {
        EventTime time = unread(hit.last(), hit.detached());
        refuse(
                time,
                hit.which().digest().map(HexFormat.of()::parseHex).orElse(NO_ENVELOPE),
                () -> new Row(
                        next++,
                        Row.UNREADABLE,
                        hit.envelope(),
                        null,
                        time.at(),
                        time.source().label(),
                        hit.sender(),
                        false,
                        hit.sequence(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        why,
                        null,
                        null,
                        null,
                        null));
    }

    /** The event time of a record or mail that cannot be opened: when it was read, or sealed. */
    private static EventTime unread(Instant last, boolean isMail) {
        return isMail ? EventTime.ofMail("", last) : EventTime.ofRecord(Optional.empty(), last);
    }

    /** @param row made only if it is shown, since it takes a number */
    private void refuse(EventTime time, byte[] digest, Supplier<Row> row) throws Exception {
        if (check.admits(time)) {
            unreadable++;
            rows.take(OpenedRow.of(row.get(), digest));
        } else {
            leaveOut(time);
        }
    }

    private void refuse(Envelope envelope, boolean proven, RecordSet found, String why, List<String> missing)
            throws Exception {
        EventTime time = unread(envelope.last(), envelope.detachedDigest().isPresent());
        refuse(
                time,
                envelope.digest(),
                () -> new Row(
                        next++,
                        Row.UNREADABLE,
                        envelope.id(),
                        null,
                        time.at(),
                        time.source().label(),
                        envelope.sender(),
                        proven,
                        envelope.sequence(),
                        null,
                        null,
                        found.size() == 1 ? "1 record" : found.size() + " records",
                        null,
                        null,
                        why,
                        missing.isEmpty() ? null : missing,
                        null,
                        null,
                        null));
    }

    /** Ends what reads attachments at once, also while it reads one. For any thread. */
    void abandon() {
        check.abandon();
    }

    /** Ends what reads attachments. */
    @Override
    public void close() {
        mails.close();
    }
}
