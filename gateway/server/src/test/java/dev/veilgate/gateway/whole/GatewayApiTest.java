package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.ingest.Visibility;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The interface over HTTP of a running gateway: what it takes, and how it refuses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayApiTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
    private GatewayProcess gateway;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        gateway = new GatewayProcess(folder, ACME, "veilgate.ingest.max-envelope=200KB");
        gateway.start();
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    private HttpResponse<String> ask(String token, String path) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.uri(path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String problem(HttpResponse<byte[]> answer) {
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode body = new JsonMapper().readTree(answer.body());
        assertThat(body.get("status").asInt()).isEqualTo(answer.statusCode());
        assertThat(body.get("detail").asString()).isNotEmpty();
        return URI.create(body.get("type").asString()).toString().replace("urn:veilgate:problem:", "");
    }

    /**
     * What is answered right after an acknowledgement. A gateway that is more than a second behind, as on a slow machine, may answer without what was
     * acknowledged, but not before that second is over; then it is asked again.
     */
    private static <T> T atOnce(Callable<T> question, Predicate<T> hasAll) throws Exception {
        long start = System.nanoTime();
        T answer = question.call();
        boolean waited = System.nanoTime() - start >= Visibility.MOST_BEHIND.toNanos();
        return hasAll.test(answer) || !waited ? answer : await().until(question, hasAll);
    }

    @Test
    void takesAnEnvelopeOnceAndGivesItBack() throws Exception {
        SealedEnvelope sealed = press.seal("pump overheated");
        HttpResponse<byte[]> created = gateway.submit(sealed.bytes());
        assertThat(created.statusCode()).isEqualTo(201);
        String location = created.headers().firstValue("Location").orElseThrow();
        assertThat(location).endsWith("/envelopes/" + sealed.id());
        assertThat(gateway.submit(sealed.bytes()).statusCode()).isEqualTo(200);
        HttpResponse<byte[]> stored = atOnce(
                () -> gateway.send(gateway.request("/envelopes/" + sealed.id())), answer -> answer.statusCode() == 200);
        assertThat(stored.statusCode()).isEqualTo(200);
        assertThat(stored.body()).isEqualTo(sealed.bytes());
        HttpResponse<byte[]> content = gateway.send(gateway.request("/envelopes/" + sealed.id() + "/content"));
        assertThat(problem(content)).isEqualTo("not-found");
    }

    @Test
    void saysWhatStandsBesideAnEnvelopeInItsChain() throws Exception {
        SealedEnvelope before = press.seal("pump starts");
        SealedEnvelope at = press.seal("pump overheated");
        SealedEnvelope after = press.seal("pump stops");
        for (SealedEnvelope each : List.of(before, at, after)) {
            assertThat(gateway.submit(each.bytes()).statusCode()).isEqualTo(201);
        }
        long place = Envelope.decode(at.bytes()).sequence();
        String beside = "/envelopes?sender=press-1&limit=1&";
        String digest = EnvelopeName.of(Envelope.decode(after.bytes())).digest();
        String next =
                "[{\"id\":\"" + after.id() + "\",\"digest\":\"" + digest + "\",\"sequence\":" + (place + 1) + "}]";
        assertThat(atOnce(() -> text(gateway.send(gateway.request(beside + "after=" + place))), next::equals))
                .isEqualTo(next);
        assertThat(text(gateway.send(gateway.request(beside + "before=" + place))))
                .contains(before.id().toString())
                .doesNotContain(at.id().toString());
        assertThat(problem(gateway.send(gateway.request("/envelopes?sender=press-1"))))
                .isEqualTo("malformed");
        assertThat(problem(gateway.send(gateway.request(beside + "before=1&after=2"))))
                .isEqualTo("malformed");
        assertThat(problem(gateway.send(gateway.request("/envelopes?sender=press-1&before=1&limit=101"))))
                .isEqualTo("malformed");
    }

    @Test
    void drawsOfASendersEnvelopes() throws Exception {
        SealedEnvelope sealed = press.seal("pump drawn");
        assertThat(gateway.submit(sealed.bytes()).statusCode()).isEqualTo(201);
        String id = sealed.id().toString();
        assertThat(atOnce(
                        () -> text(gateway.send(gateway.request("/envelopes?sender=press-1&draw=100"))),
                        answer -> answer.contains(id)))
                .contains(id);
        assertThat(text(gateway.send(gateway.request("/envelopes?sender=&draw=100"))))
                .as("mail")
                .doesNotContain(id);
        for (String wrong : List.of("sender=press-1&draw=0", "sender=press-1&draw=101", "draw=1")) {
            assertThat(problem(gateway.send(gateway.request("/envelopes?" + wrong))))
                    .as(wrong)
                    .isEqualTo("malformed");
        }
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void aSearchFindsWhatWasAcknowledgedBeforeItBegan(@TempDir Path trapdoors) throws Exception {
        SearchRequest search = ACME.search("acknowledged", trapdoors);
        for (int found = 1; found <= 10; found++) {
            assertThat(gateway.submit(press.seal("acknowledged").bytes()).statusCode())
                    .isEqualTo(201);
            int all = found;
            assertThat(atOnce(() -> gateway.search(search), hits -> hits.size() == all))
                    .hasSize(all);
        }
    }

    @Test
    void refusesWithTheReason() throws Exception {
        byte[] sealed = press.seal("pump").bytes();
        byte[] changed = sealed.clone();
        changed[sealed.length - 10] ^= 1;
        assertThat(problem(gateway.submit(changed))).isEqualTo("bad-signature");
        assertThat(problem(gateway.submit(new byte[] {1, 2, 3}))).isEqualTo("malformed");
        assertThat(problem(gateway.submit(new byte[300_000]))).isEqualTo("too-large");
        byte[] foreign = TestTenant.of("other")
                .sender("press-1", Clock.systemUTC())
                .seal("x")
                .bytes();
        assertThat(problem(gateway.submit(foreign))).isIn("unknown-tenant", "not-allowed");
        SealedEnvelope[] twins = ACME.sameId("press-2", "one", "other");
        assertThat(gateway.submit(twins[0].bytes()).statusCode()).isEqualTo(201);
        assertThat(problem(gateway.submit(twins[1].bytes()))).isEqualTo("conflict");
        assertThat(problem(gateway.send(gateway.request("/envelopes/" + UUID.randomUUID()))))
                .isEqualTo("not-found");
        HttpResponse<byte[]> noUuid = gateway.send(gateway.request("/envelopes/nothing"));
        assertThat(noUuid.statusCode()).isEqualTo(400);
        HttpResponse<byte[]> wrongType = gateway.send(gateway.request("/envelopes")
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("x")));
        assertThat(wrongType.statusCode()).isEqualTo(415);
    }

    @Test
    void tellsNothingToWhoeverHasNoTokenOrTheWrongOne() throws Exception {
        String path = "/v1/tenants/acme/senders";
        assertThat(ask("", path).statusCode()).isEqualTo(401);
        assertThat(ask("vg_guess", path).statusCode()).isEqualTo(401);
        assertThat(ask("", "/v1/anything").statusCode()).isEqualTo(401);
        assertThat(ask("", "/actuator/prometheus").statusCode()).isEqualTo(401);
        assertThat(ask("", "/actuator/env").statusCode()).isEqualTo(401);
        assertThat(ask("", "/actuator/health").body()).doesNotContain("free", folder.toString());
        assertThat(ask("", "/openapi.yaml").body()).startsWith("openapi: 3.1.0");

        String reader = gateway.grant(
                new Principal(Kind.TOKEN, "reader", "acme", Set.of(Right.SEARCH), Set.of("another scope")));
        SealedEnvelope sealed = press.seal("of plant-7");
        assertThat(gateway.submit(sealed.bytes()).statusCode()).isEqualTo(201);
        String envelope = "/v1/tenants/acme/envelopes/" + sealed.id();
        await() // the access file is read again within seconds
                .until(() -> ask(reader, envelope).statusCode() != 401);
        assertThat(ask(reader, envelope).statusCode()).isEqualTo(404);
        assertThat(ask(reader, "/v1/tenants/acme/envelopes?sender=press-1&before=1000000")
                        .body())
                .isEqualTo("[]");
        assertThat(ask(reader, path).statusCode()).isEqualTo(403);
        assertThat(ask(reader, "/v1/tenants/other/senders").statusCode()).isEqualTo(404);
        assertThat(ask(reader, "/actuator/prometheus").statusCode()).isEqualTo(403);
    }

    private String metrics() throws Exception {
        HttpResponse<byte[]> metrics = gateway.send(HttpRequest.newBuilder(gateway.uri("/actuator/prometheus"))
                .header(
                        "Authorization",
                        gateway.request("")
                                .build()
                                .headers()
                                .firstValue("Authorization")
                                .orElseThrow()));
        return new String(metrics.body(), StandardCharsets.UTF_8);
    }

    /** Both ways: none that nobody explains, and none that is explained and not there. */
    @Test
    void metricsOfMqttAreThoseThatOperatorsReadAbout() throws Exception {
        Pattern name = Pattern.compile("veilgate_mqtt_[a-z_]+");
        assertThat(matches(name, metrics())).isEqualTo(matches(name, Files.readString(Path.of("docs/operations.md"))));
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void metricsCountWithoutContent() throws Exception {
        gateway.submit(press.seal("pump").bytes());
        String text = metrics();
        assertThat(text)
                .contains(
                        "veilgate_ingest_seconds_count",
                        "veilgate_backlog_bytes",
                        "veilgate_disk_free_bytes",
                        "veilgate_set_aside 0");
        assertThat(text).doesNotContain("press-1", "plant-7");
    }

    @Test
    void garbageOnEveryPortChangesNothing() throws Exception {
        Random random = new Random(1);
        for (int port : new int[] {gateway.httpPort, gateway.smtpPort, gateway.mqttPort}) {
            for (int i = 0; i < 5; i++) {
                byte[] garbage = new byte[20_000];
                random.nextBytes(garbage);
                try (Socket socket = new Socket("127.0.0.1", port);
                        OutputStream out = socket.getOutputStream();
                        InputStream in = socket.getInputStream()) {
                    socket.setSoTimeout(2000);
                    out.write(garbage);
                    out.flush();
                    assertThat(in.read()).isBetween(-1, 255);
                } catch (IOException e) {
                    // it hung up, or says nothing
                }
            }
        }
        assertThat(gateway.submit(press.seal("still there").bytes()).statusCode())
                .isEqualTo(201);
        assertThat(Files.readString(gateway.log())).doesNotContain("OutOfMemory", "Exception:");
    }

    @Test
    void aWrongSettingStopsTheStartWithItsName() throws Exception {
        try (GatewayProcess wrong = new GatewayProcess(
                Files.createDirectory(folder.resolve("wrong")), ACME, "veilgate.ingest.max-blokcs=3")) {
            try {
                wrong.start();
                throw new IllegalStateException("it started");
            } catch (AssertionError e) {
                assertThat(e).hasMessageContaining("max-blokcs");
            }
        }
    }
}
