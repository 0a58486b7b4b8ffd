package dev.veilgate.console.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.settings.ConsoleSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;

/** A session ends when nobody used it, however much was asked for, and at last also if it is used all the time. */
class SessionsTest {
    private static final Duration IDLE = Duration.ofMinutes(30);
    private static final Duration LONGEST = Duration.ofHours(12);

    private final TestClock clock = new TestClock();
    private final List<Object> told = new ArrayList<>();
    private final Sessions sessions = new Sessions(
            new ConsoleSettings(Path.of("data"), URI.create("http://localhost"), IDLE, LONGEST), clock, told::add);
    private final MockHttpSession session = new MockHttpSession();

    /** A request as pages send them without anybody there; whether the session is there behind it. */
    private boolean ask() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setSession(session);
        MockFilterChain rest = new MockFilterChain();
        new SessionAge(sessions).doFilter(request, new MockHttpServletResponse(), rest);
        assertThat(rest.getRequest())
                .as("the request goes on, logged in or not")
                .isNotNull();
        return !session.isInvalid();
    }

    @Test
    void requestsAreNoUse() throws Exception {
        for (int minute = 0; minute < 30; minute++) {
            assertThat(ask()).isTrue();
            clock.advance(Duration.ofMinutes(1));
        }
        assertThat(ask()).isTrue();
        assertThat(sessions.isOver(session)).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(sessions.isOver(session)).as("before anybody asks").isTrue();
        assertThat(ask()).isFalse();
        assertThat(sessions.isOver(session)).isTrue();
    }

    @Test
    void whoUsesItStaysUntilItHasLastedLongEnough() throws Exception {
        for (int hours = 0; hours < 24; hours++) {
            assertThat(ask()).isTrue();
            sessions.use(session);
            clock.advance(IDLE);
        }
        sessions.use(session);
        assertThat(ask()).isTrue();
        clock.advance(Duration.ofMillis(1));
        assertThat(ask()).isFalse();
    }

    @Test
    void knowsItsEnd() {
        assertThat(sessions.end(session)).isEqualTo(clock.instant().plus(IDLE));
        clock.advance(Duration.ofMinutes(29));
        assertThat(sessions.end(session)).isEqualTo(clock.instant().plus(Duration.ofMinutes(1)));
        sessions.use(session);
        assertThat(sessions.end(session)).isEqualTo(clock.instant().plus(IDLE));
        clock.advance(LONGEST.minus(Duration.ofMinutes(39)));
        sessions.use(session);
        assertThat(sessions.end(session))
                .as("used or not")
                .isEqualTo(sessions.last(session))
                .isEqualTo(clock.instant().plus(Duration.ofMinutes(10)));
    }

    @Test
    void tellsOfEachEndOnce() throws Exception {
        var id = sessions.id(session);
        assertThat(sessions.id(session)).isEqualTo(id).isNotEqualTo(sessions.id(new MockHttpSession()));
        assertThat(told).isEmpty();
        session.invalidate();
        assertThat(told).containsExactly(new SessionEnded(id));
        assertThat(sessions.isOver(session)).isTrue();
    }

    @Test
    void makesNoSessionWhereThereIsNone() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        new SessionAge(sessions).doFilter(request, new MockHttpServletResponse(), new MockFilterChain());
        assertThat(request.getSession(false)).isNull();
    }
}
