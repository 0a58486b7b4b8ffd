package dev.veilgate.sse.segments;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A pattern of words of a field, {@code *} for any letters and {@code ?} for one, as terms are compared with it. */
@Secret
final class WordPattern {
    /** Most words that a pattern may stand for. */
    static final int MAX_WORDS = 256;

    /** Up to so many, a refusal says how many there are. */
    static final int COUNTED = 10_000;

    private final byte[] beginning;
    private final int headBytes;
    private final int[] letters;

    /** @throws RefusedException if it is empty, or longer than any word */
    static WordPattern of(Question.Pattern pattern) throws RefusedException {
        try {
            return new WordPattern(Keyword.text(pattern.field(), pattern.pattern())); // both signs stay
        } catch (IllegalArgumentException e) {
            throw new RefusedException("a pattern has 1 to " + Keyword.MAX_VALUE_BYTES + " bytes in UTF-8");
        }
    }

    private WordPattern(Keyword normal) {
        String value = normal.value();
        int wild = 0;
        while (wild < value.length() && value.charAt(wild) != '*' && value.charAt(wild) != '?') {
            wild++;
        }
        byte[] head = WordBytes.beginning(normal.field(), "");
        byte[] literal = value.substring(0, wild).getBytes(StandardCharsets.UTF_8);
        this.headBytes = head.length;
        this.beginning = Arrays.copyOf(head, head.length + literal.length);
        System.arraycopy(literal, 0, beginning, head.length, literal.length);
        this.letters = value.codePoints().toArray();
    }

    /** The first term that could match; all that do begin so. */
    byte[] beginning() {
        return beginning;
    }

    boolean matches(byte[] term) {
        String value = new String(term, headBytes, term.length - headBytes, StandardCharsets.UTF_8);
        return matches(letters, value.codePoints().toArray());
    }

    /** By one pass with going back to the last star only: time is at most the product of both lengths. */
    static boolean matches(int[] letters, int[] word) {
        int at = 0;
        int star = -1;
        int from = 0;
        int i = 0;
        while (i < word.length) {
            if (at < letters.length && letters[at] == '*') {
                star = at++;
                from = i;
            } else if (at < letters.length && (letters[at] == '?' || letters[at] == word[i])) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++from;
            } else {
                return false;
            }
        }
        while (at < letters.length && letters[at] == '*') {
            at++;
        }
        return at == letters.length;
    }
}
