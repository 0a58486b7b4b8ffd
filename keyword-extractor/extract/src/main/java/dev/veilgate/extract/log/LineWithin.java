package dev.veilgate.extract.log;

import dev.veilgate.extract.KeywordText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A message that is a line of a log itself, as a program writes it whose output another one takes: its level. For one thread. */
final class LineWithin {
    private static final int LOOKED_AT = 512;
    private static final String[] KEYS = {
        "\"level\":\"", "\"severity\":\"", "\"lvl\":\"", "\"levelname\":\"", "\"log.level\":\""
    };

    private final Header header = new Header(false);
    private final PlainHeader plain = new PlainHeader(false);
    private @Nullable String level;

    /** The level that a message tells by a time and a level behind it, by pairs, or as JSON; null if it is no such line. */
    @Nullable
    String level(byte[] lower, int from, int to) {
        if (from >= to) {
            return null;
        }
        byte first = lower[from];
        boolean mayBeTime = first == '[' || first >= '0' && first <= '9';
        boolean mayBePairs = first >= 'a' && first <= 'z' && Columns.find(lower, '=', from, to, 64) > 0;
        if (first != '{' && !mayBeTime && !mayBePairs) {
            return null;
        }
        byte[] line = Arrays.copyOfRange(lower, from, Math.min(to, from + LOOKED_AT));
        level = null;
        if (first == '{') {
            json(new String(line, StandardCharsets.ISO_8859_1).replace("\": \"", "\":\""));
        } else if (mayBePairs) {
            pairs(line);
        } else {
            header.reset(line.length);
            plain.read(line, line.length, header);
            level = header.timed || Clock.end(line, 0, line.length) > 0 ? header.level : null;
        }
        return level;
    }

    private void pairs(byte[] line) {
        if (PairFields.isPairs(line, line.length)) {
            PairFields.visit(line, 0, line.length, true, (nameFrom, nameTo, valueFrom, valueTo, escaped) -> {
                String name = text(line, nameFrom, nameTo);
                if (level == null && (name.equals("level") || name.equals("lvl") || name.equals("severity"))) {
                    take(text(line, valueFrom, valueTo));
                }
            });
        }
    }

    private void json(String line) {
        for (String key : KEYS) {
            int from = line.indexOf(key);
            int end = from < 0 ? -1 : line.indexOf('"', from + key.length());
            if (end > 0 && level == null) {
                take(line.substring(from + key.length(), end));
            }
        }
    }

    private void take(String value) {
        String common = KeywordText.level(value);
        level = common.isEmpty() ? null : common;
    }

    private static String text(byte[] line, int from, int to) {
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
