package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The boundaries that the header fields of a mail announce, line by line, to tell lines between parts from lines that only begin like them: the parser of the mail's structure takes {@code
 * --boundary} with words behind it for a boundary and drops the words, mail programs show them.
 */
final class Boundaries {
    private static final String CONTENT_TYPE = "content-type";
    private static final int MAX_FIELD = 8_192;
    private static final int MAX_BOUNDARIES = 256;
    private static final int MAX_LENGTH = 256;

    /** Kinds of lines. */
    enum Line {
        BOUNDARY,
        /** The parser of the mail's structure would take it for a boundary, and no mail program does. */
        FALSE_BOUNDARY,
        OTHER
    }

    private final Set<String> announced = new LinkedHashSet<>();
    private final StringBuilder field = new StringBuilder();

    /** Whether a line that begins so may be of a field that announces one. */
    boolean concerns(byte first) {
        boolean goesOn = first == ' ' || first == '\t';
        if (!goesOn && !field.isEmpty()) {
            endField();
        }
        return first == 'c' || first == 'C' || goesOn && !field.isEmpty();
    }

    /** Takes such a line. */
    void line(byte[] bytes, int from, int to) {
        String line = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        boolean begins = line.regionMatches(true, 0, CONTENT_TYPE, 0, CONTENT_TYPE.length());
        if ((begins || !field.isEmpty()) && field.length() + line.length() < MAX_FIELD) {
            field.append(line);
        }
    }

    private void endField() {
        int colon = field.indexOf(":");
        if (colon > 0) {
            String boundary = ContentType.read(field.substring(colon + 1)).parameter("boundary");
            if (boundary != null && boundary.length() <= MAX_LENGTH && announced.size() < MAX_BOUNDARIES) {
                announced.add(boundary.stripTrailing());
            }
        }
        field.setLength(0);
    }

    /** What a line is that begins with two dashes. */
    Line kind(byte[] bytes, int from, int to) {
        if (announced.isEmpty()) {
            return Line.OTHER;
        }
        String line = new String(bytes, from + 2, to - from - 2, StandardCharsets.ISO_8859_1).stripTrailing();
        Line kind = Line.OTHER;
        for (String boundary : announced) {
            if (line.startsWith(boundary)) {
                if (line.length() == boundary.length() || line.equals(boundary + "--")) {
                    return Line.BOUNDARY;
                }
                char next = line.charAt(boundary.length());
                kind = next <= ' ' || next == '-' ? Line.FALSE_BOUNDARY : kind;
            }
        }
        return kind;
    }

    /** Whether a line begins with the boundary. */
    static boolean isIn(byte[] bytes, String boundary) {
        return ("\n" + new String(bytes, StandardCharsets.ISO_8859_1)).contains("\n--" + boundary);
    }

    /**
     * A multipart of what is left of another one.
     *
     * @param head what was already read of it
     */
    static InputStream multipart(String boundary, byte[] head, InputStream rest) {
        String quoted = boundary.replace("\\", "\\\\").replace("\"", "\\\"");
        byte[] header = ("Content-Type: multipart/mixed; boundary=\"" + quoted + "\"\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        return new SequenceInputStream(
                new ByteArrayInputStream(header), new SequenceInputStream(new ByteArrayInputStream(head), rest));
    }
}
