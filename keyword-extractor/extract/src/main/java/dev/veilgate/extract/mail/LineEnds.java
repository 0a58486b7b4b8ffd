package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of a mail as the parser of its structure has to see them to find the lines that mail programs find. A line feed is added behind carriage returns that end lines of the
 * structure without one, for a boundary between parts would be overlooked with what follows, and a mail with nothing else would be one line; everywhere else they stay, for
 * files may be binary. Lines that only begin like a boundary are moved by a space, so that what follows is the text that it is.
 */
final class LineEnds extends InputStream {
    private static final int BUFFER_BYTES = 1 << 13;
    private static final int MAX_LINE = 1 << 12;

    private final InputStream mail;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private boolean begun;
    private boolean everywhere;
    private boolean feedFollows;
    private boolean lineBegins = true;
    private boolean isBoundary;
    private boolean inPartHeader;
    private boolean falseBoundary;
    private final Boundaries boundaries = new Boundaries();

    LineEnds(InputStream mail) {
        this.mail = mail;
    }

    /** The lines of one body, whose text ends lines at every return. */
    static LineEnds ofText(InputStream body) {
        LineEnds ends = new LineEnds(body);
        ends.begun = true;
        ends.everywhere = true;
        return ends;
    }

    /** Whether there are so many bytes. */
    private boolean has(int wanted) throws IOException {
        while (end - at < wanted) {
            if (at > 0) {
                System.arraycopy(buffer, at, buffer, 0, end - at);
                end -= at;
                at = 0;
            }
            int n = mail.read(buffer, end, buffer.length - end);
            if (n < 0) {
                return false;
            }
            end += n;
        }
        return true;
    }

    private void begin() throws IOException {
        begun = true;
        has(BUFFER_BYTES);
        boolean returns = false;
        boolean feeds = false;
        for (int i = 0; i < end; i++) {
            returns |= buffer[i] == '\r';
            feeds |= buffer[i] == '\n';
        }
        everywhere = returns && !feeds;
    }

    @Override
    public int read() throws IOException {
        if (!begun) {
            begin();
        }
        if (feedFollows) {
            feedFollows = false;
            endLine();
            return '\n';
        }
        if (!has(1)) {
            return -1;
        }
        byte next = buffer[at];
        if (lineBegins && next != '\r' && next != '\n' && beginLine(next)) {
            return ' ';
        }
        at++;
        if (next == '\r') {
            feedFollows = endsLine();
        } else if (next == '\n') {
            endLine();
        }
        return next & 0xff;
    }

    /** Whether a space is to come first. */
    private boolean beginLine(byte first) throws IOException {
        lineBegins = false;
        if (boundaries.concerns(first)) {
            int end = lineEnd(); // which may move what is in the buffer
            boundaries.line(buffer, at, end);
        }
        Boundaries.Line kind = kindOfLine();
        isBoundary = kind == Boundaries.Line.BOUNDARY;
        falseBoundary |= kind == Boundaries.Line.FALSE_BOUNDARY;
        return kind == Boundaries.Line.FALSE_BOUNDARY;
    }

    private Boundaries.Line kindOfLine() throws IOException {
        if (!has(2) || buffer[at] != '-' || buffer[at + 1] != '-') {
            return Boundaries.Line.OTHER;
        }
        int end = lineEnd();
        return boundaries.kind(buffer, at, end);
    }

    /** Where the line ends that begins at this place, in the buffer. */
    private int lineEnd() throws IOException {
        int length = 0;
        while (length < MAX_LINE && has(length + 1) && buffer[at + length] != '\n' && buffer[at + length] != '\r') {
            length++;
        }
        return at + length;
    }

    private void endLine() {
        inPartHeader = isBoundary || inPartHeader && !lineBegins;
        isBoundary = false;
        lineBegins = true;
    }

    /** Whether a line was moved by a space. */
    boolean hadFalseBoundary() {
        return falseBoundary;
    }

    /** Whether the return that was just read ends a line by itself, of the structure. */
    private boolean endsLine() throws IOException {
        if (!has(1) || buffer[at] == '\n') {
            return false;
        }
        return everywhere || isBoundary || inPartHeader || kindOfLine() == Boundaries.Line.BOUNDARY;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int n = 0;
        while (n < length && (n == 0 || feedFollows || at < end)) {
            int next = read();
            if (next < 0) {
                break;
            }
            bytes[from + n++] = (byte) next;
        }
        return n == 0 && length > 0 ? -1 : n;
    }
}
