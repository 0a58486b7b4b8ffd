package dev.veilgate.extract.log;

import java.io.ByteArrayOutputStream;

/**
 * A line of Docker's json-file driver, by its bytes: {@code {"log":"text\n","stream":"stdout",...}}. Text without a
 * line
 * end at its end goes on in the next line of the same stream.
 */
final class DockerLine {
    private static final String BEGIN = "{\"log\":\"";
    private static final String STREAM = "\",\"stream\":\"std";

    private DockerLine() {}

    /** Where the text ends, at its quote; -1 if it is no such line. */
    static int textEnd(byte[] b, int from, int to) {
        if (!startsWith(b, from, to, BEGIN)) {
            return -1;
        }
        int end = from + BEGIN.length();
        while (end < to && b[end] != '"') {
            end += b[end] == '\\' ? 2 : 1;
        }
        return end < to && startsWith(b, end, to, STREAM) ? end : -1;
    }

    /** Whether the text that ends there goes on. */
    static boolean isPart(byte[] b, int from, int textEnd) {
        int text = from + BEGIN.length();
        if (textEnd - text < 2 || b[textEnd - 1] != 'n') {
            return true;
        }
        int slash = textEnd - 1;
        while (slash > text && b[slash - 1] == '\\') {
            slash--;
        }
        return (textEnd - 1 - slash) % 2 == 0;
    }

    /** Whether the line is of the stream of errors. */
    static boolean isOfErrors(byte[] b, int textEnd, int to) {
        int at = textEnd + STREAM.length();
        return at < to && b[at] == 'e';
    }

    /** Joins lines, with line ends between them, to one; empty if it is one already, or something else. */
    static byte[] joined(byte[] b, int from, int to) {
        int lineEnd = EscapeSequences.find(b, (byte) '\n', from, to);
        int textEnd = lineEnd < 0 ? -1 : textEnd(b, from, lineEnd);
        if (textEnd < 0) {
            return new byte[0];
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(to - from);
        out.write(b, from, textEnd - from);
        int next = lineEnd + 1;
        while (next < to) {
            int end = EscapeSequences.find(b, (byte) '\n', next, to);
            end = end < 0 ? to : end;
            int last = textEnd(b, next, end);
            if (last < 0) {
                return new byte[0];
            }
            int text = next + BEGIN.length();
            out.write(b, text, last - text);
            next = end + 1;
        }
        out.write(b, textEnd, lineEnd - textEnd);
        return out.toByteArray();
    }

    private static boolean startsWith(byte[] b, int from, int to, String text) {
        if (to - from < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
