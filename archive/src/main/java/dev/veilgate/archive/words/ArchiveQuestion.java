package dev.veilgate.archive.words;

import dev.veilgate.extract.KeywordText;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.Question;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what somebody types as a question to an archive of segments:
 *
 * <pre>
 *   owl  subject:owl  "night owl"    as {@link ArchiveQuery} has them
 *   owl*  *root*  subject:o?l        words that look so: * for any letters or none, ? for one
 *   status:500..599  bytes:>1000     numbers of a field; a range is about whole values, not words
 *   time:2026-11  date:2026-11-27    times, see {@link RangeTerm} for spans of them
 *   owl root   owl AND root          both
 *   owl OR lark                      at least one
 *   owl NOT root                     the first and not the second; NOT owl alone is all without it
 *   (owl OR lark) subject:report     brackets
 * </pre>
 *
 * <p>NOT binds closest, then words side by side, then OR. Operators are in capitals, and never in quotes.
 */
public final class ArchiveQuestion {
    private static final int MAX_DEPTH = Question.MAX_DEPTH;
    /** {@code status>=500}: what is compared is a number or a time, so that {@code a->b} is text. */
    private static final Pattern COMPARISON =
            Pattern.compile("[\\p{L}_@][\\p{L}\\p{N}_.@-]+(?:>=|<=|>|<)-?\\d.*", Pattern.DOTALL);

    /** Beginnings of addresses: {@code 10.0.*}. */
    private static final Pattern ADDRESS = Pattern.compile("\\d[\\d?]*(?:\\.[\\d?]+){0,2}\\.[\\d?]*\\*");

    private static final Pattern MINUS = Pattern.compile("[-!][\\p{L}\\p{N}].*", Pattern.DOTALL);

    private final List<QueryText.Part> parts;
    private int at;
    private int depth;

    private ArchiveQuestion(List<QueryText.Part> parts) {
        this.parts = parts;
    }

    /**
     * The question that a query is to documents whose words were made by some rules. All rules that are known read
     * queries alike; they make other words of lines.
     *
     * @throws RefusedException if it cannot be read, or this software does not know the rules
     */
    public static Question parse(String query, int rules) throws RefusedException {
        try {
            ArchiveWords.profile(rules);
        } catch (IllegalArgumentException e) {
            throw new RefusedException("words of this archive were made by rules " + rules
                    + ", which this software does not know; update it");
        }
        return parse(query);
    }

    /**
     * The question that a query is.
     *
     * @throws RefusedException if it cannot be read
     */
    public static Question parse(String query) throws RefusedException {
        List<QueryText.Part> parts = QueryText.parts(query);
        if (parts.isEmpty()) {
            throw new RefusedException("the query has no word");
        }
        return new ArchiveQuestion(parts).any(); // brackets match, so it is read to its end
    }

    /**
     * Fields that a query names, each with those in which its words are.
     *
     * @throws RefusedException if a bracket or quote is without the other
     */
    public static Map<String, List<String>> fields(String query) throws RefusedException {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (QueryText.Part part : QueryText.parts(query)) {
            if (part instanceof QueryText.Term term && !term.field().equals(ArchiveWords.TEXT)) {
                String field = term.field();
                String time = TimeWords.isTime(field) ? RangeTerm.ordered(TimeWords.FIELD) : field;
                fields.put(field, List.of(field, ArchiveWords.common(field), RangeTerm.ordered(field), time));
            }
        }
        return fields;
    }

    private Question any() throws RefusedException {
        List<Question> all = new ArrayList<>();
        do {
            all.add(all());
        } while (take(QueryText.Sign.OR));
        return all.size() == 1 ? all.getFirst() : new Question.Or(all);
    }

    private Question all() throws RefusedException {
        List<Question> each = new ArrayList<>();
        boolean more = true;
        while (more) {
            each.add(one());
            more = take(QueryText.Sign.AND)
                    || at < parts.size() && parts.get(at) != QueryText.Sign.OR && parts.get(at) != QueryText.Sign.CLOSE;
        }
        return each.size() == 1 ? each.getFirst() : new Question.And(each);
    }

