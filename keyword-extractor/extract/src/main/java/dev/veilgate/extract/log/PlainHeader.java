package dev.veilgate.extract.log;

import org.jspecify.annotations.Nullable;

/**
 * Finds time, process, level, host and program near the beginning of a line of no known format, as the loggers of
 * most programs put them: one after the
 * other, in brackets or not, before the text.
 */
final class PlainHeader {
    private static final int TIME_COLUMNS = 6;
    private static final int UNTIMED_COLUMNS = 3;
    private static final int TIME_BYTES = 200;
    private static final int BRACKET_BYTES = 200;
    private static final int NAME_BYTES = 128;
    private static final int LONGEST_NAME = 16;
    private static final int CELLS = 4;
    private static final int CLOCK_COLUMNS = 2;

    private final boolean layouts;

    /** @param layouts whether the layouts of rules 2 are read, too */
    PlainHeader(boolean layouts) {
        this.layouts = layouts;
    }

    /** Reads what there is. */
    void read(byte[] b, int to, Header header) {
        int begin = SyslogHeader.priorityAlone(b, to, header);
        if (kubernetes(b, begin, to, header)) {
            if (layouts) {
                FurtherHeader.kubernetes(b, begin, header.message.from, header);
            }
            return;
        }
        int at = time(b, begin, to, header);
        if (!header.timed) {
            untimed(b, begin, to, header);
            return;
        }
        timed(b, at, to, header);
        if (layouts) {
            FurtherHeader.read(b, begin, at, to, header);
        }
        if (header.level == null && at < to && isBetweenCells(b[at])) {
            header.level = ofCells(b, at, to);
        }
        if (header.level == null) {
            levelColumn(b, begin, to, header); // ERROR [main] 2026-11-21 12:23:01
        }
        if (header.level == null) {
            header.level = letter(b, at, to);
        }
    }

    private void timed(byte[] b, int from, int to, Header header) {
        int at = from;
        if (at < to && b[at] == '|') {
            bars(b, at + 1, to, header);
            return;
        }
        at = pastPunctuation(b, at, to);
        int columns = 3;
        int behind = layouts ? Layouts.behindTime(b, at, to, header) : -1;
        if (behind >= 0) {
            header.message.from = behind;
            if (header.level == null && header.time.form() == Timestamp.Form.EPOCH) {
                level(b, behind, to, columns, header); // 1 Link error
            }
            return;
        }
        if (header.time.form() == Timestamp.Form.EPOCH && isDate(b, at, to)) {
            at = node(b, Columns.pastSpaces(b, at + 10, to), to, header);
            if (at < 0) {
                return;
            }
            columns = 4;
        } else if (isHostAndTag(b, at, to)) {
            SyslogHeader.hostAndTag(b, at, to, header);
            return;
        }
        at = processId(b, at, to, header);
        at = level(b, at, to, columns, header);
        int program = layouts ? Layouts.behindLevel(b, at, to, header) : -1;
        header.message.from = program >= 0 ? program : program(b, at, to, header);
    }

    /** {@code E1121 12:23:01.500000 123 file.go:45] text}. */
    private static boolean kubernetes(byte[] b, int from, int to, Header header) {
        String level = from + 6 < to ? Header.levelOfLetter(b[from]) : null;
        int end = level == null ? -1 : header.time.readMonthDay(b, from + 1, to);
        if (level != null && end < 0 && isDated(b, from + 1, to)) { // E20261121 12:23:01.500000 123 file.cc:45]
            header.level = level;
            header.message.from = Columns.pastSpaces(b, Columns.find(b, ']', from, to, BRACKET_BYTES) + 1, to);
            return true;
        }
        int bracket = end < 0 ? -1 : Columns.find(b, ']', end, to, BRACKET_BYTES);
        if (bracket < 0) {
            return false;
        }
        header.timed = true;
        header.level = level;
        header.message.from = Columns.pastSpaces(b, bracket + 1, to);
        return true;
    }

