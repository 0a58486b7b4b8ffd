package dev.veilgate.console.http;

/** Something went wrong when a part of the answer had been sent. There is no other answer then: the connection is cut, so that nobody takes the part for the whole. */
public final class BrokenAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An answer that was not finished.
     *
     * @param what of what kind; for the log
     */
    public BrokenAnswerException(String what, Throwable cause) {
        super(what, cause);
    }
}
