package dev.veilgate.console.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * A body is read before anybody asks what its sender may: so none is longer than the longest that is of use, which are all rules together. What says that it is longer is not read at all, and of what
 * does not say it no more than that. Forms and files are the container's to read and to bound.
 */
@Component
final class BodyLimit extends OncePerRequestFilter {
    static final int MAX_BYTES = 2 << 20;

    private final JsonMapper json;

    BodyLimit(JsonMapper json) {
        this.json = json;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > MAX_BYTES) {
            ProblemException problem = tooLong();
            response.setStatus(problem.status().value());
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            json.writeValue(
                    response.getOutputStream(),
                    Problems.detail(problem.status(), problem.type(), String.valueOf(problem.getMessage())));
            return;
        }
        chain.doFilter(new Limited(request), response);
    }

    private static ProblemException tooLong() {
        return new ProblemException(
                HttpStatus.CONTENT_TOO_LARGE, "too-long", "a request has at most " + MAX_BYTES + " bytes");
    }

    private static final class Limited extends HttpServletRequestWrapper {
        Limited(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new Counted(super.getInputStream());
        }

        @Override
        public BufferedReader getReader() throws IOException {
            String encoding = Objects.requireNonNullElse(getCharacterEncoding(), StandardCharsets.UTF_8.name());
            return new BufferedReader(new InputStreamReader(getInputStream(), Charset.forName(encoding)));
        }
    }

    private static final class Counted extends ServletInputStream {
        private final ServletInputStream in;
        private long bytes;

        Counted(ServletInputStream in) {
            this.in = in;
        }

        private void count(int more) {
            bytes += more;
            if (bytes > MAX_BYTES) {
                throw tooLong();
            }
        }

        @Override
        public int read() throws IOException {
            int value = in.read();
            if (value >= 0) {
                count(1);
            }
            return value;
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            int read = in.read(buffer, from, length);
            if (read > 0) {
                count(read);
            }
            return read;
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            in.setReadListener(listener);
        }
    }
}