    /**
     * A level at the beginning, or behind a program's name: {@code app: ERROR}, {@code host app[123]: ERROR}, which
     * the message begins with.
     */
    private static void untimed(byte[] b, int from, int to, Header header) {
        int end = levelColumn(b, from, to, header);
        end = end < 0 ? levelAndName(b, from, to, header) : end;
        if (end < 0 && isHostAndTag(b, from, to)) {
            SyslogHeader.hostAndTag(b, from, to, header);
            return;
        }
        if (header.level == null) {
            header.level = letter(b, from, to);
        }
        int clock = end < 0 ? Clock.end(b, from, to) : -1;
        if (clock > 0 && header.level == null) {
            header.level = Clock.mark(b, from, clock, to);
            header.message.from = level(b, clock, to, CLOCK_COLUMNS, header);
            return;
        }
        header.message.from = end < 0 ? from : Columns.pastSpaces(b, end, to);
        int at = from;
        for (int column = 1; column < UNTIMED_COLUMNS && header.level == null; column++) {
            int nameEnd = Columns.end(b, at, to);
            at = Columns.pastSpaces(b, nameEnd, to);
            boolean isBar = nameEnd - begin(b, nameEnd) == 1 && b[nameEnd - 1] == '|'; // of Docker's Compose
            if (nameEnd > from && (b[nameEnd - 1] == ':' || isBar)) {
                levelColumn(b, at, to, header);
            }
        }
    }

    private static int begin(byte[] b, int end) {
        int begin = end;
        while (begin > 0 && !Columns.isSpace(b[begin - 1])) {
            begin--;
        }
        return begin;
    }

    /** {@code ERROR:pump:text} and {@code fail: Pump[13]}, as the default formats of Python and .NET begin. */
    private static int levelAndName(byte[] b, int from, int to, Header header) {
        int colon = Columns.find(b, ':', from, to, LONGEST_NAME);
        if (colon < 0) {
            return -1;
        }
        boolean fail =
                colon - from == 4 && b[from] == 'f' && b[from + 1] == 'a' && b[from + 2] == 'i' && b[from + 3] == 'l';
        String level = fail ? "error" : Header.levelOf(b, from, colon);
        if (level != null && header.level == null) {
            header.level = level;
        }
        return level == null ? -1 : colon + 1;
    }

    /** {@code E/Pump( 159): text} of Android, {@code E NETWORK  [listener] text} of MongoDB. */
    private static @Nullable String letter(byte[] b, int from, int to) {
        int at = Columns.pastSpaces(b, from, to);
        String level = at + 4 < to ? Header.levelOfLetter(b[at]) : null;
        if (level == null) {
            return null;
        }
        if (b[at + 1] == '/') {
            int open = Columns.find(b, '(', at, to, NAME_BYTES);
            int digits = open < 0 ? to : Columns.pastSpaces(b, open + 1, to);
            int close = Columns.find(b, ')', digits, to, 11);
            boolean isPid = close > digits && Columns.isDigits(b, digits, close);
            return isPid && close + 1 < to && b[close + 1] == ':' ? level : null;
        }
        int name = Columns.pastSpaces(b, at + 1, to);
        int nameEnd = Columns.end(b, name, to);
        int bracket = Columns.pastSpaces(b, nameEnd, to);
        boolean isName = Columns.isSpace(b[at + 1]) && nameEnd > name;
        return isName && bracket < to && bracket >= nameEnd + 2 && b[bracket] == '[' ? level : null;
    }

    /** {@code 20261121 12:23:01.5 123 file.cc:45]} or {@code 0000 00:00:1732191781.5 123 file.cc:45]}. */
    private static boolean isDated(byte[] b, int from, int to) {
        int date = Columns.end(b, from, Math.min(to, from + 9));
        int clock = Columns.pastSpaces(b, date, to);
        int pid = Columns.pastSpaces(b, Columns.end(b, clock, to), to);
        int pidEnd = Columns.end(b, pid, to);
        int place = Columns.pastSpaces(b, pidEnd, to);
        int placeEnd = Columns.end(b, place, to);
        return (date - from == 8 || date - from == 4)
                && Columns.isDigits(b, from, date)
                && clock + 5 < to
                && b[clock + 2] == ':'
                && Columns.isDigits(b, pid, pidEnd)
                && placeEnd - place > 3
                && placeEnd - place < NAME_BYTES
                && b[placeEnd - 1] == ']';
    }

