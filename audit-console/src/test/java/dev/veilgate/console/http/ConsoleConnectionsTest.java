package dev.veilgate.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.connection.ConnectionLimitContract;
import dev.veilgate.application.connection.ConnectionRules;
import dev.veilgate.application.connection.HttpConnections;
import dev.veilgate.application.connection.TestClient;
import dev.veilgate.application.tls.WebCertificate;
import dev.veilgate.console.ConsoleApplication;
import dev.veilgate.console.TestConsole;
import dev.veilgate.testing.TlsRelay;
import dev.veilgate.transport.TlsContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;

/** The limit of connections at the ports of a console, for browsers and for management. */
@SpringBootTest(
        classes = {ConsoleApplication.class, ConsoleConnectionsTest.Limited.class},
        webEnvironment = WebEnvironment.RANDOM_PORT)
@ContextConfiguration(initializers = {TestConsole.class, ConsoleConnectionsTest.Secured.class})
@DirtiesContext
class ConsoleConnectionsTest extends ConnectionLimitContract {
    private static final String CLIENT = "127.0.0.4";

    private static WebCertificate certificate;

    @LocalServerPort
    private int port;

    @LocalManagementPort
    private int management;

    @Autowired
    private HttpConnections connections;

    @Autowired
    private HealthEndpoint health;

    /** This machine is limited like any other. */
    @Configuration(proxyBeanMethods = false)
    static class Limited {
        @Bean
        @Primary
        ConnectionRules testRules() {
            return rules();
        }
    }

    /** Settings of TLS and of a proxy that Tomcat trusts. */
    static final class Secured implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            try {
                Path store = Files.createTempDirectory("veilgate-console-tls").resolve("server.p12");
                certificate = WebCertificate.make(store, "server");
                TestPropertyValues.of(
                                "server.ssl.bundle=web",
                                "spring.ssl.bundle.jks.web.keystore.location=file:" + store,
                                "spring.ssl.bundle.jks.web.keystore.password=" + WebCertificate.PASSWORD,
                                "server.tomcat.max-connections=" + MOST,
                                "server.forward-headers-strategy=native",
                                "server.tomcat.remoteip.internal-proxies=" + PROXY.replace(".", "\\."),
                                "management.server.port=0")
                        .applyTo(context);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    protected int port() {
        return port;
    }

    @Override
    protected HttpConnections connections() {
        return connections;
    }

    @Override
    protected SSLContext tls() {
        try {
            return certificate.client();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void portOfManagementIsLimitedToo() throws Exception {
        assertThat(management).isNotEqualTo(port);
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < LIMIT; i++) {
                clients.add(TestClient.connect(CLIENT, management));
            }
            await(() -> connections.size() == LIMIT);
            try (TestClient next = TestClient.connect(CLIENT, management).secure(tls().getSocketFactory())) {
                assertThat(next.status("/actuator/health")).isEqualTo(200);
            }
            clients.getFirst().requireClosed();
        } finally {
            for (TestClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void portOfManagementHasTheTlsOfTheOther() throws Exception {
        try (TlsRelay relay = new TlsRelay(management);
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(TlsContext.of(null, certificate.trusting()))
                        .build()) {
            URI uri = URI.create("https://localhost:" + relay.port() + "/actuator/health");
            assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(relay.groups()).containsExactly(TlsRelay.HYBRID);
        }
    }

    @Test
    void healthLooksAtTheDescriptors() {
        assertThat(health.healthForPath("descriptors").getStatus().getCode()).isEqualTo("UP");
    }
}
