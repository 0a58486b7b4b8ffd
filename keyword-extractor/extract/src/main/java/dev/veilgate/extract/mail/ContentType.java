package dev.veilgate.extract.mail;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Content-Type field as mail programs read it: what stands around the type or between the parameters and may not be there is passed over, and parameters in
 * pieces or percent-encoded (RFC 2231) are put together. One pass over the field.
 */
final class ContentType {
    static final String TEXT = "text/plain";
    private static final int MAX_PIECES = 1_000;
    private static final int MAX_NAME = 64;
    private static final String NO_TOKEN = " \t\r\n;,()=\"'<>/";

    private final String body;
    private final Map<String, List<String>> parameters = new LinkedHashMap<>();
    private final Map<String, Map<Integer, String>> pieces = new HashMap<>();
    private String type = "";
    private boolean doubtful;
    private boolean quotesEnd = true;
    private int at;

    private ContentType(String body) {
        this.body = body;
    }

    /** @param body of the field, unfolded */
    static ContentType read(String body) {
        ContentType read = new ContentType(body);
        read.readType();
        read.readParameters();
        read.joinPieces();
        return read;
    }

    /** In lower case; where there is no subtype, the one that is meant, or else plain text. "" if nothing is said. */
    String type() {
        return type;
    }

    /** Whether programs may take it for different types. */
    boolean isDoubtful() {
        return doubtful;
    }

    /** The first value of a parameter. */
    @Nullable
    String parameter(String name) {
        List<String> values = parameters(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /** All different values that were given for a parameter; more than one if the field contradicts itself. */
    List<String> parameters(String name) {
        return parameters.getOrDefault(name, List.of());
    }

    private void readType() {
        String main = token();
        skipBlanks();
        String sub = "";
        boolean slash = at < body.length() && body.charAt(at) == '/';
        if (slash) {
            at++;
            sub = token();
            skipBlanks();
        }
        boolean clean = at == body.length() || body.charAt(at) == ';';
        if (!sub.isEmpty() && !main.isEmpty()) {
            type = main + "/" + sub;
        } else if (!body.isBlank()) {
            clean = false;
            type = switch (main) {
                case "html" -> "text/html";
                case "multipart" -> "multipart/mixed";
                default -> TEXT;
            };
        }
        doubtful = !clean;
    }

    private String token() {
        while (at < body.length() && (body.charAt(at) == '"' || body.charAt(at) == '\'' || isBlank(at))) {
            at++;
        }
        skipBlanks();
        int from = at;
        while (at < body.length() && !isBlank(at) && NO_TOKEN.indexOf(body.charAt(at)) < 0) {
            at++;
        }
        String token = body.substring(from, at).toLowerCase(Locale.ROOT);
        while (at < body.length() && (body.charAt(at) == '"' || body.charAt(at) == '\'')) {
            at++;
        }
        return token;
    }

    private boolean isBlank(int index) {
        return body.charAt(index) <= ' ';
    }

    /** Also comments. */
    private void skipBlanks() {
        int depth = 0;
        for (; at < body.length(); at++) {
            char c = body.charAt(at);
            if (c == '(') {
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
            } else if (depth == 0 && c > ' ') {
                return;
            }
        }
    }

    private void readParameters() {
        while (at < body.length()) {
            int from = at;
            skipBlanks();
            String name = token();
            skipBlanks();
            if (!name.isEmpty() && at < body.length() && body.charAt(at) == '=') {
                at++;
                skipBlanks();
                parameter(name, value(name.startsWith("boundary")));
            } else if (at == from) {
                at++;
            }
        }
    }

    /** @param single whether it ends at a blank; others may be names of files, written without quotes */
    private String value(boolean single) {
        if (at < body.length() && body.charAt(at) == '"' && quotesEnd) {
            int from = at;
            String quoted = quoted();
            if (quotesEnd) {
                return quoted;
            }
            at = from + 1;
        }
        int from = at;
        while (at < body.length() && body.charAt(at) != ';' && !(isBlank(at) && (single || parameterFollows()))) {
            at++;
        }
        return body.substring(from, at).strip();
    }

    /** A backslash protects a quotation mark or another one; before anything else it is part of a name of a file. */
    private String quoted() {
        var value = new StringBuilder();
        for (at++; at < body.length(); at++) {
            char c = body.charAt(at);
            boolean protects =
                    c == '\\' && at + 1 < body.length() && (body.charAt(at + 1) == '"' || body.charAt(at + 1) == '\\');
            if (c == '"') {
                at++;
                return value.toString();
            }
            at += protects ? 1 : 0;
            value.append(body.charAt(at));
        }
        quotesEnd = false;
        return "";
    }

    /** Whether a name and an equals sign follow the blank at this place. */
    private boolean parameterFollows() {
        int end = at + 1;
        int limit = Math.min(body.length(), at + MAX_NAME);
        while (end < limit && NO_TOKEN.indexOf(body.charAt(end)) < 0) {
            end++;
        }
        return end > at + 1 && end < limit && body.charAt(end) == '=';
    }

    private void parameter(String written, String value) {
        int star = written.indexOf('*');
        if (star < 0) {
            add(written, value);
            return;
        }
        String name = written.substring(0, star);
        String rest = written.substring(star + 1);
        boolean encoded = rest.isEmpty() || rest.endsWith("*");
        String number = rest.endsWith("*") ? rest.substring(0, rest.length() - 1) : rest;
        Map<Integer, String> all = pieces.computeIfAbsent(name, key -> new HashMap<>());
        if (all.size() < MAX_PIECES && number.length() <= 3 && number.chars().allMatch(c -> c >= '0' && c <= '9')) {
            // a leading mark tells later which pieces are percent-encoded
            all.putIfAbsent(number.isEmpty() ? 0 : Integer.parseInt(number), (encoded ? "%" : "-") + value);
        }
    }

    private void joinPieces() {
        pieces.forEach((name, all) -> {
            var bytes = new java.io.ByteArrayOutputStream();
            Charset charset = null;
            for (int i = 0; all.containsKey(i); i++) {
                String piece = all.get(i);
                boolean encoded = piece.charAt(0) == '%';
                String value = piece.substring(1);
                if (encoded && i == 0) {
                    int first = value.indexOf('\'');
                    int second = value.indexOf('\'', first + 1);
                    charset = first > 0 ? CharsetNames.find(value.substring(0, first)) : null;
                    value = second >= 0 ? value.substring(second + 1) : value;
                }
                bytes.writeBytes(encoded ? percentDecoded(value) : value.getBytes(StandardCharsets.UTF_8));
            }
            add(name, EncodedText.decode(bytes.toByteArray(), bytes.size(), charset));
        });
    }

    private static byte[] percentDecoded(String value) {
        var bytes = new java.io.ByteArrayOutputStream();
        byte[] written = value.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < written.length; i++) {
            int high = i + 2 <= written.length - 1 ? Character.digit(written[i + 1], 16) : -1;
            int low = i + 2 <= written.length - 1 ? Character.digit(written[i + 2], 16) : -1;
            if (written[i] == '%' && high >= 0 && low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else {
                bytes.write(written[i]);
            }
        }
        return bytes.toByteArray();
    }

    private void add(String name, String value) {
        List<String> values = parameters.computeIfAbsent(name, key -> new ArrayList<>(1));
        if (values.size() < 4 && !value.isEmpty() && !values.contains(value)) {
            values.add(value);
        }
    }
}
