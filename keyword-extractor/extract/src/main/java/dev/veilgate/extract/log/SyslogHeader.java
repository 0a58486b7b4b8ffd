package dev.veilgate.extract.log;

/** Headers of syslog records, of both kinds. */
final class SyslogHeader {
    private static final int LONGEST_TAG = 128;

    private SyslogHeader() {}

    /** Behind {@code <34>} at the beginning; 0 if there is none, -1 if it is no priority. */
    private static int priority(byte[] b, int to, Header header) {
        if (to == 0 || b[0] != '<') {
            return 0;
        }
        int end = 1;
        int value = 0;
        while (end < to && end < 5 && b[end] >= '0' && b[end] <= '9') {
            value = 10 * value + b[end++] - '0';
        }
        if (end == 1 || end >= to || b[end] != '>' || value > 191) {
            return -1;
        }
        header.severity(value);
        return end + 1;
    }

    /** Where the text begins behind a priority without the rest of a header, as the kernel and systemd have it: {@code <3>text}. The beginning if there is none. */
    static int priorityAlone(byte[] b, int to, Header header) {
        return Math.max(0, priority(b, to, header));
    }

    /** Reads {@code <34>1 time host app pid id structured message}; false if it is something else. */
    static boolean rfc5424(byte[] b, int to, Header header) {
        int at = priority(b, to, header);
        if (at <= 0 || at + 2 > to || b[at] != '1' || b[at + 1] != ' ') {
            return false;
        }
        at += 2;
        int end = Columns.end(b, at, to);
        if (!isNil(b, at, end)) {
            header.timed = header.time.read(b, at, end) == end;
            if (!header.timed) {
                return false;
            }
        }
        Header.Range[] parts = {header.host, header.app, header.pid, null};
        for (Header.Range part : parts) {
            at = end + 1;
            end = Columns.end(b, Math.min(at, to), to);
            if (at >= to) {
                return false;
            }
            if (part != null && !isNil(b, at, end)) {
                part.set(at, end);
            }
        }
        at = Math.min(end + 1, to);
        end = structuredEnd(b, at, to);
        header.structured.set(at, end);
        at = Columns.pastSpaces(b, end, to);
        boolean mark = at + 3 <= to && b[at] == (byte) 0xEF && b[at + 1] == (byte) 0xBB && b[at + 2] == (byte) 0xBF;
        header.message.from = mark ? at + 3 : at;
        return true;
    }

    private static boolean isNil(byte[] b, int from, int to) {
        return to - from == 1 && b[from] == '-';
    }

    /** Behind {@code -} or {@code [id k="v"][id k="v"]}. */
    private static int structuredEnd(byte[] b, int from, int to) {
        if (from < to && b[from] == '-') {
            return from + 1;
        }
        int at = from;
        while (at < to && b[at] == '[') {
            boolean quoted = false;
            for (at++; at < to && (quoted || b[at] != ']'); at++) {
                if (b[at] == '"') {
                    quoted = !quoted;
                } else if (b[at] == '\\' && quoted) {
                    at++;
                }
            }
            at = Math.min(at + 1, to);
        }
        return at;
    }

    /** Reads {@code [<34>]Nov 21 12:23:01 host app[123]: message}; false if it is something else. */
    static boolean rfc3164(byte[] b, int to, Header header) {
        int at = priority(b, to, header);
        if (at < 0) {
            return false;
        }
        int end = header.time.read(b, at, to);
        Timestamp.Form form = header.time.form();
        if (end < 0
                || end >= to
                || b[end] != ' '
                || form != Timestamp.Form.SYSLOG && (at == 0 || form != Timestamp.Form.ISO)) {
            return false;
        }
        int next = Columns.pastSpaces(b, end, to);
        if (isYearOrZone(b, next, Columns.end(b, next, to))) {
            return false;
        }
        header.timed = true;
        hostAndTag(b, end, to, header);
        return true;
    }

    /** What may go on a date, but is no host: {@code 2026}, {@code UTC}. */
    private static boolean isYearOrZone(byte[] b, int from, int to) {
        boolean year = to - from == 4 && Columns.isDigits(b, from, to);
        boolean utc = to - from == 3 && b[from] == 'u' && b[from + 1] == 't' && b[from + 2] == 'c';
        boolean gmt = to - from == 3 && b[from] == 'g' && b[from + 1] == 'm' && b[from + 2] == 't';
        return year || utc || gmt;
    }

    /** Reads {@code host app[123]: message}. */
    static void hostAndTag(byte[] b, int from, int to, Header header) {
        int at = Columns.pastSpaces(b, from, to);
        int end = Columns.end(b, at, to);
        header.host.set(at, end);
        tag(b, Columns.pastSpaces(b, end, to), to, header);
    }

    /** Reads {@code app[123]: message}; the program is what follows the last slash and precedes the first bracket. */
    static void tag(byte[] b, int from, int to, Header header) {
        int limit = Math.min(to, from + LONGEST_TAG);
        int name = from;
        int nameEnd = -1;
        int pid = -1;
        header.message.from = from;
        for (int i = from; i < limit; i++) {
            byte c = b[i];
            if (c == '/' && nameEnd < 0) {
                name = i + 1;
            } else if (c == '(' && nameEnd < 0) {
                nameEnd = i;
            } else if (c == '[' && pid < 0) {
                nameEnd = nameEnd < 0 ? i : nameEnd;
                pid = i + 1;
            } else if (c == ']' && pid > 0) {
                boolean number = Columns.isDigits(b, pid, i);
                boolean ends = i + 1 == to || b[i + 1] == ':' || b[i + 1] == ' ';
                if (!number || !ends || name >= nameEnd) {
                    return;
                }
                header.app.set(name, nameEnd);
                header.pid.set(pid, i);
                header.message.from = Columns.pastSpaces(b, i + 1 < to && b[i + 1] == ':' ? i + 2 : i + 1, to);
                return;
            } else if (c == ':' && pid < 0) {
                nameEnd = nameEnd < 0 ? i : nameEnd;
                if (i + 1 < to && !Columns.isSpace(b[i + 1]) || name >= nameEnd) {
                    return;
                }
                header.app.set(name, nameEnd);
                header.message.from = Columns.pastSpaces(b, i + 1, to);
                return;
            } else if (Columns.isSpace(c) && nameEnd < 0 || Columns.isSpace(c) && pid > 0) {
                return;
            }
        }
    }
}
