package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.testing.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running gateway with every endpoint of management exposed: which of them tell something to whoever has no token,
 * on the port of the interface and on one of their own.
 */
class ManagementEndpointsTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private String root = "";
    private GatewayProcess gateway;

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** @param address below which the endpoints are; empty for the port of the interface */
    private void start(String address, String... settings) throws Exception {
        gateway = new GatewayProcess(folder, ACME, settings);
        root = address.isEmpty() ? gateway.uri("/actuator").toString() : address;
        gateway.launch();
        await().atMost(Duration.ofMinutes(3)).until(() -> {
            try {
                return ask("", "/health/readiness").statusCode() == 200;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private HttpResponse<String> ask(String token, String path) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(root + path)).timeout(Duration.ofSeconds(60));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /**
     * Addresses of all endpoints but health, without those of one thing of many and the one that writes the memory
     * down.
     */
    private Set<String> endpoints() throws Exception {
        Set<String> all = new TreeSet<>();
        HttpResponse<String> links = ask(gateway.token(), "");
        assertThat(links.statusCode()).isEqualTo(200);
        for (JsonNode link : new JsonMapper().readTree(links.body()).get("_links")) {
            String path = URI.create(link.get("href").asString().replaceAll("[{}*]", ""))
                    .getPath();
            String below = path.substring(URI.create(root).getPath().length());
            if (!below.startsWith("/health") && !below.equals("/heapdump")) {
                all.add(below);
            }
        }
        return all;
    }

    private void checkAll() throws Exception {
        Set<String> endpoints = endpoints();
        assertThat(endpoints).contains("", "/prometheus", "/metrics", "/env", "/loggers", "/threaddump");
        String reader = gateway.grant(
                new Principal(Kind.TOKEN, "reader", GatewayProcess.TENANT, Set.of(Right.SEARCH), Set.of()));
        await() // the access file is read again within seconds
                .until(() -> ask(reader, "/prometheus").statusCode() == 403);
        for (String endpoint : endpoints) {
            assertThat(ask("", endpoint).statusCode()).as(endpoint).isEqualTo(401);
            assertThat(ask("vg_guess", endpoint).statusCode()).as(endpoint).isEqualTo(401);
            assertThat(ask(reader, endpoint).statusCode()).as(endpoint).isEqualTo(403);
            assertThat(ask(gateway.token(), endpoint).statusCode()).as(endpoint).isNotIn(401, 403);
        }
        assertThat(ask(gateway.token(), "/prometheus").body()).contains("veilgate_backlog_bytes");
        for (String spelling : new String[] {
            "/%70rometheus",
            "/prometheus;x=1",
            "/health/..;/prometheus",
            "/health;/../prometheus",
            "/env/health",
            "/metrics/jvm.memory.used",
            "/loggers/..;/health/..;/prometheus",
            "//prometheus",
            "/health%2F..%2Fprometheus"
        }) {
            HttpResponse<String> answer = ask("", spelling);
            assertThat(answer.statusCode()).as(spelling).isGreaterThanOrEqualTo(400);
            assertThat(answer.body()).as(spelling).doesNotContain("veilgate_", "jvm_");
        }
        for (String open : new String[] {"/health", "/health/liveness", "/health/readiness"}) {
            HttpResponse<String> answer = ask("", open);
            assertThat(answer.statusCode()).as(open).isEqualTo(200);
            assertThat(answer.body()).contains("UP").doesNotContain("free", folder.toString());
        }
    }

    @Test
    void allButHealthNeedATokenOnThePortOfTheInterface() throws Exception {
        start("", "management.endpoints.web.exposure.include=*");
        checkAll();
    }

    @Test
    void allButHealthNeedATokenOnAPortOfTheirOwn() throws Exception {
        int port = FreePort.choose();
        start(
                "http://127.0.0.1:" + port + "/actuator",
                "management.server.port=" + port,
                "management.endpoints.web.exposure.include=*");
        checkAll();
        assertThat(http.send(
                                HttpRequest.newBuilder(gateway.uri("/actuator/prometheus"))
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .as("not there")
                .isIn(401, 404);
    }

    /** Without a folder of their own they lie beside the interface. */
    @Test
    void allButHealthNeedATokenUnderOtherNames() throws Exception {
        int port = FreePort.choose();
        start(
                "http://127.0.0.1:" + port,
                "management.server.port=" + port,
                "management.endpoints.web.base-path=/",
                "management.endpoints.web.path-mapping.prometheus=numbers/all",
                "management.endpoints.web.exposure.include=health,prometheus,metrics");
        assertThat(ask("", "/numbers/all").statusCode()).isEqualTo(401);
        assertThat(ask("", "/metrics").statusCode()).isEqualTo(401);
        assertThat(ask(gateway.token(), "/numbers/all").body()).contains("veilgate_backlog_bytes");
        assertThat(ask("", "/health").statusCode()).isEqualTo(200);
    }
}
