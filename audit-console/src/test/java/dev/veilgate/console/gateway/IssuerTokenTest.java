package dev.veilgate.console.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.veilgate.application.TestClock;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.console.settings.ConsoleSettings.GatewaySettings;
import dev.veilgate.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's own tokens of an issuer over HTTP. A real Keycloak gives them in the journeys. */
class IssuerTokenTest {
    private static final String SECRET = "secret-of-the-console";

    /** With an issuer that answers, however slow the machine is. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> shown = new CopyOnWriteArrayList<>();
    private final TestClock clock = new TestClock();
    private final AtomicInteger stuck = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile int lives = 300;
    private volatile String refuses = "";
    private volatile String hangs = "";
    private HttpServer server;
    private Path secret;
    private IssuerToken token;

    @BeforeEach
    void start() throws IOException {
        serve(FreePort.choose()); // it may be away and come back
        secret = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        token = token(PATIENCE);
    }

    private IssuerToken token(Duration patience) {
        return new IssuerToken(
                new GatewaySettings(URI.create(base()), null, issuer(), "console-client", secret, null),
                clock,
                patience);
    }

    private void serve(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext(
                "/realm/.well-known/openid-configuration", exchange -> answer(exchange, 200, """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/auth", "token_endpoint": "%1$s/token", "jwks_uri": "%1$s/keys",
                 "subject_types_supported": ["public"]}""".formatted(issuer())));
        server.createContext("/realm/token", this::give);
        server.createContext("/v1/tenants/acme/senders", exchange -> {
            String with = exchange.getRequestHeaders().getFirst("Authorization");
            shown.add(with);
            answer(exchange, with.equals(refuses) ? 401 : 200, "[]");
        });
        server.setExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().factory())); // one that hangs holds up no other
        server.start();
    }

    private String base() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private URI issuer() {
        return URI.create(base() + "/realm");
    }

    private void give(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String basic =
                Base64.getEncoder().encodeToString(("console-client:" + SECRET).getBytes(StandardCharsets.UTF_8));
        if (!("Basic " + basic).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, "{\"error\": \"invalid_client\", \"error_description\": \"Invalid credentials\"}");
            return;
        }
        asked.add(body);
        answer(
                exchange,
                200,
                "{\"access_token\": \"token-%d\", \"token_type\": \"Bearer\", \"expires_in\": %d}"
                        .formatted(asked.size(), lives));
    }

    private void answer(HttpExchange exchange, int status, String json) throws IOException {
        if (exchange.getRequestURI().getPath().equals(hangs)) {
            stuck.incrementAndGet();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
    }

    @Test
    void oneIsUsedUntilItEnds() throws Exception {
        assertThat(token.now()).isEqualTo("token-1");
        assertThat(token.now()).isEqualTo("token-1");
        assertThat(asked).singleElement().asString().contains("grant_type=client_credentials", "veilgate.access");
        token.refused();
        lives = 30; // less than the minute before its end
        assertThat(token.now()).isEqualTo("token-2");
        assertThat(token.now()).isEqualTo("token-3");
    }

    @Test
    void eachRequestHasTheOneThatIsGoodThen() throws Exception {
        lives = 30;
        try (GatewayClient client = new GatewayClient(URI.create(base()), "acme", token, null)) {
            client.senders();
            client.senders();
        }
        assertThat(shown).containsExactly("Bearer token-1", "Bearer token-2");
    }

    @Test
    void anotherSecretIsReadAfterARefusal() throws Exception {
        Files.writeString(secret, "an-old-secret");
        assertThatThrownBy(() -> token.now())
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("veilgate.gateway.issuer", "invalid_client")
                .hasMessageNotContaining("an-old-secret");
        Files.writeString(secret, SECRET);
        clock.advance(IssuerToken.REST);
        assertThat(token.now()).isEqualTo("token-1");
        Files.delete(secret);
        token.refused();
        assertThatThrownBy(() -> token.now()).hasMessageContaining("veilgate.gateway.client-secret-file");
    }

    @Test
    void theIssuerMayBeAwayAtFirst() throws Exception {
        int port = server.getAddress().getPort();
        server.stop(0);
        assertThatThrownBy(() -> token.now())
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("/realm (veilgate.gateway.issuer)", "gives the console no token");
        serve(port);
        clock.advance(IssuerToken.REST);
        assertThat(token.now()).isEqualTo("token-1");
    }

    @Test
    void nobodyWaitsForOneThatHangsAfterTheFirst() throws Exception {
        token = token(Duration.ofSeconds(4)); // in which an answer comes
        for (String place : List.of("/realm/.well-known/openid-configuration", "/realm/token")) {
            hangs = place;
            assertThatThrownBy(() -> token.now()).isInstanceOf(IOException.class);
            int asked = stuck.get();
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> token.now()).hasMessageContaining("gives the console no token");
            }
            assertThat(stuck).hasValue(asked);
            clock.advance(IssuerToken.REST);
        }
        hangs = "";
        assertThat(token.now()).startsWith("token-");
    }

    @Test
    void oneThatIsStillGoodIsUsedWhileThereIsNoOther() throws Exception {
        assertThat(token.now()).isEqualTo("token-1");
        clock.advance(Duration.ofSeconds(250));
        server.stop(0);
        assertThat(token.now()).isEqualTo("token-1");
        clock.advance(Duration.ofSeconds(49));
        assertThat(token.now()).isEqualTo("token-1");
        clock.advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> token.now()).isInstanceOf(IOException.class);
    }

    @Test
    void oneThatTheGatewayDoesNotTakeIsShownOnce() throws Exception {
        refuses = "Bearer token-1";
        try (GatewayClient client = new GatewayClient(URI.create(base()), "acme", token, null)) {
            assertThatThrownBy(client::senders).isInstanceOf(GatewayException.class);
            client.senders();
        }
        assertThat(shown).containsExactly("Bearer token-1", "Bearer token-2");
    }

    @Test
    void metadataMayStandWhereOAuthHasThem() throws Exception {
        server.removeContext("/realm/.well-known/openid-configuration");
        server.createContext(
                "/.well-known/oauth-authorization-server/realm",
                exchange -> answer(
                        exchange,
                        200,
                        "{\"issuer\": \"%1$s\", \"token_endpoint\": \"%1$s/token\"}".formatted(issuer())));
        assertThat(token.now()).isEqualTo("token-1");
        token.refused();
        server.removeContext("/.well-known/oauth-authorization-server/realm");
        server.createContext(
                "/realm/.well-known/openid-configuration",
                exchange -> answer(
                        exchange,
                        200,
                        "{\"issuer\": \"https://other.example\", \"token_endpoint\": \"%s/token\"}"
                                .formatted(issuer())));
        assertThatThrownBy(() -> token.now()).hasMessageContaining("another issuer, https://other.example");
    }

    @Test
    void settingsAreOneOrTheOther() {
        URI url = URI.create("http://127.0.0.1:8080");
        assertThatThrownBy(() -> new GatewaySettings(url, null, issuer(), "console-client", null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client-secret-file");
        assertThatThrownBy(() -> new GatewaySettings(url, secret, issuer(), "console-client", secret, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token-file or issuer");
    }
}
