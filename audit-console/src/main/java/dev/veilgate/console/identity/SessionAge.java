package dev.veilgate.console.identity;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.web.filter.OncePerRequestFilter;

/** Ends sessions that have lasted long enough, used or not: who was removed at the provider, or lost a role, is out then. */
final class SessionAge extends OncePerRequestFilter {
    private final Duration longest;
    private final Clock clock;

    SessionAge(Duration longest, Clock clock) {
        this.longest = longest;
        this.clock = clock;
    }

    /** Until when a session lasts at most. */
    static Instant end(HttpSession session, Duration longest) {
        return Instant.ofEpochMilli(session.getCreationTime()).plus(longest);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpSession session = request.getSession(false);
        if (session != null && end(session, longest).isBefore(clock.instant())) {
            session.invalidate();
        }
        chain.doFilter(request, response);
    }
}
