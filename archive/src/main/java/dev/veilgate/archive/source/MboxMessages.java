package dev.veilgate.archive.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an mbox: each begins behind a line {@code From ...} that is the first or follows an empty one; lines
 * {@code >From}, {@code >>From} and so on of a message lose a sign (mboxrd).
 */
final class MboxMessages {
    private static final byte[] FROM = "From ".getBytes(StandardCharsets.US_ASCII);

    private final BoundedLines lines;
    private final int maxBytes;
    private boolean begun;
    private long place;
    private boolean ended;

    /** @param maxBytes most bytes of a message */
    MboxMessages(InputStream in, int maxBytes) {
        this.lines = new BoundedLines(in, maxBytes);
        this.maxBytes = maxBytes;
    }

    /** Reads from the first byte of a message on, which is what {@link #place} told of it. */
    static MboxMessages at(InputStream in, int maxBytes) {
        MboxMessages messages = new MboxMessages(in, maxBytes);
        messages.begun = true;
        return messages;
    }

    static boolean isMbox(byte[] head) {
        return begins(head, 0, head.length);
    }

    /** Bytes of the file before the message that was read last, its line From among them. */
    long place() {
        return place;
    }

    /** The next message, or null behind the last one. */
    byte @Nullable [] next() throws IOException {
        if (!begun) {
            begun = true;
            byte[] first = lines.next();
            if (first.length == 0) {
                return null;
            }
            if (!begins(first, 0, first.length)) {
                throw new UnreadableException("it does not begin with a line From, as an mbox does");
            }
        }
        if (ended) {
            return null;
        }
        place = lines.end();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        boolean afterEmpty = false;
        while (true) {
            byte[] line = lines.next();
            if (line.length == 0) {
                ended = true;
                break;
            }
            if (afterEmpty && begins(line, 0, line.length)) {
                break;
            }
            int signs = 0;
            while (signs < line.length && line[signs] == '>') {
                signs++;
            }
            int from = signs > 0 && begins(line, signs, line.length) ? 1 : 0;
            message.write(line, from, line.length - from);
            if (message.size() > maxBytes) {
                throw new UnreadableException("it has more than " + (maxBytes >> 20) + " MiB");
            }
            afterEmpty = line[0] == '\n' || line[0] == '\r';
        }
        return message.toByteArray();
    }

    private static boolean begins(byte[] line, int at, int to) {
        if (to - at < FROM.length) {
            return false;
        }
        for (int i = 0; i < FROM.length; i++) {
            if (line[at + i] != FROM[i]) {
                return false;
            }
        }
        return true;
    }
}
