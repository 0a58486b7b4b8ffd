package dev.veilgate.console.identity;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.authentication.SimpleUrlAuthenticationSuccessHandler;
import org.springframework.security.web.authentication.logout.LogoutHandler;

/** Tells who logs in at the console, at whichever provider, and who logs out. */
final class ComingAndGoing extends SimpleUrlAuthenticationSuccessHandler implements LogoutHandler {
    private final ApplicationEventPublisher events;
    private final Sessions sessions;

    ComingAndGoing(ApplicationEventPublisher events, Sessions sessions) {
        super("/");
        setAlwaysUseDefaultTargetUrl(true);
        this.events = events;
        this.sessions = sessions;
    }

    @Override
    public void onAuthenticationSuccess(
            HttpServletRequest request, HttpServletResponse response, Authentication authentication)
            throws IOException, ServletException {
        sessions.use(request.getSession());
        tell(LoginEvent.Kind.IN, request, authentication);
        super.onAuthenticationSuccess(request, response, authentication);
    }

    @Override
    public void logout(
            HttpServletRequest request, HttpServletResponse response, @Nullable Authentication authentication) {
        tell(LoginEvent.Kind.OUT, request, authentication);
    }

    private void tell(LoginEvent.Kind kind, HttpServletRequest request, @Nullable Authentication authentication) {
        if (authentication != null && authentication.getPrincipal() instanceof OidcUser claims) {
            User user = Users.of(claims);
            String roles = kind == LoginEvent.Kind.OUT
                    ? ""
                    : user.roles().stream().map(Role::label).sorted().collect(Collectors.joining(" "));
            events.publishEvent(new LoginEvent(kind, user.id(), request.getRemoteAddr(), roles));
        }
    }
}
