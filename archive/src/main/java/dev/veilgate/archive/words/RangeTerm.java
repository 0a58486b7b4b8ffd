package dev.veilgate.archive.words;

import dev.veilgate.extract.KeywordText;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.Question;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of a field that lie between others: {@code status:500..599}, {@code status:>=500}, {@code time:2026-11..},
 * {@code level:>=warn}. Both ends are meant too, of times with all of their day or hour.
 */
final class RangeTerm {
    private static final Pattern COMPARED = Pattern.compile("(>=|<=|>|<)(.+)", Pattern.DOTALL);
    private static final String DOTS = "..";
    private static final String FORMS = "a range is one of numbers, times or levels: status:500..599, bytes:>=1000,"
            + " time:2026-11-01..2026-11-15, time:<2026-11-27T12, level:>=warn";

    private final String field;

    private RangeTerm(String field) {
        this.field = field;
    }

    /** The field beside a field that has its values in their order. */
    static String ordered(String field) {
        return field + ':'; // which is in no name that somebody can type
    }

    /** Tells if a term is one of these, or is meant to be. */
    static boolean isRange(QueryText.Term term) {
        boolean whole = ArchiveQuery.WHOLE.contains(term.field()) // as message-id:<1@example.org> has it
                && !ArchiveWords.isLevel(term.field())
                && !TimeWords.isTime(term.field());
        if (whole || term.quoted() || term.field().equals(ArchiveWords.TEXT)) {
            return false;
        }
        if (COMPARED.matcher(term.text()).matches()) {
            return true;
        }
        int dots = term.text().indexOf(DOTS);
        if (dots < 0) {
            return false;
        }
        RangeTerm range = new RangeTerm(term.field());
        return range.isValue(term.text().substring(0, dots))
                || range.isValue(term.text().substring(dots + DOTS.length()));
    }

    /**
     * The question that such a term is.
     *
     * @throws RefusedException if what it compares has no order
     */
    static Question parse(QueryText.Term term) throws RefusedException {
        RangeTerm range = new RangeTerm(term.field());
        Matcher compared = COMPARED.matcher(term.text());
        if (compared.matches()) {
            String value = compared.group(2);
            return switch (compared.group(1)) {
                case ">=" -> range.between(value, false, "", false);
                case ">" -> range.between(value, true, "", false);
                case "<=" -> range.between("", false, value, false);
                default -> range.between("", false, value, true);
            };
        }
        int dots = term.text().indexOf(DOTS);
        return range.between(term.text().substring(0, dots), false, term.text().substring(dots + DOTS.length()), false);
    }

    private boolean isLevel() {
        return ArchiveWords.isLevel(field);
    }

    private boolean isValue(String text) {
        return isLevel()
                ? !KeywordText.level(KeywordText.fold(text)).isEmpty()
                : NumberWords.of(text).isPresent() || TimeWords.span(text).isPresent();
    }

    private Question between(String first, boolean behindFirst, String last, boolean beforeLast)
            throws RefusedException {
        if (isLevel()) {
            return levels(first, behindFirst, last, beforeLast);
        }
        boolean time = TimeWords.isTime(field);
        String in = ordered(time ? TimeWords.FIELD : field);
        if (!time && isNumberOrNone(first) && isNumberOrNone(last)) {
            Optional<String> from = NumberWords.of(first);
            Optional<String> to = NumberWords.of(last);
            require(from.isEmpty() || to.isEmpty() || from.get().compareTo(to.get()) <= 0);
            return new Question.Between(
                    in,
                    from.map(word -> behindFirst ? behind(word) : word).orElse(NumberWords.BEGINNING),
                    to.map(word -> beforeLast ? word : behind(word)).orElse(NumberWords.END));
        }
        TimeWords.Span from = span(first);
        TimeWords.Span to = span(last);
        require(first.isEmpty() || last.isEmpty() || from.from().compareTo(to.below()) < 0);
        return new Question.Between(
                in,
                first.isEmpty() ? "0" : behindFirst ? from.below() : from.from(),
                last.isEmpty() ? "a" : beforeLast ? to.from() : to.below());
    }

    private static boolean isNumberOrNone(String text) {
        return text.isEmpty() || NumberWords.of(text).isPresent();
    }

    /** The first text behind a word; no text lies between. */
    private static String behind(String word) {
        return word + '\u0001';
    }

    private static TimeWords.Span span(String text) throws RefusedException {
        if (text.isEmpty()) {
            return new TimeWords.Span("", "");
        }
        return TimeWords.span(text).orElseThrow(() -> new RefusedException(FORMS));
    }

    private static void require(boolean ascending) throws RefusedException {
        if (!ascending) {
            throw new RefusedException("a range has the lower end first");
        }
    }

    private static Question levels(String first, boolean behindFirst, String last, boolean beforeLast)
            throws RefusedException {
        int from = first.isEmpty() ? 0 : level(first) + (behindFirst ? 1 : 0);
        int to = last.isEmpty() ? KeywordText.LEVELS.size() : level(last) + (beforeLast ? 0 : 1);
        if (from >= to) {
            throw new RefusedException("no level lies in that range");
        }
        List<Question> each = KeywordText.LEVELS.subList(from, to).stream()
                .<Question>map(level -> new Question.Word(Keyword.text(ArchiveWords.LEVEL, level)))
                .toList();
        return each.size() == 1 ? each.getFirst() : new Question.Or(each);
    }

    private static int level(String text) throws RefusedException {
        int level = KeywordText.LEVELS.indexOf(KeywordText.level(KeywordText.fold(text)));
        if (level < 0) {
            throw new RefusedException("the levels are " + String.join(", ", KeywordText.LEVELS));
        }
        return level;
    }
}
