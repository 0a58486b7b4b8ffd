package dev.veilgate.settings;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units. */
final class Quantity {
    /** What is no quantity; less than any bound. */
    static final long NONE = -1;

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})\\s*([A-Za-z]*)");
    private static final Map<String, Long> BYTES = Map.of(
            "",
            1L,
            "b",
            1L,
            "kb",
            1000L,
            "mb",
            1_000_000L,
            "gb",
            1_000_000_000L,
            "kib",
            1L << 10,
            "mib",
            1L << 20,
            "gib",
            1L << 30);
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1000L, "min", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private Quantity() {}

    static long number(String text) {
        return of(text, Map.of("", 1L));
    }

    static long bytes(String text) {
        return of(text, BYTES);
    }

    static long millis(String text) {
        return text.strip().equals("0") ? 0 : of(text, MILLIS);
    }

    private static long of(String text, Map<String, Long> units) {
        Matcher parts = FORM.matcher(text.strip());
        Long unit = parts.matches() ? units.get(parts.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            return NONE;
        }
        try {
            return Math.multiplyExact(Long.parseLong(parts.group(1)), unit);
        } catch (ArithmeticException e) {
            return NONE;
        }
    }
}
