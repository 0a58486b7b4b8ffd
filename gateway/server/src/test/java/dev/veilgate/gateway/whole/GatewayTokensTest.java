package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.oidc.TestIssuer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/** A running gateway as a resource server: what a token that an issuer signed opens, and what is said of one that does not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayTokensTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final String SENDERS = "/v1/tenants/acme/senders";
    private static final String METRICS = "get /actuator/prometheus";

    /** What each operation needs; the other side of what the interface is documented to be. */
    private static final Map<String, Right> NEEDED = Map.ofEntries(
            Map.entry("post /v1/tenants/{tenant}/envelopes", Right.INGEST),
            Map.entry("get /v1/tenants/{tenant}/envelopes", Right.SEARCH),
            Map.entry("get /v1/tenants/{tenant}/envelopes/{id}", Right.SEARCH),
            Map.entry("get /v1/tenants/{tenant}/envelopes/{id}/content", Right.SEARCH),
            Map.entry("post /v1/tenants/{tenant}/searches", Right.SEARCH),
            Map.entry("get /v1/tenants/{tenant}/searches/{id}", Right.SEARCH),
            Map.entry("delete /v1/tenants/{tenant}/searches/{id}", Right.SEARCH),
            Map.entry("get /v1/tenants/{tenant}/searches/{id}/events", Right.SEARCH),
            Map.entry("get /v1/tenants/{tenant}/searches/{id}/hits", Right.SEARCH),
            Map.entry("get /v1/tenants/{tenant}/searches/{id}/export", Right.SEARCH),
            Map.entry("post /v1/tenants/{tenant}/transforms", Right.SEARCH),
            Map.entry("get /v1/tenants/{tenant}/routes", Right.ROUTES),
            Map.entry("put /v1/tenants/{tenant}/routes/{name}", Right.ROUTES),
            Map.entry("get /v1/tenants/{tenant}/routes/{name}", Right.ROUTES),
            Map.entry("delete /v1/tenants/{tenant}/routes/{name}", Right.ROUTES),
            Map.entry("get /v1/tenants/{tenant}/senders", Right.SENDERS),
            Map.entry("get /v1/tenants/{tenant}/rules", Right.SENDERS),
            Map.entry("get /v1/tenants/{tenant}/status", Right.STATUS),
            Map.entry("get /v1/tenants/{tenant}/figures", Right.STATUS),
            Map.entry("get /v1/tenants/{tenant}/holds", Right.RETENTION),
            Map.entry("post /v1/tenants/{tenant}/holds", Right.RETENTION),
            Map.entry("delete /v1/tenants/{tenant}/holds/{id}", Right.RETENTION),
            Map.entry("get /v1/tenants/{tenant}/tombstones", Right.RETENTION),
            Map.entry("get /v1/tenants/{tenant}/access", Right.ACCESS),
            Map.entry("post /v1/tenants/{tenant}/access", Right.ACCESS),
            Map.entry("delete /v1/tenants/{tenant}/access", Right.ACCESS),
            Map.entry(METRICS, Right.STATUS));

    /** Of what is not JSON, by the end of the path. */
    private static final Map<String, String> TYPES = Map.of(
            "/envelopes", "application/vnd.veilgate.envelope+cbor",
            "/searches", "application/vnd.veilgate.search+cbor",
            "/transforms", "application/vnd.veilgate.transform+cbor");

    private final HttpClient http = HttpClient.newHttpClient();
    private TestIssuer issuer;
    private GatewayProcess gateway;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        issuer = new TestIssuer(Clock.systemUTC());
        gateway = new GatewayProcess(folder, ACME, "veilgate.oidc.issuer=" + issuer.issuer());
        gateway.start();
    }

    @AfterAll
    void stop() {
        gateway.close();
        issuer.close();
    }

    private HttpResponse<String> ask(String token, String operation) throws Exception {
        String method = operation.substring(0, operation.indexOf(' ')).toUpperCase(Locale.ROOT);
        String path = operation
                .substring(operation.indexOf(' ') + 1)
                .replace("{tenant}", "acme")
                .replace("{name}", "a-route")
                .replace("{id}", UUID.randomUUID().toString());
        String type = TYPES.entrySet().stream()
                .filter(each -> path.endsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("application/json");
        HttpRequest request = HttpRequest.newBuilder(gateway.uri(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", type)
                .method(method, method.startsWith("P") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody())
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private String token(Consumer<JWTClaimsSet.Builder> change) {
        return issuer.token(change);
    }

    private static String challenge(HttpResponse<String> answer) {
        return answer.headers().firstValue("WWW-Authenticate").orElse("");
    }

    private static void isProblem(HttpResponse<String> answer, int status, String type) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(new JsonMapper().readTree(answer.body()).get("type").asString())
                .isEqualTo("urn:veilgate:problem:" + type);
    }

    @Test
    void theTableHasEveryOperation() throws IOException {
        Set<String> operations = new TreeSet<>(Set.of(METRICS));
        try (InputStream in = Objects.requireNonNull(GatewayTokensTest.class.getResourceAsStream("/openapi.yaml"))) {
            Map<String, Map<String, Map<String, ?>>> document = new Yaml().load(in);
            Objects.requireNonNull(document.get("paths"))
                    .forEach((path, item) -> item.keySet().stream()
                            .filter(key -> !key.equals("parameters") && !path.equals("/openapi.yaml"))
                            .forEach(method -> operations.add(method + " " + path)));
        }
        assertThat(NEEDED.keySet()).isEqualTo(operations);
    }

    @TestFactory
    Stream<DynamicTest> eachRightOpensItsOperationsAndNoOther() {
        return Stream.of(Right.values())
                .flatMap(right -> NEEDED.keySet().stream().sorted().map(operation -> {
                    String token = token(claims -> claims.claim("scope", right.scope()));
                    return dynamicTest(right.label() + ": " + operation, () -> check(token, right, operation));
                }));
    }

    private void check(String token, Right right, String operation) throws Exception {
        HttpResponse<String> answer = ask(token, operation);
        Right needed = Objects.requireNonNull(NEEDED.get(operation));
        if (right == needed) {
            assertThat(answer.statusCode()).isIn(200, 201, 204, 400, 404, 422);
        } else {
            isProblem(answer, 403, "forbidden");
            assertThat(challenge(answer)).contains("error=\"insufficient_scope\", scope=\"" + needed.scope() + '"');
        }
    }

    @Test
    void noOperationIsOpenToATokenWithoutRightsOrToNone() throws Exception {
        String none = token(claims -> claims.claim("scope", "openid profile"));
        for (String operation : NEEDED.keySet()) {
            assertThat(ask(none, operation).statusCode()).as(operation).isEqualTo(403);
            assertThat(ask("", operation).statusCode()).as(operation).isEqualTo(401);
            assertThat(ask("vg_guess", operation).statusCode()).as(operation).isEqualTo(401);
        }
    }

    @Test
    void saysWhyATokenIsNotTaken() throws Exception {
        HttpResponse<String> expired = ask(
                token(claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(60)))), "get " + SENDERS);
        isProblem(expired, 401, "unauthorized");
        assertThat(challenge(expired)).contains("error=\"invalid_token\"", "the token has expired");
        HttpResponse<String> foreign = ask(token(claims -> claims.audience("another")), "get " + SENDERS);
        isProblem(foreign, 401, "unauthorized");
        assertThat(foreign.body()).contains("its audience is another");
        HttpResponse<String> nothing =
                http.send(HttpRequest.newBuilder(gateway.uri(SENDERS)).build(), BodyHandlers.ofString());
        isProblem(nothing, 401, "unauthorized");
        assertThat(challenge(nothing)).isEqualTo("Bearer realm=\"veilgate\"");

        String metrics = ask(token(claims -> claims.claim("scope", "veilgate.status")), METRICS)
                .body();
        assertThat(metrics)
                .contains(
                        "veilgate_tokens_refused_total{reason=\"expired\"}",
                        "veilgate_tokens_refused_total{reason=\"audience\"}",
                        "veilgate_tokens_refused_total{reason=\"missing\"}");
    }

    @Test
    void aTokenOfAnotherTenantFindsNothingHere() throws Exception {
        String globex = token(
                claims -> claims.claim("veilgate_tenant", "globex").claim("scope", "veilgate.senders veilgate.status"));
        isProblem(ask(globex, "get " + SENDERS), 404, "not-found");
        isProblem(ask(globex, "get /v1/tenants/globex/senders"), 404, "not-found");
    }

    @Test
    void readsOnlyWhatItsScopesAllow() throws Exception {
        SealedEnvelope sealed = ACME.sender("press-1", Clock.systemUTC()).seal("of plant-7");
        assertThat(gateway.submit(sealed.bytes()).statusCode()).isEqualTo(201);
        String envelope = "get /v1/tenants/acme/envelopes/" + sealed.id();
        String plant7 = token(claims -> claims.claim("veilgate_scopes", List.of("plant-7")));
        await() // durable in the journal first, then stored
                .untilAsserted(
                        () -> assertThat(ask(plant7, envelope).statusCode()).isEqualTo(200));
        isProblem(
                ask(token(claims -> claims.claim("veilgate_scopes", List.of("plant-8"))), envelope), 404, "not-found");
        isProblem(ask(token(claims -> claims.claim("veilgate_scopes", List.of())), envelope), 401, "unauthorized");
    }

    /** The token of the access file works beside them, with the issuer away too. */
    @Test
    void doesNotNeedTheIssuerToStartAndSaysThatItIsAway(@TempDir Path folder) throws Exception {
        String away;
        String token;
        try (TestIssuer gone = new TestIssuer(Clock.systemUTC())) {
            away = gone.issuer();
            token = gone.token(claims -> claims.claim("scope", "veilgate.senders"));
        }
        try (GatewayProcess other = new GatewayProcess(folder, ACME, "veilgate.oidc.issuer=" + away)) {
            other.start();
            HttpRequest request = HttpRequest.newBuilder(other.uri(SENDERS))
                    .header("Authorization", "Bearer " + token)
                    .build();
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            isProblem(answer, 503, "issuer-unavailable");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(challenge(answer)).isEmpty();
            assertThat(other.send(other.request("/senders")).statusCode()).isEqualTo(200);
            assertThat(Files.readString(other.log()))
                    .contains("cannot be fetched", away)
                    .doesNotContain(token.substring(token.lastIndexOf('.')), token.substring(0, 20));
        }
    }
}
