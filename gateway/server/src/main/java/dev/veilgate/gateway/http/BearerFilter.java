package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/** Lets nobody through without a bearer token (RFC 6750). */
public final class BearerFilter extends OncePerRequestFilter {
    static final String PRINCIPAL = BearerFilter.class.getName() + ".principal";
    private static final String SCHEME = "Bearer ";
    private static final int MAX_TOKEN_CHARACTERS = 4096;

    private final Access access;
    private final JsonMapper json;
    private final @Nullable Right right;

    /** For a part of the interface whose controllers ask for rights themselves. */
    BearerFilter(Access access, JsonMapper json) {
        this(access, json, null);
    }

    /** @param right what every token needs; null if controllers ask themselves */
    public BearerFilter(Access access, JsonMapper json, @Nullable Right right) {
        this.access = access;
        this.json = json;
        this.right = right;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return true;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Principal> principal = principal(request.getHeader(HttpHeaders.AUTHORIZATION));
        if (principal.isEmpty()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"veilgate\"");
            refuse(
                    response,
                    HttpStatus.UNAUTHORIZED,
                    "unauthorized",
                    "a bearer token is needed; veilgate gateway access token makes one");
            return;
        }
        if (right != null && !principal.get().rights().contains(right)) {
            refuse(response, HttpStatus.FORBIDDEN, "forbidden", "the token lacks the right " + right.label());
            return;
        }
        request.setAttribute(PRINCIPAL, principal.get());
        chain.doFilter(request, response);
    }

    private void refuse(HttpServletResponse response, HttpStatus status, String type, String detail)
            throws IOException {
        response.setStatus(status.value());
        response.setContentType("application/problem+json");
        json.writeValue(response.getOutputStream(), Problems.detail(status, type, detail));
    }

    private Optional<Principal> principal(@Nullable String header) {
        if (header == null
                || header.length() > MAX_TOKEN_CHARACTERS
                || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        return access.token(header.substring(SCHEME.length()).strip());
    }
}
