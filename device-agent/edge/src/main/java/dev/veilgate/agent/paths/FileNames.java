package dev.veilgate.agent.paths;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Names of files as text from which the same bytes come again. Systems name files by bytes, and Java by characters of
 * the locale: what is no UTF-8 comes out as U+FFFD there, whatever it was, and never goes back in. Here such a byte
 * {@code b} is the lone surrogate {@code U+DC00 + b}, as in Python.
 */
public final class FileNames {
    private static final char REPLACEMENT = '\uFFFD';
    private static final int ESCAPED = 0xDC00;
    private static final Charset LOCALE =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);

    private FileNames() {}

    /** A path as text. */
    public static String text(Path path) {
        String plain = path.toString();
        boolean exact = LOCALE == StandardCharsets.UTF_8 || LOCALE == StandardCharsets.US_ASCII;
        if (exact && plain.indexOf(REPLACEMENT) < 0 || path.getFileSystem() != FileSystems.getDefault()) {
            return plain;
        }
        if (path.isAbsolute()) {
            return ofBytes(absoluteBytes(path));
        }
        String above = ofBytes(absoluteBytes(path.getFileSystem().getPath("/").resolve(path)));
        return above.substring(1);
    }

    /** The last name of a path as text; empty for a root. */
    public static String lastName(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : text(name);
    }

    /** The path of a text. */
    public static Path path(String text) {
        boolean ascii = text.chars().allMatch(c -> c < 0x80);
        if (ascii || LOCALE == StandardCharsets.UTF_8 && text.chars().noneMatch(FileNames::isEscaped)) {
            return Path.of(text);
        }
        byte[] bytes = bytes(text.startsWith("/") ? text : "/" + text);
        StringBuilder uri = new StringBuilder("file://");
        for (byte b : bytes) {
            boolean plain = b == '/' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
            uri.append(plain ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02X", b));
        }
        Path absolute = Path.of(URI.create(uri.toString()));
        return text.startsWith("/") ? absolute : absolute.getRoot().relativize(absolute);
    }

    /** A path beside another one. */
    public static Path sibling(Path path, String name) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            return path.resolveSibling(name);
        }
        return path.resolveSibling(path(name));
    }

    /**
     * A text of which every character may be stored. Of most paths it is the path; that of another begins with two
     * slashes, as no path does, and has its bytes as URIs have them.
     */
    public static String stored(String text) {
        if (text.chars().noneMatch(FileNames::isEscaped)) {
            return text;
        }
        StringBuilder out = new StringBuilder("/");
        for (byte b : bytes(text)) {
            out.append(
                    b > ' ' && b < 0x7F && b != '%'
                            ? String.valueOf((char) b)
                            : "%" + HexFormat.of().toHexDigits(b));
        }
        return out.toString();
    }

    /** The text of {@link #stored}. */
    public static String ofStored(String stored) {
        return stored.startsWith("//") ? ofBytes(unescaped(stored.substring(1))) : stored;
    }

    /** The bytes of a text, as the system has them. */
    public static byte[] bytes(String text) {
        if (text.chars().noneMatch(FileNames::isEscaped)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            if (isEscaped(c)) {
                out.write(c - ESCAPED);
            } else {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
            at += Character.charCount(c);
        }
        return out.toByteArray();
    }

    /** Bytes of a name as text. */
    public static String ofBytes(byte[] bytes) {
        StringBuilder out = new StringBuilder(bytes.length);
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, sequenceLength(bytes[at]));
            String one = new String(bytes, at, length, StandardCharsets.UTF_8);
            boolean whole = one.codePointCount(0, one.length()) == 1
                    && one.getBytes(StandardCharsets.UTF_8).length == length
                    && Arrays.equals(one.getBytes(StandardCharsets.UTF_8), Arrays.copyOfRange(bytes, at, at + length));
            if (whole) {
                out.append(one);
                at += length;
            } else {
                out.append((char) (ESCAPED + (bytes[at] & 0xFF)));
                at++;
            }
        }
        return out.toString();
    }

    private static int sequenceLength(byte first) {
        int b = first & 0xFF;
        return b < 0xC0 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
    }

    /** A text for people, who see each byte that is no UTF-8 as <code>\xff</code>. */
    public static String shown(String text) {
        if (text.chars().noneMatch(FileNames::isEscaped)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isEscaped(c)) {
                out.append("\\x").append(HexFormat.of().toHexDigits((byte) (c - ESCAPED)));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /** A path for people. */
    public static String shown(Path path) {
        return shown(text(path));
    }

    private static boolean isEscaped(int c) {
        return c >= ESCAPED + 0x80 && c <= ESCAPED + 0xFF;
    }

    /** By its URI, which has the bytes; of a folder that with a slash behind it. */
    private static byte[] absoluteBytes(Path absolute) {
        byte[] bytes = unescaped(absolute.toUri().getRawPath());
        boolean slash = bytes.length > 1 && bytes[bytes.length - 1] == '/';
        return slash ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
    }

    private static byte[] unescaped(String raw) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(raw.length());
        for (int at = 0; at < raw.length(); at++) {
            if (raw.charAt(at) == '%' && at + 2 < raw.length() && isHex(raw, at + 1)) {
                out.write(HexFormat.fromHexDigits(raw, at + 1, at + 3));
                at += 2;
            } else {
                out.write(raw.charAt(at));
            }
        }
        return out.toByteArray();
    }

    private static boolean isHex(String raw, int at) {
        return HexFormat.isHexDigit(raw.charAt(at)) && HexFormat.isHexDigit(raw.charAt(at + 1));
    }
}
