package dev.veilgate.console.identity;

import dev.veilgate.console.custody.Custody;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the pages know of who is logged in. */
@RestController
class SessionController {
    private final Custody custody;
    private final Sessions sessions;
    private final LoginSettings login;
    private final Clock clock;

    SessionController(Custody custody, Sessions sessions, LoginSettings login, Clock clock) {
        this.custody = custody;
        this.sessions = sessions;
        this.login = login;
        this.clock = clock;
    }

    record Session(
            String user,
            String name,
            List<String> roles,
            List<String> attributes,
            String tenant,
            Ends ends,
            String csrf,
            boolean keysLocked,
            String logoutUrl,
            boolean demo) {}

    /**
     * When a session ends.
     *
     * @param at      unless it is used before
     * @param seconds from now until then, for browsers whose clock is another
     * @param atMost  seconds from now until it ends, used or not
     */
    record Ends(Instant at, long seconds, long atMost) {}

    private Ends ends(HttpSession session) {
        Instant now = clock.instant();
        Instant end = sessions.end(session);
        return new Ends(
                end,
                Duration.between(now, end).toSeconds(),
                Duration.between(now, sessions.last(session)).toSeconds());
    }

    /** No use of the session: pages ask by themselves. */
    @GetMapping("/api/session")
    Session session(User user, HttpSession session, CsrfToken csrf) {
        return new Session(
                user.id(),
                user.name(),
                user.roles().stream().map(Role::label).sorted().toList(),
                user.attributeTexts(),
                custody.tenant(),
                ends(session),
                csrf.getToken(),
                custody.isLocked(),
                "/logout",
                login.isDemo());
    }

    /** Somebody clicked or typed: the one request that is a use of the session. */
    @PostMapping("/api/session/used")
    Ends used(HttpSession session) {
        sessions.use(session);
        return ends(session);
    }
}
