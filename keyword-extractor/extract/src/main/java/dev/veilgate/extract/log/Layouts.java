package dev.veilgate.extract.log;

/**
 * Layouts of plain lines that rules 2 read beside those of {@link PlainHeader}: of supercomputers, of databases, and of
 * the usual loggers of Java.
 */
final class Layouts {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_PID = 10;
    private static final String COMPONENT = "component";

    private Layouts() {}

    /** Reads a layout that what is behind a time decides; where the text begins, -1 if it is none. */
    static int behindTime(byte[] b, int at, int to, Header header) {
        if (header.time.form() == Timestamp.Form.EPOCH) {
            return state(b, at, to, header);
        }
        int zone = header.time.zoneNameAt();
        return DatabaseHeader.read(b, zone < 0 ? at : zone, to, header);
    }

    /** {@code 154670 node-243 node temperature 1130177820 1 ambient=29}: number, host, component, state, time, flag. */
    private static int state(byte[] b, int at, int to, Header header) {
        int end = Columns.end(b, 0, Math.min(to, LONGEST_PID + 1));
        if (!Columns.isDigits(b, 0, end)) {
            return -1;
        }
        int host = Columns.pastSpaces(b, end, to);
        int hostEnd = Columns.end(b, host, to);
        int component = Columns.pastSpaces(b, hostEnd, to);
        int componentEnd = Columns.end(b, component, to);
        int state = Columns.pastSpaces(b, componentEnd, to);
        int stateEnd = Columns.end(b, state, to);
        int time = Columns.pastSpaces(b, stateEnd, to);
        boolean isState = time < at
                && Columns.pastSpaces(b, Columns.end(b, time, to), to) == at
                && !Columns.isDigits(b, component, componentEnd);
        if (!isState) {
            return -1;
        }
        header.host.set(host, hostEnd);
        header.app.set(component, componentEnd);
        header.named(COMPONENT, component, componentEnd);
        header.named("state", state, stateEnd);
        return at;
    }

    /** {@code RAS KERNEL INFO}: type, component and level of a message of a supercomputer. */
    static void component(byte[] b, int from, int to, Header header) {
        int end = Columns.end(b, from, to);
        int component = Columns.pastSpaces(b, end, to);
        int componentEnd = Columns.end(b, component, to);
        int level = Columns.pastSpaces(b, componentEnd, to);
        if (component < componentEnd && Header.levelOf(b, level, Columns.end(b, level, to)) != null) {
            header.app.set(component, componentEnd);
            header.named(COMPONENT, component, componentEnd);
        }
    }

    /**
     * Reads the program of a layout that what is behind the level decides: {@code [Node:Component@774] - text}, {@code
     * 4242 --- [main] org.example.App : text}, {@code [main] App:42 - text}. Where the text begins, -1 if it is none.
     */
    static int behindLevel(byte[] b, int from, int to, Header header) {
        int at = Columns.pastSpaces(b, from, to);
        if (header.level == null || at >= to) {
            return -1;
        }
        return b[at] == '[' ? place(b, at, to, header) : b[at] <= '9' && b[at] >= '0' ? boot(b, at, to, header) : -1;
    }

    /** {@code [QuorumPeer/0.0.0.0:2181:FastLeaderElection@774] - text}: thread, class and line of a program. */
    private static int place(byte[] b, int from, int to, Header header) {
        int limit = Math.min(to, from + LONGEST_NAME);
        for (int i = from + 1; i + 2 < limit; i++) {
            if (b[i] == ']' && Columns.isSpace(b[i + 1])) {
                return -1;
            }
            if (b[i] != '@') {
                continue;
            }
            int digits = i + 1;
            while (digits < limit && b[digits] >= '0' && b[digits] <= '9') {
                digits++;
            }
            int name = i;
            while (name > from + 1 && Columns.isNameByte(b[name - 1])) {
                name--;
            }
            boolean isPlace = digits > i + 1
                    && digits < limit
                    && b[digits] == ']'
                    && name < i
                    && (name == from + 1 || b[name - 1] == ':');
            if (isPlace) {
                header.app.set(name, i);
                header.named(COMPONENT, name, i);
                int text = Columns.pastSpaces(b, digits + 1, to);
                return text + 1 < to && b[text] == '-' && Columns.isSpace(b[text + 1])
                        ? Columns.pastSpaces(b, text + 1, to)
                        : text;
            }
        }
        return -1;
    }

    /** {@code 4242 --- [app] [main] o.e.App : text} of Spring Boot. */
    private static int boot(byte[] b, int from, int to, Header header) {
        int end = Columns.end(b, from, Math.min(to, from + LONGEST_PID + 1));
        int dashes = Columns.pastSpaces(b, end, to);
        boolean isBoot = Columns.isDigits(b, from, end)
                && dashes + 4 < to
                && b[dashes] == '-'
                && b[dashes + 1] == '-'
                && b[dashes + 2] == '-';
        if (!isBoot) {
            return -1;
        }
        int at = Columns.pastSpaces(b, dashes + 3, to);
        while (at < to && b[at] == '[') {
            int close = Columns.find(b, ']', at, to, LONGEST_NAME);
            if (close < 0) {
                return -1;
            }
            at = Columns.pastSpaces(b, close + 1, to);
        }
        int nameEnd = Columns.end(b, at, Math.min(to, at + LONGEST_NAME));
        int colon = Columns.pastSpaces(b, nameEnd, to);
        if (colon >= to || b[colon] != ':' || nameEnd == at) {
            return -1;
        }
        header.pid.set(from, end);
        header.app.set(at, nameEnd);
        return Columns.pastSpaces(b, colon + 1, to);
    }
}
