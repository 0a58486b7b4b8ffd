package dev.veilgate.extract.mail;

import java.util.ArrayList;
import java.util.List;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.util.ByteSequence;

/** Carriage returns without a line feed inside a header field: a blank for some mail programs, the end of the line for others, for which another field follows. */
final class BareReturns {
    private BareReturns() {}

    /** The fields that a field is to programs that end lines there, the first of them first; the field itself where there is no such end. */
    static List<Field> fields(Field field) {
        String[] lines = lines(field);
        if (lines.length < 2) {
            return List.of(field);
        }
        List<Field> fields = new ArrayList<>();
        var current = new StringBuilder(lines[0]);
        for (int i = 1; i < lines.length && !isBlank(lines[i]); i++) {
            if (isField(lines[i])) {
                add(current, fields);
                current.setLength(0);
            }
            current.append(' ').append(lines[i].strip());
        }
        add(current, fields);
        return fields;
    }

    /** What is body to those programs, since an empty line ends the header before it; "" in most cases. */
    static String body(Field field) {
        String[] lines = lines(field);
        var body = new StringBuilder();
        boolean isBody = false;
        for (int i = 1; i < lines.length; i++) {
            if (isBody) {
                body.append(lines[i]).append('\n');
            }
            isBody |= isBlank(lines[i]);
        }
        return body.toString();
    }

    private static String[] lines(Field field) {
        ByteSequence raw = field.getRaw();
        if (raw == null) {
            return new String[0];
        }
        byte[] bytes = raw.toByteArray();
        return hasBareReturn(bytes)
                ? EncodedText.decode(bytes, bytes.length, null)
                        .replace("\r\n", " ")
                        .split("\r", -1)
                : new String[0];
    }

    private static boolean hasBareReturn(byte[] bytes) {
        for (int i = 0; i + 1 < bytes.length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] != '\n') {
                return true;
            }
        }
        return false;
    }

    private static boolean isBlank(String line) {
        return line.isEmpty();
    }

    private static boolean isField(String line) {
        int colon = line.indexOf(':');
        if (colon <= 0 || line.charAt(0) <= ' ') {
            return false;
        }
        return line.substring(0, colon).stripTrailing().chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    private static void add(StringBuilder line, List<Field> fields) {
        int colon = line.indexOf(":");
        if (colon > 0) {
            fields.add(new RawField(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip()));
        }
    }
}
