package dev.veilgate.console.search;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;

/** Writes messages one behind the other as mboxrd: unlike plain mbox, what was quoted can be told from what was in the message. */
final class Mbox {
    private static final byte[] FROM = "From ".getBytes(StandardCharsets.US_ASCII);
    private static final DateTimeFormatter ASCTIME = DateTimeFormatter.ofPattern(
                    "EEE MMM ppd HH:mm:ss uuuu", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Mbox() {}

    /**
     * Adds a message.
     *
     * @param envelope whose mail it is; nothing that a sender wrote stands in the line between messages
     */
    static void write(OutputStream out, UUID envelope, Instant time, byte[] message) throws IOException {
        out.write(("From " + envelope + " " + ASCTIME.format(time) + "\n").getBytes(StandardCharsets.US_ASCII));
        int from = 0;
        while (from < message.length) {
            int end = from;
            while (end < message.length && message[end] != '\n') {
                end++;
            }
            line(out, message, from, end);
            from = end + 1;
        }
        out.write('\n');
    }

    private static void line(OutputStream out, byte[] message, int from, int end) throws IOException {
        if (isFrom(message, from, end)) {
            out.write('>');
        }
        boolean crlf = end < message.length && end > from && message[end - 1] == '\r';
        out.write(message, from, (crlf ? end - 1 : end) - from);
        out.write('\n');
    }

    private static boolean isFrom(byte[] message, int from, int end) {
        int at = from;
        while (at < end && message[at] == '>') {
            at++;
        }
        if (end - at < FROM.length) {
            return false;
        }
        for (int i = 0; i < FROM.length; i++) {
            if (message[at + i] != FROM[i]) {
                return false;
            }
        }
        return true;
    }
}
