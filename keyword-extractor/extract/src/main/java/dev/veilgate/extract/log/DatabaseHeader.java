package dev.veilgate.extract.log;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads what databases write behind the time of a line: {@code CET [4242] ann@shop ERROR:} of PostgreSQL, {@code 8
 * [Note]
 * [MY-010051] [Server]} of MySQL and its kin.
 */
final class DatabaseHeader {
    private static final int LONGEST_COLUMN = 128;
    private static final int LONGEST_NUMBER = 20;
    private static final int LONGEST_CELL = 1024;
    private static final int LEVEL_CELL = 10;

    private DatabaseHeader() {}

    /** Reads what is behind a time; where the text begins, or -1, with nothing changed, if it is something else. */
    static int read(byte[] b, int from, int to, Header header) {
        int at = Columns.pastSpaces(b, from, to);
        int end = Columns.end(b, at, Math.min(to, at + LONGEST_COLUMN));
        if (at >= to) {
            return -1;
        }
        if (b[at] >= '0' && b[at] <= '9' && end - at <= LONGEST_NUMBER && Columns.isDigits(b, at, end)) {
            return mysql(b, Columns.pastSpaces(b, end, to), to, header);
        }
        if (b[at] == '[') {
            int message = process(b, at, to, header);
            return message < 0 ? mysql(b, at, to, header) : message;
        }
        int zone = at;
        while (zone < end && b[zone] >= 'a' && b[zone] <= 'z') {
            zone++;
        }
        if (zone - at < 2 || zone - at > 5) {
            return -1;
        }
        if (zone < end && b[zone] == ',') {
            return cells(b, zone + 1, to, header);
        }
        int next = Columns.pastSpaces(b, zone, to);
        boolean isColon = zone < end && b[zone] == ':';
        boolean mayBe = isColon || next > zone && next < to && b[next] == '[';
        if (!mayBe || Header.levelOf(b, at, zone) != null) {
            return -1;
        }
        return isColon ? colons(b, zone, end, to, header) : process(b, next, to, header);
    }

    /** {@code [Note] [MY-010051] [Server]}. */
    private static int mysql(byte[] b, int from, int to, Header header) {
        int close = from < to && b[from] == '[' ? Columns.find(b, ']', from, to, LONGEST_NUMBER) : -1;
        byte first = close > from + 4 ? b[from + 1] : 0;
        boolean mayBe = first == 'n' || first == 'w' || first == 'e' || first == 's';
        String level = mayBe ? mysqlLevel(b, from + 1, close) : null;
        if (level == null) {
            return -1;
        }
        header.level = level;
        int at = Columns.pastSpaces(b, close + 1, to);
        int sharp = Columns.find(b, '#', at, to, LONGEST_NUMBER);
        if (sharp > at && Columns.isDigits(b, at, sharp)) { // 4242#0: of nginx
            header.pid.set(at, sharp);
        }
        close = at < to && b[at] == '[' ? Columns.find(b, ']', at, to, LONGEST_NUMBER) : -1;
        if (close > at + 4 && b[at + 1] == 'm' && b[at + 2] == 'y' && b[at + 3] == '-') {
            header.named("err_code", at + 1, close);
            at = Columns.pastSpaces(b, close + 1, to);
            close = at < to && b[at] == '[' ? Columns.find(b, ']', at, to, LONGEST_COLUMN) : -1;
            if (close > at + 1) {
                header.named("subsystem", at + 1, close);
                header.app.set(at + 1, close);
                at = Columns.pastSpaces(b, close + 1, to);
            }
        }
        return at;
    }

    private static @Nullable String mysqlLevel(byte[] b, int from, int to) {
        return switch (new String(b, from, to - from, StandardCharsets.ISO_8859_1)) {
            case "note", "system" -> "info";
            case "warning" -> "warn";
            case "error" -> "error";
            default -> null;
        };
    }

    /** {@code [4242] ann@shop ERROR:}, {@code [4242]: [3-1] user=ann,db=shop LOG:}. */
    private static int process(byte[] b, int from, int to, Header header) {
        int close = from < to && b[from] == '[' ? Columns.find(b, ']', from, to, LONGEST_NUMBER) : -1;
        int digits = from + 1;
        while (digits < close && b[digits] >= '0' && b[digits] <= '9') {
            digits++;
        }
        if (close < 0 || digits == from + 1 || b[digits] != ']' && b[digits] != '-') {
            return -1;
        }
        int at = Columns.pastSpaces(b, close + 1 < to && b[close + 1] == ':' ? close + 2 : close + 1, to);
        int name = -1;
        int nameEnd = -1;
        for (int column = 0; column < 3 && at < to; column++) {
            int end = Columns.end(b, at, Math.min(to, at + LONGEST_COLUMN));
            String level = postgresLevel(b, at, end);
            if (level != null) {
                header.pid.set(from + 1, digits);
                header.level = level.isEmpty() ? header.level : level;
                login(b, name, nameEnd, header);
                return Columns.pastSpaces(b, end, to);
            }
            if (Columns.find(b, '@', at, end, LONGEST_COLUMN) > at || startsWith(b, at, end, "user=")) {
                name = at;
                nameEnd = end;
            }
            at = Columns.pastSpaces(b, end, to);
        }
        return -1;
    }

