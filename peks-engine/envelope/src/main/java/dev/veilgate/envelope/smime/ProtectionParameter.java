package dev.veilgate.envelope.smime;

import java.util.Locale;
import java.util.stream.Stream;

/**
 * The parameter hp of a Content-Type (RFC 9788, section 2.1.1): ours is always there, and the first, so that nothing
 * unclosed behind it hides it; one of the message's own author, which would say something else, is not.
 */
final class ProtectionParameter {
    private static final String NAME = "hp";
    private static final String DISPLAY_NAME = "hp-legacy-display";
    private static final String OURS = ";\r\n hp=\"cipher\"";
    private static final String DISPLAY = ";" + LegacyDisplay.PARAMETER;

    private ProtectionParameter() {}

    /** The field with our parameter and no other of its name. */
    static String set(String raw) {
        return set(raw, false);
    }

    /** The same, with the parameter of {@link LegacyDisplay} too. */
    static String set(String raw, boolean hasDisplay) {
        String cleared = withoutForeign(raw);
        int at = typeEnd(cleared);
        return cleared.substring(0, at) + OURS + (hasDisplay ? DISPLAY : "") + cleared.substring(at);
    }

    /** The inverse of {@link #set}, for a field that had no such parameter. */
    static String unset(String raw) {
        int at = typeEnd(raw);
        if (!raw.startsWith(OURS, at)) {
            return raw;
        }
        int behind = at + OURS.length();
        int end = raw.startsWith(DISPLAY, behind) ? behind + DISPLAY.length() : behind;
        return raw.substring(0, at) + raw.substring(end);
    }

    private static String withoutForeign(String raw) {
        int end = fieldEnd(raw);
        int at = typeEnd(raw);
        var out = new StringBuilder(raw.substring(0, at));
        while (at < end) {
            int next = parameterEnd(raw, at + 1, end);
            if (!isHp(raw, at, next)) {
                out.append(raw, at, next);
            }
            at = next;
        }
        return out.append(raw, end, raw.length()).toString();
    }

    /** Whether it is hp, or hp in the pieces or the encoding of RFC 2231: hp*, hp*0, hp*0*. */
    private static boolean isHp(String raw, int from, int to) {
        var name = new StringBuilder();
        for (int i = from; i < to && raw.charAt(i) != '='; i++) {
            if (raw.charAt(i) == '(') {
                int behind = commentEnd(raw, i, to);
                i = behind < 0 ? i : behind - 1;
            } else if (raw.charAt(i) > ' ' && raw.charAt(i) != ';') {
                name.append(raw.charAt(i));
            }
        }
        String lower = name.toString().toLowerCase(Locale.ROOT);
        return Stream.of(NAME, DISPLAY_NAME).anyMatch(each -> lower.equals(each) || lower.startsWith(each + "*"));
    }

    /** Where the next parameter begins with its semicolon; what is opened and never closed is an ordinary character. */
    private static int parameterEnd(String raw, int from, int end) {
        int at = from;
        while (at < end && raw.charAt(at) != ';') {
            int behind = switch (raw.charAt(at)) {
                case '"' -> quotedEnd(raw, at, end);
                case '(' -> commentEnd(raw, at, end);
                default -> -1;
            };
            at = behind < 0 ? at + 1 : behind;
        }
        return at;
    }

    /** Behind type and subtype: at the first semicolon, before a comment that is never closed, or at the end. */
    private static int typeEnd(String raw) {
        int end = fieldEnd(raw);
        int at = raw.indexOf(':') + 1;
        while (at < end && raw.charAt(at) != ';') {
            int behind = raw.charAt(at) == '(' ? commentEnd(raw, at, end) : at + 1;
            if (behind < 0) {
                return at;
            }
            at = behind;
        }
        return at;
    }

    /** Where the last line of the field ends; stray lines that {@link MailHeader} keeps with it are behind. */
    private static int fieldEnd(String raw) {
        int end = raw.indexOf("\r\n");
        while (end + 2 < raw.length() && (raw.charAt(end + 2) == ' ' || raw.charAt(end + 2) == '\t')) {
            end = raw.indexOf("\r\n", end + 2);
        }
        return end;
    }

    /** Behind the quotation mark that closes the one at a place; -1 if there is none. */
    private static int quotedEnd(String raw, int from, int end) {
        for (int i = from + 1; i < end; i++) {
            if (raw.charAt(i) == '\\') {
                i++;
            } else if (raw.charAt(i) == '"') {
                return i + 1;
            }
        }
        return -1;
    }

    /** Behind the parenthesis that closes the one at a place; comments are nested. -1 if there is none. */
    private static int commentEnd(String raw, int from, int end) {
        int depth = 0;
        for (int i = from; i < end; i++) {
            switch (raw.charAt(i)) {
                case '\\' -> i++;
                case '(' -> depth++;
                case ')' -> depth--;
                default -> {
                    continue;
                }
            }
            if (depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }
}
