package dev.veilgate.extract.log;

/**
 * The header of a line as container runtimes of Kubernetes write it: {@code 2026-11-28T10:00:00.1Z stdout F text}. The
 * letter is P in a part of a line that goes on, and F in its last part.
 */
final class ContainerLine {
    private static final int LONGEST_TIME = 40;
    private static final int STREAM = 6;

    private ContainerLine() {}

    /** Where the name of the stream begins; -1 if the line has no such header. Upper or lower case. */
    static int stream(byte[] b, int from, int to) {
        boolean mayBe = from + 4 < to && b[from + 4] == '-' && b[from] >= '0' && b[from] <= '9';
        int space = mayBe ? Columns.find(b, ' ', from, to, LONGEST_TIME) : -1;
        int tag = space + 1 + STREAM + 1;
        boolean isStream = space > 0
                && tag < to
                && b[space + 1] == 's'
                && b[space + 2] == 't'
                && b[space + 3] == 'd'
                && b[space + STREAM + 1] == ' '
                && (isName(b, space + 4, 'o', 'u', 't') || isName(b, space + 4, 'e', 'r', 'r'));
        boolean isTag = isStream
                && (b[tag] == 'P' || b[tag] == 'F' || b[tag] == 'p' || b[tag] == 'f')
                && (tag + 1 == to || b[tag + 1] == ' ' || b[tag + 1] == ':' || b[tag + 1] == '\n');
        return isTag ? space + 1 : -1;
    }

    private static boolean isName(byte[] b, int at, char first, char second, char third) {
        return b[at] == first && b[at + 1] == second && b[at + 2] == third;
    }

    /** Behind the name of the stream. */
    static int streamEnd(int stream) {
        return stream + STREAM;
    }

    /** Whether the line goes on in another one. */
    static boolean isPart(byte[] b, int stream) {
        byte tag = b[stream + STREAM + 1];
        return tag == 'P' || tag == 'p';
    }

    /** Where the text begins. */
    static int content(byte[] b, int stream, int to) {
        int end = Columns.end(b, stream + STREAM + 1, to);
        return Math.min(end + 1, to);
    }
}
