package dev.veilgate.extract.log;

/**
 * Lines of web servers in the common and the combined format, also with the name of the site before them:
 * {@code 10.2.3.4 - ivan [28/Nov/2026:10:00:00 +0000] "POST /login HTTP/1.1" 401 532 "https://a/" "Mozilla/5.0"}. One
 * pass.
 */
final class AccessLog {
    private static final int LONGEST_HEAD = 512;
    private static final int LONGEST_HOST = 255;
    private static final int LONGEST_METHOD = 24;
    private static final int LONGEST_TIME = 40;
    private static final int MOST_COLUMNS = 8;

    private AccessLog() {}

    /** Whether a line may be one by its first column: an address, or a name with a point in it or of the machine. */
    private static boolean mayBe(byte[] b, int from, int to) {
        int end = from;
        int limit = Math.min(to, from + LONGEST_HOST);
        int marks = 0;
        while (end < limit && b[end] != ' ') {
            byte c = b[end++];
            boolean isMark = c == '.' || c == ':';
            boolean isName = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_';
            boolean isOfAddress = marks > 1 && (c == '%' || c == ']' || c == ',') || c == '[' && end == from + 1;
            if (!isMark && !isName && !isOfAddress) {
                return false;
            }
            marks += isMark ? 1 : 0;
        }
        boolean isLocal = end - from == 9 && b[from] == 'l' && b[end - 1] == 't';
        return end < limit && end > from && (marks > 0 && b[end - 1] != ':' || isLocal);
    }

    /** Reads a line; false, with nothing changed, if it is something else. */
    static boolean read(byte[] b, int from, int to, Header header, FieldSink out) {
        int bracket = mayBe(b, from, to) ? bracket(b, from, Math.min(to, from + LONGEST_HEAD)) : -1;
        if (bracket < 0) {
            return false;
        }
        int close = header.time.read(b, bracket + 1, to);
        if (close < 0 || close >= to || b[close] != ']') {
            return false;
        }
        int client = from;
        int end = Columns.end(b, client, to);
        int ident = Columns.pastSpaces(b, end, to);
        while (b[ident - 2] == ',' && ident < bracket) { // 10.2.3.4, 10.0.0.9 - ivan [
            ident = Columns.pastSpaces(b, Columns.end(b, ident, to), to);
        }
        end -= b[end - 1] == ',' ? 1 : 0;
        int identEnd = Columns.end(b, ident, to);
        int user = Columns.pastSpaces(b, identEnd, to);
        int next = Columns.pastSpaces(b, Columns.end(b, user, to), to);
        boolean isWithSite = next < bracket && isAddress(b, ident, identEnd);
        if (isWithSite) { // www.example.org:443 10.2.3.4 - ivan [
            out.field("vhost", client, end);
            client = ident;
            end = identEnd;
            user = next;
        }
        header.timed = true;
        out.field("client_ip", client, end);
        user(b, user, bracket, out);
        int behind = behindTime(b, Columns.pastSpaces(b, close + 1, to), to);
        header.message.from = behind;
        rest(b, request(b, behind, to, out), to, out);
        return true;
    }

    /** Reads {@code ivan}, {@code john smith}, {@code "john smith"}, or {@code [10.2.3.4] - ivan} of proxies. */
    private static void user(byte[] b, int from, int to, FieldSink out) {
        int user = from;
        int firstEnd = Columns.end(b, user, to);
        int next = Columns.pastSpaces(b, firstEnd, to);
        if (b[user] == '[' && b[firstEnd - 1] == ']' && isNone(b, next, Columns.end(b, next, to))) {
            user = Columns.pastSpaces(b, next + 1, to);
        }
        int end = to;
        boolean isLast = false;
        while (end > user && !isLast) {
            end -= Columns.isSpace(b[end - 1]) ? 1 : 0;
            boolean isNone = end > user + 1 && b[end - 1] == '-' && Columns.isSpace(b[end - 2]);
            end -= isNone ? 1 : 0;
            isLast = !isNone && end > user && !Columns.isSpace(b[end - 1]);
        }
        boolean isQuoted = end - user > 1 && b[user] == '"' && b[end - 1] == '"';
        if (isQuoted) {
            user++;
            end--;
        }
        if (user < end && !isNone(b, user, Columns.end(b, user, end))) {
            out.field("user", user, end);
        }
    }

    private static boolean isNone(byte[] b, int from, int to) {
        return to - from == 1 && b[from] == '-';
    }

