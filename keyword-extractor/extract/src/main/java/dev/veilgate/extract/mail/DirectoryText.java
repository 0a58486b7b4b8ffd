package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Text of calendars and cards (RFC 5545, RFC 6350): folded lines whole again, escapes undone, values of old cards in quoted-printable decoded. */
final class DirectoryText {
    private DirectoryText() {}

    static String of(String written) {
        String unfolded = unfolded(written);
        var text = new StringBuilder(unfolded.length());
        for (int at = 0; at < unfolded.length(); ) {
            int feed = unfolded.indexOf('\n', at);
            int end = feed < 0 ? unfolded.length() : feed;
            String line = unfolded.substring(at, end);
            int next = end + 1;
            if (isQuotedPrintable(line)) {
                var whole = new StringBuilder(line);
                while (whole.charAt(whole.length() - 1) == '=' && next < unfolded.length()) { // goes on in the next one
                    int more = unfolded.indexOf('\n', next);
                    int moreEnd = more < 0 ? unfolded.length() : more;
                    whole.setLength(whole.length() - 1);
                    whole.append(unfolded, next, moreEnd);
                    next = moreEnd + 1;
                }
                line = decoded(whole.toString());
            }
            unescape(line, text);
            text.append('\n');
            at = next;
        }
        return text.toString();
    }

    /** A line that begins with a blank goes on with what is behind it. */
    private static String unfolded(String written) {
        var text = new StringBuilder(written.length());
        for (int at = 0; at < written.length(); at++) {
            char c = written.charAt(at);
            boolean lineEnd = c == '\n' || c == '\r';
            if (!lineEnd) {
                text.append(c);
                continue;
            }
            if (c == '\r' && at + 1 < written.length() && written.charAt(at + 1) == '\n') {
                at++;
            }
            boolean folded =
                    at + 1 < written.length() && (written.charAt(at + 1) == ' ' || written.charAt(at + 1) == '\t');
            if (folded) {
                at++;
            } else {
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static boolean isQuotedPrintable(String line) {
        int colon = line.indexOf(':');
        return colon > 0
                && line.substring(0, Math.min(colon, 400))
                        .toLowerCase(Locale.ROOT)
                        .contains("quoted-printable");
    }

    private static String decoded(String value) {
        try {
            byte[] written = value.getBytes(StandardCharsets.UTF_8);
            byte[] bytes = TransferEncoding.QUOTED_PRINTABLE
                    .decode(new ByteArrayInputStream(written))
                    .readAllBytes();
            return EncodedText.decode(bytes, bytes.length, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
    }

    private static void unescape(String line, StringBuilder text) {
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            char next = at + 1 < line.length() ? line.charAt(at + 1) : 0;
            if (c == '\\' && (next == 'n' || next == 'N')) {
                text.append('\n');
                at++;
            } else if (c == '\\' && (next == ',' || next == ';' || next == '\\' || next == ':')) {
                text.append(next);
                at++;
            } else {
                text.append(c);
            }
        }
    }
}
