package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.keycloak.KeycloakServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The realm that docs/operations.md tells to import, in a real Keycloak, and a gateway that takes its tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeycloakTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final String SEARCH = "/searches/00000000-0000-7000-8000-000000000000";

    private final HttpClient http = HttpClient.newHttpClient();
    private KeycloakServer keycloak;
    private GatewayProcess gateway;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        keycloak = KeycloakServer.start(
                folder.resolve("keycloak.log"),
                Map.of(
                        "VEILGATE_TENANT", "acme",
                        "VEILGATE_CONSOLE_SECRET", "another-secret",
                        "VEILGATE_GATEWAY_CLIENT", "true",
                        "VEILGATE_CONSOLE_URL", "https://console.acme.example"));
        Path data = Files.createDirectory(folder.resolve("gateway"));
        gateway = new GatewayProcess(data, ACME, "veilgate.oidc.issuer=" + keycloak.issuer());
        gateway.start();
    }

    @AfterAll
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
        if (keycloak != null) {
            keycloak.close();
        }
    }

    private KeycloakServer.Tokens login(String user) throws Exception {
        return keycloak.login(user, KeycloakServer.PASSWORD);
    }

    private HttpResponse<String> ask(String token, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(gateway.uri("/v1/tenants/acme" + path))
                .header("Authorization", "Bearer " + token)
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private static JsonNode claims(String token) {
        return new JsonMapper().readTree(Base64.getUrlDecoder().decode(token.split("\\.")[1]));
    }

    private static List<String> list(JsonNode array) {
        List<String> values = new ArrayList<>();
        array.forEach(value -> values.add(value.asString()));
        return values;
    }

    /** For searches, which asks for one that is not there, routes, senders, holds and status. */
    private List<Integer> answers(String user) throws Exception {
        String token = login(user).access();
        List<Integer> answers = new ArrayList<>();
        for (String path : List.of(SEARCH, "/routes", "/senders", "/holds", "/status")) {
            answers.add(ask(token, path).statusCode());
        }
        return answers;
    }

    @Test
    void eachRoleOpensItsPartOfTheGateway() throws Exception {
        assertThat(answers("ada")).as("auditor").containsExactly(404, 200, 200, 403, 403);
        assertThat(answers("ben")).as("approver and auditor").containsExactly(404, 200, 200, 403, 403);
        assertThat(answers("eve")).as("auditor").containsExactly(404, 200, 200, 403, 403);
        assertThat(answers("kim")).as("keeper").containsExactly(403, 403, 200, 403, 200);
        assertThat(answers("oli")).as("operator").containsExactly(403, 200, 200, 200, 200);
    }

    /** It has the rights of no role, of one tenant only, and users do not get its own. */
    @Test
    void theConsolesClientAsksTheGatewayForItself() throws Exception {
        JsonNode answer = new JsonMapper().readTree(keycloak.consoleTokens(KeycloakServer.GATEWAY_SECRET));
        String token = answer.get("access_token").asString();
        List<Integer> answers = new ArrayList<>();
        for (String path : List.of(SEARCH, "/routes", "/senders", "/access", "/status", "/holds")) {
            answers.add(ask(token, path).statusCode());
        }
        assertThat(answers).containsExactly(404, 200, 200, 200, 200, 403);
        JsonNode claims = claims(token);
        assertThat(claims.get("veilgate_tenant").asString()).isEqualTo("acme");
        assertThat(claims.get("aud").asString()).isEqualTo("veilgate-gateway");
        assertThat(list(claims.get("roles"))).containsExactly("console");
        for (String user : List.of("ada", "kim", "oli")) {
            assertThat(ask(login(user).access(), "/access").statusCode()).isEqualTo(403);
        }
        assertThat(keycloak.consoleTokens("guess")).contains("unauthorized_client");
    }

    @Test
    void anAuditorReadsWhatIsStored() throws Exception {
        SealedEnvelope sealed = ACME.sender("press-1", Clock.systemUTC()).seal("pump overheated");
        assertThat(gateway.submit(sealed.bytes()).statusCode()).isEqualTo(201);
        String ada = login("ada").access();
        await() // durable in the journal first, then stored
                .untilAsserted(() -> assertThat(
                                ask(ada, "/envelopes/" + sealed.id()).statusCode())
                        .isEqualTo(200));
        assertThat(ask(login("oli").access(), "/envelopes/" + sealed.id()).statusCode())
                .isEqualTo(403);
    }

    @Test
    void tokensSayWhoTheUserIs() throws Exception {
        KeycloakServer.Tokens tokens = login("ada");
        for (String token : List.of(tokens.access(), tokens.id())) {
            JsonNode ada = claims(token);
            assertThat(ada.get("iss").asString()).isEqualTo(keycloak.issuer());
            assertThat(ada.get("sub").asString()).isNotEmpty();
            assertThat(ada.get("preferred_username").asString()).isEqualTo("ada");
            assertThat(ada.get("veilgate_tenant").asString()).isEqualTo("acme");
            assertThat(list(ada.get("veilgate_attributes"))).containsExactlyInAnyOrder("role:auditor", "site:plant-7");
            assertThat(list(ada.get("roles"))).containsExactly("auditor");
        }
        assertThat(claims(tokens.access()).get("aud").asString()).isEqualTo("veilgate-gateway");
        assertThat(claims(tokens.id()).get("aud").asString()).isEqualTo("veilgate-console");
        JsonNode eve = claims(login("eve").id());
        assertThat(eve.has("veilgate_attributes")).isFalse();
        assertThat(list(eve.get("roles"))).containsExactly("auditor");
    }

    @Test
    void onlyTheAccessTokenIsTaken() throws Exception {
        KeycloakServer.Tokens tokens = login("ada");
        assertThat(ask(tokens.access(), "/senders").statusCode()).isEqualTo(200);
        assertThat(ask(tokens.id(), "/senders").statusCode()).isEqualTo(401);
        assertThat(ask(tokens.refresh(), "/senders").statusCode()).isEqualTo(401);
        String[] parts = tokens.access().split("\\.");
        String more = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                .replace("veilgate.senders", "veilgate.status");
        String forged = parts[0] + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(more.getBytes(StandardCharsets.UTF_8))
                + "." + parts[2];
        assertThat(ask(forged, "/status").statusCode()).isEqualTo(401);
    }

    @Test
    void aWrongPasswordGivesNoToken() {
        assertThatIOException()
                .isThrownBy(() -> keycloak.login("kim", "guess"))
                .withMessageContaining("a code for kim");
    }
}
