package dev.veilgate.extract;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A query as each of the rules reads it by which the records that are searched may have been indexed. A search asks
 * for what any of the readings finds; whether a record that was found holds what
 * was searched for, the reading of its own rules decides. Immutable.
 *
 * <p>Gives: whatever the reading of a record's own rules finds is found. Keywords that the readings have in common
 * are asked for once, since rules are no part of a trapdoor. Does not give: that a
 * gateway cannot see that the readings belong to one search.
 */
public final class QueryReadings {
    /**
     * A query as some rules read it.
     *
     * @param profile of these rules
     */
    public record Reading(ExtractorProfile profile, ReadQuery read) {}

    /** Reads the text of a query. */
    @FunctionalInterface
    public interface Reader {
        /**
         * By one profile.
         *
         * @throws MalformedQueryException if it cannot be understood by it
         */
        ReadQuery read(ExtractorProfile profile) throws MalformedQueryException;
    }

    private final List<Reading> readings;
    private final KeywordQuery asked;
    private final ReadQuery shown;

    private QueryReadings(List<Reading> readings, KeywordQuery asked, ReadQuery shown) {
        this.readings = List.copyOf(readings);
        this.asked = asked;
        this.shown = shown;
    }

    /** A query that is read by one profile alone. */
    public static QueryReadings of(ReadQuery read, ExtractorProfile profile) {
        return new QueryReadings(List.of(new Reading(profile, read)), read.query(), read);
    }

    /** A query that is read by one profile alone, and shown to nobody. */
    public static QueryReadings of(KeywordQuery query, ExtractorProfile profile) {
        return of(new ReadQuery(query, List.of(), List.of(), List.of()), profile);
    }

    /**
     * Reads a query by each profile. One by which it cannot be understood is left out, and what is shown says so.
     *
     * @param profiles the latest rules first, see {@link IndexProfiles#ofEpochs}
     * @throws MalformedQueryException if it can be understood by none of them, or the readings together ask for too
     *                                 much
     */
    public static QueryReadings read(List<ExtractorProfile> profiles, Reader reader) throws MalformedQueryException {
        List<Reading> readings = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        MalformedQueryException failed = null;
        for (ExtractorProfile profile : profiles) {
            try {
                readings.add(new Reading(profile, reader.read(profile)));
            } catch (MalformedQueryException e) {
                failed = failed == null ? e : failed;
                missing.add("records that were indexed by rules " + profile.rules()
                        + " are not found, since by these rules " + e.getMessage());
            }
        }
        if (readings.isEmpty()) {
            if (failed == null) {
                throw new IllegalArgumentException("a query is read by one profile at least");
            }
            throw failed;
        }
        KeywordQuery asked = readings.getFirst().read().query();
        for (Reading other : readings.subList(1, readings.size())) {
            asked = either(asked, other.read().query());
        }
        int more = asked.keywords().size()
                - readings.getFirst().read().query().keywords().size();
        if (more > 0) {
            notes.add("Records that were indexed by rules of before are asked for as those rules read the query: "
                    + more + (more == 1 ? " keyword" : " keywords")
                    + " more. The gateway sees that both readings are of one search.");
        }
        Reading latest = readings.getFirst();
        boolean isOfFormer = readings.getLast().profile().rules() == ExtractorProfile.RULES;
        if (isOfFormer && latest.profile().rules() > ExtractorProfile.RULES) {
            FormerRules.missing(latest.read().query()).ifPresent(notes::add);
        }
        return new QueryReadings(readings, asked, noted(latest.read(), notes, missing));
    }

    /**
     * Reads a query by each profile by which records of some epochs may have been indexed. If one is of rules that this
     * software does not know, what is shown says so.
     *
     * @param epochs by name
     * @throws MalformedQueryException as {@link #read(List, Reader)}
     */
    public static QueryReadings read(IndexProfiles profiles, Collection<String> epochs, Reader reader)
            throws MalformedQueryException {
        QueryReadings known = read(profiles.ofEpochs(epochs), reader);
        if (!profiles.isOutdatedIn(epochs)) {
            return known;
        }
        String missing =
                "records may be indexed by rules that this software does not know, and what these alone find is"
                        + " missing; update it";
        return new QueryReadings(known.readings, known.asked, noted(known.shown, List.of(), List.of(missing)));
    }

    private static ReadQuery noted(ReadQuery read, List<String> moreNotes, List<String> moreWarnings) {
        List<String> notes = new ArrayList<>(read.notes());
        notes.addAll(moreNotes);
        List<ReadQuery.Warning> warnings = new ArrayList<>(read.warnings());
        moreWarnings.forEach(each -> warnings.add(new ReadQuery.Warning(each, 0, List.of())));
        return new ReadQuery(read.query(), read.meaning(), notes, warnings);
    }

