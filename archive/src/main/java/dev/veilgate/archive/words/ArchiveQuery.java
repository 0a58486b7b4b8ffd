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
import java.util.regex.Matcher;
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
 * <p>Which of these a scheme answers, the scheme says. No scheme answers questions with OR, NOT or brackets.
 */
public final class ArchiveQuery {
    /** Most characters of a question. */
    public static final int MAX_CHARACTERS = 8192;

    private static final Pattern FIELD = Pattern.compile("([\\p{L}_@][^\\s:\"*]+):(?!//|:)(.*)", Pattern.DOTALL);
    private static final Pattern LETTERS = Pattern.compile("[\\p{L}\\p{N}\\p{M}]*");

    /** Fields whose values are not cut into words: a star may stand behind any part of them. */
    private static final Set<String> WHOLE =
            Set.of("from", "to", "cc", "date", "filename", "attachment-type", "message-id", "in-reply-to", "list-id");

    private final String query;
    private final Set<Ask> asks;
    private final Set<SseExpression> parts = new LinkedHashSet<>();
    private int at;

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
        if (query.length() > MAX_CHARACTERS) {
            throw new RefusedException("a query has at most " + MAX_CHARACTERS + " characters");
        }
        while (skipSpace()) {
            if (query.charAt(at) == '"') {
                value(ArchiveWords.TEXT, quoted());
                continue;
            }
            String term = unquoted();
            Matcher named = FIELD.matcher(term);
            String field = named.matches() ? ArchiveWords.field(named.group(1)) : ArchiveWords.TEXT;
            String text = named.matches() ? named.group(2) : term;
            if (named.matches() && text.isEmpty() && at < query.length() && query.charAt(at) == '"') {
                value(field, quoted());
            } else if (!term.equals("AND")) {
                refuseOperators(term);
                term(field, text);
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

    private static void refuseOperators(String term) throws RefusedException {
        if (term.equals("OR") || term.equals("NOT") || term.startsWith("(")) {
            throw new RefusedException("no scheme answers OR, NOT and brackets: ask for the words one after the other");
        }
    }

    private boolean skipSpace() {
        while (at < query.length() && isSpace(query.charAt(at))) {
            at++;
        }
        return at < query.length();
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private String unquoted() {
        int from = at;
        while (at < query.length() && !isSpace(query.charAt(at)) && query.charAt(at) != '"') {
            at++;
        }
        return query.substring(from, at);
    }

    private String quoted() throws RefusedException {
        int end = query.indexOf('"', at + 1);
        if (end < 0) {
            throw new RefusedException("the query has a quote without its end");
        }
        String text = query.substring(at + 1, end);
        at = end + 1;
        return text;
    }

    private void term(String field, String text) throws RefusedException {
        int star = text.indexOf('*');
        if (star < 0 || field.equals("filename") && text.matches("\\*\\.[\\p{L}\\p{N}]+")) { // is a word of mails
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
        if (field.isEmpty()) {
            throw noField();
        }
        boolean beginning = end.isEmpty() && (asks.contains(Ask.PREFIX) || !asks.contains(Ask.PATTERN));
        parts.add(
                beginning
                        ? new SseExpression.Prefix(Keyword.text(field, front))
                        : new SseExpression.Pattern(field, front, end));
    }

    private void value(String field, String text) throws RefusedException {
        if (field.isEmpty()) {
            throw noField();
        }
        List<Keyword> words = ArchiveWords.asked(field, text);
        if (words.isEmpty()) {
            throw new RefusedException("a term of the query has no letter and no digit");
        }
        words.forEach(word -> parts.add(new SseExpression.Word(word)));
    }

    private static RefusedException noField() {
        return new RefusedException("no field has such a name");
    }
}
