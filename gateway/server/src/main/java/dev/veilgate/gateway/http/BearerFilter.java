package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
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

/** Below /v1/ nobody comes without a bearer token (RFC 6750). */
final class BearerFilter extends OncePerRequestFilter {
    static final String PRINCIPAL = BearerFilter.class.getName() + ".principal";
    private static final String SCHEME = "Bearer ";
    private static final int MAX_TOKEN_CHARACTERS = 4096;

    private final Access access;
    private final JsonMapper json;

    BearerFilter(Access access, JsonMapper json) {
        this.access = access;
        this.json = json;
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
            response.setStatus(HttpStatus.UNAUTHORIZED.value());
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"veilgate\"");
            response.setContentType("application/problem+json");
            json.writeValue(
                    response.getOutputStream(),
                    Problems.detail(
                            HttpStatus.UNAUTHORIZED,
                            "unauthorized",
                            "a bearer token is needed; veilgate-gateway access token makes one"));
            return;
        }
        request.setAttribute(PRINCIPAL, principal.get());
        chain.doFilter(request, response);
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
