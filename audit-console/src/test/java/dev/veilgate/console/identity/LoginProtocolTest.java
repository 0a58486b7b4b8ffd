package dev.veilgate.console.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.veilgate.console.ConsoleApplication;
import dev.veilgate.console.TestConsole;
import dev.veilgate.testing.FreePort;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/** A login at the embedded provider over HTTP, as a browser does it. */
@SpringBootTest(classes = ConsoleApplication.class, webEnvironment = WebEnvironment.DEFINED_PORT)
@ContextConfiguration(initializers = {TestConsole.class, LoginProtocolTest.OwnPort.class})
class LoginProtocolTest {
    private static final Duration SESSION = Duration.ofMinutes(7);
    private static String base = "";

    @Autowired
    private Clock clock;

    /** Where logins come back to has to be known before the start. */
    static final class OwnPort implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            int port = FreePort.choose();
            base = "http://localhost:" + port;
            TestPropertyValues.of("server.port=" + port, "veilgate.url=" + base, "veilgate.session=7m")
                    .applyTo(context);
        }
    }

    private static HttpClient browser() {
        return HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
    }

    private static HttpResponse<String> get(HttpClient browser, String path) throws Exception {
        return browser.send(HttpRequest.newBuilder(URI.create(base + path)).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(HttpClient browser, String path, Map<String, String> form)
            throws Exception {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return browser.send(
                HttpRequest.newBuilder(URI.create(base + path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String find(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
        return matcher.group(1);
    }

    /** What the page knows of who is logged in then. */
    private static String logIn(HttpClient browser, String name) throws Exception {
        String page = get(browser, "/oauth2/authorization/veilgate").body();
        String token = find("name=\"_csrf\" value=\"([^\"]+)\"", page);
        post(
                browser,
                "/provider/login",
                Map.of("username", name, "password", LoginSettings.DEMO_PASSWORD, "_csrf", token));
        return get(browser, "/api/session").body();
    }

    /** Unless it is used again. */
    @Test
    void aSessionLastsAsLongAsItIsSetTo() throws Exception {
        HttpClient browser = browser();
        logIn(browser, "ben");
        String expires = find(
                "\"ends\":\\{\"at\":\"([^\"]+)\"", get(browser, "/api/session").body());
        assertThat(Instant.parse(expires)).isEqualTo(clock.instant().plus(SESSION));
    }

    @Test
    void whoLogsInAndOutIsInTheLog() throws Exception {
        HttpClient browser = browser();
        String session = logIn(browser, "ada");
        assertThat(find("\"user\":\"([^\"]+)\"", session)).isEqualTo("ada");
        post(browser, "/logout", Map.of("_csrf", find("\"csrf\":\"([^\"]+)\"", session)));
        assertThat(get(browser, "/api/session").statusCode()).isEqualTo(401);
        HttpClient keeper = browser();
        logIn(keeper, "kim");
        String log = get(keeper, "/api/log?actor=ada").body();
        assertThat(JsonPath.<List<String>>read(log, "$.entries[*].kind")).containsExactly("logout", "login");
        assertThat(JsonPath.<List<String>>read(log, "$.entries[1].details[?(@.name == 'roles')].value"))
                .containsExactly("auditor");
    }
}
