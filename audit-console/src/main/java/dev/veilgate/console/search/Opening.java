package dev.veilgate.console.search;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.OtherTimes;
import dev.veilgate.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens what was found and makes rows of it; what does not contain what it was found by is counted, not shown. For one thread. */
final class Opening {
    /** Takes rows in order. */
    @FunctionalInterface
    interface Rows {
        /** Whether there is room for more. */
        boolean take(Row row) throws Exception;
    }

    private static final int MOST_NAMED = 16;
    private static final int MOST_CHARACTERS = 400;
    private static final int MOST_FIELDS = 1_000;

    private final Reading reading;
    private final HitCheck check;
    private long next;
    private int opened;
    private volatile long dropped; // written by one thread, read by any
    private volatile long unreadable;
    private volatile long otherwiseSigned;
    private volatile OtherTimes others = OtherTimes.NONE;
    private final Set<String> fields = ConcurrentHashMap.newKeySet();

    Opening(Reading reading, HitCheck check) {
        this.reading = reading;
        this.check = check;
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

    /** Names of the fields that opened records have; of very many the first. */
    Set<String> fields() {
        return fields;
    }

    /** Rows of what could not be read. */
    long unreadable() {
        return unreadable;
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
    void open(Envelope envelope, RecordSet found, byte @Nullable [] content, Rows rows) throws Exception {
        opened = 0;
        boolean proven = reading.isProven(envelope);
        try {
            if (content != null) {
                mail(envelope, proven, OpenedMail.of(envelope, content, reading), rows);
                return;
            }
            try (UnlockedEnvelope unlocked = reading.opener().unlock(envelope)) {
                records(envelope, proven, unlocked, found, rows);
            }
        } catch (UnopenableEnvelopeException e) {
            refuse(envelope, proven, found, e, rows);
        }
    }

    private void records(Envelope envelope, boolean proven, UnlockedEnvelope unlocked, RecordSet found, Rows rows)
            throws Exception {
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
                case FOUND -> rows.take(row(envelope, proven, ordinal, origin, record, checked));
                case OUTSIDE -> leaveOut(checked.time());
                case OTHERWISE_SIGNED -> throw new IllegalStateException("a record, not a mail");
                case LIES -> drop();
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

    private void mail(Envelope envelope, boolean proven, OpenedMail mail, Rows rows) throws Exception {
        opened++;
        HitCheck.CheckedMail checked = check.checkMail(envelope, mail);
        switch (checked.verdict()) {
            case FOUND -> rows.take(row(envelope, proven, mail, checked.time()));
            case OUTSIDE -> leaveOut(checked.time());
            case OTHERWISE_SIGNED -> otherwiseSigned++;
            case LIES -> drop();
        }
    }

    private Row row(Envelope envelope, boolean proven, OpenedMail mail, EventTime time) {
        return new Row(
                next++,
                Row.MAIL,
                envelope.id(),
                null,
                time.at(),
                time.source().label(),
                envelope.sender(),
                proven,
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

    private void refuse(Envelope envelope, boolean proven, RecordSet found, UnopenableEnvelopeException why, Rows rows)
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
                missing,
                rows);
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
    void refuse(SearchEvent.Hit hit, String why, Rows rows) throws Exception {
        EventTime time = unread(hit.last(), hit.detached());
        refuse(
                time,
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
                        null),
                rows);
    }

    /** The event time of a record or mail that cannot be opened: when it was read, or sealed. */
    private static EventTime unread(Instant last, boolean isMail) {
        return isMail ? EventTime.ofMail("", last) : EventTime.ofRecord(Optional.empty(), last);
    }

    /** @param row made only if it is shown, since it takes a number */
    private void refuse(EventTime time, Supplier<Row> row, Rows rows) throws Exception {
        if (check.admits(time)) {
            unreadable++;
            rows.take(row.get());
        } else {
            leaveOut(time);
        }
    }

    private void refuse(Envelope envelope, boolean proven, RecordSet found, String why, List<String> missing, Rows rows)
            throws Exception {
        EventTime time = unread(envelope.last(), envelope.detachedDigest().isPresent());
        refuse(
                time,
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
                        null),
                rows);
    }
}
