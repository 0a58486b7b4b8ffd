package dev.veilgate.gateway.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Holds and tombstones as a client sees them. */
class HoldControllerTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final TestClock CLOCK = new TestClock();
    private static final String HOLDS = "/v1/tenants/acme/holds";
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext gateway;
    private static int port;

    private final HttpClient client = HttpClient.newHttpClient();

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
    @EnableConfigurationProperties(RetentionSettings.class)
    @ComponentScan(
            basePackages = {"dev.veilgate.gateway.http", "dev.veilgate.gateway.retention"},
            excludeFilters =
                    @Filter(type = FilterType.REGEX, pattern = ".*(EnvelopeController|VisibleEnvelopes|Test.*)"))
    static class Gateway {
        @Bean
        Clock clock() {
            return CLOCK;
        }

        @Bean
        Database database() {
            return TestDatabase.create();
        }

        @Bean
        GatewayId gatewayId() {
            return new GatewayId(UUID.randomUUID().toString());
        }

        @Bean
        GatewaySettings gatewaySettings() {
            return new GatewaySettings(folder.resolve("data"), "localhost", Path.of("access"), List.of());
        }

        @Bean
        IndexSchemes indexSchemes() {
            return Arrivals.SCHEMES;
        }

        @Bean(destroyMethod = "close")
        EnvelopeStore store() throws IOException {
            return EnvelopeStore.embedded(folder.resolve("store"), Arrivals.SCHEMES, 0, 1);
        }

        @Bean
        Tenants tenants() {
            return TestTenant.tenants(ACME, TestTenant.of("globex"));
        }

        @Bean
        Access access() {
            Map<String, Principal> tokens = Map.of(
                    "counsel", token("counsel", Right.RETENTION, Set.of()),
                    "narrow", token("narrow", Right.RETENTION, Set.of("plant-7")),
                    "auditor", token("auditor", Right.SEARCH, Set.of()));
            return new Access() {
                @Override
                public Optional<Principal> token(String secret) {
                    return Optional.ofNullable(tokens.get(secret));
                }

                @Override
                public Optional<Principal> device(String name, String password) {
                    return Optional.empty();
                }

                @Override
                public Optional<Principal> mailUser(String name, String password) {
                    return Optional.empty();
                }
            };
        }

        private static Principal token(String name, Right right, Set<String> scopes) {
            return new Principal(Principal.Kind.TOKEN, name, "acme", Set.of(right), scopes);
        }
    }

    @BeforeAll
    static void start() {
        gateway = new SpringApplicationBuilder(Gateway.class)
                .run(
                        "--server.port=0",
                        "--veilgate.retention.every=1h",
                        "--veilgate.retention.rules[0].tenant=acme",
                        "--veilgate.retention.rules[0].days=10");
        port = gateway.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private HttpResponse<String> send(String method, String path, String token, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private JsonNode get(String path, String token) throws Exception {
        HttpResponse<String> response = send("GET", path, token, "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    @Test
    void holdsArePlacedListedAndLifted() throws Exception {
        UUID envelope = UUID.randomUUID();
        HttpResponse<String> scope = send("POST", HOLDS, "counsel", "{\"scope\":\"plant-7\",\"reason\":\"case 7\"}");
        CLOCK.advance(Duration.ofSeconds(1));
        HttpResponse<String> one = send("POST", HOLDS, "counsel", "{\"envelope\":\"" + envelope + "\"}");
        assertThat(scope.statusCode()).isEqualTo(201);
        assertThat(one.statusCode()).isEqualTo(201);
        JsonNode holds = get(HOLDS, "counsel");
        assertThat(holds).hasSize(2);
        assertThat(holds.get(0).get("reason").asString()).isEqualTo("case 7");
        assertThat(holds.get(0).get("placedBy").asString()).isEqualTo("counsel");
        assertThat(get(HOLDS, "narrow")).as("those of its scopes").hasSize(1);
        String ofEnvelope = one.headers().firstValue("Location").orElseThrow();
        assertThat(send("DELETE", ofEnvelope, "narrow", "").statusCode()).isEqualTo(404);
        assertThat(send("DELETE", ofEnvelope, "counsel", "").statusCode()).isEqualTo(204);
        String ofScope = scope.headers().firstValue("Location").orElseThrow();
        assertThat(send("DELETE", ofScope, "narrow", "").statusCode()).isEqualTo(204);
        assertThat(get(HOLDS, "counsel")).isEmpty();
    }

    @Test
    void refusesWhoMayNotAndWhatIsNoHold() throws Exception {
        String hold = "{\"scope\":\"plant-8\"}";
        assertThat(send("POST", HOLDS, "auditor", hold).statusCode()).isEqualTo(403);
        assertThat(send("POST", HOLDS, "narrow", hold).statusCode()).isEqualTo(403);
        assertThat(send("POST", HOLDS, "narrow", "{\"envelope\":\"" + UUID.randomUUID() + "\"}")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("POST", HOLDS.replace("acme", "globex"), "counsel", hold)
                        .statusCode())
                .isEqualTo(404);
        for (String bad : List.of("{}", "{", "[]", "{\"scope\":\"a\",\"envelope\":\"" + UUID.randomUUID() + "\"}")) {
            assertThat(send("POST", HOLDS, "counsel", bad).statusCode()).as(bad).isEqualTo(400);
        }
        assertThat(get(HOLDS, "counsel")).isEmpty();
    }

    @Test
    void tombstonesSayWhatWasDeletedInTheOrderOfAChain() throws Exception {
        EnvelopeStore store = gateway.getBean(EnvelopeStore.class);
        TestTenant.Sender sender = ACME.sender("press-2", CLOCK);
        for (int i = 1; i <= 3; i++) {
            store.add(List.of(Arrivals.of(sender.seal("ok").bytes(), CLOCK.instant())), i);
        }
        store.refresh();
        CLOCK.advance(Duration.ofDays(11));
        gateway.getBean(Retention.class).run();
        String path = "/v1/tenants/acme/tombstones?sender=press-2";
        JsonNode all = get(path, "counsel");
        assertThat(all).hasSize(3);
        assertThat(all.get(0).get("sequence").asLong()).isEqualTo(1);
        assertThat(all.get(0).get("digest").asString()).matches("[0-9a-f]{64}");
        assertThat(get(path + "&after=1&limit=1", "counsel")
                        .get(0)
                        .get("sequence")
                        .asLong())
                .isEqualTo(2);
        assertThat(send("GET", path + "&limit=0", "counsel", "").statusCode()).isEqualTo(400);
    }
}
