package dev.veilgate.extract.log;

import dev.veilgate.extract.RecordSink;

/**
 * The name of a user in a pair of a line of text, without what the sentence around it adds: {@code user=<ann>},
 * {@code user='ann lee'}, {@code user=ann: bad password}.
 */
final class UserValue {
    private static final int LONGEST = 128;
    private static final String OPEN = "'\"<([{`";
    private static final String BEHIND = "'\">)]}`.:,;!?";

    private UserValue() {}

    /** Gives the user that a pair names to a sink, under the pair's name and ours. */
    static void tell(LogReader reader, RecordSink sink, String name, int from, int to, int lineEnd, boolean escaped) {
        int end = quoteEnd(reader.lower(), from, to, lineEnd);
        String user = of(PairValues.unescaped(reader.string(from, end), escaped));
        sink.field(name, user);
        sink.field("user", user);
    }

    /** Finds the end of a value in single quotes, behind the second one; {@code to} for any other value. */
    private static int quoteEnd(byte[] b, int from, int to, int lineEnd) {
        int close = from < to && b[from] == '\'' ? Columns.find(b, '\'', from + 1, lineEnd, LONGEST) : -1;
        boolean isApart = close > from + 1
                && (close + 1 == lineEnd || !Columns.isNameByte(b[close + 1]))
                && Columns.find(b, '=', from, close, LONGEST) < 0;
        return isApart ? close + 1 : to;
    }

    /** The name; empty for none. */
    private static String of(String value) {
        int from = 0;
        int to = value.length();
        for (int i = 1; i < to; i++) {
            char c = value.charAt(i);
            if (c == '\n' || c == '\r' || c == '(' && i > 1) {
                to = i;
            }
        }
        while (from < to && OPEN.indexOf(value.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && BEHIND.indexOf(value.charAt(to - 1)) >= 0) {
            to--;
        }
        String name = value.substring(from, to).strip();
        return name.equals("-") ? "" : name;
    }
}