    /** {@code ;ERROR;text} and {@code ","ERROR","text}: the level among the first cells. */
    private static @Nullable String ofCells(byte[] b, int from, int to) {
        int at = from;
        for (int cell = 0; cell < CELLS && at < to; cell++) {
            while (at < to && isBetweenCells(b[at])) {
                at++;
            }
            int end = at;
            while (end < to && end - at < NAME_BYTES && !isBetweenCells(b[end])) {
                end++;
            }
            String level = Header.levelOf(b, at, end);
            if (level != null) {
                return level;
            }
            at = end;
        }
        return null;
    }

    private static boolean isBetweenCells(byte b) {
        return b == ';' || b == ',' || b == '"';
    }

    /** The first time among the first columns; returns where it ends. */
    private int time(byte[] b, int from, int to, Header header) {
        int at = from;
        int limit = Math.min(to, from + TIME_BYTES);
        for (int column = 0; column < TIME_COLUMNS && at < limit; column++) {
            int start = at;
            while (start < limit && isBeforeTime(b[start])) {
                start++;
            }
            int end = header.time.read(b, start, to);
            boolean isOther = column > 0 && header.time.isLongEpoch(); // an order, or a card
            if (end > 0 && !isOther && (end == to || !Columns.isNameByte(b[end]) || b[end] == '-')) {
                header.timed = true;
                return end;
            }
            at = Columns.pastSpaces(b, Columns.end(b, at, limit), limit);
        }
        return 0;
    }

    private boolean isBeforeTime(byte b) {
        return b == '[' || b == '(' || b == '"' || b == '<' || layouts && (b == '%' || b == '*');
    }

    /** {@code time|program|process|text}. */
    private static void bars(byte[] b, int from, int to, Header header) {
        int at = from;
        header.message.from = at;
        int end = Columns.find(b, '|', at, to, NAME_BYTES);
        if (end > at && !Columns.isDigits(b, at, end)) {
            header.level = Header.levelOf(b, at, end);
            if (header.level == null) {
                header.app.set(at, end);
            }
            at = end + 1;
            end = Columns.find(b, '|', at, to, NAME_BYTES);
        }
        if (end > at && Columns.isDigits(b, at, end)) {
            header.pid.set(at, end);
            at = end + 1;
            end = Columns.find(b, '|', at, to, NAME_BYTES);
        }
        if (end > at && header.level == null && Header.levelOf(b, at, end) != null) {
            header.level = Header.levelOf(b, at, end);
            at = end + 1;
        }
        header.message.from = Columns.pastSpaces(b, at, to);
    }

    private static int pastPunctuation(byte[] b, int from, int to) {
        int at = from;
        while (at < to
                && (Columns.isSpace(b[at])
                        || b[at] == ']'
                        || b[at] == ')'
                        || b[at] == ','
                        || b[at] == '"'
                        || b[at] == '-' && (at + 1 == to || b[at + 1] == ' ')
                        || b[at] == ':' && (at + 1 == to || b[at + 1] == ' '))) {
            at++;
        }
        return at;
    }

    /** {@code 2026.11.21} and a space. */
    private static boolean isDate(byte[] b, int at, int to) {
        return at + 11 < to
                && b[at + 4] == '.'
                && b[at + 7] == '.'
                && b[at + 10] == ' '
                && Columns.isDigits(b, at, at + 4);
    }

    /**
     * A node's name, its own time and its name again, as on supercomputers; -1 if a syslog tag follows, which is
     * read.
     */
    private int node(byte[] b, int from, int to, Header header) {
        int end = Columns.end(b, from, to);
        int at = Columns.pastSpaces(b, end, to);
        header.message.from = at;
        int behind = header.again.read(b, at, to);
        if (behind < 0) {
            return at;
        }
        at = Columns.pastSpaces(b, behind, to);
        at = Columns.pastSpaces(b, Columns.end(b, at, to), to);
        header.message.from = at;
        if (header.again.form() == Timestamp.Form.SYSLOG) {
            header.host.set(from, end);
            SyslogHeader.tag(b, at, to, header);
            return -1;
        }
        if (layouts) {
            header.host.set(from, end);
            Layouts.component(b, at, to, header);
        }
        return at;
    }

