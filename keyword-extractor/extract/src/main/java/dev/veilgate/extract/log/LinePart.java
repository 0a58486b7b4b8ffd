package dev.veilgate.extract.log;

/**
 * Tells if a line is a part of a longer one, into which a container's runtime cut it, and of which of the container's
 * streams.
 */
public enum LinePart {
    /** Line of another format: no part, and whole. */
    NONE(-1, false),
    /** Part of a line of standard output that goes on. */
    OUTPUT_GOES_ON(0, true),
    /** End of a line of standard output, or a whole one. */
    OUTPUT_ENDS(0, false),
    /** Part of a line of standard error that goes on. */
    ERRORS_GO_ON(1, true),
    /** End of a line of standard error, or a whole one. */
    ERRORS_END(1, false);

    /** Streams that a container has. */
    public static final int STREAMS = 2;

    private final int stream;
    private final boolean goesOn;

    LinePart(int stream, boolean goesOn) {
        this.stream = stream;
        this.goesOn = goesOn;
    }

    /** The part that a line is, which has no line end. */
    public static LinePart of(byte[] buffer, int from, int to) {
        int stream = ContainerLine.stream(buffer, from, to);
        if (stream >= 0) {
            return of(buffer[stream + 3] == 'e', ContainerLine.isPart(buffer, stream));
        }
        int textEnd = DockerLine.textEnd(buffer, from, to);
        return textEnd < 0
                ? NONE
                : of(DockerLine.isOfErrors(buffer, textEnd, to), DockerLine.isPart(buffer, from, textEnd));
    }

    private static LinePart of(boolean isOfErrors, boolean goesOn) {
        if (isOfErrors) {
            return goesOn ? ERRORS_GO_ON : ERRORS_END;
        }
        return goesOn ? OUTPUT_GOES_ON : OUTPUT_ENDS;
    }

    /** Number of the stream, from 0; -1 if the line is of none. */
    public int stream() {
        return stream;
    }

    /** Whether the next line of the stream is of the same line. */
    public boolean goesOn() {
        return goesOn;
    }
}
