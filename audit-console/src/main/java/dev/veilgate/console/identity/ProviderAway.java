package dev.veilgate.console.identity;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.web.filter.OncePerRequestFilter;

/** A provider that cannot be reached when somebody wants to log in: the page says so, and the log why. */
final class ProviderAway extends OncePerRequestFilter {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderAway.class);

    private final ClientRegistrationRepository clients;

    ProviderAway(ClientRegistrationRepository clients) {
        this.clients = clients;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI()
                .startsWith(OAuth2AuthorizationRequestRedirectFilter.DEFAULT_AUTHORIZATION_REQUEST_BASE_URI + "/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            clients.findByRegistrationId(ClientConfiguration.REGISTRATION); // asks the provider once
        } catch (RuntimeException e) {
            LOG.warn("nobody can log in: the provider does not answer as one: {}", e.getMessage());
            response.sendRedirect("/?login=failed");
            return;
        }
        chain.doFilter(request, response);
    }
}
