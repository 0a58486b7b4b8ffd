package dev.veilgate.envelope.smime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Lines of a message that end in CR LF, one seen ahead; a long one comes in pieces. Bytes are ISO 8859-1 characters.
 */
final class LineReader {
    private static final int MAX_PIECE = 8 << 10;

    private final InputStream in;
    private String ahead = "";
    private boolean isRead;
    private boolean isStart = true;
    private long place;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Bytes before the line that {@link #peek} shows. */
    long place() {
        return place;
    }

    /** The next line, or piece of one, with its end; empty at the end of all. */
    String peek() throws IOException {
        if (!isRead) {
            ahead = read();
            isRead = true;
        }
        return ahead;
    }

    /** The next line without blanks behind it; empty for what is not the beginning of a line. */
    String peekStart() throws IOException {
        String line = peek();
        return isStart ? line.stripTrailing() : "";
    }

    /** Goes behind what {@link #peek} shows. */
    void next() throws IOException {
        String line = peek();
        place += line.length();
        isStart = line.endsWith("\r\n");
        isRead = false;
    }

    private String read() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        int before = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.write(b);
            if (b == '\n' && before == '\r' || line.size() >= MAX_PIECE && b != '\r') {
                break;
            }
            before = b;
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
