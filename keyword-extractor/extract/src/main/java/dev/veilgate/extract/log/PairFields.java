package dev.veilgate.extract.log;

/** Finds {@code key=value} and {@code key="quoted value"} in a line. One pass. */
final class PairFields {
    /** Takes pairs; ranges of the line. */
    interface Visitor {
        /**
         * A pair.
         *
         * @param escaped whether the value, which was quoted, has backslashes in it
         */
        void pair(int nameFrom, int nameTo, int valueFrom, int valueTo, boolean escaped);
    }

    private PairFields() {}

    /** Whether a line (in lower case) begins with two pairs. */
    static boolean isPairs(byte[] b, int to) {
        return isPairs(b, 0, to);
    }

    /** Whether two pairs begin here. */
    static boolean isPairs(byte[] b, int from, int to) {
        int end = pairEnd(b, from, to);
        return end > 0 && end < to && Columns.isSpace(b[end]) && pairEnd(b, Columns.pastSpaces(b, end, to), to) > 0;
    }

    private static int pairEnd(byte[] b, int at, int to) {
        int equals = at;
        while (equals < to && Columns.isNameByte(b[equals])) {
            equals++;
        }
        boolean named = equals > at && equals < to && b[equals] == '=' && (b[at] < '0' || b[at] > '9');
        return named ? valueEnd(b, equals + 1, to, true) : -1;
    }

    /** Behind a value, and behind the quote that ends it. */
    private static int valueEnd(byte[] b, int at, int to, boolean spacesOnly) {
        if (at < to && b[at] == '"') {
            int end = at + 1;
            while (end < to && b[end] != '"') {
                end += b[end] == '\\' ? 2 : 1;
            }
            return Math.min(end + 1, to);
        }
        int end = at;
        while (end < to && !Columns.isSpace(b[end]) && (spacesOnly || !isDelimiter(b[end]))) {
            end++;
        }
        return end;
    }

    private static boolean isDelimiter(byte b) {
        return b == ',' || b == ';' || b == ')' || b == ']' || b == '}' || b == '|' || b == '>';
    }

    /**
     * Visits the pairs of a range in order.
     *
     * @param lower      the line in lower case
     * @param spacesOnly whether only white space ends a value; else also a comma, semicolon, bar or closing bracket
     */
    static void visit(byte[] lower, int from, int to, boolean spacesOnly, Visitor visitor) {
        int at = from;
        int free = from;
        while (at < to) {
            if (lower[at] != '=') {
                at++;
                continue;
            }
            int name = at;
            while (name > free && Columns.isNameByte(lower[name - 1])) {
                name--;
            }
            int end = valueEnd(lower, at + 1, to, spacesOnly);
            if (name < at && end > at + 1) {
                boolean quoted = lower[at + 1] == '"';
                int valueFrom = quoted ? at + 2 : at + 1;
                int valueTo = quoted && end - 1 >= valueFrom && lower[end - 1] == '"' ? end - 1 : end;
                boolean goesOn = spacesOnly && !quoted && end < to && valueTo - valueFrom > 1;
                if (goesOn && (lower[end - 1] == ',' || lower[end - 1] == ';')) {
                    valueTo--; // Level=Error, User=root, Id=7
                }
                boolean escaped = quoted && Columns.find(lower, '\\', valueFrom, valueTo, valueTo - valueFrom) >= 0;
                visitor.pair(name, at, valueFrom, valueTo, escaped);
            }
            at = Math.max(end, at + 1);
            free = at;
        }
    }
}
