package dev.veilgate.terminal;

import java.util.stream.Collectors;

/** Texts from untrusted bytes, for a terminal: what could move its cursor or turn the direction of writing is shown as it is written in Java. */
public final class Printable {
    private Printable() {}

    /** A message, which may have several lines. */
    public static String lines(String text) {
        return text.lines().map(Printable::of).collect(Collectors.joining("\n"));
    }

    /** Makes one line of a text, or a name, printable. */
    public static String of(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0x2028 || c == 0x2029) {
                out.append("\\u%04x".formatted(c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }
}
