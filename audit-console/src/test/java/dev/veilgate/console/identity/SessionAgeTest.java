package dev.veilgate.console.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;

/** A session ends at last, also if it is used all the time. */
class SessionAgeTest {
    private static boolean endsAfter(Duration age) throws Exception {
        MockHttpSession session = new MockHttpSession();
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setSession(session);
        Instant now = Instant.ofEpochMilli(session.getCreationTime()).plus(age);
        MockFilterChain rest = new MockFilterChain();
        new SessionAge(Duration.ofHours(12), Clock.fixed(now, ZoneOffset.UTC))
                .doFilter(request, new MockHttpServletResponse(), rest);
        assertThat(rest.getRequest())
                .as("the request goes on, logged in or not")
                .isNotNull();
        return session.isInvalid();
    }

    @Test
    void endsWhatHasLastedLongEnough() throws Exception {
        assertThat(endsAfter(Duration.ofHours(12))).isFalse();
        assertThat(endsAfter(Duration.ofHours(12).plusMillis(1))).isTrue();
    }

    @Test
    void pagesKnowItsEnd() {
        MockHttpSession session = new MockHttpSession();
        session.setMaxInactiveInterval(1800);
        Instant begun = Instant.ofEpochMilli(session.getCreationTime());
        Duration longest = Duration.ofHours(12);
        assertThat(SessionController.expires(session, begun.plusSeconds(60), longest))
                .isEqualTo(begun.plusSeconds(1860));
        assertThat(SessionController.expires(session, begun.plus(Duration.ofMinutes(715)), longest))
                .as("used or not")
                .isEqualTo(begun.plus(longest));
    }

    @Test
    void makesNoSessionWhereThereIsNone() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        new SessionAge(Duration.ofHours(12), Clock.systemUTC())
                .doFilter(request, new MockHttpServletResponse(), new MockFilterChain());
        assertThat(request.getSession(false)).isNull();
    }
}
