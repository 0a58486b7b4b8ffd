package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Enumeration;
import java.util.Locale;

/** A mail that has nothing but one file: a document by itself is read by the rules and limits of attachments. */
final class LoneDocument {
    private static final int LINE_BYTES = 57; // 76 characters
    private static final int PIECE_BYTES = 1024 * LINE_BYTES;

    private LoneDocument() {}

    /** The mail, which is encoded while it is read. */
    static InputStream of(String filename, byte[] content) {
        String name = filename.replaceAll("[\\p{Cntrl}\"\\\\]", "_");
        String lower = name.toLowerCase(Locale.ROOT);
        String type = lower.matches(".*\\.x?html?") ? "text/html" : "application/octet-stream";
        byte[] header = ("Content-Type: " + type + "\r\nContent-Disposition: attachment; filename=\"" + name
                        + "\"\r\nContent-Transfer-Encoding: base64\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
        return new SequenceInputStream(new Pieces(header, content));
    }

    /** The header, and the content by pieces. */
    private static final class Pieces implements Enumeration<InputStream> {
        private final byte[] content;
        private byte[] next;
        private int at;
        private boolean ended;

        Pieces(byte[] header, byte[] content) {
            this.next = header;
            this.content = content;
        }

        @Override
        public boolean hasMoreElements() {
            return !ended;
        }

        @Override
        public InputStream nextElement() {
            InputStream now = new ByteArrayInputStream(next);
            ended = at >= content.length;
            if (!ended) {
                int to = Math.min(content.length, at + PIECE_BYTES);
                byte[] encoded = Base64.getMimeEncoder().encode(Arrays.copyOfRange(content, at, to));
                next = Arrays.copyOf(encoded, encoded.length + 2);
                next[encoded.length] = '\r';
                next[encoded.length + 1] = '\n';
                at = to;
            }
            return now;
        }
    }
}