    /** {@code host app[123]:} or {@code host app[123] }. */
    private static boolean isHostAndTag(byte[] b, int at, int to) {
        int host = Columns.end(b, at, to);
        if (host == at || b[at] == '[' || Header.levelOf(b, at, host) != null) {
            return false;
        }
        int tag = Columns.pastSpaces(b, host, to);
        int end = Columns.end(b, tag, Math.min(to, tag + NAME_BYTES));
        int bracket = Columns.find(b, '[', tag, end, NAME_BYTES);
        boolean closes = end - tag > 3 && b[end - 1] == ':' && b[end - 2] == ']';
        return bracket > tag && closes && Columns.isDigits(b, bracket + 1, end - 2);
    }

    /** {@code 123 INFO} or {@code 123 456 I}: a number before a level, or before another (the thread) and a level. */
    private int processId(byte[] b, int at, int to, Header header) {
        int end = Columns.end(b, at, to);
        if (!Columns.isDigits(b, at, end) || end - at > 10) {
            return at;
        }
        int next = Columns.pastSpaces(b, end, to);
        int nextEnd = Columns.end(b, next, to);
        boolean thread = Columns.isDigits(b, next, nextEnd);
        if (thread) {
            next = Columns.pastSpaces(b, nextEnd, to);
            nextEnd = Columns.end(b, next, to);
        }
        String letter = nextEnd - next == 1 ? Header.levelOfLetter(b[next]) : null;
        if (letter == null && Header.levelOf(b, next, nextEnd) == null) {
            return at;
        }
        if (layouts || header.time.form() != Timestamp.Form.SIX_DIGITS) { // by rules 1 the latter is a thread
            header.pid.set(at, end);
        }
        if (letter != null) {
            header.level = letter;
            return Columns.pastSpaces(b, nextEnd, to);
        }
        return next;
    }

    /** The level, if it is among the first columns; returns where to go on. */
    private static int level(byte[] b, int from, int to, int columns, Header header) {
        int at = from;
        int last = columns;
        for (int column = 0; column < last && at < to && header.level == null; column++) {
            int end = levelColumn(b, at, to, header);
            if (end > 0) {
                return end;
            }
            end = Columns.end(b, at, to);
            if (Columns.find(b, '@', at, end, NAME_BYTES) > at) {
                last = columns + 1; // user@database of PostgreSQL
            }
            at = Columns.pastSpaces(b, end, to);
        }
        return from;
    }

    /** Where the column ends if it is a level, which is taken; else -1. */
    private static int levelColumn(byte[] b, int at, int to, Header header) {
        int limit = Math.min(to, at + 32);
        int end = Columns.end(b, at, limit);
        String level = Header.levelOfColumn(b, at, end);
        if (level == null) {
            return -1;
        }
        header.level = header.level == null ? level : header.level;
        return end;
    }

    /**
     * A thread in brackets, and a program's or class's name before a colon, two spaces, or with a point in it;
     * returns where the text begins.
     */
    private static int program(byte[] b, int from, int to, Header header) {
        int at = Columns.pastSpaces(b, from, to);
        if (header.time.form() == Timestamp.Form.ISO && at < to && b[at] == '[' && header.level != null) {
            int end = bracketEnd(b, at, to);
            at = end < 0 ? at : pastPunctuation(b, end, to);
        }
        if (at >= to || b[at] < 'a' || b[at] > 'z') {
            return at;
        }
        int end = at;
        boolean point = false;
        while (end < to && end - at < NAME_BYTES && Columns.isNameByte(b[end])) {
            point |= b[end] == '.';
            end++;
        }
        boolean colon = end < to && b[end] == ':' && (end + 1 == to || Columns.isSpace(b[end + 1]));
        boolean gap = end + 1 < to && Columns.isSpace(b[end]) && (point || Columns.isSpace(b[end + 1]));
        if (!colon && !gap) {
            return at;
        }
        header.app.set(at, end);
        return pastPunctuation(b, end, to);
    }

    /** Behind the bracket that closes the one at {@code at}. */
    private static int bracketEnd(byte[] b, int at, int to) {
        int depth = 0;
        int limit = Math.min(to, at + BRACKET_BYTES);
        for (int i = at; i < limit; i++) {
            depth += b[i] == '[' ? 1 : b[i] == ']' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }
}
