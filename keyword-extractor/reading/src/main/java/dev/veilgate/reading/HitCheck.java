package dev.veilgate.reading;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.AttachmentBudget;
import dev.veilgate.extract.mail.CostlyAttachments;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailKeywords;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whether an opened record contains what it was found by: its keywords are extracted again. An envelope does not say
 * in which format its sender read it, so each is tried. A template's name depends on what the sender's miner had seen,
 * and is not checked.
 *
 * <p>A process for the attachments of mails is started with the first that is read, and kept; close this to end it.
 */
public final class HitCheck implements AutoCloseable {
    /** What a record or mail turned out to be. */
    public enum Verdict {
        /** What was searched for. */
        FOUND,
        /** That, but of a time that was not asked for: a gateway knows only when envelopes were read. */
        OUTSIDE,
        /**
         * That, of a time that was asked for, but signed by others than were asked for: a gateway does not know by
         * whom.
         */
        OTHERWISE_SIGNED,
        /** Not what it was found by. */
        LIES,
        /** A mail that may be what was searched for: its attachments decide, and were not read. */
        UNDECIDED
    }

    /**
     * A verdict on a record.
     *
     * @param time       when it happened
     * @param extraction by the format in which it contains what was searched for, else by the one that its look
     *                   suggests
     */
    public record Checked(Verdict verdict, EventTime time, Extraction extraction) {}

    /**
     * A verdict on a mail.
     *
     * @param time when it was sent
     */
    public record CheckedMail(Verdict verdict, EventTime time) {
        /** Tells if it holds what was searched for, and its Date is missing or cannot be. */
        public boolean isUndated() {
            return (verdict == Verdict.FOUND || verdict == Verdict.OUTSIDE) && time.source() != EventTime.Source.OWN;
        }
    }

    private final QueryReadings readings;
    private final Filter filter;
    private final Set<MailAuthor.Kind> signed;
    private final List<ByRules> byRules = new ArrayList<>();

    /** How what was indexed by some rules is read again. */
    private record ByRules(QueryReadings.Reading reading, List<LogExtractor> extractors, MailExtractor mails) {
        KeywordQuery query() {
            return reading.read().query();
        }
    }

    /**
     * A check of one search.
     *
     * @param filter what else was asked for, not {@link EventTime#widened}
     */
    public HitCheck(QueryReadings readings, Filter filter) {
        this(readings, filter, Set.of(), MailLimits.ofSearch(1), new CostlyAttachments());
    }

    /**
     * A check of one search, also of who signed the mails.
     *
     * @param filter as above
     * @param signed kinds of signers that are asked for; empty for all. Records are not looked at by it
     * @param limits within which mails are read
     * @param costly attachments of which it is known that they take too long; more become known
     */
    public HitCheck(
            QueryReadings readings,
            Filter filter,
            Set<MailAuthor.Kind> signed,
            MailLimits limits,
            CostlyAttachments costly) {
        this.signed = Set.copyOf(signed);
        this.readings = readings;
        this.filter = filter;
        for (QueryReadings.Reading reading : readings.readings()) {
            ExtractorProfile profile = reading.profile();
            List<LogExtractor> extractors = Arrays.stream(LogFormat.values()) // AUTO first
                    .map(format -> LogExtractor.of(profile, format))
                    .toList();
            MailExtractor mails = new MailExtractor(profile, limits, costly);
            byRules.add(new ByRules(reading, extractors, mails));
        }
    }

    /** The profile by which an envelope was indexed. */
    public ExtractorProfile profile(Envelope envelope) {
        return of(envelope).reading.profile();
    }

    private ByRules of(Envelope envelope) {
        return byRules.get(readings.placeOf(envelope));
    }

    /**
     * Of one record, with what was extracted.
     *
     * @param envelope it is in
     * @param origin   where the record came from; empty if its sender does not say
     */
    public Checked check(Envelope envelope, byte[] record, String origin) {
        ByRules rules = of(envelope);
        List<LogExtractor> extractors = rules.extractors;
        Set<Keyword> sources = SourceKeyword.ofRecord(origin, rules.reading.profile());
        Extraction likely = extractors.getFirst().extract(record);
        EventTime time = EventTime.ofRecord(likely.time(envelope.last()), envelope.last()); // whatever it is found by
        for (int i = 0; i < extractors.size(); i++) {
            Extraction extraction = i == 0 ? likely : extractors.get(i).extract(record);
            Set<Keyword> keywords = new HashSet<>(extraction.keywords());
            keywords.addAll(sources);
            if (can(rules.query(), true, (anyOf, wanted) -> isThere(anyOf, keywords) == wanted)) {
                return new Checked(found(time), time, extraction);
            }
        }
        return new Checked(Verdict.LIES, time, likely);
    }

