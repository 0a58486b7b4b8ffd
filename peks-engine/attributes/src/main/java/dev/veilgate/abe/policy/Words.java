package dev.veilgate.abe.policy;

import java.util.Locale;

/** How names and values are written. */
final class Words {
    private static final String BARE = "-_./+#";

    private Words() {}

    /** Whether a character can stand without quotes. */
    static boolean isBare(int codePoint) {
        return Character.isLetterOrDigit(codePoint)
                || Character.getType(codePoint) == Character.NON_SPACING_MARK
                || Character.getType(codePoint) == Character.COMBINING_SPACING_MARK
                || BARE.indexOf(codePoint) >= 0;
    }

    static boolean isOperator(String word) {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "AND", "OR", "OF", "NOT" -> true;
            default -> false;
        };
    }

    /** In quotes, if it could not be read without. */
    static String quoted(String word) {
        if (!word.isEmpty() && word.codePoints().allMatch(Words::isBare) && !isOperator(word)) {
            return word;
        }
        return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** An epoch behind its sign; nothing for none. */
    static String at(String epoch) {
        return epoch.isEmpty() ? "" : "@" + quoted(epoch);
    }
}
