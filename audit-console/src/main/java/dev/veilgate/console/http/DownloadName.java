package dev.veilgate.console.http;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names of downloads. Who sends a mail names what is attached to it: nothing of such a name leads elsewhere, hides its ending or is more than a name to any system. */
public final class DownloadName {
    /** Less than file systems allow, so that a browser has room for its own (1). */
    static final int MAX_BYTES = 180;

    private static final int MAX_ENDING_BYTES = 20;
    /** Letters and signs that look like blanks: fillers of Hangul, the empty pattern of Braille. */
    private static final String BLANKS = "\u115f\u1160\u3164\uffa0\u2800";

    private static final String FORBIDDEN = "/\\:*?\"<>|%";
    /** Look like a slash and have no compatibility form that is one. */
    private static final String SLASHES = "\u2044\u2215\u29f5\u29f8\u29f9\u2571\u2572\ua789\u2236";

    /** Devices, whatever their ending: the superscript digits count as digits there. */
    private static final Pattern RESERVED = Pattern.compile(
            "(?:con|prn|aux|nul|conin\\$|conout\\$|clock\\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?: *\\..*| *)",
            Pattern.CASE_INSENSITIVE);

    private static final int MAX_CHARACTERS = 4096;
    private static final String WHERE_NO_NAME = "download";
    private static final String UNRESERVED = "-._~";

    private DownloadName() {}

    /**
     * The name without what is invisible or turns the direction round; with _ for separators, look-alikes of them and what some system forbids; without blanks and dots at its ends; with _ before
     * names of devices; cut, with its ending kept, to {@value #MAX_BYTES} bytes of UTF-8.
     */
    public static String clean(String name) {
        StringBuilder clean = new StringBuilder();
        bounded(name).codePoints().forEach(c -> append(clean, c));
        String stripped = stripped(clean.toString(), true);
        String safe = RESERVED.matcher(stripped).matches() ? "_" + stripped : stripped;
        String cut = cut(safe);
        return cut.isEmpty() ? WHERE_NO_NAME : cut;
    }

    private static void append(StringBuilder clean, int c) {
        if (isIgnored(c)) {
            return;
        }
        switch (BLANKS.indexOf(c) >= 0 ? Character.SPACE_SEPARATOR : Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> {}
            case Character.SPACE_SEPARATOR -> {
                if (clean.isEmpty()
                        || clean.charAt(clean.length() - 1) != ' ') { // many would push the ending out of sight
                    clean.append(' ');
                }
            }
            default -> {
                String form = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKC);
                boolean isForbidden = SLASHES.indexOf(c) >= 0 || form.chars().anyMatch(f -> FORBIDDEN.indexOf(f) >= 0);
                clean.appendCodePoint(isForbidden ? '_' : c);
            }
        }
    }

    /** Marks without a form: joiners, selectors of variants, vowels that nobody writes. */
    private static boolean isIgnored(int c) {
        return c == 0x34f
                || c == 0x17b4
                || c == 0x17b5
                || c >= 0x180b && c <= 0x180f
                || c >= 0xfe00 && c <= 0xfe0f
                || c >= 0xe0100 && c <= 0xe01ef;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String cut(String name) {
        if (bytes(name) <= MAX_BYTES) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        String ending = dot > 0 && bytes(name.substring(dot)) <= MAX_ENDING_BYTES ? name.substring(dot) : "";
        String rest = name.substring(0, name.length() - ending.length());
        while (bytes(rest) + bytes(ending) > MAX_BYTES) {
            rest = rest.substring(0, rest.offsetByCodePoints(rest.length(), -1));
        }
        return stripped(rest, false) + ending;
    }

    /** Beginning and ending of a name that nobody can show. */
    private static String bounded(String name) {
        return name.length() <= MAX_CHARACTERS
                ? name
                : name.substring(0, MAX_CHARACTERS) + name.substring(name.length() - MAX_ENDING_BYTES);
    }

    /** Without blanks and dots at the end, and at the beginning too. */
    private static String stripped(String name, boolean both) {
        int from = 0;
        int to = name.length();
        while (to > 0 && isAtEnds(name.charAt(to - 1))) {
            to--;
        }
        while (both && from < to && isAtEnds(name.charAt(from))) {
            from++;
        }
        return name.substring(from, to);
    }

    private static boolean isAtEnds(char c) {
        return c == ' ' || c == '.';
    }

    /** The value of Content-Disposition: the clean name in ASCII, and in UTF-8 for who reads RFC 8187. */
    public static String attachment(String name) {
        String clean = clean(name);
        StringBuilder ascii = new StringBuilder();
        clean.codePoints().forEach(c -> ascii.append(c < 0x80 ? (char) c : '_'));
        StringBuilder encoded = new StringBuilder();
        for (byte b : clean.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = b > 0 && (Character.isLetterOrDigit(b & 0x7f) || UNRESERVED.indexOf(b) >= 0);
            encoded.append(isPlain ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02X", b & 0xff));
        }
        return "attachment; filename=\"" + ascii + "\"; filename*=UTF-8''" + encoded;
    }
}
