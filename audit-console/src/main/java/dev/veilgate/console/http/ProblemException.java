package dev.veilgate.console.http;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** An answer that is an error (RFC 9457). The detail is for the user and never holds secrets. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String type;
    private final @Nullable String rule;

    /**
     * A problem.
     *
     * @param status of the answer
     * @param type   short name of the kind of problem, in lower case with hyphens
     * @param detail what is wrong and what to do
     */
    public ProblemException(HttpStatus status, String type, String detail) {
        this(status, type, detail, null);
    }

    private ProblemException(HttpStatus status, String type, String detail, @Nullable String rule) {
        super(detail, null, false, false);
        this.status = status;
        this.type = type;
        this.rule = rule;
    }

    /** Of the answer. */
    public HttpStatus status() {
        return status;
    }

    /** Short name of the kind of problem. */
    public String type() {
        return type;
    }

    /** The rule that decided, if one did. */
    public Optional<String> rule() {
        return Optional.ofNullable(rule);
    }

    /** Something that is not there, or that the user may not see: no difference is told. */
    public static ProblemException notFound(String what) {
        return new ProblemException(HttpStatus.NOT_FOUND, "not-found", what + " is not known here");
    }

    /** A request that is wrong in itself. */
    public static ProblemException malformed(String detail) {
        return new ProblemException(HttpStatus.BAD_REQUEST, "malformed", detail);
    }

    /** What the user's role does not allow. */
    public static ProblemException forbidden(String detail) {
        return new ProblemException(HttpStatus.FORBIDDEN, "forbidden", detail);
    }

    /** What a rule refuses. */
    public static ProblemException refused(String detail, String rule) {
        return new ProblemException(HttpStatus.FORBIDDEN, "refused", detail, rule);
    }

    /** What changed since it was read. */
    public static ProblemException conflict(String detail) {
        return new ProblemException(HttpStatus.CONFLICT, "conflict", detail);
    }

    /** Keys are needed and nobody has opened them. */
    public static ProblemException locked() {
        return new ProblemException(
                HttpStatus.LOCKED, "keys-locked", "the keys are locked; a keeper opens them with their passphrase");
    }

    /** The gateway does not answer, or not as it should. */
    public static ProblemException gateway(String detail) {
        return new ProblemException(HttpStatus.BAD_GATEWAY, "gateway", detail);
    }
}
