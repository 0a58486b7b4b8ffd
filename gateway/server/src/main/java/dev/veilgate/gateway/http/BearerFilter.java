package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.IssuerUnavailableException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.RefusedTokenException;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.access.TokenRefusal;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/** Lets nobody through without a bearer token (RFC 6750). */
public final class BearerFilter extends OncePerRequestFilter {
    static final String PRINCIPAL = BearerFilter.class.getName() + ".principal";

    private final BearerTokens tokens;
    private final JsonMapper json;
    private final @Nullable Right right;
    private final Predicate<HttpServletRequest> guarded;

    /** For a part of the interface whose controllers ask for rights themselves. */
    BearerFilter(BearerTokens tokens, JsonMapper json) {
        this(tokens, json, null, request -> true);
    }

    /**
     * For requests that need a token with a right.
     *
     * @param right what every token needs; null if controllers ask themselves
     * @param guarded which requests need a token; all others pass
     */
    public BearerFilter(
            BearerTokens tokens, JsonMapper json, @Nullable Right right, Predicate<HttpServletRequest> guarded) {
        this.tokens = tokens;
        this.json = json;
        this.right = right;
        this.guarded = guarded;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !guarded.test(request);
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return true;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Principal principal;
        try {
            principal = tokens.principal(request.getHeader(HttpHeaders.AUTHORIZATION));
        } catch (RefusedTokenException e) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, Challenge.of(e.refusal()));
            refuse(
                    response,
                    HttpStatus.UNAUTHORIZED,
                    "unauthorized",
                    e.refusal().detail());
            return;
        } catch (IssuerUnavailableException e) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "5");
            refuse(
                    response,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "issuer-unavailable",
                    Objects.requireNonNull(e.getMessage()));
            return;
        }
        if (right != null && !principal.rights().contains(right)) {
            tokens.count(TokenRefusal.RIGHT.label());
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, Challenge.insufficientScope(right));
            refuse(response, HttpStatus.FORBIDDEN, "forbidden", "the token lacks the right " + right.label());
            return;
        }
        request.setAttribute(PRINCIPAL, principal);
        chain.doFilter(request, response);
    }

    private void refuse(HttpServletResponse response, HttpStatus status, String type, String detail)
            throws IOException {
        response.setStatus(status.value());
        response.setContentType("application/problem+json");
        json.writeValue(response.getOutputStream(), Problems.detail(status, type, detail));
    }
}
