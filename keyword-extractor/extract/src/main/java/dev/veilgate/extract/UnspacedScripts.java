package dev.veilgate.extract;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Words of scripts that put no space between words: Chinese, Japanese, Thai and their like. They are searched by pairs
 * of neighbouring characters, as Lucene's CJK analyzer does: a query of three characters asks for its two pairs.
 */
public final class UnspacedScripts {
    private static final Set<UnicodeScript> SCRIPTS = EnumSet.of(
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.BOPOMOFO,
            UnicodeScript.THAI,
            UnicodeScript.LAO,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR);

    private UnspacedScripts() {}

    /** Whether the word has such a character. */
    public static boolean in(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) >= 0x0e00) {
                return word.codePoints().anyMatch(UnspacedScripts::isUnspaced);
            }
        }
        return false;
    }

    private static boolean isUnspaced(int codePoint) {
        return SCRIPTS.contains(UnicodeScript.of(codePoint));
    }

    /**
     * Pieces by which a word with such characters is found: each pair of neighbouring ones, one that stands alone, and
     * the words of other scripts between them. Marks count as characters of what they stand on.
     */
    public static List<String> pieces(String word) {
        int[] points = word.codePoints().toArray();
        List<String> pieces = new ArrayList<>();
        int at = 0;
        while (at < points.length) {
            boolean unspaced = isUnspaced(points[at]);
            int end = at + 1;
            while (end < points.length && (isUnspaced(points[end]) == unspaced || isMark(points[end]))) {
                end++;
            }
            if (!unspaced || end - at <= 2) {
                pieces.add(new String(points, at, end - at));
            } else {
                for (int i = at; i + 1 < end; i++) {
                    pieces.add(new String(points, i, 2));
                }
            }
            at = end;
        }
        return pieces;
    }

    private static boolean isMark(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }
}
