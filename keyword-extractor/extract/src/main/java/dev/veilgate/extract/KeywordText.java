package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Normal forms of text, the same for records and queries.
 *
 * <p>Folded text is {@code NFKC(lower(upper(NFKC(text))))} by the root locale, with the final sigma as any other:
 * "Straße" and "STRASSE" are one word, and so are full-width and plain letters. Accents stay. What is not Unicode
 * (bytes that are not UTF-8, unpaired surrogates) becomes U+FFFD, which is in no word. Folding folded text changes
 * nothing.
 *
 * <p>A value longer than the profile allows is cut to the longest prefix of whole characters that fits, in records and
 * queries alike: two values that agree that far are found by one another's name.
 */
public final class KeywordText {
    /**
     * A fold may bring in capitals or compositions that a second one removes; a third never changes anything (tested
     * on all of Unicode).
     */
    private static final int FOLDS = 2;

    private static final int PIECE_CHARS = 1_024;
    private static final int PART_CHARS = 8_192;

    /** The common names of levels, the least serious first. */
    public static final List<String> LEVELS =
            List.of("trace", "debug", "info", "notice", "warn", "error", "critical", "alert", "emergency", "fatal");

    private KeywordText() {}

    /** The folded form. */
    public static String fold(String text) {
        return fold(text, () -> {});
    }

    /**
     * The folded form of a text that may be long and hostile.
     *
     * @param check called every now and then; may throw to end it
     */
    public static String fold(String text, Runnable check) {
        if (isAscii(text)) {
            return text.toLowerCase(Locale.ROOT);
        }
        if (text.length() <= PART_CHARS) {
            return folded(text);
        }
        StringBuilder folded = new StringBuilder();
        foldInParts(text, check, folded::append);
        return folded.toString();
    }

    /**
     * The folded form of a text that may be long and hostile, part by part: folded it may be eighteen times as long.
     *
     * @param check called before each part; may throw to end it
     * @param parts takes the parts in order; all together are the folded text
     */
    public static void foldInParts(String text, Runnable check, Consumer<String> parts) {
        if (isAscii(text)) {
            parts.accept(text.toLowerCase(Locale.ROOT));
            return;
        }
        int from = 0;
        while (from < text.length()) {
            check.run();
            int to = endOfPart(text, from);
            parts.accept(folded(text.substring(from, to)));
            from = to;
        }
    }

    /** Before a character that nothing before it composes with. */
    private static int endOfPart(String text, int from) {
        int to = Math.min(text.length(), from + PART_CHARS);
        while (to < text.length() && Composition.mayJoin(text.charAt(to))) {
            to++;
        }
        return to;
    }

    private static String folded(String text) {
        String folded = unicode(text);
        for (int i = 0; i < FOLDS; i++) {
            folded = Composition.nfkc(folded);
            folded = ofOneCase(folded).replace('\u03C2', '\u03C3');
        }
        return Composition.nfkc(folded);
    }

    /**
     * Lower case of upper case, in pieces: the runtime copies all of a text for each character of it that becomes
     * longer, such as \u0130 and \u00df, which takes minutes for a text of a million of them. The case of a character
     * depends on others beside the final sigma, which is treated as any other, only in languages that the root locale
     * does not know.
     */
    private static String ofOneCase(String text) {
        if (text.length() <= PIECE_CHARS) {
            return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        }
        StringBuilder folded = new StringBuilder(text.length() + PIECE_CHARS);
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + PIECE_CHARS);
            if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
                to--;
            }
            folded.append(text.substring(from, to).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT));
            from = to;
        }
        return folded.toString();
    }

    /** The folded form of UTF-8, in UTF-8. */
    public static byte[] fold(byte[] utf8, int from, int to) {
        return fold(new String(utf8, from, to - from, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The value of a field: folded, without white space around it, cut to {@code maxBytes}. May be empty, which is no
     * keyword.
     */
    public static String value(String text, int maxBytes) {
        String folded = fold(text).strip();
        if (folded.length() <= maxBytes / 3) {
            return folded;
        }
        byte[] utf8 = folded.getBytes(StandardCharsets.UTF_8);
        return new String(utf8, 0, cut(utf8, 0, utf8.length, maxBytes), StandardCharsets.UTF_8);
    }

    /**
     * The name of a field, or an empty string for one that cannot be searched: longer than
     * {@link Keyword#MAX_FIELD_BYTES} or with a colon, quote or white space in it.
     */
    public static String field(String name) {
        String folded = fold(name);
        boolean searchable = folded.length() <= Keyword.MAX_FIELD_BYTES
                && folded.getBytes(StandardCharsets.UTF_8).length <= Keyword.MAX_FIELD_BYTES
                && folded.chars().noneMatch(c -> c <= ' ' || c == ':' || c == '"' || Character.isWhitespace(c));
        return searchable ? folded : "";
    }

    /**
     * The common name of a level, or an empty string if it is none: trace, debug, info, notice, warn, error,
     * critical, alert, emergency, fatal.
     *
     * @param folded folded text such as {@code warning} or {@code err}
     */
    public static String level(String folded) {
        return switch (folded) {
            case "trace", "finest", "finer", "verbose", "trc", "trce", "vrb" -> "trace";
            case "debug", "dbg", "fine", "debu", "dbug" -> "debug";
            case "info", "information", "informational", "inf" -> "info";
            case "notice" -> "notice";
            case "warn", "warning", "wrn" -> "warn";
            case "error", "err", "severe", "failure", "erro", "eror" -> "error";
            case "critical", "crit" -> "critical";
            case "alert" -> "alert";
            case "emergency", "emerg", "panic" -> "emergency";
            case "fatal", "ftl", "fata" -> "fatal";
            default -> "";
        };
    }

    /**
     * The common name of a level that is a number, or an empty string: 0 to 7 are syslog's severities, tens from 10
     * to 60 the levels of loggers of JavaScript, hundreds from 100 to 600 those of PHP; or that of a single letter.
     */
    public static String levelOfNumber(String number) {
        return switch (number) {
            case "0", "600" -> "emergency";
            case "1", "550" -> "alert";
            case "2", "500" -> "critical";
            case "3", "50", "400", "e" -> "error";
            case "4", "40", "300", "w" -> "warn";
            case "5", "250" -> "notice";
            case "6", "30", "200", "i" -> "info";
            case "7", "20", "100", "d" -> "debug";
            case "10", "v" -> "trace";
            case "60", "f" -> "fatal";
            default -> "";
        };
    }

    /** Where to end UTF-8 of at most {@code maxBytes}, between two characters. */
    static int cut(byte[] utf8, int from, int to, int maxBytes) {
        if (to - from <= maxBytes) {
            return to;
        }
        int end = from + maxBytes;
        while (end > from && (utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }

    /**
     * Copies bytes with A-Z as a-z; others stay.
     *
     * @return whether all are ASCII, so that the copy is the folded form
     */
    public static boolean foldAscii(byte[] bytes, int from, int to, byte[] out) {
        int seen = 0;
        for (int i = from; i < to; i++) {
            int b = bytes[i];
            seen |= b;
            out[i - from] = (byte) (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b);
        }
        return seen >= 0;
    }

    /** Whether a character may begin a token: letters and numbers. */
    static boolean beginsToken(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> true;
            default -> false;
        };
    }

    /** Whether a character carries on a token: also marks, without which most Indic words would fall apart. */
    static boolean continuesToken(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK -> true;
            default -> beginsToken(codePoint);
        };
    }

    private static String unicode(String text) {
        if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            return text;
        }
        return text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
