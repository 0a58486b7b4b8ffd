package dev.veilgate.console.rules;

import dev.veilgate.console.rules.Rule.Effect;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.Keyword;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The values that a rule lists for some fields, with all by which records that have them are found, too: their words,
 * numbers and addresses, the same value in any other field, a path that ends with it. A rule that restricts is asked by
 * it, or whoever may not search {@code user:m} would search {@code m}. Fields without values, and values with a
 * wildcard, cannot be told from other words: a rule with these keeps nobody from searching the words. Immutable.
 */
final class ListedValues {
    private static final ListedValues NONE = new ListedValues();

    /** Fields whose values are few and are never names. */
    private static final Set<String> NEVER_NAMES = Set.of("level", "time", "template");

    private static final String STEMS = "stem.";
    /** Letters that a word and its stem have in common. */
    private static final int STEM_LETTERS = 3;

    private static final ExtractorProfile EARLIER = ExtractorProfile.defaults();
    private static final ExtractorProfile LATER = EARLIER.upgraded();

    private final Set<Keyword> keywords = new HashSet<>();
    private final Set<String> words = new LinkedHashSet<>();
    private final Set<String> whole = new HashSet<>();

    private ListedValues() {}

    /** Values of a rule; none of one that allows, or lists no values or no fields. */
    static ListedValues of(Rule rule) {
        List<String> listed = rule.values();
        if (rule.effect() == Effect.ALLOW || rule.fields() == null || listed == null) {
            return NONE;
        }
        ListedValues values = new ListedValues();
        listed.stream().filter(value -> value.indexOf('*') < 0).forEach(values::add);
        return values;
    }

    private void add(String pattern) {
        String folded = KeywordText.fold(pattern);
        whole.add(folded);
        String quoted = '"' + folded.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        for (ExtractorProfile profile : List.of(EARLIER, LATER)) {
            try {
                keywords.addAll(KeywordQuery.parse(quoted, profile).keywords());
                keywords.addAll(MailQuery.parse(quoted, profile).keywords());
            } catch (MalformedQueryException e) {
                continue; // a value without a letter or a digit is found in its field alone
            }
        }
        keywords.stream()
                .filter(keyword -> keyword.field().equals("word"))
                .map(Keyword::value)
                .forEach(words::add);
    }

    /** Tells if a search for a keyword may find records that have one of the values. */
    boolean mayBeFoundBy(Keyword keyword) {
        if (whole.isEmpty() || keyword.isInterval() || NEVER_NAMES.contains(keyword.field())) {
            return false;
        }
        String value = KeywordText.fold(keyword.value());
        return keywords.contains(keyword)
                || isNetwork(keyword)
                || isBeginning(keyword.field(), value)
                || whole.contains(value)
                || isFolder(keyword.field(), value);
    }

    private boolean isNetwork(Keyword keyword) {
        return keyword.field().equals("ip-prefix")
                && keywords.stream().anyMatch(listed -> listed.field().equals("ip"));
    }

    private boolean isBeginning(String field, String value) {
        if (field.startsWith(STEMS)) {
            String begin = value.substring(0, Math.min(STEM_LETTERS, value.length()));
            return words.stream().anyMatch(word -> word.startsWith(begin));
        }
        return field.equals("prefix") && words.stream().anyMatch(word -> word.startsWith(value));
    }

    /** A home folder, or what lies in one, is named after its user. */
    private boolean isFolder(String field, String value) {
        boolean isPath = field.equals("path") || field.equals("source");
        return isPath && Arrays.stream(value.split("[/\\\\]")).anyMatch(whole::contains);
    }
}
