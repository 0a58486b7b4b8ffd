package dev.veilgate.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes JSON (RFC 8259) from maps, lists, strings, numbers and booleans: one value a line, for scripts. */
final class Json {
    private Json() {}

    static String of(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> object(map, out);
            case List<?> list -> array(list, out);
            case Number number -> out.append(number);
            case Boolean bool -> out.append(bool);
            default -> string(value.toString(), out);
        }
    }

    private static void object(Map<?, ?> map, StringBuilder out) {
        out.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> it = map.entrySet().iterator(); it.hasNext(); ) {
            Map.Entry<?, ?> entry = it.next();
            string(entry.getKey().toString(), out);
            out.append(':');
            write(entry.getValue(), out);
            if (it.hasNext()) {
                out.append(',');
            }
        }
        out.append('}');
    }

    private static void array(List<?> list, StringBuilder out) {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            write(list.get(i), out);
        }
        out.append(']');
    }

    /** Characters that turn the direction of text or are not seen: a terminal could show another text by them. */
    private static boolean isInvisible(char c) {
        return Character.getType(c) == Character.FORMAT || c == 0x2028 || c == 0x2029;
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || isInvisible(c)) {
                        out.append("\\u%04x".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
