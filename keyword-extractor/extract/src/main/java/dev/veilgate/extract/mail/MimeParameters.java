package dev.veilgate.extract.mail;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.mime4j.stream.Field;

/**
 * Value and parameters of a Content-Type or Content-Disposition field for whoever shows, names or delivers a part (RFC
 * 2045, 2183, 2231).
 *
 * <p>Every character of the field is in {@link #value}, in a name or a value of a parameter, or in {@link #rest};
 * marks of the syntax, and charsets and languages as they are common, are excepted. A field that follows the RFCs is
 * read by them, any other so that nothing of it is lost:
 *
 * <ul>
 *   <li>A value without quotation marks ends at a semicolon outside of quotation marks. To a file's name the text
 *       behind that belongs, too, if there is no equals sign in it. A comment is none of it only behind a blank and
 *       with nothing but comments behind.
 *   <li>A quotation mark without another one reaches to the end. Inside, a backslash protects a quotation mark or
 *       another backslash; before anything else it is part of the value, as names of files with folders need it.
 *   <li>Numbered pieces are put together by number, those with the same number as they come, whatever numbers are
 *       missing, as in Python's email package. Only the first one has charset and language, and only if a star ends its
 *       name; all pieces are of that charset.
 *   <li>{@code name*} is preferred to pieces, and pieces of which one has the number 0 to {@code name}, as Thunderbird
 *       and RFC 6266 do. The first of several is taken. Those that were not are in {@link #rest}.
 *   <li>Encoded words are decoded in values that are not percent-encoded, though RFC 2047 forbids them there, since
 *       Outlook and Gmail write them. Damaged ones stay as they are, but for base64, which is read as Thunderbird
 *       does; the word as it is written is in {@link #rest} then.
 *   <li>UTF-16 without a mark of the order of its bytes is read in the usual order; the other one is in {@link #rest}.
 * </ul>
 *
 * <p>By rules 1 the index is made by another reading, see {@code MailHeader.filenameOfRules1}. Time and memory are
 * linear in the length of the field.
 */
public final class MimeParameters {
    /** Most parameters, pieces of them, and texts without a name; the rest of the field is one text. */
    static final int MAX_PARAMETERS = 2_000;

    private static final int MAX_FOLLOWING_NAME = 64;
    private static final int COMMON_LANGUAGE = "zh-cn".length();
    private static final String NO_NAME = " \t\r\n;=()\"<>,/";
    private static final Set<String> NAMES_OF_FILES = Set.of("filename", "name");
    private static final Pattern NAME = Pattern.compile("([^*]+)(?:(\\*)|\\*([0-9]+)(\\*?))?");
    private static final Pattern CHARSET = Pattern.compile("\\A([A-Za-z0-9_.:+-]{0,75}+)'([A-Za-z0-9_-]{0,75}+)'");

    private final String field;
    private final Map<String, Parameter> parameters = new LinkedHashMap<>();
    private final List<String> rest = new ArrayList<>();
    private String value = "";
    private boolean commentsEnd = true;
    private int at;
    private int bareEnd;

    /** All that is written for a name. */
    private static final class Parameter {
        private final List<StringBuilder> plain = new ArrayList<>(1);
        private final List<StringBuilder> whole = new ArrayList<>(0);
        private final List<Piece> pieces = new ArrayList<>(0);
        private String chosen = "";
    }

    /** A piece of a value; its number is without zeros in front, "" if it is zero. */
    private record Piece(String number, boolean isEncoded, StringBuilder text) {
        static final Comparator<Piece> ORDER =
                Comparator.<Piece>comparingInt(piece -> piece.number.length()).thenComparing(Piece::number);
    }

    private MimeParameters(String field) {
        this.field = field;
    }

    /** Reads a field. Whatever it is, there is an answer. */
    public static MimeParameters of(Field field) {
        return read(HeaderText.raw(field));
    }

    /** @param body of the field, unfolded */
    static MimeParameters read(String body) {
        MimeParameters read = new MimeParameters(body);
        read.readValue();
        read.readParameters();
        read.parameters.values().forEach(read::choose);
        return read;
    }

    /** The value before the parameters, in lower case, such as "attachment" or "text/plain"; "" if there is none. */
    public String value() {
        return value;
    }

