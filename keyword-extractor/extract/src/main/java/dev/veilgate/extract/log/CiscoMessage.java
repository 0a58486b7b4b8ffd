package dev.veilgate.extract.log;

import java.nio.charset.StandardCharsets;

/**
 * Messages of Cisco's devices: {@code *Nov 28 10:00:00.123: %SYS-5-CONFIG_I: text} of IOS, {@code Nov 28 2026 10:00:00
 * fw1 : %ASA-6-605005: text} of firewalls, with a number of the message before the time or not. The digit between the
 * hyphens is the level, as syslog counts.
 */
final class CiscoMessage {
    private static final int LONGEST_HEAD = 160;
    private static final int LONGEST_TAG = 80;
    private static final String[] USERS = {"user: ", "user = ", "user \"", "user '", "username: ", "uname: "};

    private CiscoMessage() {}

    /** Reads a record whose facility is near; false, with nothing changed, if none is. */
    static boolean read(byte[] b, int from, int to, Header header, FieldSink out) {
        int mark = Columns.find(b, '%', from, to, LONGEST_HEAD);
        int end = mark < 0 ? -1 : tagEnd(b, mark, to);
        if (end < 0) {
            return false;
        }
        String level = header.level;
        header.reset(to);
        header.level = level;
        before(b, from, mark, header);
        tag(b, mark, end, to, header, out);
        return true;
    }

    /** Where {@code %FACILITY-5-NAME:} ends, at its colon; -1 if something else begins here. */
    static int tagEnd(byte[] b, int at, int to) {
        int end = at + 1;
        int limit = Math.min(to, at + LONGEST_TAG);
        int severity = -1;
        while (end < limit && b[end] != ':' && !Columns.isSpace(b[end])) {
            boolean isSeverity = b[end] >= '0' && b[end] <= '7' && b[end - 1] == '-' && end + 1 < limit;
            severity = isSeverity && b[end + 1] == '-' ? end : severity;
            if (!Columns.isNameByte(b[end])) {
                return -1;
            }
            end++;
        }
        return end < limit && b[end] == ':' && severity > at + 1 && end > severity + 2 ? end : -1;
    }

    /** Reads the tag and what is behind it. */
    static void tag(byte[] b, int mark, int end, int to, Header header, FieldSink out) {
        int severity = end - 1;
        while (!(b[severity] >= '0' && b[severity] <= '7' && b[severity - 1] == '-' && b[severity + 1] == '-')) {
            severity--;
        }
        header.severity(b[severity] - '0');
        header.app.set(mark + 1, severity - 1);
        out.field("facility", mark + 1, severity - 1);
        out.field("mnemonic", severity + 2, end);
        header.message.from = Columns.pastSpaces(b, end + 1, to);
        user(b, header.message.from, to, out);
    }

    /** Time and host before the tag, each behind what may mark it. */
    private static void before(byte[] b, int from, int to, Header header) {
        int at = from;
        while (at < to) {
            at = Columns.pastSpaces(b, at, to);
            if (at == to) {
                return;
            }
            int begin = b[at] == '*' || b[at] == '.' ? at + 1 : at;
            int column = Columns.end(b, at, to);
            int end = header.timed || b[column - 1] == ':' ? -1 : time(b, begin, to, header);
            if (end > 0) {
                header.timed = true;
                at = Columns.end(b, end, to);
                continue;
            }
            end = column;
            int name = end;
            while (name > at && b[name - 1] == ':') {
                name--;
            }
            boolean isZone = header.timed && name < end && name - at <= 5;
            if (name > at && !isZone && !Columns.isDigits(b, at, name) && b[at] != '<') {
                header.host.set(at, name);
            }
            at = end;
        }
    }

    private static int time(byte[] b, int from, int to, Header header) {
        int end = header.time.read(b, from, to);
        if (end > 0) {
            return end;
        }
        int year = from + 6; // nov 28 2026 10:00:00
        year = year < to && Columns.isSpace(b[year]) ? year + 1 : year;
        int clock = year + 5;
        int behind = clock + 8;
        boolean mayBe = behind <= to && Columns.isDigits(b, year, year + 4) && Columns.isSpace(b[year + 4]);
        if (!mayBe) {
            return -1;
        }
        String text = text(b, from, year) + text(b, clock, behind) + ' ' + text(b, year, year + 4);
        byte[] usual = text.getBytes(StandardCharsets.ISO_8859_1);
        return header.time.read(usual, 0, usual.length) == usual.length ? behind : -1;
    }

    private static String text(byte[] b, int from, int to) {
        return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** {@code [user: ann]}, {@code for user "ann"}, {@code : user = ann}. */
    private static void user(byte[] b, int from, int to, FieldSink out) {
        String text = text(b, from, Math.min(to, from + 1024));
        for (String before : USERS) {
            int at = text.indexOf(before);
            int end = at < 0 ? -1 : nameEnd(text, at + before.length());
            if (end > at + before.length()) {
                out.field("user", from + at + before.length(), from + end);
                return;
            }
        }
    }

    private static int nameEnd(String text, int from) {
        int end = from;
        while (end < text.length() && " ,]\"')".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }
}
