package dev.veilgate.envelope.smime;

/**
 * Characters that nobody sees: soft hyphens, zero-width spaces and joiners, marks of direction, variation selectors,
 * control characters that are no white space. A word with one inside looks like the word without, and is to be found as
 * that; mail is full of them, put there to break lines, or to be overlooked.
 */
public final class InvisibleCharacters {
    private InvisibleCharacters() {}

    /**
     * Tells if a code point has the property Default_Ignorable_Code_Point of Unicode, or is a control or a sign of
     * annotations.
     */
    public static boolean isInvisible(int c) {
        if (c < 0x2000) {
            return c < 0x1C && !(c >= 0x09 && c <= 0x0D)
                    || c >= 0x7F && c <= 0x9F && c != 0x85
                    || c == 0xAD
                    || c == 0x34F
                    || c == 0x61C
                    || c == 0x115F
                    || c == 0x1160
                    || c == 0x17B4
                    || c == 0x17B5
                    || c >= 0x180B && c <= 0x180F;
        }
        return c >= 0x200B && c <= 0x200F
                || c >= 0x202A && c <= 0x202E
                || c >= 0x2060 && c <= 0x206F
                || c == 0x3164
                || c >= 0xFE00 && c <= 0xFE0F
                || c == 0xFEFF
                || c == 0xFFA0
                || c >= 0xFFF0 && c <= 0xFFFB
                || c >= 0x1BCA0 && c <= 0x1BCA3
                || c >= 0x1D173 && c <= 0x1D17A
                || c >= 0xE0000 && c <= 0xE0FFF;
    }

    /** A text without the characters that nobody sees. */
    public static String without(String text) {
        if (text.codePoints().noneMatch(InvisibleCharacters::isInvisible)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().filter(c -> !isInvisible(c)).forEach(out::appendCodePoint);
        return out.toString();
    }

    /** Words of a text, between blanks, that have any, without them; empty in most cases. */
    public static String wordsWithout(String text) {
        StringBuilder out = new StringBuilder();
        int word = 0;
        boolean any = false;
        for (int i = 0; i <= text.length(); i++) {
            boolean blank = i == text.length() || Character.isWhitespace(text.charAt(i));
            if (!blank) {
                char c = text.charAt(i);
                any |= isInvisible(Character.isHighSurrogate(c) ? text.codePointAt(i) : c);
            } else {
                if (any) {
                    out.append(without(text.substring(word, i))).append(' ');
                }
                any = false;
                word = i + 1;
            }
        }
        return out.toString();
    }
}
