package dev.veilgate.extract;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unicode NFKC in time that grows with the text. The runtime sorts the marks behind a letter by insertion, so that a
 * letter with a million marks takes minutes; long runs of marks are given to it sorted, which changes nothing of the
 * result.
 */
final class Composition {
    /** Marks behind one another that are sorted here; the runtime sorts fewer as fast. */
    private static final int LONG_RUN = 64;

    /** Marks of the greatest and the least combining class: one of them changes places with any other mark. */
    private static final String GREATEST = "\u0345";

    private static final String LEAST = "\u0334";

    private Composition() {}

    /** The text in NFKC. */
    static String nfkc(String text) {
        return Normalizer.normalize(ordered(text), Normalizer.Form.NFKC);
    }

    /**
     * Tells if a character may be one with what is before it in NFKC, or change places with it, or is half of a
     * character; before all others a text may be divided, and its parts be normalised for themselves.
     */
    static boolean mayJoin(char c) {
        return isMark(c)
                || Character.isSurrogate(c)
                || c >= 0x1160 && c <= 0x11FF // vowels and finals of Hangul
                || c >= 0x3131 && c <= 0x318E // the same by themselves
                || c >= 0xFFA0 && c <= 0xFFDC; // the same of half width
    }

    /** Whether a character may have another combining class than 0, or decompose to such characters alone. */
    private static boolean isMark(int codePoint) {
        if (codePoint < 0x300) {
            return false;
        }
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> codePoint == 0xFF9E || codePoint == 0xFF9F; // half-width marks of Japanese
        };
    }

    private static String ordered(String text) {
        @Nullable StringBuilder out = null;
        int copied = 0;
        int at = 0;
        while (at < text.length()) {
            int end = at;
            int marks = 0;
            for (int c = text.codePointAt(at); end < text.length() && isMark(c); marks++) {
                end += Character.charCount(c);
                c = end < text.length() ? text.codePointAt(end) : 0;
            }
            if (marks > LONG_RUN) {
                out = out == null ? new StringBuilder(text.length() + LONG_RUN) : out;
                sort(text, at, end, out.append(text, copied, at));
                copied = end;
            }
            at = end == at ? at + 1 : end;
        }
        return out == null ? text : out.append(text, copied, text.length()).toString();
    }

    /** Sorts marks by combining class, those of one class as they stand; none passes one of class 0. */
    private static void sort(String text, int from, int to, StringBuilder out) {
        @Nullable StringBuilder[] ofClass = new StringBuilder[Classes.COUNT];
        for (int at = from; at < to; ) {
            int codePoint = text.codePointAt(at);
            at += Character.charCount(codePoint);
            for (int mark : Classes.decomposed(codePoint)) {
                int rank = Classes.of(mark);
                if (rank == 0) {
                    flush(ofClass, out);
                    out.appendCodePoint(mark);
                } else {
                    StringBuilder same = ofClass[rank];
                    if (same == null) {
                        same = new StringBuilder();
                        ofClass[rank] = same;
                    }
                    same.appendCodePoint(mark);
                }
            }
        }
        flush(ofClass, out);
    }

    private static void flush(@Nullable StringBuilder[] ofClass, StringBuilder out) {
        for (StringBuilder same : ofClass) {
            if (same != null) {
                out.append(same);
                same.setLength(0);
            }
        }
    }

    /** Combining classes by rank, found out by which marks the runtime makes change places; made when first needed. */
    private static final class Classes {
        private static final Map<Integer, Integer> RANKS = new HashMap<>();
        private static final Map<Integer, int[]> DECOMPOSED = new HashMap<>();

        /** Ranks, with 0 for characters that change places with none. */
        static final int COUNT;

        static {
            List<List<Integer>> classes = new ArrayList<>();
            for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
                if (isMark(c)) {
                    int[] marks = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKD)
                            .codePoints()
                            .toArray();
                    if (marks.length > 1 || marks[0] != c) {
                        DECOMPOSED.put(c, marks);
                    } else if (changes(GREATEST, Character.toString(c)) || changes(Character.toString(c), LEAST)) {
                        add(c, classes);
                    }
                }
            }
            for (int rank = 1; rank <= classes.size(); rank++) {
                for (int mark : classes.get(rank - 1)) {
                    RANKS.put(mark, rank);
                }
            }
            COUNT = classes.size() + 1;
        }

        private static boolean changes(String first, String second) {
            String both = first + second;
            return !Normalizer.normalize(both, Normalizer.Form.NFD).equals(both);
        }

        /** By binary search. */
        private static void add(int mark, List<List<Integer>> classes) {
            String own = Character.toString(mark);
            int low = 0;
            int high = classes.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                String other = Character.toString(classes.get(middle).getFirst());
                if (changes(own, other)) {
                    low = middle + 1;
                } else if (changes(other, own)) {
                    high = middle;
                } else {
                    classes.get(middle).add(mark);
                    return;
                }
            }
            classes.add(low, new ArrayList<>(List.of(mark)));
        }

        static int of(int mark) {
            return RANKS.getOrDefault(mark, 0);
        }

        static int[] decomposed(int mark) {
            return DECOMPOSED.getOrDefault(mark, new int[] {mark});
        }
    }
}
