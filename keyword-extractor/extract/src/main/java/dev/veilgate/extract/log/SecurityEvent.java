package dev.veilgate.extract.log;

import dev.veilgate.extract.KeywordText;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events of security products in the formats CEF ({@code CEF:0|Vendor|Product|1.0|100|Name|10|src=10.0.0.1 msg=a b})
 * and
 * LEEF ({@code LEEF:2.0|Vendor|Product|1.0|id|^|src=10.0.0.1^usrName=ann}). Keys stand under their own names; those
 * that
 * name a user, a machine or a process, under ours, too. One pass.
 */
final class SecurityEvent {
    private static final String[] CEF = {
        "devicevendor", "deviceproduct", "deviceversion", "deviceeventclassid", "name", "severity"
    };
    private static final String[] LEEF = {"devicevendor", "deviceproduct", "deviceversion", "eventid"};
    private static final int LONGEST_DELIMITER = 4;
    private static final int LONGEST_KEY = 63;
    private static final Map<String, String> KNOWN = new HashMap<>();

    static {
        for (String name : "suser duser suid duid usrname accountname username user identusername".split(" ")) {
            KNOWN.put(name, "user");
        }
        for (String name : "shost dhost dvchost deviceexternalid identhostname dsthostname srchostname".split(" ")) {
            KNOWN.put(name, "host");
        }
        for (String name : "spid dpid dvcpid".split(" ")) {
            KNOWN.put(name, "pid");
        }
        for (String name : "rt devtime end start devicereceipttime".split(" ")) {
            KNOWN.put(name, "time");
        }
    }

    private SecurityEvent() {}

    /** Whether an event begins here, by its first word. */
    static boolean begins(byte[] b, int from, int to) {
        return startsWith(b, from, to, "cef:") || startsWith(b, from, to, "leef:");
    }

    /** Reads an event that begins here; false if it is something else. */
    static boolean read(byte[] b, int from, int to, Header header, FieldSink out) {
        boolean isCef = startsWith(b, from, to, "cef:");
        if (!isCef && !startsWith(b, from, to, "leef:")) {
            return false;
        }
        String[] names = isCef ? CEF : LEEF;
        int at = barEnd(b, from, to) + 1;
        for (String name : names) {
            if (at > to) {
                return false;
            }
            int end = barEnd(b, at, to);
            head(name, at, end, header, out);
            at = end + 1;
        }
        at = Math.min(at, to);
        if (isCef) {
            header.message.from = at;
            cefPairs(b, at, to, header, out);
        } else {
            byte delimiter = '\t';
            int bar = barEnd(b, at, Math.min(to, at + LONGEST_DELIMITER + 1));
            boolean isSecond = from + 5 < to && b[from + 5] == '2' && bar < to && b[bar] == '|';
            if (isSecond) {
                delimiter = bar == at ? delimiter : delimiter(b, at, bar);
                at = bar + 1;
            }
            header.message.from = at;
            leefPairs(b, at, to, delimiter, header, out);
        }
        return true;
    }