    /** Past what some servers write between the time and the request: {@code 0.123}, {@code www.example.org}. */
    private static int behindTime(byte[] b, int from, int to) {
        int at = from;
        for (int column = 0; column < 2 && at < to && b[at] != '"'; column++) {
            at = Columns.pastSpaces(b, Columns.end(b, at, to), to);
        }
        if (at == from || at >= to || b[at] != '"') {
            return from;
        }
        int status = Columns.pastSpaces(b, quoteEnd(b, at + 1, to) + 1, to);
        int statusEnd = Columns.end(b, status, to);
        return statusEnd - status == 3 && Columns.isDigits(b, status, statusEnd) ? at : from;
    }

    /** Where {@code [28/Nov/2026:} begins, behind two columns or more. */
    private static int bracket(byte[] b, int from, int to) {
        int columns = 0;
        for (int i = from; i + 12 < to; i++) {
            if (Columns.isSpace(b[i])) {
                columns++;
                if (columns > MOST_COLUMNS) {
                    return -1;
                }
            } else if (b[i] == '[' && columns >= 2 && isDate(b, i, to)) {
                return i;
            } else if (b[i] == '"' && columns < 2 || b[i] == '{' || b[i] == '=') {
                return -1;
            }
        }
        return -1;
    }

    /** {@code [28/Nov/2026:}, or {@code [2026-11-28T10:00:00Z] "}. */
    private static boolean isDate(byte[] b, int at, int to) {
        if (b[at + 3] == '/') {
            return b[at + 7] == '/' && b[at + 12] == ':';
        }
        int close = b[at + 5] == '-' && b[at + 8] == '-' ? Columns.find(b, ']', at, to, LONGEST_TIME) : -1;
        return close > 0 && close + 2 < to && b[close + 1] == ' ' && b[close + 2] == '"';
    }

    private static boolean isAddress(byte[] b, int from, int to) {
        boolean isHex = to - from > 1;
        int marks = 0;
        for (int i = from; i < to; i++) {
            marks += b[i] == '.' || b[i] == ':' ? 1 : 0;
            isHex &= b[i] == '.' || b[i] == ':' || b[i] >= '0' && b[i] <= '9' || b[i] >= 'a' && b[i] <= 'f';
        }
        return isHex && marks >= 2;
    }

    /** Reads {@code "GET /path?query HTTP/1.1"}; returns behind the quote. */
    private static int request(byte[] b, int from, int to, FieldSink out) {
        if (from >= to || b[from] != '"') {
            return from;
        }
        int end = quoteEnd(b, from + 1, to);
        int method = Columns.end(b, from + 1, end);
        if (method < end && method - from <= LONGEST_METHOD) {
            out.field("method", from + 1, method);
            int target = Columns.pastSpaces(b, method, end);
            int targetEnd = Columns.end(b, target, end);
            int path = target;
            int query = Columns.find(b, '?', target, targetEnd, targetEnd - target);
            path = path < targetEnd && b[path] == 'h' ? pathOfUrl(b, path, targetEnd) : path;
            if (path < targetEnd && b[path] == '/') {
                out.path(path, query < 0 ? targetEnd : query);
            }
            out.field("url", target, targetEnd);
        }
        return Math.min(end + 1, to);
    }

    /** Finds the path of a whole URL, {@code http://host/path}, as proxies are asked for; {@code to} if none. */
    private static int pathOfUrl(byte[] b, int from, int to) {
        int host = Columns.find(b, ':', from, to, 6) + 3;
        boolean isUrl = host > 6 && host < to && b[host - 1] == '/' && b[host - 2] == '/';
        int path = isUrl ? Columns.find(b, '/', host, to, to - host) : -1;
        return path < 0 ? to : path;
    }

    private static int quoteEnd(byte[] b, int from, int to) {
        int end = from;
        while (end < to && b[end] != '"') {
            end += b[end] == '\\' ? 2 : 1;
        }
        return Math.min(end, to);
    }

    /** Reads {@code 401 532 "referer" "agent"}. */
    private static void rest(byte[] b, int from, int to, FieldSink out) {
        int status = Columns.pastSpaces(b, from, to);
        int statusEnd = Columns.end(b, status, to);
        if (statusEnd - status != 3 || !Columns.isDigits(b, status, statusEnd)) {
            return;
        }
        out.field("status", status, statusEnd);
        int bytes = Columns.pastSpaces(b, statusEnd, to);
        int at = Columns.end(b, bytes, to);
        if (Columns.isDigits(b, bytes, at)) {
            out.field("bytes", bytes, at);
        }
        for (String name : new String[] {"referer", "agent"}) {
            int quote = Columns.pastSpaces(b, at, to);
            if (quote >= to || b[quote] != '"') {
                return;
            }
            at = quoteEnd(b, quote + 1, to);
            if (at - quote != 2 || b[quote + 1] != '-') {
                out.field(name, quote + 1, at);
            }
            at = Math.min(at + 1, to);
        }
    }
}
