package dev.veilgate.archive.words;

import dev.veilgate.extract.KeywordText;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.Question;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Places of the words of a query in a text that was found by it, to be marked for the eye; some may be left out. */
public final class QueryMarks {
    private static final String BEFORE = "(?<![\\p{L}\\p{N}])";
    private static final String BEHIND = "(?![\\p{L}\\p{N}])";
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
    private static final int FLAGS = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;

    private final List<Pattern> words = new ArrayList<>();
    private final List<Question.Pattern> shapes = new ArrayList<>();

    /**
     * A part of a text.
     *
     * @param from its first character
     * @param to   the one behind it
     */
    public record Mark(int from, int to) {}

    /**
     * Reads a query for the words that it asks for, not those behind NOT.
     *
     * @throws RefusedException if it cannot be read
     */
    public QueryMarks(String query) throws RefusedException {
        int absent = 0; // brackets that were opened since a NOT
        boolean not = false;
        for (QueryText.Part part : QueryText.parts(query)) {
            switch (part) {
                case QueryText.Sign sign -> {
                    if (sign == QueryText.Sign.OPEN && (absent > 0 || not)) {
                        absent++;
                    } else if (sign == QueryText.Sign.CLOSE && absent > 0) {
                        absent--;
                    }
                    not = sign == QueryText.Sign.NOT;
                }
                case QueryText.Term term -> {
                    if (absent == 0 && !not) {
                        add(term);
                    }
                    not = false;
                }
            }
        }
    }

    private void add(QueryText.Term term) {
        String text = term.text();
        if (RangeTerm.isRange(term)) {
            return; // what was found is hardly what was typed
        }
        if (!term.quoted() && (text.indexOf('*') >= 0 || text.indexOf('?') >= 0)) {
            shapes.add(new Question.Pattern(term.field(), KeywordText.fold(text)));
            return;
        }
        for (String token : ArchiveWords.tokens(text, true)) {
            boolean ascii = token.chars().allMatch(c -> c < 0x80); // else it may be a pair out of a longer word
            String quoted = Pattern.quote(token);
            words.add(Pattern.compile(ascii ? BEFORE + quoted + BEHIND : quoted, FLAGS));
        }
    }

    /** Parts of a text that are asked for, the first one first; none touches another. */
    public List<Mark> in(String text) {
        boolean[] marked = new boolean[text.length() + 1];
        for (Pattern word : words) {
            mark(word.matcher(text), _ -> true, marked);
        }
        if (!shapes.isEmpty()) {
            mark(
                    WORD.matcher(text),
                    word -> shapes.stream().anyMatch(shape -> shape.matches(KeywordText.fold(word))),
                    marked);
        }
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            if (marked[i] && (i == 0 || !marked[i - 1])) {
                int to = i;
                while (marked[to]) {
                    to++;
                }
                marks.add(new Mark(i, to));
            }
        }
        return marks;
    }

    private static void mark(Matcher matcher, Predicate<String> wanted, boolean[] marked) {
        while (matcher.find()) {
            if (wanted.test(matcher.group())) {
                Arrays.fill(marked, matcher.start(), matcher.end(), true);
            }
        }
    }
}
