package dev.veilgate.sse;

import dev.veilgate.peks.Keyword;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Terms that a scheme of whole words indexes, so that it can be asked for first letters as well: each word,
 * and each of its beginnings, as different terms. That is how the study of mobile devices extends SUISE and VASST16.
 */
public final class Terms {
    private static final byte WORD = 0;
    private static final byte BEGINNING = 1;

    private final boolean prefixes;

    private Terms(boolean prefixes) {
        this.prefixes = prefixes;
    }

    /** Words only, or their beginnings too. */
    public static Terms of(boolean prefixes) {
        return new Terms(prefixes);
    }

    /** The term of a word. */
    public static byte[] word(Keyword word) {
        return marked(WORD, word.encode());
    }

    /** The term of the first letters of words. */
    public static byte[] beginning(Keyword beginning) {
        return marked(BEGINNING, beginning.encode());
    }

    /** The term of a question for one word or one beginning. */
    public static byte[] of(SseExpression question) {
        return switch (question) {
            case SseExpression.Word word -> word(word.word());
            case SseExpression.Prefix prefix -> beginning(prefix.beginning());
            default -> throw new IllegalArgumentException("a question for one term");
        };
    }

    /** All terms of a document with how often each occurs, ascending by their bytes. */
    public SortedMap<byte[], Integer> of(Document document) {
        SortedMap<byte[], Integer> terms = new TreeMap<>(Arrays::compareUnsigned);
        for (Map.Entry<Keyword, Integer> each : document.words().entrySet()) {
            Keyword word = each.getKey();
            terms.merge(word(word), each.getValue(), Integer::sum);
            if (prefixes && !word.isInterval()) {
                String value = word.value();
                for (int end = 0; end < value.length(); ) {
                    end += Character.charCount(value.codePointAt(end));
                    terms.merge(
                            beginning(Keyword.text(word.field(), value.substring(0, end))),
                            each.getValue(),
                            Integer::sum);
                }
            }
        }
        return terms;
    }

    private static byte[] marked(byte mark, byte[] encoded) {
        byte[] term = new byte[1 + encoded.length];
        term[0] = mark;
        System.arraycopy(encoded, 0, term, 1, encoded.length);
        return term;
    }
}
