package dev.veilgate.console.http;

import dev.veilgate.client.GatewayException;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Every error as application/problem+json. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(ProblemException e) {
        ProblemDetail problem = detail(e.status(), e.type(), String.valueOf(e.getMessage()));
        e.rule().ifPresent(rule -> problem.setProperty("rule", rule));
        return ResponseEntity.status(e.status()).body(problem);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> gateway(GatewayException e) {
        return problem(ProblemException.gateway(String.valueOf(e.getMessage())));
    }

    /** Goes on to the container, which cuts the connection. */
    @ExceptionHandler
    void broken(BrokenAnswerException e) {
        LOG.warn("{}: {}", e.getMessage(), String.valueOf(e.getCause()));
        throw e;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> other(Exception e) {
        LOG.error("a request failed: {}", e.getClass().getName(), e);
        return problem(new ProblemException(
                HttpStatus.INTERNAL_SERVER_ERROR, "internal", "internal error; the log says more"));
    }

    static ProblemDetail detail(HttpStatus status, String type, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create("urn:veilgate:problem:" + type));
        return problem;
    }
}
