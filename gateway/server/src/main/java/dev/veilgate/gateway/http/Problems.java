package dev.veilgate.gateway.http;

import dev.veilgate.encoding.MalformedEncodingException;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Every error of the HTTP interface as application/problem+json. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(ProblemException e) {
        HttpHeaders headers = new HttpHeaders();
        if (e.lacking() != null) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, Challenge.insufficientScope(e.lacking()));
        }
        return answer(e.status(), e.type(), String.valueOf(e.getMessage()), headers);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> malformed(MalformedEncodingException e) {
        return answer(HttpStatus.BAD_REQUEST, "malformed", String.valueOf(e.getMessage()), HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> other(Exception e) {
        LOG.error("a request failed", e);
        return answer(
                HttpStatus.INTERNAL_SERVER_ERROR, "internal", "internal error; the log says more", HttpHeaders.EMPTY);
    }

    static ProblemDetail detail(HttpStatus status, String type, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create("urn:veilgate:problem:" + type));
        return problem;
    }

    private static ResponseEntity<ProblemDetail> answer(
            HttpStatus status, String type, String detail, HttpHeaders headers) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(status).headers(headers);
        if (status == HttpStatus.SERVICE_UNAVAILABLE
                || status == HttpStatus.TOO_MANY_REQUESTS
                || status == HttpStatus.INSUFFICIENT_STORAGE) {
            answer.header("Retry-After", "5");
        }
        return answer.body(detail(status, type, detail));
    }
}
