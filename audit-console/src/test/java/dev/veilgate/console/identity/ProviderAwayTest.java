package dev.veilgate.console.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

/** Who wants to log in while the provider is away is told so on the page. */
class ProviderAwayTest {
    private static final ClientRegistrationRepository AWAY = id -> {
        throw new IllegalArgumentException("no answer");
    };

    private static MockHttpServletResponse ask(ClientRegistrationRepository clients, String path, MockFilterChain rest)
            throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        new ProviderAway(clients).doFilter(new MockHttpServletRequest("GET", path), response, rest);
        return response;
    }

    @Test
    void leadsBackToThePage() throws Exception {
        MockFilterChain rest = new MockFilterChain();
        assertThat(ask(AWAY, "/oauth2/authorization/veilgate", rest).getRedirectedUrl())
                .isEqualTo("/?login=failed");
        assertThat(rest.getRequest()).isNull();
    }

    @Test
    void isInNobodyElsesWay() throws Exception {
        for (String path : new String[] {"/", "/api/session", "/oauth2/authorize"}) {
            MockFilterChain rest = new MockFilterChain();
            ask(AWAY, path, rest);
            assertThat(rest.getRequest()).as(path).isNotNull();
        }
        MockFilterChain rest = new MockFilterChain();
        ask(id -> null, "/oauth2/authorization/veilgate", rest);
        assertThat(rest.getRequest()).isNotNull();
    }
}
