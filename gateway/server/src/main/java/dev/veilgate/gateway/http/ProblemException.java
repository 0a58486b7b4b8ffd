package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Right;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** An answer that is an error (RFC 9457). The detail is for the client and never holds content, keywords or secrets. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String type;
    private final @Nullable Right lacking;

    /**
     * @param status of the answer
     * @param type   short name of the kind of problem, in lower case with hyphens
     * @param detail what is wrong and what to do
     */
    public ProblemException(HttpStatus status, String type, String detail) {
        this(status, type, detail, null);
    }

    private ProblemException(HttpStatus status, String type, String detail, @Nullable Right lacking) {
        super(detail, null, false, false);
        this.status = status;
        this.type = type;
        this.lacking = lacking;
    }

    /** Of the answer. */
    public HttpStatus status() {
        return status;
    }

    /** Short name of the kind of problem. */
    public String type() {
        return type;
    }

    /** The right without which it is refused; null for other problems. */
    @Nullable
    Right lacking() {
        return lacking;
    }

    /** Something that is not there, or that the token may not see: no difference is told. */
    public static ProblemException notFound(String what) {
        return new ProblemException(HttpStatus.NOT_FOUND, "not-found", what + " is not known here");
    }

    /** A request that is wrong in itself. */
    public static ProblemException malformed(String detail) {
        return new ProblemException(HttpStatus.BAD_REQUEST, "malformed", detail);
    }

    /** A token that may not do this. */
    public static ProblemException forbidden(String detail) {
        return new ProblemException(HttpStatus.FORBIDDEN, "forbidden", detail);
    }

    /** A token without this right. */
    static ProblemException lacking(Right right) {
        return new ProblemException(
                HttpStatus.FORBIDDEN, "forbidden", "the token lacks the right " + right.label(), right);
    }
}
