package dev.veilgate.reading;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whether an opened record contains what it was found by: its keywords are extracted again. An envelope does not say in which format its sender read it, so each
 * is tried. A template's name depends on what the sender's miner had seen, and is not checked.
 */
public final class HitCheck {
    /** What a record or mail turned out to be. */
    public enum Verdict {
        /** What was searched for. */
        FOUND,
        /** That, but of a time that was not asked for: a gateway knows only when envelopes were read. */
        OUTSIDE,
        /** That, of a time that was asked for, but signed by others than were asked for: a gateway does not know by whom. */
        OTHERWISE_SIGNED,
        /** Not what it was found by. */
        LIES
    }

    /**
     * A verdict on a record.
     *
     * @param time       when it happened
     * @param extraction by the format in which it contains what was searched for, else by the one that its look suggests
     */
    public record Checked(Verdict verdict, EventTime time, Extraction extraction) {}

    /**
     * A verdict on a mail.
     *
     * @param time when it was sent
     */
    public record CheckedMail(Verdict verdict, EventTime time) {}

    private final KeywordQuery query;
    private final Filter filter;
    private final ExtractorProfile profile;
    private final Set<MailAuthor.Kind> signed;
    private final List<LogExtractor> extractors = new ArrayList<>();

    /**
     * A check of one search.
     *
     * @param filter what else was asked for, not {@link EventTime#widened}
     */
    public HitCheck(KeywordQuery query, Filter filter, ExtractorProfile profile) {
        this(query, filter, Set.of(), profile);
    }

    /**
     * A check of one search, also of who signed the mails.
     *
     * @param filter as above
     * @param signed kinds of signers that are asked for; empty for all. Records are not looked at by it
     */
    public HitCheck(KeywordQuery query, Filter filter, Set<MailAuthor.Kind> signed, ExtractorProfile profile) {
        this.signed = Set.copyOf(signed);
        this.query = query;
        this.filter = filter;
        this.profile = profile;
        for (LogFormat format : LogFormat.values()) { // AUTO first
            extractors.add(LogExtractor.of(profile, format));
        }
    }

    /**
     * Of one record, with what was extracted.
     *
     * @param envelope it is in
     * @param origin   where the record came from; empty if its sender does not say
     */
    public Checked check(Envelope envelope, byte[] record, String origin) {
        Optional<Keyword> source = SourceKeyword.of(origin, profile);
        Extraction likely = extractors.getFirst().extract(record);
        EventTime time = EventTime.ofRecord(likely.time(envelope.last()), envelope.last()); // whatever it is found by
        for (int i = 0; i < extractors.size(); i++) {
            Extraction extraction = i == 0 ? likely : extractors.get(i).extract(record);
            Set<Keyword> keywords = new HashSet<>(extraction.keywords());
            source.ifPresent(keywords::add);
            if (can(query.expression(), true, keywords::contains)) {
                return new Checked(found(time), time, extraction);
            }
        }
        return new Checked(Verdict.LIES, time, likely);
    }

    private Verdict found(EventTime time) {
        return time.isIn(filter) ? Verdict.FOUND : Verdict.OUTSIDE;
    }

    /**
     * Of a mail.
     *
     * @param index its envelope
     */
    public CheckedMail checkMail(Envelope index, OpenedMail mail) {
        EventTime time = EventTime.ofMail(mail.date(), index.last());
        try (MailExtractor extractor = new MailExtractor(profile)) {
            Set<Keyword> keywords =
                    new HashSet<>(extractor.extract(mail.message()).keywords());
            boolean holds = can(query.expression(), true, keywords::contains);
            return new CheckedMail(holds ? found(mail, time) : Verdict.LIES, time);
        }
    }

    private Verdict found(OpenedMail mail, EventTime time) {
        boolean isAsked = signed.isEmpty() || signed.contains(mail.author().kind());
        return time.isIn(filter) && !isAsked ? Verdict.OTHERWISE_SIGNED : found(time);
    }

    /** Whether what cannot be opened came at a time that was asked for. */
    public boolean admits(EventTime time) {
        return time.isIn(filter);
    }

    /** Whether an expression can be {@code wanted}, where a template may or may not be there. */
    private boolean can(Expression expression, boolean wanted, Predicate<Keyword> record) {
        return switch (expression) {
            case Expression.Term term -> {
                List<Keyword> anyOf = query.terms().get(term.index());
                yield anyOf.stream().anyMatch(keyword -> keyword.field().equals("template"))
                        || anyOf.stream().anyMatch(record) == wanted;
            }
            case Expression.And and -> all(and.of(), wanted, wanted, record);
            case Expression.Or or -> all(or.of(), !wanted, wanted, record);
            case Expression.Not not -> can(not.of(), !wanted, record);
        };
    }

    /** Of all members, or of one of them. */
    private boolean all(List<Expression> members, boolean all, boolean wanted, Predicate<Keyword> record) {
        Predicate<Expression> one = member -> can(member, wanted, record);
        return all ? members.stream().allMatch(one) : members.stream().anyMatch(one);
    }
}
