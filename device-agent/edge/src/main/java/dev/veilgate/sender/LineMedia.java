package dev.veilgate.sender;

/**
 * How lines are records. {@value #LINE}: a record is a line without its line feed. {@code text/plain;part=7.2}: it is a part of a line that goes on, the second of the seventh such line;
 * {@code text/plain;part=7.3.end}: the last part. A file's last line that has no line feed is a part without an end. So the bytes come out as they went in.
 */
public final class LineMedia {
    /** A whole line. */
    public static final String LINE = "text/plain";

    private static final String PART = LINE + ";part=";
    private static final String END = ".end";

    private LineMedia() {}

    /** The media type of a part of a line. */
    public static String part(long line, long part, boolean last) {
        return PART + line + "." + part + (last ? END : "");
    }

    /** Whether a line feed followed each of the records. */
    public static boolean endsWithLineFeed(String mediaType) {
        return mediaType.equals(LINE) || mediaType.startsWith(PART) && mediaType.endsWith(END);
    }
}
