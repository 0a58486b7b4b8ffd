package dev.veilgate.console.rules;

import dev.veilgate.console.rules.Rule.Effect;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.FieldNames;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.Keyword;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether a rule speaks of a keyword. What a keyword finds is not always one value: an interval of numbers, the beginning or stem of words, the network of addresses find many, and no pattern of
 * values can tell which; people are also found by their domain or name, days by their month, files by their ending. So a rule that allows is read narrowly, as speaking of what it lists and nothing else, and any other rule widely, as speaking of whatever may find what it lists.
 */
final class KeywordReading {
    private static final String STEMS = "stem.";
    private static final List<String> PEOPLE = List.of("from", "to", "cc");
    private static final int MONTH = "2026-11".length();
    /** Thai; no script before it goes without spaces. */
    private static final char FIRST_UNSPACED = 0x0e00;
    /** Words are cut the same way by every profile. */
    private static final ExtractorProfile ANY = ExtractorProfile.defaults();

    private KeywordReading() {}

    /** By the rule's effect. */
    static boolean covers(Rule rule, Keyword keyword) {
        return rule.effect() == Effect.ALLOW ? lists(rule, keyword) : mayFind(rule, keyword);
    }

    /** Whether the rule lists all that the keyword finds. */
    private static boolean lists(Rule rule, Keyword keyword) {
        if (!isLike(rule.fields(), keyword.field())) {
            return false;
        }
        boolean everything =
                rule.values() == null || rule.values().stream().anyMatch(pattern -> pattern.matches("\\*+"));
        return everything || !keyword.isInterval() && isMeant(rule, keyword) && isListed(rule, keyword);
    }

    /** Values are those of words and addresses, unless one of the fields is what is made of them and not these as well. */
    private static boolean isMeant(Rule rule, Keyword keyword) {
        String origin = origin(keyword).orElse(null);
        if (origin == null) {
            return true;
        }
        Predicate<String> namesIt = pattern ->
                Wildcards.matchesFolded(pattern, keyword.field()) && !Wildcards.matchesFolded(pattern, origin);
        return rule.fields() != null && rule.fields().stream().anyMatch(namesIt);
    }

    /** Whether the keyword may find something that the rule lists. */
    static boolean mayFind(Rule rule, Keyword keyword) {
        Optional<String> origin = origin(keyword);
        boolean isField = isLike(rule.fields(), keyword.field())
                || FieldNames.alike(keyword.field()).stream().anyMatch(name -> isLike(rule.fields(), name))
                || origin.filter(field -> isLike(rule.fields(), field)).isPresent();
        return isField
                && (keyword.isInterval()
                        || origin.isPresent()
                        || isListed(rule, keyword)
                        || rule.values() != null && rule.values().stream().anyMatch(pattern -> meets(pattern, keyword))
                        || isPiece(rule, keyword.value()));
    }

    /**
     * Tells whether the values of a rule contain that of a keyword. Mail addresses are also compared in the form that is
     * the same for both spellings of an international domain.
     */
    private static boolean isListed(Rule rule, Keyword keyword) {
        return isLike(rule.values(), keyword.value())
                || rule.values() != null
                        && isAddress(keyword)
                        && rule.values().stream()
                                .anyMatch(pattern -> Wildcards.matches(
                                        MailQuery.address(pattern), MailQuery.address(keyword.value())));
    }

    private static boolean isAddress(Keyword keyword) {
        return PEOPLE.contains(keyword.field()) && keyword.value().indexOf('@') >= 0;
    }

    /** Whether some mails have both the keyword and another form of what is listed. */
    private static boolean meets(String listed, Keyword keyword) {
        String pattern = KeywordText.fold(listed);
        boolean isOne = pattern.indexOf('*') < 0;
        String value = KeywordText.fold(keyword.value());
        return switch (keyword.field()) {
            case "from", "to", "cc" ->
                meetsPeople(pattern, isOne, keyword.field(), value)
                        || isAddress(keyword)
                                && meetsPeople(
                                        MailQuery.address(listed),
                                        isOne,
                                        keyword.field(),
                                        MailQuery.address(keyword.value()));
            case "date" ->
                value.length() > MONTH
                        ? Wildcards.matches(pattern, value.substring(0, MONTH))
                        : !isOne || pattern.startsWith(value);
            case "path", "source" -> !isOne || isAround(pattern, value) || isAround(value, pattern);
            case "filename" -> value.startsWith("*.") && (!isOne || pattern.endsWith(value.substring(1)));
            default -> false;
        };
    }

    /** Tells if {@code part} is a folder that {@code path} lies in, or its last name. */
    private static boolean isAround(String path, String part) {
        boolean isSeparated = path.length() > part.length() && !part.isEmpty();
        char behind = isSeparated ? path.charAt(part.length()) : ' ';
        char before = isSeparated ? path.charAt(path.length() - part.length() - 1) : ' ';
        return path.startsWith(part) && (behind == '/' || behind == '\\')
                || path.endsWith(part) && (before == '/' || before == '\\');
    }

    /** An address tells its domain and nothing of the name; a name tells neither. */
    private static boolean meetsPeople(String pattern, boolean isOne, String field, String value) {
        boolean isName = isOne && pattern.indexOf('@') < 0;
        int at = value.lastIndexOf('@');
        if (at < 0) {
            return !isName
                    || MailQuery.ofField(field, pattern, ANY).stream()
                            .flatMap(List::stream)
                            .flatMap(List::stream)
                            .anyMatch(word -> word.value().equals(value));
        }
        if (isName || at > 0 && Wildcards.matches(pattern, value.substring(at))) {
            return true;
        }
        return at == 0
                && (pattern.indexOf('@') < 0 || Wildcards.matches(pattern.substring(pattern.lastIndexOf('@')), value));
    }

    /** Mails are asked for pairs of neighbouring characters where words have no space between them: a listed word is found by all of its own. */
    private static boolean isPiece(Rule rule, String value) {
        return rule.values() != null
                && value.chars().anyMatch(c -> c >= FIRST_UNSPACED)
                && rule.values().stream()
                        .flatMap(pattern -> MailQuery.ofField("word", pattern.replace('*', ' '), ANY).stream())
                        .flatMap(List::stream)
                        .flatMap(List::stream)
                        .anyMatch(piece -> piece.value().equals(value));
    }

    /** The field of what a keyword was made from, if it is another. */
    private static Optional<String> origin(Keyword keyword) {
        String field = keyword.field();
        if (field.equals("prefix") || field.startsWith(STEMS)) {
            return Optional.of("word");
        }
        return field.equals("ip-prefix") ? Optional.of("ip") : Optional.empty();
    }

    private static boolean isLike(@Nullable List<String> patterns, String text) {
        return patterns == null || patterns.stream().anyMatch(pattern -> Wildcards.matchesFolded(pattern, text));
    }
}
