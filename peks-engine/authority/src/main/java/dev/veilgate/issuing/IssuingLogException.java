package dev.veilgate.issuing;

import java.io.IOException;
import java.io.Serial;

/** The log on disk is not what was written. Names the entry, never what is in it. */
public final class IssuingLogException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final LogProblem problem;
    private final long number;

    IssuingLogException(LogProblem problem, long number, String message) {
        super(message);
        this.problem = problem;
        this.number = number;
    }

    /** What is wrong. */
    public LogProblem problem() {
        return problem;
    }

    /** The first entry concerned; 0 if it is not about an entry. */
    public long number() {
        return number;
    }
}
