package dev.veilgate.extract.log;

/** Looking along a line. Ends are exclusive. */
final class Columns {
    private Columns() {}

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Behind the spaces that begin at {@code at}. */
    static int pastSpaces(byte[] b, int at, int to) {
        int end = at;
        while (end < to && isSpace(b[end])) {
            end++;
        }
        return end;
    }

    /** Where the column that begins at {@code at} ends: at a space, or the end. */
    static int end(byte[] b, int at, int to) {
        int end = at;
        while (end < to && !isSpace(b[end])) {
            end++;
        }
        return end;
    }

    static boolean isDigits(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] < '0' || b[i] > '9') {
                return false;
            }
        }
        return from < to;
    }

    /** Where {@code wanted} is, up to {@code limit} bytes on; -1 if nowhere. */
    static int find(byte[] b, char wanted, int from, int to, int limit) {
        int last = Math.min(to, from + limit);
        for (int i = from; i < last; i++) {
            if (b[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Letters, digits and what programs' and classes' names have. */
    static boolean isNameByte(byte b) {
        return b >= 'a' && b <= 'z'
                || b >= '0' && b <= '9'
                || b == '.'
                || b == '_'
                || b == '-'
                || b == '$'
                || b == '/'
                || b == '@';
    }
}
