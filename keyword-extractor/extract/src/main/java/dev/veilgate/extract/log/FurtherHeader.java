package dev.veilgate.extract.log;

/**
 * Levels and process ids of loggers whose layouts rules 2 read beside those of {@link PlainHeader}, which has read the
 * time: of Apache, nginx, Redis, Gunicorn, Celery, Tornado, Ruby and Kubernetes.
 */
final class FurtherHeader {
    private static final int LONGEST_PID = 10;
    private static final int LONGEST_LEVEL = 16;
    private static final int COLUMNS = 4;

    private FurtherHeader() {}

    /** Reads what a header with a time does not have yet. */
    static void read(byte[] b, int begin, int timeEnd, int to, Header header) {
        if (header.level == null) {
            level(b, begin, timeEnd, to, header);
        }
        if (header.pid.isEmpty()) {
            process(b, begin, timeEnd, to, header);
        }
    }

    /** The number before the place in the program: {@code E1128 10:00:00.123456   4242 file.go:45] text}. */
    static void kubernetes(byte[] b, int begin, int to, Header header) {
        int at = begin;
        while (at < to) {
            int end = Columns.end(b, at, to);
            int next = Columns.pastSpaces(b, end, to);
            int nextEnd = Columns.end(b, next, to);
            if (isPid(b, at, end) && nextEnd > next && b[nextEnd - 1] == ']') {
                header.pid.set(at, end);
                return;
            }
            at = next;
        }
    }

    private static void level(byte[] b, int begin, int timeEnd, int to, Header header) {
        int at = Columns.pastSpaces(b, timeEnd, to);
        header.level = Clock.mark(b, begin, at, to); // 159:M 28 Nov 2026 10:00:00.123 # text
        boolean isLetter = begin + 3 < timeEnd && b[begin] == '[' && Columns.isSpace(b[begin + 2]);
        if (header.level == null && isLetter && b[begin + 3] >= '0' && b[begin + 3] <= '9') {
            header.level = Header.levelOfLetter(b[begin + 1]); // [I 2026-11-28 10:00:00.123 App] text
        }
        while (header.level == null && at < to && isBefore(b[at])) {
            at++;
        }
        int end = at;
        while (end < to && end - at < LONGEST_LEVEL && b[end] >= 'a' && b[end] <= 'z') {
            end++;
        }
        boolean isModule = at >= 2 && b[at - 1] == ':' && b[at - 2] == '[' && end < to && b[end] == ']'; // [:error]
        boolean isWorker = end < to && b[end] == '/' && b[timeEnd] == ':'; // 10:00:00: ERROR/Worker-1]
        if (header.level == null && (isModule || isWorker)) {
            header.level = Header.levelOf(b, at, end);
        }
    }

    private static boolean isBefore(byte b) {
        return Columns.isSpace(b) || b == ']' || b == '[' || b == ':';
    }

    private static void process(byte[] b, int begin, int timeEnd, int to, Header header) {
        int colon = Columns.find(b, ':', begin, timeEnd, LONGEST_PID + 1);
        boolean isRedis = isPid(b, begin, colon)
                && colon + 2 < timeEnd
                && b[colon + 1] >= 'a'
                && b[colon + 1] <= 'z'
                && Columns.isSpace(b[colon + 2]);
        if (isRedis) {
            header.pid.set(begin, colon);
            return;
        }
        int at = timeEnd;
        for (int column = 0; column < COLUMNS && at < to; column++) {
            int end = Columns.end(b, at, to);
            if (take(b, at, end, column, to, header)) {
                return;
            }
            at = Columns.pastSpaces(b, end, to);
        }
    }

    /** Takes {@code 42#42:} of nginx, {@code [pid 42:tid 7]} of Apache, {@code #42]} of Ruby, {@code [42] [INFO]}. */
    private static boolean take(byte[] b, int at, int end, int column, int to, Header header) {
        int sharp = Columns.find(b, '#', at, end, LONGEST_PID + 1);
        int digits = sharp == at ? at + 1 : at;
        int digitsEnd = digits;
        if (b[at] == '[' && end - at == 4 && b[at + 1] == 'p' && b[at + 2] == 'i' && b[at + 3] == 'd') {
            digits = Columns.pastSpaces(b, end, to);
            digitsEnd = digitsEnd(b, digits, to);
            boolean isClosed = digitsEnd < to && (b[digitsEnd] == ']' || b[digitsEnd] == ':');
            return isClosed && set(b, digits, digitsEnd, header);
        }
        if (sharp == at) {
            digitsEnd = digitsEnd(b, digits, end);
            return column < 2 && digitsEnd < end && b[digitsEnd] == ']' && set(b, digits, digitsEnd, header);
        }
        if (sharp > at) {
            int thread = digitsEnd(b, sharp + 1, end);
            return thread > sharp + 1 && thread < end && b[thread] == ':' && set(b, at, sharp, header);
        }
        boolean isInBrackets = b[at] == '[' && end - at > 2 && b[end - 1] == ']';
        int next = Columns.pastSpaces(b, end, to);
        boolean isBeforeLevel = isInBrackets
                && next < to
                && b[next] == '['
                && Header.levelOfColumn(b, next, Columns.end(b, next, Math.min(to, next + LONGEST_LEVEL))) != null;
        return isBeforeLevel && set(b, at + 1, end - 1, header);
    }

    private static int digitsEnd(byte[] b, int from, int to) {
        int end = from;
        while (end < to && b[end] >= '0' && b[end] <= '9') {
            end++;
        }
        return end;
    }

    private static boolean set(byte[] b, int from, int to, Header header) {
        boolean isPid = isPid(b, from, to);
        if (isPid) {
            header.pid.set(from, to);
        }
        return isPid;
    }

    private static boolean isPid(byte[] b, int from, int to) {
        return to - from <= LONGEST_PID && Columns.isDigits(b, from, to);
    }
}
