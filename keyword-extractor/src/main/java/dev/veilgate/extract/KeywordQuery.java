package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What to ask trapdoors for: a record is found if it has, of each list of {@link #allOf}, at least one keyword.
 *
 * <p>The text of a query is terms with white space between them, all of which must hold:
 * <pre>
 *   overheat  42  3.14  10.0.0.1  fe80::1  /var/log/syslog     as records are cut: words, numbers, addresses, whole paths
 *   press-4  "disk full"                                       several tokens: all of them, in any order
 *   level:error  host:press-4  unit:"disk pump"                a field's value, quoted if it has white space
 *   source:/var/log/app.log  source:journald/sshd.service      where the sender read it; the whole name
 *   temperature:70..90  offset:-5..5                           a range of a field that the profile lists as numeric
 *   time:2026-11  time:2026-11-21  time:2026-11-21T12  time:2026-11-21T12:23     a month, a day, an hour, a minute, in UTC
 *   ip:10.0.0.0/8  overh*                                      networks and prefixes of words, if the profile has them
 * </pre>
 * A backslash in quotes takes a quote or backslash as it is. Values are normalised as those of records are, so the case does not matter.
 *
 * @param allOf each list is not empty and without repetitions
 */
public record KeywordQuery(List<List<Keyword>> allOf) {
    /** Most characters of a query. */
    public static final int MAX_CHARACTERS = 8192;

    /** Most keywords of a query, ranges included. */
    public static final int MAX_KEYWORDS = 1024;

    /** @throws IllegalArgumentException if a list is empty */
    public KeywordQuery {
        allOf = allOf.stream().map(List::copyOf).toList();
        if (allOf.isEmpty() || allOf.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException("a query has at least one keyword in each of its lists");
        }
    }

    /**
     * Reads a query.
     *
     * @throws MalformedQueryException if it has no keyword, is too long, or a term asks for what the profile does not index
     */
    public static KeywordQuery parse(String query, ExtractorProfile profile) throws MalformedQueryException {
        return new QueryParser(profile).parse(query);
    }

    /** All its keywords, each once. */
    public Set<Keyword> keywords() {
        Set<Keyword> keywords = new LinkedHashSet<>();
        allOf.forEach(keywords::addAll);
        return keywords;
    }

    /** Whether a record with these keywords is found. */
    public boolean matches(Predicate<Keyword> record) {
        return allOf.stream().allMatch(anyOf -> anyOf.stream().anyMatch(record));
    }

    /** The records of one message that are found, from those that each keyword is found in. */
    public RecordSet evaluate(Function<Keyword, RecordSet> recordsOf) {
        RecordSet found = null;
        for (List<Keyword> anyOf : allOf) {
            RecordSet any = RecordSet.of();
            for (Keyword keyword : anyOf) {
                any = any.union(recordsOf.apply(keyword));
            }
            found = found == null ? any : intersection(found, any);
            if (found.isEmpty()) {
                return found;
            }
        }
        return found == null ? RecordSet.of() : found;
    }

    private static RecordSet intersection(RecordSet one, RecordSet other) {
        return RecordSet.of(one.ordinals().filter(other::contains).toArray());
    }

    /** Says how large it is, never what it asks for. */
    @Override
    public String toString() {
        return "KeywordQuery[" + keywords().size() + " keywords hidden]";
    }
}
