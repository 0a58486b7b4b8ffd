package dev.veilgate.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * Names that others chose, as one part of a path: harmless on every system, never hidden, without a separator, not
 * {@code .} or {@code ..}, and of at most 200 bytes. A leading tilde, points and blanks at the ends, control characters
 * and what some systems do not allow are written as {@code %} and hexadecimal digits, and so is the first letter of
 * what Windows takes for a device, whatever ending it has, such as {@code con.smith}; a name that is cut has a digest
 * behind it.
 */
public final class FileNamePart {
    private static final String ESCAPED = "%\\:*?\"<>|";
    private static final int MAX_BYTES = 200;
    private static final int ROOM_FOR_DIGEST = 20;
    private static final HexFormat HEX = HexFormat.of();
    private static final Set<String> DEVICES = Set.of("con", "prn", "aux", "nul", "conin$", "conout$", "clock$");
    private static final Set<String> NUMBERED_DEVICES = Set.of("com", "lpt");
    private static final String DEVICE_NUMBERS = "0123456789\u00b9\u00b2\u00b3";

    private FileNamePart() {}

    /**
     * The part of a path for a name.
     *
     * @param name not empty
     */
    public static String of(String name) {
        StringBuilder out = new StringBuilder();
        int[] points = name.codePoints().toArray();
        boolean device = isDevice(name);
        for (int i = 0; i < points.length; i++) {
            boolean outside = i == 0 || i == points.length - 1;
            if (!(i == 0 && device)
                    && isHarmless(points[i])
                    && !(outside && (points[i] == '.' || points[i] == ' '))
                    && !(i == 0 && points[i] == '~')) {
                out.appendCodePoint(points[i]);
            } else {
                for (byte b : Character.toString(points[i]).getBytes(StandardCharsets.UTF_8)) {
                    out.append('%').append(HEX.withUpperCase().toHexDigits(b));
                }
            }
        }
        return shortened(out.toString(), name);
    }

    private static boolean isDevice(String name) {
        int point = name.indexOf('.');
        String beginning =
                (point < 0 ? name : name.substring(0, point)).stripTrailing().toLowerCase(Locale.ROOT);
        int last = beginning.length() - 1;
        return DEVICES.contains(beginning)
                || last > 0
                        && NUMBERED_DEVICES.contains(beginning.substring(0, last))
                        && DEVICE_NUMBERS.indexOf(beginning.charAt(last)) >= 0;
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> c != '/' && ESCAPED.indexOf(c) < 0;
        };
    }

    private static String shortened(String part, String name) {
        byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= MAX_BYTES) {
            return part;
        }
        int end = MAX_BYTES - ROOM_FOR_DIGEST;
        while ((utf8[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(utf8, 0, end, StandardCharsets.UTF_8) + "~" + digest(name);
    }

    private static String digest(String name) {
        try {
            byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HEX.formatHex(sha256, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
