package dev.veilgate.application.settings;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.convert.converter.Converter;
import org.springframework.util.unit.DataSize;

/**
 * Reads sizes as operators write them: {@code 64KB}, {@code 16mb}, {@code 4 GiB}, {@code 1000} bytes. All units are powers of 1,024, since Spring reads {@code KB}
 * so.
 */
public final class SizeConverter implements Converter<String, DataSize> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18}) ?([A-Z]{0,3})");
    private static final Map<String, Integer> POWERS =
            Map.of("", 0, "B", 0, "KB", 10, "KIB", 10, "MB", 20, "MIB", 20, "GB", 30, "GIB", 30, "TB", 40, "TIB", 40);

    /** Of settings that are given as text. */
    public SizeConverter() {}

    /** @throws IllegalArgumentException saying how sizes are written */
    @Override
    public DataSize convert(String text) {
        Matcher parts = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
        Integer power = parts.matches() ? POWERS.get(parts.group(2)) : null;
        if (power == null) {
            throw wrong(text);
        }
        try {
            return DataSize.ofBytes(Math.multiplyExact(Long.parseLong(parts.group(1)), 1L << power));
        } catch (ArithmeticException e) {
            throw wrong(text);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("\"" + text + "\" is no size; write 64KB, 16MB or 4GB");
    }
}