    /**
     * A query that finds what either finds. Where both have the same form, a term finds what either of its readings
     * finds, so that none is asked for twice.
     */
    private static KeywordQuery either(KeywordQuery first, KeywordQuery other) throws MalformedQueryException {
        if (first.equals(other)) {
            return first;
        }
        try {
            KeywordQuery both = isOfSameForm(first, other) ? byTerms(first, other) : beside(first, other);
            if (both.keywords().size() > KeywordQuery.MAX_KEYWORDS) {
                throw new IllegalArgumentException("more than " + KeywordQuery.MAX_KEYWORDS + " keywords");
            }
            return both;
        } catch (IllegalArgumentException e) {
            throw new MalformedQueryException(0, "is too large as two kinds of rules read it: " + e.getMessage());
        }
    }

    /**
     * Whether terms can be put together one by one: what stands under NOT must be the same, or a keyword of one
     * reading would hide what the other finds.
     */
    private static boolean isOfSameForm(KeywordQuery first, KeywordQuery other) {
        BitSet under = new BitSet();
        findUnderNot(first.expression(), false, under);
        return first.expression().equals(other.expression())
                && under.stream()
                        .allMatch(i -> first.terms().get(i).equals(other.terms().get(i)));
    }

    private static void findUnderNot(Expression expression, boolean isUnder, BitSet found) {
        switch (expression) {
            case Expression.Term term -> found.set(term.index(), isUnder || found.get(term.index()));
            case Expression.And and -> and.of().forEach(each -> findUnderNot(each, isUnder, found));
            case Expression.Or or -> or.of().forEach(each -> findUnderNot(each, isUnder, found));
            case Expression.Not not -> findUnderNot(not.of(), true, found);
        }
    }

    private static KeywordQuery byTerms(KeywordQuery first, KeywordQuery other) {
        List<List<Keyword>> terms = new ArrayList<>();
        for (int i = 0; i < first.terms().size(); i++) {
            Set<Keyword> anyOf = new LinkedHashSet<>(first.terms().get(i));
            anyOf.addAll(other.terms().get(i));
            terms.add(List.copyOf(anyOf));
        }
        return new KeywordQuery(terms, first.expression());
    }

    private static KeywordQuery beside(KeywordQuery first, KeywordQuery other) {
        List<List<Keyword>> terms = new ArrayList<>(first.terms());
        int[] places = new int[other.terms().size()];
        for (int i = 0; i < places.length; i++) {
            List<Keyword> term = other.terms().get(i);
            int known = terms.indexOf(term);
            places[i] = known < 0 ? terms.size() : known;
            if (known < 0) {
                terms.add(term);
            }
        }
        return new KeywordQuery(
                terms, new Expression.Or(List.of(first.expression(), moved(other.expression(), places))));
    }

    private static Expression moved(Expression expression, int[] places) {
        return switch (expression) {
            case Expression.Term term -> new Expression.Term(places[term.index()]);
            case Expression.And and ->
                new Expression.And(
                        and.of().stream().map(each -> moved(each, places)).toList());
            case Expression.Or or ->
                new Expression.Or(
                        or.of().stream().map(each -> moved(each, places)).toList());
            case Expression.Not not -> new Expression.Not(moved(not.of(), places));
        };
    }

    /** The query that trapdoors are issued for: each record that one of the readings finds satisfies it. */
    public KeywordQuery asked() {
        return asked;
    }

    /** How it is understood, to be shown: by the latest rules, with what is to be said of the others. */
    public ReadQuery shown() {
        return shown;
    }

    /**
     * Which of {@link #readings} decides on an envelope: that of the rules that it names, or else of the oldest rules
     * that are asked.
     */
    public int placeOf(Envelope envelope) {
        int rules = envelope.indexRules().map(IndexRules::rules).orElse(ExtractorProfile.RULES);
        for (int i = 0; i < readings.size(); i++) {
            if (readings.get(i).profile().rules() == rules) {
                return i;
            }
        }
        return readings.size() - 1;
    }

    /** Numbers of the rules that it is asked by, ascending. */
    public List<Integer> rules() {
        return readings.stream()
                .map(reading -> reading.profile().rules())
                .sorted()
                .toList();
    }

    /** All readings, the latest rules first. */
    public List<Reading> readings() {
        return readings;
    }

    /** Says nothing of the query. */
    @Override
    public String toString() {
        return "QueryReadings[hidden, by " + readings.size() + " profiles]";
    }
}
