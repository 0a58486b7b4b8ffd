package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.abe.AttributeTransformKey;
import dev.veilgate.abe.Label;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayTransforms;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.ReaderKeys;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformAnswer.Refusal;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.envelope.TransformRequest.Place;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway that does readers' pairings, and those who ask it for other things. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransformThroughGatewayTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String POLICY = "role:auditor AND site:plant-7";

    private final HttpClient http = HttpClient.newHttpClient();
    private GatewayProcess gateway;
    private TestTenant.Sender press;
    private String token;
    private String elsewhere;
    private String device;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        ACME.keys().rotatePolicyKey("cp-bsw07", RANDOM, Instant.now());
        ACME.keys().sealWith("cp-bsw07");
        press = ACME.sender("press-1", Clock.systemUTC());
        gateway = new GatewayProcess(folder, ACME, "veilgate.transforms.parallel=1");
        token = grant("reader", Set.of(Right.SEARCH), Set.of());
        elsewhere = grant("elsewhere", Set.of(Right.SEARCH), Set.of("another scope"));
        device = grant("device", Set.of(Right.INGEST), Set.of());
        gateway.start();
    }

    @AfterAll
    void stop() {
        ACME.keys().sealWith("cp-fabeo22");
        gateway.close();
    }

    private String grant(String name, Set<Right> rights, Set<String> scopes) throws Exception {
        return gateway.grant(new Principal(Kind.TOKEN, name, GatewayProcess.TENANT, rights, scopes));
    }

    private static List<ReaderKey> issue(String attributes) throws Exception {
        return ACME.keys()
                .issueReaderKeys("ada", Label.attributes(attributes), List.of(ACME.epoch(Clock.systemUTC())), RANDOM);
    }

    private static AttributeTransformKey blinded(String attributes) throws Exception {
        return issue(attributes).stream()
                .filter(ReaderKey::isWorthBlinding)
                .findFirst()
                .orElseThrow()
                .blind(RANDOM)
                .transformKey();
    }

    private Envelope submit(String line) throws Exception {
        SealedEnvelope sealed = press.sealForReaders(POLICY, line);
        gateway.store(sealed);
        return Envelope.decode(sealed.bytes());
    }

    private HttpRequest.Builder asked(String with, byte[] body) {
        return HttpRequest.newBuilder(gateway.uri("/v1/tenants/acme/transforms"))
                .header("Authorization", "Bearer " + with)
                .header("Content-Type", TransformRequest.MEDIA_TYPE)
                .POST(BodyPublishers.ofByteArray(body));
    }

    private HttpResponse<byte[]> ask(String with, byte[] body) throws Exception {
        return http.send(asked(with, body).build(), BodyHandlers.ofByteArray());
    }

    private static String problem(HttpResponse<byte[]> answer) {
        JsonNode body = new JsonMapper().readTree(answer.body());
        assertThat(body.get("detail").asString()).isNotEmpty();
        return answer.statusCode() + " " + body.get("type").asString().replace("urn:veilgate:problem:", "");
    }

    private List<TransformAnswer> answers(String with, AttributeTransformKey key, List<Place> places) throws Exception {
        HttpResponse<byte[]> answer = ask(with, TransformRequest.of(key, places).encode());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains(TransformAnswer.MEDIA_TYPE);
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        return TransformAnswer.decode(answer.body());
    }

    @Test
    void aReaderOpensWithTheGatewaysPairings() throws Exception {
        List<Envelope> envelopes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            envelopes.add(submit("pump " + i));
        }
        Envelope unknown =
                Envelope.decode(press.sealForReaders(POLICY, "not sent").bytes());
        envelopes.add(unknown);
        List<ReaderKey> held = issue("role:auditor, site:plant-7");
        EnvelopeOpener counting = new EnvelopeOpener(List.of(), ReaderKeys.of(held));
        try (GatewayClient client = new GatewayClient(gateway.uri(""), GatewayProcess.TENANT, token, null);
                GatewayTransforms transforms = new GatewayTransforms(client, RANDOM)) {
            EnvelopeOpener opener = new EnvelopeOpener(List.of(), ReaderKeys.of(held), transforms);
            envelopes.forEach(envelope -> transforms.ahead(envelope, counting));
            for (int i = 0; i < 40; i++) {
                assertThat(opener.open(envelopes.get(i)))
                        .containsExactly(("pump " + i).getBytes(StandardCharsets.UTF_8));
            }
            assertThat(opener.open(unknown)).hasSize(1);
            assertThat(transforms.transformed()).isEqualTo(40);
            assertThat(transforms.left()).isEqualTo(1);
            assertThat(transforms.notThere()).isEqualTo(1);
            assertThat(transforms.failure()).isEmpty();
        }
        assertThat(Files.readString(gateway.log())).doesNotContain("auditor", "ERROR");
        HttpResponse<byte[]> metrics = gateway.send(HttpRequest.newBuilder(gateway.uri("/actuator/prometheus"))
                .header(
                        "Authorization",
                        gateway.request("/status")
                                .build()
                                .headers()
                                .firstValue("Authorization")
                                .orElseThrow()));
        assertThat(new String(metrics.body(), StandardCharsets.UTF_8))
                .containsPattern("veilgate_transforms_wraps_total ([4-9]\\d|\\d{3,})");
    }

    @Test
    void answersNothingThatTheTokenMayNotRead() throws Exception {
        Envelope envelope = submit("pump");
        AttributeTransformKey key = blinded("role:auditor, site:plant-7");
        List<Place> places =
                List.of(new Place(envelope.id(), 0), new Place(envelope.id(), 7), new Place(UUID.randomUUID(), 0));
        List<TransformAnswer> found = answers(token, key, places);
        assertThat(found.getFirst()).isInstanceOf(TransformAnswer.Transformed.class);
        assertThat(found.subList(1, 3)).containsOnly(Refusal.NOT_FOUND);
        assertThat(answers(elsewhere, key, places)).containsOnly(Refusal.NOT_FOUND);
        assertThat(answers(token, blinded("role:auditor"), places.subList(0, 1)))
                .containsOnly(Refusal.NOT_FOR_KEY);
        byte[] body = TransformRequest.of(key, places).encode();
        assertThat(problem(ask(device, body))).isEqualTo("403 forbidden");
        assertThat(ask("vg_guess", body).statusCode()).isEqualTo(401);
        HttpRequest other = HttpRequest.newBuilder(gateway.uri("/v1/tenants/globex/transforms"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", TransformRequest.MEDIA_TYPE)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        assertThat(problem(http.send(other, BodyHandlers.ofByteArray()))).isEqualTo("404 not-found");
    }

    /** A request names ids alone: an answer for another envelope would be wrong, and the reader would say so of the gateway. */
    @Test
    void answersNothingForAnIdThatSeveralEnvelopesHave() throws Exception {
        Envelope envelope = submit("pump");
        AttributeTransformKey key = blinded("role:auditor, site:plant-7");
        List<Place> place = List.of(new Place(envelope.id(), 0));
        assertThat(answers(token, key, place).getFirst()).isInstanceOf(TransformAnswer.Transformed.class);
        SealedEnvelope other = ACME.withId("press-2", envelope.id(), "valve");
        assertThat(gateway.submit(other.bytes()).statusCode()).isEqualTo(201);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> answers(token, key, place).getFirst().equals(Refusal.NOT_FOUND));
    }

    private static byte[] written(byte[] key, int wraps) {
        CborWriter out = new CborWriter(key.length + 24 * wraps + 64)
                .array(4)
                .text("veilgate-transform")
                .integer(1)
                .bytes(key)
                .array(wraps);
        for (int i = 0; i < wraps; i++) {
            out.array(2).bytes(new byte[16]).integer(0);
        }
        return out.toByteArray();
    }

    @Test
    void refusesNonsenseAndWhatIsTooMuch() throws Exception {
        byte[] key = blinded("role:auditor, site:plant-7").encode();
        assertThat(ask(token, written(key, 1)).statusCode()).isEqualTo(200);
        assertThat(problem(ask(token, new byte[0]))).isEqualTo("400 malformed");
        assertThat(problem(ask(token, new byte[] {1, 2, 3}))).isEqualTo("400 malformed");
        assertThat(problem(ask(token, written(new byte[2000], 1)))).isEqualTo("400 malformed");
        assertThat(problem(ask(token, written(key, 257)))).isEqualTo("400 malformed");
        assertThat(problem(ask(token, written(key, 10_000)))).isEqualTo("400 malformed");
        assertThat(problem(ask(token, written(key, 20_000)))).isEqualTo("413 too-large");
        assertThat(problem(ask(token, new byte[10 << 20]))).isEqualTo("413 too-large");
        byte[] offCurve = key.clone();
        offCurve[key.length - 10] ^= 1;
        assertThat(problem(ask(token, written(offCurve, 1)))).isEqualTo("400 malformed");
        byte[] claimsMany = key.clone(); // version, kind, scheme, id, version, kind, version: then how many attributes
        int count = 3 + "cp-bsw07".length() + 16 + 2 + 1;
        claimsMany[count] = (byte) 0xff;
        claimsMany[count + 1] = (byte) 0xff;
        assertThat(problem(ask(token, written(claimsMany, 1)))).isEqualTo("400 malformed");
        HttpRequest chunked = asked(token, new byte[0])
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(new byte[1 << 20])))
                .build();
        assertThat(problem(http.send(chunked, BodyHandlers.ofByteArray()))).isEqualTo("413 too-large");
        HttpRequest wrongType = asked(token, written(key, 1))
                .setHeader("Content-Type", "application/json")
                .build();
        assertThat(http.send(wrongType, BodyHandlers.discarding()).statusCode()).isEqualTo(415);
        assertThat(Files.readString(gateway.log())).doesNotContain("ERROR");
    }

    /** Whoever has an answer has given the place back, also where one request at a time is all that is worked on. */
    @Test
    void whoeverIsAnsweredMayAskAgainAtOnce() throws Exception {
        byte[] body = written(blinded("role:auditor, site:plant-7").encode(), 1);
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            answers.add(ask(i % 2 == 0 ? token : elsewhere, body).statusCode());
        }
        assertThat(answers).containsOnly(200);
    }

    /** Each request has half a second of a core, at most; beyond, who asks is told to come back. */
    @Test
    void isNotStalledByThoseWhoAskForMuch() throws Exception {
        String many = IntStream.range(0, 100).mapToObj(i -> "a:" + i).collect(Collectors.joining(", "));
        SealedEnvelope sealed = press.sealForReaders(many.replace(", ", " AND "), "pump");
        gateway.store(sealed);
        byte[] body = TransformRequest.of(
                        blinded(many), Collections.nCopies(TransformRequest.MAX_WRAPS, new Place(sealed.id(), 0)))
                .encode();
        String another = elsewhere; // reaches no envelope, but takes a thread
        List<CompletableFuture<HttpResponse<byte[]>>> sent = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            sent.add(http.sendAsync(asked(i % 3 == 0 ? another : token, body).build(), BodyHandlers.ofByteArray()));
        }
        long start = System.nanoTime();
        assertThat(gateway.send(gateway.request("/senders")).statusCode()).isEqualTo(200);
        assertThat(System.nanoTime() - start)
                .as("others are answered meanwhile")
                .isLessThan(20_000_000_000L);
        int busy = 0;
        int done = 0;
        for (CompletableFuture<HttpResponse<byte[]>> each : sent) {
            HttpResponse<byte[]> answer = each.get();
            if (answer.statusCode() == 429) {
                assertThat(problem(answer)).isEqualTo("429 too-many-transforms");
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                busy++;
            } else {
                assertThat(answer.statusCode()).isEqualTo(200);
                done++;
            }
        }
        assertThat(busy).isPositive();
        assertThat(done).isPositive();
        List<TransformAnswer> answers = TransformAnswer.decode(ask(token, body).body());
        assertThat(answers).hasSize(TransformRequest.MAX_WRAPS);
        assertThat(answers.getFirst()).isInstanceOf(TransformAnswer.Transformed.class);
        assertThat(answers.getLast()).isEqualTo(Refusal.LATER);
    }

    @Test
    void aGatewayThatIsSetToNoneSaysSoAndTheReaderOpensByItself(@TempDir Path folder) throws Exception {
        try (GatewayProcess without = new GatewayProcess(folder, ACME, "veilgate.transforms.parallel=0")) {
            String reader = without.grant(
                    new Principal(Kind.TOKEN, "reader", GatewayProcess.TENANT, Set.of(Right.SEARCH), Set.of()));
            without.start();
            Envelope envelope =
                    Envelope.decode(press.sealForReaders(POLICY, "pump").bytes());
            List<ReaderKey> held = issue("role:auditor, site:plant-7");
            URI base = without.uri("");
            try (GatewayClient client = new GatewayClient(base, GatewayProcess.TENANT, reader, null);
                    GatewayTransforms transforms = new GatewayTransforms(client, RANDOM)) {
                EnvelopeOpener opener = new EnvelopeOpener(List.of(), ReaderKeys.of(held), transforms);
                transforms.ahead(envelope, opener);
                assertThat(opener.open(envelope)).hasSize(1);
                assertThat(transforms.failure())
                        .hasValueSatisfying(why -> assertThat(why).contains("does not transform wraps"));
            }
        }
    }
}
