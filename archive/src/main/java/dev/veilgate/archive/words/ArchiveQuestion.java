package dev.veilgate.archive.words;

import dev.veilgate.extract.KeywordText;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads what somebody types as a question to an archive of segments:
 *
 * <pre>
 *   owl  subject:owl  "night owl"    as {@link ArchiveQuery} has them
 *   owl*  *root*  subject:o?l        words that look so: * for any letters or none, ? for one
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
    private static final Pattern MINUS = Pattern.compile("[-!][\\p{L}\\p{N}].*", Pattern.DOTALL);

    private final List<QueryText.Part> parts;
    private int at;
    private int depth;

    private ArchiveQuestion(List<QueryText.Part> parts) {
        this.parts = parts;
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
        String text = term.text();
        if (!term.quoted()) {
            if (MINUS.matcher(text).matches()) {
                throw new RefusedException("write NOT before a word that must be absent; in quotes a hyphen is text");
            }
            boolean wild = text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
            if (wild && !ArchiveQuery.isEndOfFile(field, text)) {
                return pattern(field, KeywordText.fold(text));
            }
        }
        List<Keyword> words = ArchiveWords.asked(field, text);
        if (words.isEmpty()) {
            throw new RefusedException("a term of the query has no letter and no digit");
        }
        List<Question> each = words.stream().<Question>map(Question.Word::new).toList();
        return each.size() == 1 ? each.getFirst() : new Question.And(each);
    }

    private static Question pattern(String field, String pattern) throws RefusedException {
        String letters = pattern.replace("*", "").replace("?", "");
        if (letters.isEmpty()) {
            throw new RefusedException("a word with a star has a letter or digit too");
        }
        if (!ArchiveQuery.WHOLE.contains(field)
                && !ArchiveQuery.LETTERS.matcher(letters).matches()) {
            throw new RefusedException("a word with a star has letters and digits only");
        }
        return new Question.Pattern(field, pattern);
    }
}
