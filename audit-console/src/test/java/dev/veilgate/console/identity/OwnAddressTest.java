package dev.veilgate.console.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.ConsoleApplication;
import dev.veilgate.console.TestConsole;
import dev.veilgate.testing.FreePort;
import java.net.CookieManager;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/**
 * A login at the embedded provider of a console whose address leads nowhere from where it runs, as inside a container
 * under another port of its machine. The browser comes to the console as to a proxy, which is the way from outside.
 */
@SpringBootTest(classes = ConsoleApplication.class, webEnvironment = WebEnvironment.DEFINED_PORT)
@ContextConfiguration(initializers = {TestConsole.class, OwnAddressTest.OtherPort.class})
class OwnAddressTest {
    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private static String address = "";
    private static int port;

    /** Gives the console, before it starts, an address at which nobody listens. */
    static final class OtherPort implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            port = FreePort.choose();
            address = "http://localhost:" + FreePort.choose();
            TestPropertyValues.of(
                            "server.port=" + port,
                            "veilgate.url=" + address,
                            "veilgate.login.own-address=http://localhost:" + port + "/")
                    .applyTo(context);
        }
    }

    @Test
    void aLoginWorksWhereTheConsoleDoesNotReachItsAddress() throws Exception {
        try (HttpClient browser = HttpClient.newBuilder()
                .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", port)))
                .cookieHandler(new CookieManager())
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            Matcher token = TOKEN.matcher(get(browser, "/oauth2/authorization/veilgate"));
            assertThat(token.find()).isTrue();
            String form = "username=ben&password=" + LoginSettings.DEMO_PASSWORD + "&_csrf=" + token.group(1);
            browser.send(
                    HttpRequest.newBuilder(URI.create(address + "/provider/login"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString(form))
                            .build(),
                    BodyHandlers.discarding());
            assertThat(get(browser, "/api/session")).contains("Ben Approver");
        }
    }

    private static String get(HttpClient browser, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path)).build();
        return browser.send(request, BodyHandlers.ofString()).body();
    }
}
