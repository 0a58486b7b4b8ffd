package dev.veilgate.envelope.smime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The header section of a message, byte for byte: fields in their order, each with its folded lines. Bytes are held as ISO 8859-1
 * characters, which loses nothing.
 *
 * <p>Real mail breaks the rules. A line that is neither a field nor a continuation is kept with the field before it; before the first
 * field it begins the body. So no field, such as a Bcc, is ever overlooked because of what stands around it.
 */
public final class MailHeader {
    /** Most bytes of a header section. */
    public static final int MAX_BYTES = 1 << 20;

    /** ASCII, JIS X 0201 Roman, and JIS X 0208 between the escapes for it and back. */
    private static final Pattern JAPANESE =
            Pattern.compile("(?:[\\t\\r\\n\\x20-\\x7e]|\\x1b\\([BJ]|(?:\\x1b\\$[@B](?:[!-~]{2})*+)++\\x1b\\([BJ])*+");

    /**
     * A field.
     *
     * @param name in lower case
     * @param raw  all its lines as they came, each with its CR LF
     */
    public record Field(String name, String raw) {
        /** Its value on one line: unfolded, without white space at either end. */
        public String value() {
            return raw.substring(raw.indexOf(':') + 1).replace("\r\n", "").strip();
        }

        /** Tells if no program takes a line of it for another field, for the end of the header or for text. */
        public boolean isWellFormed() {
            return ClearHeader.isWellFormed(this);
        }

        /** The name as it is spelled. */
        public String spelledName() {
            return raw.substring(0, raw.indexOf(':')).stripTrailing();
        }
    }

    private final List<Field> fields;

    MailHeader(List<Field> fields) {
        this.fields = List.copyOf(fields);
    }

    /** The fields in their order. */
    public List<Field> fields() {
        return fields;
    }

    /**
     * Tells if all programs read the header alike: each field is well formed, and those that say how the body is read
     * are there once, with parameters that no program puts together from pieces.
     */
    public boolean isClear() {
        return ClearHeader.isClear(fields);
    }

    /**
     * A parameter of the first field of a name, of a header that {@linkplain #isClear is clear}.
     *
     * @param field in lower case
     * @param name  in lower case
     * @return without quotes
     */
    public Optional<String> parameter(String field, String name) {
        return first(field)
                .flatMap(each -> ClearHeader.parameters(each.value()).stream()
                        .filter(parameter -> parameter.name().equals(name))
                        .map(ClearHeader.Parameter::text)
                        .findFirst());
    }

    /**
     * Tells if there is a control character that some programs leave out, so that they read another field: NUL, form
     * feed and the like. Taken are tabs, and escapes of ISO-2022-JP (RFC 1468) in a line that ends in ASCII.
     */
    public boolean hasControls() {
        return fields.stream().anyMatch(field -> hasControls(field.raw()));
    }

    private static boolean hasControls(String raw) {
        boolean isEscaped = raw.indexOf('\u001b') >= 0;
        return raw.chars().anyMatch(c -> c < ' ' && "\t\r\n\u001b".indexOf(c) < 0 || c == 0x7f)
                || isEscaped && !JAPANESE.matcher(raw).matches();
    }

    /** The first field of a name given in lower case. */
    public Optional<Field> first(String name) {
        return fields.stream().filter(f -> f.name().equals(name)).findFirst();
    }

    /** All fields of a name given in lower case. */
    public List<Field> all(String name) {
        return fields.stream().filter(f -> f.name().equals(name)).toList();
    }

    /** The section again, with the empty line behind it. */
    byte[] toBytes() {
        StringBuilder text = new StringBuilder();
        fields.forEach(field -> text.append(field.raw()));
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * A message split where its body begins.
     *
     * @param header the header section
     * @param start  what was read of the body
     */
    public record Split(MailHeader header, byte[] start) {}

    /**
     * Reads the header section from the start of a message whose lines end in CR LF, and the empty line behind it. What the stream still
     * gives, behind {@link Split#start}, is the body.
     *
     * @throws MalformedMailException if it is longer than {@link #MAX_BYTES}
     */
    public static Split read(InputStream message) throws IOException, MalformedMailException {
        var fields = new ArrayList<Field>();
        var raw = new StringBuilder(); // of the last field, which goes on until another one begins
        String name = "";
        int left = MAX_BYTES;
        while (true) {
            String line = line(message, left);
            left -= line.length();
            String begun = fieldName(line);
            boolean first = raw.isEmpty();
            boolean end = line.isEmpty() || line.equals("\r\n");
            boolean boxLine = begun.isEmpty() && isBoxLine(line, first);
            boolean body = !end && first && !boxLine && begun.isEmpty();
            if (!first && (end || !begun.isEmpty())) {
                fields.add(new Field(name, raw.toString()));
                raw.setLength(0);
            }
            if (end || body) {
                return new Split(
                        new MailHeader(fields), body ? line.getBytes(StandardCharsets.ISO_8859_1) : new byte[0]);
            }
            if (!boxLine) {
                name = begun.isEmpty() ? name : begun;
                raw.append(ended(line));
            }
        }
    }

    /** The name in lower case of the field that a line begins; empty if it begins none. */
    private static String fieldName(String line) {
        int end = 0;
        while (end < line.length() && line.charAt(end) > ' ' && line.charAt(end) < 0x7f && line.charAt(end) != ':') {
            end++;
        }
        int colon = end;
        while (colon < line.length() && (line.charAt(colon) == ' ' || line.charAt(colon) == '\t')) {
            colon++;
        }
        boolean field = end > 0 && colon < line.length() && line.charAt(colon) == ':';
        return field ? line.substring(0, end).toLowerCase(Locale.ROOT) : "";
    }

    /** "From ada Mon Sep  2 12:29:05 2002", with which mail boxes in files separate messages. */
    private static boolean isBoxLine(String line, boolean first) {
        return first && (line.startsWith("From ") || line.startsWith(">From "));
    }

    private static String ended(String line) {
        return line.endsWith("\r\n") ? line : line + "\r\n";
    }

    /** Up to and with CR LF, or to the end. */
    private static String line(InputStream in, int limit) throws IOException, MalformedMailException {
        var line = new ByteArrayOutputStream(128);
        int before = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.write(b);
            if (b == '\n' && before == '\r') {
                break;
            }
            if (line.size() > limit) {
                throw new MalformedMailException("the header section is longer than " + MAX_BYTES + " bytes");
            }
            before = b;
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
