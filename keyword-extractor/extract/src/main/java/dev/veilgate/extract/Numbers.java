package dev.veilgate.extract;

import java.util.OptionalLong;

/** Numbers of numeric fields. */
final class Numbers {
    private static final int MAX_DIGITS = 18;

    private Numbers() {}

    /** The whole number at or below {@code -?digits[.digits]}, of at most 18 digits before the point; nothing for other text. */
    static OptionalLong floor(String text) {
        int at = text.startsWith("-") ? 1 : 0;
        int point = at;
        while (point < text.length() && isDigit(text.charAt(point))) {
            point++;
        }
        if (point == at || point - at > MAX_DIGITS) {
            return OptionalLong.empty();
        }
        long whole = Long.parseLong(text, at, point, 10);
        boolean fraction = false;
        if (point < text.length()) {
            if (text.charAt(point) != '.' || point + 1 == text.length()) {
                return OptionalLong.empty();
            }
            for (int i = point + 1; i < text.length(); i++) {
                if (!isDigit(text.charAt(i))) {
                    return OptionalLong.empty();
                }
                fraction |= text.charAt(i) != '0';
            }
        }
        return OptionalLong.of(at == 0 ? whole : fraction ? -whole - 1 : -whole);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