    private Verdict found(EventTime time) {
        return time.isIn(filter) ? Verdict.FOUND : Verdict.OUTSIDE;
    }

    /**
     * Of a mail, by its header, its texts and the names of its files alone, which cost little.
     * {@link Verdict#UNDECIDED} if its attachments decide, but for mails that nobody asked for, by their time or by
     * who signed them.
     *
     * @param index  its envelope
     * @param budget of this and other mails; less by what this takes
     */
    public CheckedMail checkText(Envelope index, OpenedMail mail, AttachmentBudget budget) {
        return checked(index, mail, of(index).mails.extractText(mail.message(), budget));
    }

    /**
     * Of a mail that is not read at all: {@link Verdict#UNDECIDED}, but for mails that nobody asked for.
     *
     * @param index its envelope
     */
    CheckedMail leaveUnread(Envelope index, OpenedMail mail) {
        EventTime time = EventTime.ofMail(mail.date(), index.last());
        Verdict verdict = found(mail, time);
        return new CheckedMail(verdict == Verdict.FOUND ? Verdict.UNDECIDED : verdict, time);
    }

    /**
     * Of a mail, with its attachments. {@link Verdict#UNDECIDED} if these take more time than there is.
     *
     * @param index  its envelope
     * @param budget of this and other mails
     */
    public CheckedMail checkAttachments(Envelope index, OpenedMail mail, AttachmentBudget budget) {
        return checked(index, mail, of(index).mails.extract(mail.message(), budget));
    }

    private CheckedMail checked(Envelope index, OpenedMail mail, MailKeywords found) {
        if (found.isUnread()) {
            return leaveUnread(index, mail);
        }
        EventTime time = EventTime.ofMail(mail.date(), index.last());
        Set<Keyword> keywords = new HashSet<>(found.keywords());
        boolean isAllRead = !found.leavesOut() && !found.isCutShort();
        Predicate<List<Keyword>> isOpen = anyOf ->
                !isAllRead && anyOf.stream().anyMatch(keyword -> MailExtractor.isInAttachments(keyword.field()));
        KeywordQuery query = of(index).query();
        Verdict verdict = found(mail, time);
        if (!can(query, true, (anyOf, wanted) -> isThere(anyOf, keywords) == wanted || wanted && isOpen.test(anyOf))) {
            verdict = Verdict.LIES;
        } else if (verdict == Verdict.FOUND
                && !can(
                        query,
                        true,
                        (anyOf, wanted) -> isThere(anyOf, keywords) == wanted && (wanted || !isOpen.test(anyOf)))) {
            verdict = Verdict.UNDECIDED;
        }
        return new CheckedMail(verdict, time);
    }

    private static boolean isThere(List<Keyword> anyOf, Set<Keyword> keywords) {
        return anyOf.stream().anyMatch(keywords::contains);
    }

    private Verdict found(OpenedMail mail, EventTime time) {
        boolean isAsked = signed.isEmpty() || signed.contains(mail.author().kind());
        return time.isIn(filter) && !isAsked ? Verdict.OTHERWISE_SIGNED : found(time);
    }

    /** Whether what cannot be opened came at a time that was asked for. */
    public boolean admits(EventTime time) {
        return time.isIn(filter);
    }

    /** Tells if a term, of whose keywords one must be there, can be so, or not so. */
    @FunctionalInterface
    private interface Terms {
        boolean canBe(List<Keyword> anyOf, boolean wanted);
    }

    private static boolean can(KeywordQuery query, boolean wanted, Terms terms) {
        return can(query, query.expression(), wanted, terms);
    }

    /** Whether an expression can be {@code wanted}, where a template may or may not be there. */
    private static boolean can(KeywordQuery query, Expression expression, boolean wanted, Terms terms) {
        return switch (expression) {
            case Expression.Term term -> {
                List<Keyword> anyOf = query.terms().get(term.index());
                yield anyOf.stream().anyMatch(keyword -> keyword.field().equals("template"))
                        || terms.canBe(anyOf, wanted);
            }
            case Expression.And and -> all(query, and.of(), wanted, wanted, terms);
            case Expression.Or or -> all(query, or.of(), !wanted, wanted, terms);
            case Expression.Not not -> can(query, not.of(), !wanted, terms);
        };
    }

    /** Of all members, or of one of them. */
    private static boolean all(KeywordQuery query, List<Expression> members, boolean all, boolean wanted, Terms terms) {
        Predicate<Expression> one = member -> can(query, member, wanted, terms);
        return all ? members.stream().allMatch(one) : members.stream().anyMatch(one);
    }

    /** Ends reading of attachments at once: mails that they decide are {@link Verdict#UNDECIDED}. For any thread. */
    public void abandon() {
        byRules.forEach(rules -> rules.mails.abandon());
    }

    @Override
    public void close() {
        byRules.forEach(rules -> rules.mails.close());
    }
}
