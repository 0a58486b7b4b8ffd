package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.MailHeader.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells whether all programs read a header alike. */
final class ClearHeader {
    private static final Set<String> ONCE = Set.of("content-type", "content-transfer-encoding", "content-disposition");
    private static final Pattern NAME = Pattern.compile("\\A[!-9;-~]++:");
    private static final Pattern TYPE =
            Pattern.compile("\\A[A-Za-z0-9!#$&^_.+-]++/[A-Za-z0-9!#$&^_.+-]++[ \\t]*+(?=;|$)");
    private static final Pattern PARAMETER = Pattern.compile("\\G;[ \\t]*([A-Za-z0-9!#$&^_.+*-]+)[ \\t]*=[ \\t]*"
            + "(\"[\\t !#-:<-\\[\\]-~]*\"|[!#-'*-:=?-\\[\\]-~]+)[ \\t]*");

    private ClearHeader() {}

    /** Tells if all fields are well formed, and those that say how the body is read are there once. */
    static boolean isClear(List<Field> fields) {
        Set<String> seen = new HashSet<>();
        for (Field field : fields) {
            if (!isWellFormed(field)
                    || ONCE.contains(field.name()) && !seen.add(field.name())
                    || field.name().equals("content-type") && !isClearType(field.value())) {
                return false;
            }
        }
        return true;
    }

    /** Tells if nothing but a media type is before the first semicolon. */
    static boolean hasClearType(Field contentType) {
        return TYPE.matcher(contentType.value()).lookingAt();
    }

    /** Tells if there are no line ends but CR LF in a line. */
    static boolean isClearLine(String line) {
        String text = line.endsWith("\r\n") ? line.substring(0, line.length() - 2) : line;
        return text.indexOf('\r') < 0 && text.indexOf('\n') < 0;
    }

    /** Tells if no program takes a line of it for another field, for the end of the header or for text. */
    static boolean isWellFormed(Field field) {
        String raw = field.raw();
        if (!NAME.matcher(raw).lookingAt() || !raw.endsWith("\r\n")) {
            return false;
        }
        boolean isFirst = true;
        for (String line : raw.substring(0, raw.length() - 2).split("\r\n", -1)) {
            boolean isFolded = line.startsWith(" ") || line.startsWith("\t");
            if (!isClearLine(line) || !isFirst && (!isFolded || line.isBlank())) {
                return false;
            }
            isFirst = false;
        }
        return true;
    }

    /**
     * A parameter where it stands.
     *
     * @param name in lower case
     * @param from place of the name in the value of the field
     * @param end  place behind what is given to it, a quotation mark included
     * @param text without quotes
     */
    record Parameter(String name, int from, int end, String text) {}

    /** The parameters of a value, up to where something malformed begins. */
    static List<Parameter> parameters(String value) {
        List<Parameter> found = new ArrayList<>();
        int at = value.indexOf(';');
        Matcher parameter = PARAMETER.matcher(value);
        while (at >= 0 && parameter.find(at)) {
            found.add(new Parameter(
                    parameter.group(1).toLowerCase(Locale.ROOT),
                    parameter.start(1),
                    parameter.end(2),
                    parameter.group(2).replace("\"", "").strip()));
            at = parameter.end();
        }
        return found;
    }

    private static boolean isClearType(String value) {
        Matcher type = TYPE.matcher(value);
        if (!type.lookingAt()) {
            return false;
        }
        int at = type.end();
        Set<String> names = new HashSet<>();
        Matcher parameter = PARAMETER.matcher(value);
        while (parameter.find(at)) {
            String name = parameter.group(1).toLowerCase(Locale.ROOT);
            String last = parameter.group(2).replace("\"", "");
            if (!names.add(name.replaceAll("\\*.*", ""))
                    || name.matches("(charset|boundary)\\*.*")
                    || !last.equals(last.strip())) {
                return false;
            }
            at = parameter.end();
        }
        return value.substring(at).matches(";?[ \\t]*");
    }
}
