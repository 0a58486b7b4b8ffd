package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.Expression;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What to ask trapdoors for. A record satisfies a term if it has at least one of the term's keywords, and is found if it satisfies the expression of terms.
 *
 * <p>The text of a query is terms with white space between them:
 * <pre>
 *   overheat  42  3.14  10.0.0.1  fe80::1  /var/log/syslog     as records are cut: words, numbers, addresses, whole paths
 *   press-4  "disk full"                                       several tokens: all of them, in any order
 *   level:error  host:press-4  unit:"disk pump"                a field's value, quoted if it has white space
 *   source:/var/log/app.log  source:journald/sshd.service      where the sender read it; the whole name
 *   temperature:70..90  offset:-5..5                           a range of a field that the profile lists as numeric
 *   time:2026-11  time:2026-11-21  time:2026-11-21T12  time:2026-11-21T12:23     a month, a day, an hour, a minute, in UTC
 *   ip:10.0.0.0/8  overh*                                      networks and prefixes of words, if the profile has them
 *   level:error AND (unit:sshd OR ip:10.0.0.7) AND NOT user:root
 * </pre>
 * A backslash in quotes takes a quote or backslash as it is. Values are normalised as those of records are, so the case does not matter.
 *
 * <p>AND, OR and NOT are operators in capitals and without quotes; NOT binds before AND, and AND before OR. Terms without an operator between them must all hold. NOT stands
 * beside something that is searched for: nothing finds everything but a word. A parenthesis begins a group before a term and ends it behind one; within a term, as
 * in {@code main()}, pairs are text.
 *
 * @param terms      each list is not empty and without repetitions
 * @param expression of these terms
 */
public record KeywordQuery(List<List<Keyword>> terms, Expression expression) {
    /** Most characters of a query. */
    public static final int MAX_CHARACTERS = 8192;

    /** Most terms that a query is written of, repeated ones included. */
    public static final int MAX_TERMS = 1024;

    /** Most keywords of a query, ranges included. */
    public static final int MAX_KEYWORDS = 1024;

    /** Fields that a kind of record has in a form of its own. */
    @FunctionalInterface
    public interface Fields {
        /**
         * The keywords of a value, of each list one of which must be there; no lists for a value that has none.
         *
         * @param field folded; "" for text without a field
         * @return empty if the field is read as in every record
         */
        Optional<List<List<Keyword>>> keywords(String field, String value);

        /**
         * What is wrong with a field and its value, where no record of the kind can have them.
         *
         * @param name  as written
         * @param value as written, with its quotes
         */
        default Optional<Refusal> refusal(String name, String value) {
            return Optional.empty();
        }

        /** Names of fields, folded, that records are known to have, beside those of the profile. */
        default Set<String> seen() {
            return Set.of();
        }
    }

    /**
     * Why a field and its value are no part of a query.
     *
     * @param why     behind "the query"; never repeats it
     * @param instead what may be written in their place and means the same, the likeliest first; none if nothing does
     */
    public record Refusal(String why, List<String> instead) {
        /** Copies. */
        public Refusal {
            instead = List.copyOf(instead);
        }

        /** Without what may be written, which repeats the query. */
        @Override
        public String toString() {
            return "Refusal[" + why + "]";
        }
    }

    /** @throws IllegalArgumentException if a list is empty, or the expression is not one of the terms or finds records without a word */
    public KeywordQuery {
        terms = terms.stream().map(List::copyOf).toList();
        if (terms.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException("a term has at least one keyword");
        }
        expression.requireUsable(terms.size());
    }

    /** A query of terms that must all hold. */
    public static KeywordQuery allOf(List<List<Keyword>> terms) {
        return new KeywordQuery(terms, Expression.allOf(terms.size()));
    }

    /**
     * Reads a query.
     *
     * @throws MalformedQueryException if it has no keyword, is too long, or a term asks for what the profile does not index
     */
    public static KeywordQuery parse(String query, ExtractorProfile profile) throws MalformedQueryException {
        return parse(query, profile, (field, value) -> Optional.empty());
    }

    /**
     * Reads a query of records with fields of their own.
     *
     * @throws MalformedQueryException as {@link #parse(String, ExtractorProfile)}
     */
    public static KeywordQuery parse(String query, ExtractorProfile profile, Fields own)
            throws MalformedQueryException {
        return read(query, profile, own).query();
    }

    /**
     * Reads a query, and says how it is understood.
     *
     * @throws MalformedQueryException as {@link #parse(String, ExtractorProfile)}
     */
    public static ReadQuery read(String query, ExtractorProfile profile, Fields own) throws MalformedQueryException {
        return new QueryParser(query, profile, own).read();
    }

    /**
     * Reads a query of records without fields of their own, and says how it is understood.
     *
     * @param seen names of fields, folded, that records are known to have, beside those of the profile
     * @throws MalformedQueryException as {@link #parse(String, ExtractorProfile)}
     */
    public static ReadQuery read(String query, ExtractorProfile profile, Set<String> seen)
            throws MalformedQueryException {
        return read(query, profile, new Fields() {
            @Override
            public Optional<List<List<Keyword>>> keywords(String field, String value) {
                return Optional.empty();
            }

            @Override
            public Set<String> seen() {
                return seen;
            }
        });
    }

    /**
     * Reads a query of records without fields of their own, and says how it is understood.
     *
     * @throws MalformedQueryException as {@link #parse(String, ExtractorProfile)}
     */
    public static ReadQuery read(String query, ExtractorProfile profile) throws MalformedQueryException {
        return read(query, profile, (field, value) -> Optional.empty());
    }

    /** All its keywords, each once. */
    public Set<Keyword> keywords() {
        Set<Keyword> keywords = new LinkedHashSet<>();
        terms.forEach(keywords::addAll);
        return keywords;
    }

    /** Whether a record with these keywords is found. */
    public boolean matches(Predicate<Keyword> record) {
        return expression.holds(term -> terms.get(term).stream().anyMatch(record));
    }

    /** The records of one message that are found, from those that each keyword is found in. */
    public RecordSet evaluate(Function<Keyword, RecordSet> recordsOf) {
        return expression.evaluate(
                term -> terms.get(term).stream().map(recordsOf).reduce(RecordSet.of(), RecordSet::union));
    }

    /** Says how large it is, never what it asks for. */
    @Override
    public String toString() {
        return "KeywordQuery[" + keywords().size() + " keywords hidden]";
    }
}