    /**
     * A parameter, decoded, without blanks around it; "" if it is there and empty.
     *
     * @param name in lower case
     */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name)).map(parameter -> parameter.chosen);
    }

    /** Names of all parameters, in lower case, as they come. */
    Set<String> names() {
        return Collections.unmodifiableSet(parameters.keySet());
    }

    /**
     * Comments, text that is no parameter, charsets and languages that are not common, values that another one was
     * preferred to, unless they are equal, and other readings of a value.
     */
    public List<String> rest() {
        return List.copyOf(rest);
    }

    private boolean isAt(char c) {
        return at < field.length() && field.charAt(at) == c;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private boolean isOfName(int index) {
        return index < field.length() && NO_NAME.indexOf(field.charAt(index)) < 0;
    }

    private void leave(String text) {
        String stripped = text.strip();
        if (!stripped.isEmpty()) {
            rest.add(stripped);
        }
    }

    private void readValue() {
        skipBlanks();
        int from = at;
        boolean isQuoted = isAt('"');
        at += isQuoted ? 1 : 0;
        int start = at;
        while (isOfName(at) || isAt('/')) {
            at++;
        }
        String written = field.substring(start, at);
        at += isQuoted && isAt('"') ? 1 : 0;
        int end = at;
        skipBlanks();
        if (isAt('=')) { // there is none, but a parameter
            at = from;
            return;
        }
        value = written.toLowerCase(Locale.ROOT);
        if (at < field.length() && !isAt(';') && !(at > end && nameFollows())) {
            int more = at;
            toSemicolon();
            leave(field.substring(more, at));
        }
    }

    private void readParameters() {
        StringBuilder open = null;
        int openEnd = 0;
        for (int count = 0; at < field.length(); ) {
            while (at < field.length() && (isAt(';') || isBlank(field.charAt(at)))) {
                at++;
            }
            if (at < field.length() && count++ == MAX_PARAMETERS) {
                leave(field.substring(at));
                return;
            }
            int known = rest.size();
            skipBlanks();
            int from = at;
            while (isOfName(at)) {
                at++;
            }
            String name = field.substring(from, at);
            int comments = rest.size();
            skipBlanks();
            Matcher form = NAME.matcher(name);
            if (isAt('=') && form.matches()) {
                at++;
                skipBlanks();
                boolean isQuoted = isAt('"');
                StringBuilder text = isQuoted ? quotedValue(isOfFile(form)) : bareValue();
                add(form, text);
                open = isQuoted || !isOfFile(form) ? null : text;
                openEnd = bareEnd;
            } else {
                rest.subList(comments, rest.size()).clear(); // they are in the text, too
                toSemicolon();
                String text = field.substring(from, at).stripTrailing();
                if (open != null && known == comments && !text.isEmpty()) {
                    open.append(field, openEnd, from).append(text);
                    openEnd = from + text.length();
                } else {
                    leave(text);
                }
            }
        }
    }

    private static boolean isOfFile(Matcher form) {
        return NAMES_OF_FILES.contains(form.group(1).toLowerCase(Locale.ROOT));
    }

    /** To the next semicolon outside of quotation marks. */
    private void toSemicolon() {
        boolean isQuoted = false;
        for (; at < field.length() && (isQuoted || !isAt(';')); at++) {
            if (isAt('\\') && at + 1 < field.length() && field.charAt(at + 1) != ';') {
                at++;
            } else if (isAt('"')) {
                isQuoted = !isQuoted;
            }
        }
        at = Math.min(at, field.length());
    }

    /** Comments are left as rest. */
    private void skipBlanks() {
        while (at < field.length()) {
            int from = at;
            if (isBlank(field.charAt(at))) {
                at++;
            } else if (isComment()) {
                leave(field.substring(from, at));
            } else {
                return;
            }
        }
    }

    /** Goes behind a comment. Behind one that does not end there are no others. */
    private boolean isComment() {
        if (!isAt('(') || !commentsEnd) {
            return false;
        }
        int depth = 0;
        for (int i = at; i < field.length(); i++) {
            switch (field.charAt(i)) {
                case '\\' -> i++;
                case '(' -> depth++;
                case ')' -> depth--;
                default -> {}
            }
            if (depth == 0) {
                at = i + 1;
                return true;
            }
        }
        commentsEnd = false;
        return false;
    }

    /** Tells if another parameter begins here, by a name and an equals sign, although no semicolon is before it. */
    private boolean nameFollows() {
        int end = at;
        while (end < at + MAX_FOLLOWING_NAME && isOfName(end)) {
            end++;
        }
        boolean isName = end > at;
        while (end < at + MAX_FOLLOWING_NAME && end < field.length() && isBlank(field.charAt(end))) {
            end++;
        }
        return isName && end < field.length() && field.charAt(end) == '=';
    }

    /** Text in quotation marks; to a file's name that belongs what is behind and no comment, otherwise it is rest. */
    private StringBuilder quotedValue(boolean isOfFile) {
        StringBuilder text = new StringBuilder();
        while (true) {
            if (isAt('"')) {
                quoted(text);
            } else {
                int from = at;
                while (at < field.length()
                        && !isAt(';')
                        && !isAt('"')
                        && !isBlank(field.charAt(at))
                        && (at == from || !isAt('('))) {
                    at++;
                }
                text.append(field, from, at);
            }
            int end = at;
            skipBlanks();
            if (at == field.length() || isAt(';') || at > end && nameFollows()) {
                return text;
            }
            if (!isOfFile) {
                int from = at;
                toSemicolon();
                leave(field.substring(from, at));
                return text;
            }
            text.append(at > end ? " " : "");
        }
    }

    private void quoted(StringBuilder text) {
        for (at++; at < field.length(); at++) {
            char c = field.charAt(at);
            if (c == '"') {
                at++;
                return;
            }
            boolean protects = c == '\\'
                    && at + 1 < field.length()
                    && (field.charAt(at + 1) == '"' || field.charAt(at + 1) == '\\');
            at += protects ? 1 : 0;
            text.append(field.charAt(at));
        }
    }

    private StringBuilder bareValue() {
        int from = at;
        int comments = -1;
        boolean isQuoted = false;
        while (at < field.length() && (isQuoted || !isAt(';'))) {
            char c = field.charAt(at);
            int start = at;
            if (c == '(' && !isQuoted && at > from && isBlank(field.charAt(at - 1)) && isComment()) {
                comments = comments < 0 ? start : comments;
                continue;
            }
            comments = isBlank(c) ? comments : -1;
            if (c == '"' && (at == from || field.charAt(at - 1) != '\\')) {
                isQuoted = !isQuoted;
            }
            at++;
        }
        int end = comments < 0 ? at : comments;
        leave(field.substring(end, at));
        String text = field.substring(from, end).stripTrailing();
        bareEnd = comments < 0 ? from + text.length() : at;
        return new StringBuilder(text);
    }

    private void add(Matcher form, StringBuilder text) {
        Parameter parameter =
                parameters.computeIfAbsent(form.group(1).toLowerCase(Locale.ROOT), name -> new Parameter());
        if (form.group(2) != null) {
            parameter.whole.add(text);
        } else if (form.group(3) != null) {
            String number = form.group(3);
            int zeros = 0;
            while (zeros < number.length() && number.charAt(zeros) == '0') {
                zeros++;
            }
            parameter.pieces.add(
                    new Piece(number.substring(zeros), !form.group(4).isEmpty(), text));
        } else {
            parameter.plain.add(text);
        }
    }

    private void choose(Parameter parameter) {
        List<Piece> pieces = parameter.pieces.stream().sorted(Piece.ORDER).toList();
        List<String> values = new ArrayList<>();
        parameter.whole.forEach(text -> values.add(joined(List.of(new Piece("", true, text)))));
        boolean isComplete = !pieces.isEmpty() && pieces.getFirst().number.isEmpty();
        if (isComplete) {
            values.add(joined(pieces));
        }
        parameter.plain.forEach(text -> values.add(words(text.toString())));
        if (!pieces.isEmpty() && !isComplete) {
            values.add(joined(pieces));
        }
        values.replaceAll(String::strip);
        parameter.chosen =
                values.stream().filter(text -> !text.isEmpty()).findFirst().orElse("");
        values.stream()
                .filter(text -> !text.equals(parameter.chosen))
                .distinct()
                .forEach(this::leave);
    }

    private String joined(List<Piece> pieces) {
        if (pieces.stream().noneMatch(Piece::isEncoded)) {
            StringBuilder all = new StringBuilder();
            pieces.forEach(piece -> all.append(piece.text));
            return words(all.toString());
        }
        StringBuilder first = pieces.getFirst().text;
        Charset charset = null;
        int from = 0;
        Matcher prefix = CHARSET.matcher(first);
        if (pieces.getFirst().isEncoded && prefix.lookingAt()) {
            charset = ParameterText.charset(prefix.group(1), this::leave);
            from = prefix.end();
            language(prefix.group(2));
        }
        ParameterText text = new ParameterText(charset);
        for (Piece piece : pieces) {
            CharSequence part = piece.text.subSequence(from, piece.text.length());
            if (piece.isEncoded) {
                text.percentEncoded(part);
            } else {
                text.plain(part);
            }
            from = 0;
        }
        text.inOtherOrder().ifPresent(this::leave);
        return text.decoded();
    }

    private void language(String name) {
        if (name.length() > COMMON_LANGUAGE) {
            leave(name);
        }
    }

    private String words(String text) {
        return ParameterText.words(text, this::leave);
    }
}