    private static boolean startsWith(byte[] b, int from, int to, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (from + i >= to || b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The bar that ends a part of the header, before which no backslash is; the end if there is none. */
    private static int barEnd(byte[] b, int from, int to) {
        int end = from;
        while (end < to && b[end] != '|') {
            end += b[end] == '\\' ? 2 : 1;
        }
        return Math.min(end, to);
    }

    private static void head(String name, int from, int to, Header header, FieldSink out) {
        if (from == to) {
            return;
        }
        String value = unescaped(out.string(from, to));
        out.field(name, value);
        if (name.equals("severity")) {
            header.level = level(value);
        } else if (name.equals("deviceproduct")) {
            header.app.set(from, to);
        }
    }

    /** The delimiter of LEEF 2: a character, or its number in hex ({@code x09}, {@code 0x09}). */
    private static byte delimiter(byte[] b, int from, int to) {
        int x = Columns.find(b, 'x', from, to, 2);
        if (x < 0 || to - x < 2) {
            return b[from];
        }
        int value = 0;
        for (int i = x + 1; i < to; i++) {
            value = 16 * value + Math.max(0, Character.digit(b[i], 16));
        }
        return (byte) value;
    }

    /** {@code key=value}, where a value goes on up to the last space before the next key. */
    private static void cefPairs(byte[] b, int from, int to, Header header, FieldSink out) {
        int name = -1;
        int nameEnd = -1;
        Map<String, String> labelled = new HashMap<>();
        for (int i = from; i < to; i++) {
            if (b[i] == '\\') {
                i++;
            } else if (b[i] == '=') {
                int begin = i;
                int least = Math.max(name < 0 ? from : nameEnd + 1, i - LONGEST_KEY);
                while (begin > least && Columns.isNameByte(b[begin - 1]) || begin > least && isIndex(b[begin - 1])) {
                    begin--;
                }
                boolean isKey = begin < i && (begin == from || Columns.isSpace(b[begin - 1]));
                if (isKey) {
                    pair(b, name, nameEnd, begin, labelled, header, out);
                    name = begin;
                    nameEnd = i;
                }
            }
        }
        pair(b, name, nameEnd, to, labelled, header, out);
    }

    private static boolean isIndex(byte b) {
        return b == '[' || b == ']';
    }

    private static void leefPairs(byte[] b, int from, int to, byte delimiter, Header header, FieldSink out) {
        int at = from;
        while (at < to) {
            int end = EscapeSequences.find(b, delimiter, at, to);
            end = end < 0 ? to : end;
            int equals = Columns.find(b, '=', at, end, LONGEST_KEY + 1);
            if (equals > at) {
                pair(b, at, equals, end, null, header, out);
            }
            at = end + 1;
        }
    }

    private static void pair(
            byte[] b,
            int name,
            int equals,
            int to,
            @Nullable Map<String, String> labelled,
            Header header,
            FieldSink out) {
        int end = to;
        while (end > equals + 1 && Columns.isSpace(b[end - 1])) {
            end--;
        }
        if (name < 0 || end <= equals + 1) {
            return;
        }
        String key = out.string(name, equals).strip();
        String folded = KeywordText.fold(key);
        String raw = out.string(equals + 1, end);
        String value = raw.indexOf('\\') < 0 ? raw : unescaped(raw);
        out.field(key, value);
        String known = KNOWN.get(folded);
        if (known != null && known.equals("time")) {
            time(folded, b, equals + 1, end, header);
        } else if (known != null) {
            out.field(known, value);
        } else if (folded.equals("sev")) {
            header.level = level(value);
        } else if (folded.equals("msg")) {
            header.message.set(equals + 1, end);
        } else if (labelled != null) {
            labelled(folded, value, labelled, out);
        }
    }

    /** {@code cs1Label=Rule cs1=Block}, in any order: the field {@code rule}, where the label is one word. */
    private static void labelled(String key, String value, Map<String, String> labelled, FieldSink out) {
        boolean isLabel = key.endsWith("label");
        String base = isLabel ? key.substring(0, key.length() - "label".length()) : key;
        boolean isCustom = base.length() > 2
                && base.length() < LONGEST_KEY
                && base.charAt(0) == 'c'
                && Character.isDigit(base.charAt(base.length() - 1));
        if (!isCustom) {
            return;
        }
        String other = labelled.put(isLabel ? base + "label" : base, value);
        String partner = labelled.get(isLabel ? base : base + "label");
        if (other == null && partner != null) {
            out.field(isLabel ? value : partner, isLabel ? partner : value);
        }
    }

    private static void time(String key, byte[] b, int from, int to, Header header) {
        boolean isBetter = !header.timed || key.equals("rt") || key.equals("devtime");
        if (isBetter && header.again.read(b, from, to) == to) {
            header.timed = header.time.read(b, from, to) == to;
        }
    }

    /** The level of a severity of 0 to 10 or of its name; null if it is none. */
    static @Nullable String level(String severity) {
        return switch (KeywordText.fold(severity).strip()) {
            case "0", "1", "2", "3", "low" -> "info";
            case "4", "5", "6", "medium" -> "warn";
            case "7", "8", "high" -> "error";
            case "9", "10", "very-high" -> "critical";
            default -> null;
        };
    }

    /** Without the backslashes before bars, equals signs and backslashes; {@code \n} and {@code \r} are white space. */
    private static String unescaped(String text) {
        return PairValues.unescaped(text, text.indexOf('\\') >= 0);
    }
}
