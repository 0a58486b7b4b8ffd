package dev.veilgate.console.identity;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Ends sessions that were not used for long enough, or have lasted long enough: who was removed at the provider, or lost a role, is out then. */
final class SessionAge extends OncePerRequestFilter {
    private final Sessions sessions;

    SessionAge(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpSession session = request.getSession(false);
        if (session != null && sessions.isOver(session)) {
            try {
                session.invalidate();
            } catch (IllegalStateException e) { // another request was first
            }
        }
        chain.doFilter(request, response);
    }
}
