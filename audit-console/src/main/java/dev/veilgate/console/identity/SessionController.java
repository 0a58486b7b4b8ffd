package dev.veilgate.console.identity;

import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.settings.ConsoleSettings;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the pages know of who is logged in. */
@RestController
class SessionController {
    private final Custody custody;
    private final ConsoleSettings settings;
    private final LoginSettings login;
    private final Clock clock;

    SessionController(Custody custody, ConsoleSettings settings, LoginSettings login, Clock clock) {
        this.custody = custody;
        this.settings = settings;
        this.login = login;
        this.clock = clock;
    }

    record Session(
            String user,
            String name,
            List<String> roles,
            List<String> attributes,
            String tenant,
            Instant expires,
            String csrf,
            boolean keysLocked,
            String logoutUrl,
            boolean demo) {}

    /** When it ends if it is not used, but no later than every session does. */
    static Instant expires(HttpSession session, Instant now, Duration longest) {
        Instant unused = now.plusSeconds(session.getMaxInactiveInterval());
        Instant last = SessionAge.end(session, longest);
        return unused.isBefore(last) ? unused : last;
    }

    @GetMapping("/api/session")
    Session session(User user, HttpSession session, CsrfToken csrf) {
        return new Session(
                user.id(),
                user.name(),
                user.roles().stream().map(Role::label).sorted().toList(),
                user.attributeTexts(),
                custody.tenant(),
                expires(session, clock.instant(), settings.longest()),
                csrf.getToken(),
                custody.isLocked(),
                "/logout",
                login.isDemo());
    }
}
