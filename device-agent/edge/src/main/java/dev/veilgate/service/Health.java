package dev.veilgate.service;

import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * How a service is.
 *
 * @param problems what is wrong, for the operator; empty if all is well
 * @param more     more members of the answer: numbers, truth values, texts, or such maps
 */
public record Health(List<String> problems, SequencedMap<String, Object> more) {
    /** Whether all is well. */
    public boolean isGood() {
        return problems.isEmpty();
    }

    /** {@code {"status":"up","problems":[], ...}}; status is {@code degraded} if there is a problem. */
    String json() {
        StringBuilder out = new StringBuilder("{\"status\":\"");
        out.append(isGood() ? "up" : "degraded").append("\",\"problems\":[");
        for (int i = 0; i < problems.size(); i++) {
            out.append(i == 0 ? "" : ",").append(quoted(problems.get(i)));
        }
        out.append(']');
        more.forEach((name, value) ->
                out.append(',').append(quoted(name)).append(':').append(json(value)));
        return out.append("}\n").toString();
    }

    private static String json(Object value) {
        return switch (value) {
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            case SequencedMap<?, ?> map -> {
                StringBuilder out = new StringBuilder("{");
                map.forEach((name, inner) -> out.append(out.length() == 1 ? "" : ",")
                        .append(quoted(name.toString()))
                        .append(':')
                        .append(json(inner)));
                yield out.append('}').toString();
            }
            default -> quoted(value.toString());
        };
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }
}