    /** {@code UTC:10.1.1.1(5432):ann@shop:[4242]:ERROR:}, as PostgreSQL does where it is a cloud's service. */
    private static int colons(byte[] b, int from, int end, int to, Header header) {
        int open = Columns.find(b, '[', from, end, LONGEST_COLUMN);
        int close = open < 0 ? -1 : Columns.find(b, ']', open, end, LONGEST_NUMBER);
        if (close < 0 || close + 1 >= end || b[close + 1] != ':' || !Columns.isDigits(b, open + 1, close)) {
            return -1;
        }
        String level = postgresLevel(b, close + 2, end);
        if (level == null) {
            return -1;
        }
        int nameEnd = b[open - 1] == ':' ? open - 1 : open;
        int name = nameEnd;
        while (name > from && b[name - 1] != ':') {
            name--;
        }
        header.pid.set(open + 1, close);
        header.level = level.isEmpty() ? header.level : level;
        login(b, name, nameEnd, header);
        return Columns.pastSpaces(b, end, to);
    }

    /**
     * {@code UTC,"ann","shop",4242,...,ERROR,23505,"text"} of PostgreSQL: user, database, process; and the level
     * later.
     */
    private static int cells(byte[] b, int from, int to, Header header) {
        int[] begins = new int[LEVEL_CELL + 1];
        int[] ends = new int[LEVEL_CELL + 1];
        int at = from;
        for (int cell = 0; cell <= LEVEL_CELL; cell++) {
            if (at >= to) {
                return -1;
            }
            boolean isQuoted = b[at] == '"';
            begins[cell] = isQuoted ? at + 1 : at;
            int end = Columns.find(b, isQuoted ? '"' : ',', begins[cell], to, LONGEST_CELL);
            if (end < 0) {
                return -1;
            }
            ends[cell] = end;
            at = isQuoted ? end + 2 : end + 1;
        }
        String name =
                new String(b, begins[LEVEL_CELL], ends[LEVEL_CELL] - begins[LEVEL_CELL], StandardCharsets.ISO_8859_1);
        byte[] level = (name + ':').getBytes(StandardCharsets.ISO_8859_1);
        String common = postgresLevel(level, 0, level.length);
        if (common == null || !Columns.isDigits(b, begins[2], ends[2])) {
            return -1;
        }
        header.level = common.isEmpty() ? header.level : common;
        header.named("user", begins[0], ends[0]);
        header.named("database", begins[1], ends[1]);
        header.pid.set(begins[2], ends[2]);
        return from;
    }

    /** The level of a label in MySQL's errors as JSON; null if it is none. */
    static @Nullable String levelOfLabel(String label) {
        return switch (label) {
            case "Note", "System" -> "info";
            case "Warning" -> "warn";
            case "Error" -> "error";
            default -> null;
        };
    }

    /** {@code ann@shop}, {@code ann@shop/psql}, or {@code user=ann,db=shop}. */
    private static void login(byte[] b, int from, int to, Header header) {
        int at = from < 0 ? -1 : Columns.find(b, '@', from, to, LONGEST_COLUMN);
        if (at > from && !startsWith(b, from, to, "user=") && b[from] != '[') {
            header.named("user", from, at);
            int slash = Columns.find(b, '/', at, to, LONGEST_COLUMN);
            header.named("database", at + 1, slash < 0 ? to : slash);
        } else if (from >= 0 && startsWith(b, from, to, "user=")) {
            int comma = Columns.find(b, ',', from, to, LONGEST_COLUMN);
            int end = comma < 0 ? to : comma;
            header.named("user", from + 5, end);
            if (startsWith(b, end, to, ",db=")) {
                int last = Columns.find(b, ',', end + 1, to, LONGEST_COLUMN);
                header.named("database", end + 4, last < 0 ? to : last);
            }
        }
    }

    private static boolean startsWith(byte[] b, int from, int to, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (from + i >= to || b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The level of {@code ERROR:}; empty for the lines that go on another one; null if it is none of PostgreSQL's. */
    private static @Nullable String postgresLevel(byte[] b, int from, int to) {
        if (to - from < 4 || to - from > 11 || b[to - 1] != ':') {
            return null;
        }
        return switch (new String(b, from, to - from - 1, StandardCharsets.ISO_8859_1)) {
            case "debug", "debug1", "debug2", "debug3", "debug4", "debug5" -> "debug";
            case "log", "info" -> "info";
            case "notice" -> "notice";
            case "warning" -> "warn";
            case "error" -> "error";
            case "fatal" -> "fatal";
            case "panic" -> "emergency";
            case "detail", "hint", "context", "statement", "query", "location" -> "";
            default -> null;
        };
    }
}
