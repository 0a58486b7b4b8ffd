package dev.veilgate.console.search;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens what was found and makes rows of it; what does not contain what it was found by is counted, not shown. For one thread. */
final class Opening {
    /** Takes rows in order. */
    @FunctionalInterface
    interface Rows {
        /** Whether there is room for more. */
        boolean take(Row row) throws Exception;
    }

    private static final int MAX_DATE = 100;
    private static final int MOST_NAMED = 16;
    private static final int MOST_CHARACTERS = 400;

    private final Reading reading;
    private final HitCheck check;
    private long next;
    private int opened;
    private volatile long dropped; // written by one thread, read by any
    private volatile long unreadable;

    Opening(Reading reading, HitCheck check) {
        this.reading = reading;
        this.check = check;
    }

    /** Records that did not contain what they were found by. */
    long dropped() {
        return dropped;
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
                mail(envelope, proven, OpenedMail.of(envelope, content, reading.opener()), rows);
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
            HitCheck.Checked checked = check.check(record, origin);
            if (checked.verdict() == HitCheck.Verdict.LIES) {
                dropped++;
            }
            if (checked.verdict() == HitCheck.Verdict.FOUND
                    && !rows.take(row(envelope, proven, ordinal, origin, record, checked.extraction()))) {
                break;
            }
        }
    }

    private Row row(
            Envelope envelope, boolean proven, int ordinal, String origin, byte[] record, Extraction extraction) {
        return new Row(
                next++,
                Row.RECORD,
                envelope.id(),
                ordinal,
                extraction.time().orElse(envelope.first()),
                envelope.sender(),
                proven,
                envelope.sequence(),
                origin.isEmpty() ? null : origin,
                level(extraction).orElse(null),
                new String(record, StandardCharsets.UTF_8),
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
        if (check.ofMail(mail.message())) {
            rows.take(new Row(
                    next++,
                    Row.MAIL,
                    envelope.id(),
                    null,
                    date(mail.date()).orElse(envelope.first()),
                    envelope.sender(),
                    proven,
                    envelope.sequence(),
                    null,
                    null,
                    mail.subject(),
                    mail.from(),
                    mail.to(),
                    null,
                    null));
        } else {
            dropped++;
        }
    }

    /** Without the comment that names the time zone. */
    static Optional<Instant> date(String header) {
        int comment = header.indexOf('(');
        String date = comment < 0 ? header : header.substring(0, comment);
        if (date.length() > MAX_DATE) {
            return Optional.empty();
        }
        try {
            return Optional.of(ZonedDateTime.parse(date.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty(); // anybody writes anything there
        }
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
    void refuse(Row row, Rows rows) throws Exception {
        unreadable++;
        rows.take(row);
    }

    private void refuse(Envelope envelope, boolean proven, RecordSet found, String why, List<String> missing, Rows rows)
            throws Exception {
        refuse(
                new Row(
                        next++,
                        Row.UNREADABLE,
                        envelope.id(),
                        null,
                        envelope.first(),
                        envelope.sender(),
                        proven,
                        envelope.sequence(),
                        null,
                        null,
                        found.size() == 1 ? "1 record" : found.size() + " records",
                        null,
                        null,
                        why,
                        missing.isEmpty() ? null : missing),
                rows);
    }

    /** Number of the next row. */
    long takeNumber() {
        return next++;
    }
}