    private Question one() throws RefusedException {
        if (++depth > MAX_DEPTH) {
            throw new RefusedException("brackets and NOT stand in each other " + MAX_DEPTH + " times at most");
        }
        try {
            if (take(QueryText.Sign.NOT)) {
                return new Question.Not(one());
            }
            if (take(QueryText.Sign.OPEN)) {
                Question inside = any();
                take(QueryText.Sign.CLOSE);
                return inside;
            }
            if (at < parts.size() && parts.get(at) instanceof QueryText.Term term) {
                at++;
                return term(term);
            }
            throw new RefusedException(
                    "a word is missing beside an operator or in a bracket; in quotes, AND, OR and" + " NOT are words");
        } finally {
            depth--;
        }
    }

    private boolean take(QueryText.Sign sign) {
        boolean there = at < parts.size() && parts.get(at) == sign;
        at += there ? 1 : 0;
        return there;
    }

    private static Question term(QueryText.Term term) throws RefusedException {
        String field = term.field();
        Question unquoted = term.quoted() ? null : unquoted(term);
        if (unquoted != null) {
            return unquoted;
        }
        String common = ArchiveWords.common(field);
        Question own = words(field, term.text());
        return common.equals(field) ? own : new Question.Or(List.of(words(common, term.text()), own));
    }

    /** The question of a term that would be words if it were in quotes; null if it is words anyway. */
    private static @Nullable Question unquoted(QueryText.Term term) throws RefusedException {
        String field = term.field();
        String text = term.text();
        if (RangeTerm.isRange(term)) {
            return RangeTerm.parse(term);
        }
        boolean isText = field.equals(ArchiveWords.TEXT);
        if (text.startsWith("-") && !isText && NumberWords.of(text).isPresent()) { // words have no sign
            return RangeTerm.parse(new QueryText.Term(field, text + ".." + text, false));
        }
        if (MINUS.matcher(text).matches()) {
            throw new RefusedException("write NOT before a word that must be absent; in quotes a hyphen is text");
        }
        if (isText && COMPARISON.matcher(text).matches()) {
            throw new RefusedException("a field that is compared has a colon behind its name: status:>=500");
        }
        if (TimeWords.isTime(field) && text.indexOf('*') < 0) {
            return time(field, text);
        }
        boolean wild = text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
        return wild && !ArchiveQuery.isEndOfFile(field, text) ? pattern(field, KeywordText.fold(text)) : null;
    }

    private static Question words(String field, String text) throws RefusedException {
        List<Keyword> words = ArchiveWords.asked(field, text);
        if (words.isEmpty()) {
            throw new RefusedException("a term of the query has no letter and no digit");
        }
        List<Question> each = words.stream().<Question>map(Question.Word::new).toList();
        return each.size() == 1 ? each.getFirst() : new Question.And(each);
    }

    /** A day, of mails and what has a time; of tables those with these words in a column of that name, too. */
    private static Question time(String field, String text) throws RefusedException {
        TimeWords.Span span = TimeWords.span(text)
                .orElseThrow(() -> new RefusedException("a time is 2026, 2026-11, 2026-11-27, 2026-11-27T12 or"
                        + " 2026-11-27T12:34, or lies between two: time:2026-11-01..2026-11-15"));
        Question time = span.in(RangeTerm.ordered(TimeWords.FIELD));
        return field.equals(TimeWords.FIELD) ? time : new Question.Or(List.of(time, words(field, text)));
    }

    private static Question pattern(String field, String pattern) throws RefusedException {
        String letters = pattern.replace("*", "").replace("?", "");
        if (letters.isEmpty()) {
            throw new RefusedException("a word with a star has a letter or digit too");
        }
        boolean address =
                field.equals(ArchiveWords.TEXT) && ADDRESS.matcher(pattern).matches();
        if (!address
                && !ArchiveQuery.WHOLE.contains(field)
                && !ArchiveQuery.LETTERS.matcher(letters).matches()) {
            throw new RefusedException("a word with a star has letters and digits only");
        }
        return new Question.Pattern(field, pattern);
    }
}
