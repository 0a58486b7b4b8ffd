package dev.veilgate.console.identity;

import dev.veilgate.console.settings.ConsoleSettings;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * When sessions end: {@code veilgate.session} after the person used the console last, and {@code veilgate.longest} after they began. Requests are no use by themselves, since pages send them without
 * anybody there; a page says when somebody clicked or typed ({@link #use}). The container's own limit, which every request renews, only removes sessions that nobody asks for any more. Safe for use
 * by several threads.
 */
@Component
public class Sessions {
    private static final String USE = Sessions.class.getName() + ".use";

    private final Duration idle;
    private final Duration longest;
    private final Clock clock;
    private final ApplicationEventPublisher events;

    Sessions(ConsoleSettings settings, Clock clock, ApplicationEventPublisher events) {
        this.idle = settings.session();
        this.longest = settings.longest();
        this.clock = clock;
        this.events = events;
    }

    /** Bound to a session, so that it hears of every end: a limit, a logout, the container's own. */
    private static final class Use implements HttpSessionBindingListener {
        private final UUID id = UUID.randomUUID();
        private final ApplicationEventPublisher events;
        private final Instant began;
        private volatile Instant last;
        private volatile boolean isOver;

        Use(Instant now, ApplicationEventPublisher events) {
            this.began = now;
            this.last = now;
            this.events = events;
        }

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            isOver = true;
            events.publishEvent(new SessionEnded(id));
        }
    }

    private Use useOf(HttpSession session) {
        synchronized (session) {
            if (session.getAttribute(USE) instanceof Use use) {
                return use;
            }
            Use use = new Use(clock.instant(), events);
            session.setAttribute(USE, use);
            return use;
        }
    }

    /** Names the session for what is held for it; another name than that of the cookie. */
    public UUID id(HttpSession session) {
        return useOf(session).id;
    }

    /** Whether a session has ended or has reached its time limit. */
    public boolean isOver(HttpSession session) {
        try {
            return useOf(session).isOver || end(session).isBefore(clock.instant());
        } catch (IllegalStateException e) { // it was invalidated
            return true;
        }
    }

    /** The person is there. */
    void use(HttpSession session) {
        useOf(session).last = clock.instant();
    }

    /** When it ends if it is not used any more. */
    Instant end(HttpSession session) {
        Instant unused = useOf(session).last.plus(idle);
        Instant last = last(session);
        return unused.isBefore(last) ? unused : last;
    }

    /** When it ends however much it is used. */
    Instant last(HttpSession session) {
        return useOf(session).began.plus(longest);
    }
}
