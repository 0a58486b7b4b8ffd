package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files inside a text, as they were sent before MIME: uuencoded lines, or base64, between a line that names the file and one that ends it. One pass over the text. */
final class Uuencoded {
    private static final Pattern BEGIN = Pattern.compile("begin(-base64)?[ \\t]+0?[0-7]{3,4}[ \\t]+([^\\r\\n]{1,255})");
    private static final int MAX_LINE = 1_024;
    private static final int MAX_BYTES = 63;

    private final byte[] bytes;
    private final int maxFiles;
    private final List<File> files = new ArrayList<>();
    private boolean more;
    private int at;

    private Uuencoded(byte[] bytes, int maxFiles) {
        this.bytes = bytes;
        this.maxFiles = maxFiles;
    }

    /**
     * A file inside a text.
     *
     * @param whole whether its end is there
     */
    record File(String name, byte[] content, boolean whole) {}

    /** The files in a text, as many as are allowed. */
    static Uuencoded in(byte[] bytes, int maxFiles) {
        Uuencoded read = new Uuencoded(bytes, maxFiles);
        read.read();
        return read;
    }

    List<File> files() {
        return files;
    }

    /** Whether there are more files than allowed. */
    boolean more() {
        return more;
    }

    private void read() {
        while (at < bytes.length) {
            String line = line();
            Matcher begin = line.startsWith("begin") ? BEGIN.matcher(line.stripTrailing()) : null;
            if (begin != null && begin.matches()) {
                if (files.size() == maxFiles) {
                    more = true;
                    return;
                }
                file(begin.group(2), begin.group(1) != null);
            }
        }
    }

    /** The next line without its end; of one that is too long for these files, its beginning. */
    private String line() {
        int from = at;
        while (at < bytes.length && bytes[at] != '\n' && bytes[at] != '\r') {
            at++;
        }
        int end = at;
        if (at + 1 < bytes.length && bytes[at] == '\r' && bytes[at + 1] == '\n') {
            at++;
        }
        at++;
        return new String(bytes, from, Math.min(end - from, MAX_LINE), StandardCharsets.ISO_8859_1);
    }

    private void file(String name, boolean base64) {
        var content = new ByteArrayOutputStream();
        int lines = 0;
        boolean whole = false;
        while (at < bytes.length && !whole) {
            int start = at;
            String line = line();
            if (base64 ? line.startsWith("====") : line.stripTrailing().equals("end")) {
                whole = true;
            } else if (base64 ? line.matches("[A-Za-z0-9+/=]+[ \\t]*") : isLine(line)) {
                lines++;
                if (base64) {
                    content.writeBytes(line.getBytes(StandardCharsets.US_ASCII));
                } else {
                    decode(line, content);
                }
            } else if (!line.isBlank()) {
                at = start; // belongs to the text again
                break;
            }
        }
        if (whole || lines > 0) {
            String decoded = EncodedText.decode(name.getBytes(StandardCharsets.ISO_8859_1), name.length(), null);
            files.add(new File(decoded, base64 ? base64(content.toByteArray()) : content.toByteArray(), whole));
        }
    }

    private static byte[] base64(byte[] written) {
        try {
            return new Base64Body(new ByteArrayInputStream(written)).readAllBytes();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e); // memory does not fail
        }
    }

    /** Spaces at the end of a line may have been lost. */
    private static boolean isLine(String line) {
        if (line.isEmpty() || line.length() >= MAX_LINE) {
            return false;
        }
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) < ' ' || line.charAt(i) > '`') {
                return false;
            }
        }
        int letters = (value(line, 0) + 2) / 3 * 4;
        return line.length() - 1 <= letters + 2 && line.length() - 1 >= letters / 2;
    }

    private static int value(String line, int index) {
        return index < line.length() ? line.charAt(index) - ' ' & MAX_BYTES : 0;
    }

    private static void decode(String line, ByteArrayOutputStream content) {
        int count = value(line, 0);
        for (int i = 1; count > 0; i += 4, count -= 3) {
            int group = value(line, i) << 18 | value(line, i + 1) << 12 | value(line, i + 2) << 6 | value(line, i + 3);
            for (int b = 0; b < Math.min(3, count); b++) {
                content.write(group >> 16 - 8 * b);
            }
        }
    }
}
