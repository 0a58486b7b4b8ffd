package dev.veilgate.console.identity;

import dev.veilgate.console.custody.Custody;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the pages know of who is logged in. */
@RestController
class SessionController {
    private final Custody custody;
    private final LoginSettings login;
    private final Clock clock;

    SessionController(Custody custody, LoginSettings login, Clock clock) {
        this.custody = custody;
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

    @GetMapping("/api/session")
    Session session(User user, HttpSession session, CsrfToken csrf) {
        return new Session(
                user.id(),
                user.name(),
                user.roles().stream().map(Role::label).sorted().toList(),
                user.attributeTexts(),
                custody.tenant(),
                clock.instant().plusSeconds(session.getMaxInactiveInterval()),
                csrf.getToken(),
                custody.isLocked(),
                "/logout",
                login.isDemo());
    }
}
