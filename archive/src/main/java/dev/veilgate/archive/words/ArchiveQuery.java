package dev.veilgate.archive.words;

import dev.veilgate.extract.KeywordText;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Ask;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseExpression;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads what somebody types as a question to an archive:
 *
 * <pre>
 *   owl                 a word of a text, whatever it is a text of
 *   subject:owl         a word of a field: of mails from, to, cc, subject, date ...; of a table a column
 *   owl root            all of several words; AND between them changes nothing
 *   subject:"night owl" words of a value, in any order
 *   owl*  subject:ow*   words that begin so
 *   o*l   *l            words that begin and end so
 * </pre>
 *
 * <p>Which of these a scheme answers, the scheme says. Questions with OR, NOT or brackets are for archives of segments
 * only: {@link ArchiveQuestion}.
 */
public final class ArchiveQuery {
    /** Most characters of a question. */
    public static final int MAX_CHARACTERS = 8192;

    static final Pattern LETTERS = Pattern.compile("[\\p{L}\\p{N}\\p{M}]*");

    /** Fields whose values are not cut into words: a star may stand behind any part of them. */
    static final Set<String> WHOLE = Set.of(
            "from",
            "to",
            "cc",
            "date",
            "filename",
            "attachment-type",
            "message-id",
            "in-reply-to",
            "list-id",
            "host",
            "app",
            "pid",
            "level");

    private final String query;
    private final Set<Ask> asks;
    private final Set<SseExpression> parts = new LinkedHashSet<>();

    private ArchiveQuery(String query, Set<Ask> asks) {
        this.query = query;
        this.asks = asks;
    }

    /**
     * The question for documents that answer all of a query.
     *
     * @param asks kinds of questions that the scheme answers: a beginning is asked for as a pattern where there are
     *             only these
     * @throws RefusedException if the query cannot be read; what a scheme cannot answer it refuses itself
     */
    public static SseExpression parse(String query, Set<Ask> asks) throws RefusedException {
        List<SseExpression> parts = new ArchiveQuery(query, asks).read();
        return parts.size() == 1 ? parts.getFirst() : new SseExpression.AllOf(parts);
    }

    /**
     * The question for the documents that say most of the words of a query.
     *
     * @param most how many documents
     * @throws RefusedException if the query cannot be read, or asks for something else than words
     */
    public static SseExpression best(String query, int most) throws RefusedException {
        List<Keyword> words = new ArrayList<>();
        for (SseExpression part : new ArchiveQuery(query, Set.of()).read()) {
            if (!(part instanceof SseExpression.Word word)) {
                throw new RefusedException("what is ranked are whole words, without a star");
            }
            words.add(word.word());
        }
        return new SseExpression.Best(words, most);
    }

    private List<SseExpression> read() throws RefusedException {
        for (QueryText.Part part : QueryText.parts(query)) {
            switch (part) {
                case QueryText.Term term when term.quoted() -> value(term.field(), term.text());
                case QueryText.Term term
                when RangeTerm.isRange(term) || isTime(term.field()) ->
                    throw new RefusedException(
                            "times, and what lies between two values, are asked of the scheme segments only");
                case QueryText.Term term -> term(term.field(), term.text());
                case QueryText.Sign.AND -> {}
                case QueryText.Sign _ ->
                    throw new RefusedException(
                            "OR, NOT and brackets are answered by the scheme segments only: ask for the words one"
                                    + " after the other");
            }
        }
        if (parts.isEmpty()) {
            throw new RefusedException("the query has no word");
        }
        if (parts.size() > SseExpression.MAX_WORDS) {
            throw new RefusedException("a query has at most " + SseExpression.MAX_WORDS + " words");
        }
        return List.copyOf(parts);
    }

    private static boolean isTime(String field) {
        return TimeWords.isTime(field) && !field.equals(ArchiveWords.DATE); // mails have it as a word
    }

    private void term(String field, String text) throws RefusedException {
        int star = text.indexOf('*');
        if (star < 0 || isEndOfFile(field, text)) {
            value(field, text);
            return;
        }
        String front = KeywordText.fold(text.substring(0, star));
        String end = KeywordText.fold(text.substring(star + 1));
        if (front.isEmpty() && end.isEmpty() || end.contains("*")) {
            throw new RefusedException("a star stands behind, before or within a word, and there is one of them");
        }
        boolean word = LETTERS.matcher(front).matches() && LETTERS.matcher(end).matches();
        if (!word && !WHOLE.contains(field)) {
            throw new RefusedException("a word with a star has letters and digits only");
        }
        boolean beginning = end.isEmpty() && (asks.contains(Ask.PREFIX) || !asks.contains(Ask.PATTERN));
        parts.add(
                beginning
                        ? new SseExpression.Prefix(Keyword.text(field, front))
                        : new SseExpression.Pattern(field, front, end));
    }

    /** Ends of files' names are words of mails. */
    static boolean isEndOfFile(String field, String text) {
        return field.equals("filename") && text.matches("\\*\\.[\\p{L}\\p{N}]+");
    }

    private void value(String field, String text) throws RefusedException {
        List<Keyword> words = ArchiveWords.asked(field, text);
        if (words.isEmpty()) {
            throw new RefusedException("a term of the query has no letter and no digit");
        }
        words.forEach(word -> parts.add(new SseExpression.Word(word)));
    }
}
