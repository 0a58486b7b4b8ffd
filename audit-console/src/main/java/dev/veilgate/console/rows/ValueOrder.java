package dev.veilgate.console.rows;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The order of values of a column. Numbers stand before text, by their value; text is compared without regard to case,
 * by its first {@value #COMPARED} characters.
 */
public final class ValueOrder {
    /** Characters by which texts are told apart. */
    public static final int COMPARED = 64;

    /** Characters of the longest number; longer ones are text. */
    private static final int NUMBER_CHARACTERS = 24;

    private static final List<List<String>> LEVELS = List.of(
            List.of("emerg", "emergency", "panic"),
            List.of("alert"),
            List.of("crit", "critical", "fatal"),
            List.of("err", "error", "severe"),
            List.of("warn", "warning"),
            List.of("notice"),
            List.of("info", "information", "informational"),
            List.of("config", "debug", "fine"),
            List.of("trace", "finer", "finest", "verbose"));

    /** The order of what may be numbers or text. */
    public static final Comparator<String> NATURAL = ValueOrder::compare;

    /** The order of levels, the least serious first; words that are none stand behind them. */
    public static final Comparator<String> LEVEL =
            Comparator.<String>comparingInt(ValueOrder::severity).thenComparing(NATURAL);

    private ValueOrder() {}

    /** Tells if a value is compared as a number: digits, before them a minus sign, in them a point. */
    static boolean isNumber(String value) {
        int digits = 0;
        int points = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean isBetween = i > 0 && i + 1 < value.length() && Character.isDigit(value.charAt(i - 1));
            if (c >= '0' && c <= '9') {
                digits++;
            } else if (c == '.' && isBetween && points == 0) {
                points++;
            } else if (c != '-' || i > 0) {
                return false;
            }
        }
        return digits > 0 && value.length() <= NUMBER_CHARACTERS;
    }

    private static int compare(String a, String b) {
        boolean isNumber = isNumber(a);
        if (isNumber != isNumber(b)) {
            return isNumber ? -1 : 1;
        }
        if (isNumber) {
            int byValue = Double.compare(Double.parseDouble(a), Double.parseDouble(b));
            return byValue != 0 ? byValue : a.compareTo(b);
        }
        String first = compared(a);
        String second = compared(b);
        int byLetters = first.compareToIgnoreCase(second);
        return byLetters != 0 ? byLetters : first.compareTo(second);
    }

    /** As much of a value as counts. */
    public static String compared(String value) {
        return value.length() <= COMPARED ? value : value.substring(0, COMPARED);
    }

    private static int severity(String level) {
        String word = level.toLowerCase(Locale.ROOT);
        for (int i = 0; i < LEVELS.size(); i++) {
            if (LEVELS.get(i).contains(word)) {
                return -i;
            }
        }
        return 1;
    }
}
