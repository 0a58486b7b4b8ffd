package dev.veilgate.envelope.smime;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * The beginning of a part's text without its transfer encoding, read strictly.
 *
 * @param raw     as it is in the part
 * @param text    decoded, a character a byte
 * @param places  of each decoded character, where the next begins in {@code raw}; empty if that is not known
 * @param isClear whether it is encoded as it should be and does not begin with a mark of another character set
 */
@SuppressWarnings("ArrayRecordComponent")
record TextStart(String raw, String text, int[] places, boolean isClear) {
    static TextStart of(String raw, String encoding) {
        return switch (encoding) {
            case "quoted-printable" -> ofQuoted(raw);
            case "base64" -> ofBase64(raw);
            default -> of(raw, raw, new int[0]);
        };
    }

    /** The place in {@link #raw} behind as many decoded characters. */
    int place(int characters) {
        return places.length == 0 || characters == 0 ? characters : places[characters - 1];
    }

    private static TextStart of(String raw, String text, int[] places) {
        boolean isMarked = text.startsWith("\u00fe\u00ff")
                || text.startsWith("\u00ff\u00fe")
                || text.startsWith("\u00ef\u00bb\u00bf")
                || text.startsWith("+/v")
                || text.indexOf(0) >= 0
                || raw.length() > 3 && text.length() < 2;
        return new TextStart(raw, text, places, !isMarked);
    }

    private static TextStart unclear(String raw) {
        return new TextStart(raw, raw, new int[0], false);
    }

    private static TextStart ofQuoted(String raw) {
        StringBuilder text = new StringBuilder(raw.length());
        int[] places = new int[raw.length()];
        int i = 0;
        while (i < raw.length()) {
            char c = raw.charAt(i);
            boolean isBlank = c == ' ' || c == '\t';
            if (isBlank && raw.startsWith("\r\n", i + 1)) {
                return unclear(raw); // some keep it
            }
            if (c != '=') {
                text.append(c);
                i++;
            } else if (raw.startsWith("\r\n", i + 1)) {
                i += 3;
                continue;
            } else {
                int high = i + 2 < raw.length() ? digit(raw.charAt(i + 1)) : -1;
                int low = i + 2 < raw.length() ? digit(raw.charAt(i + 2)) : -1;
                if (high < 0 || low < 0) {
                    return unclear(raw);
                }
                text.append((char) (high << 4 | low));
                i += 3;
            }
            places[text.length() - 1] = i;
        }
        return of(raw, text.toString(), Arrays.copyOf(places, text.length()));
    }

    private static int digit(char c) {
        return "0123456789ABCDEF".indexOf(c);
    }

    /** Up to the last whole group. */
    private static TextStart ofBase64(String raw) {
        String groups = raw.replace("\r\n", "");
        String whole = groups.substring(0, groups.length() & -4);
        int padding = whole.length() - whole.replaceFirst("={1,2}$", "").length();
        boolean isBase64 = whole.substring(0, whole.length() - padding).chars().allMatch(TextStart::isOfBase64);
        if (!isBase64) {
            return unclear(raw);
        }
        return of(raw, new String(Base64.getDecoder().decode(whole), StandardCharsets.ISO_8859_1), new int[0]);
    }

    private static boolean isOfBase64(int c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/';
    }
}
