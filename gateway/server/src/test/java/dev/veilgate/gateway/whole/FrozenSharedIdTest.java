package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.deliver.MailSink;
import dev.veilgate.gateway.ingest.ForgedMail;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.FrozenSet;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * On the data folder of an earlier version, which knew an envelope by its id alone: what it stored is found as before,
 * and another envelope of such an id is kept beside it.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FrozenSharedIdTest {
    private static final FrozenSet SET = FrozenGatewayDataTest.FIRST;

    @TempDir
    Path folder;

    @Test
    void keepsWhatWasStoredAndAnotherOfTheSameId() throws Exception {
        FrozenGatewayDataTest.unzip(SET.path("data.zip"), folder.resolve("data"));
        Files.copy(SET.path("bundle"), folder.resolve("bundle"));
        Files.copy(SET.path("bundle.senders"), folder.resolve("bundle.senders"));
        Properties known = new Properties();
        try (InputStream in = Files.newInputStream(SET.path("known.properties"))) {
            known.load(in);
        }
        byte[] stored = SET.bytes("waiting.eml"); // it has the key of an earlier version
        byte[] journaled = SET.bytes("journaled.eml");
        PublicBundle bundle = PublicBundle.verify(SET.bytes("bundle"), known.getProperty("authority"), SET.now());
        byte[] one = ForgedMail.sealedAnew(stored, bundle, "2026-11", "calm");
        byte[] two = ForgedMail.sealedAnew(journaled, bundle, "2026-11", "calm", "cold");
        byte[] last = ForgedMail.sealedAnew(stored, bundle, "2026-11", "warm");
        try (MailSink sink = new MailSink();
                GatewayProcess gateway = new GatewayProcess(
                        folder,
                        known.getProperty("authority"),
                        known.getProperty("token"),
                        FrozenGatewayDataTest.NEVER_EXPIRES[0],
                        FrozenGatewayDataTest.NEVER_EXPIRES[1],
                        FrozenGatewayDataTest.NEVER_EXPIRES[2],
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.startAt(SET.now());
            sink.await(2);
            assertOldEnvelopesAreFound(gateway);
            assertFound(gateway, stored, journaled);
            for (byte[] mail : List.of(stored, journaled)) { // a stranger's, whose program has to be updated
                assertThatThrownBy(() -> Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, mail))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("550 5.7.1")
                        .hasMessageContaining("update the program that sealed it");
            }
            for (byte[] mail : List.of(one, two, last)) {
                Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, mail);
            }
            sink.await(5);
            assertKept(gateway, stored, journaled, one, two, last);
            assertFound(gateway, stored, journaled);
            assertFoundBesideThoseOfBefore(gateway, stored, bundle);
            assertThat(idAlone(gateway, stored).body()).isEqualTo(ForgedMail.index(stored));
            assertHoldsOne(gateway, one);
            assertThat(gateway.stop()).isIn(0, 143);

            gateway.startAt(SET.now().plus(Duration.ofMinutes(10)));
            assertOldEnvelopesAreFound(gateway);
            assertKept(gateway, stored, journaled, one, two, last);
            assertThat(overheated(gateway)).hasSize(7);
            assertThat(sink.mails).hasSize(6);
        }
    }

    private static void assertOldEnvelopesAreFound(GatewayProcess gateway) throws Exception {
        try (Stream<Path> files = Files.list(SET.path("envelopes"))) {
            for (Path each : files.toList()) {
                byte[] bytes = Files.readAllBytes(each);
                String path = "/envelopes/" + Envelope.decode(bytes).id();
                for (String of : List.of(path, path + "?digest=" + digest(bytes))) {
                    HttpResponse<byte[]> found = gateway.send(gateway.request(of));
                    assertThat(found.statusCode()).as(of).isEqualTo(200);
                    assertThat(found.body()).isEqualTo(bytes);
                }
                assertThat(gateway.send(gateway.request(path + "?digest=" + "0".repeat(64)))
                                .statusCode())
                        .isEqualTo(404);
                assertThat(gateway.send(gateway.request(path + "?digest=0")).statusCode())
                        .isEqualTo(400);
            }
        }
    }

    private static String digest(byte[] envelope) throws Exception {
        return HexFormat.of().formatHex(Envelope.decode(envelope).digest());
    }

    private static String path(byte[] mail) throws Exception {
        return "/envelopes/" + Envelope.decode(ForgedMail.index(mail)).id();
    }

    private static HttpResponse<byte[]> idAlone(GatewayProcess gateway, byte[] mail) throws Exception {
        return gateway.send(gateway.request(path(mail)));
    }

    private static void assertKept(GatewayProcess gateway, byte[]... mails) throws Exception {
        for (byte[] mail : mails) {
            byte[] index = ForgedMail.index(mail);
            String digest = "?digest=" + digest(index);
            await().atMost(Duration.ofMinutes(1))
                    .until(() ->
                            gateway.send(gateway.request(path(mail) + digest)).statusCode() == 200);
            assertThat(gateway.send(gateway.request(path(mail) + digest)).body())
                    .isEqualTo(index);
            String content = new String(
                    gateway.send(gateway.request(path(mail) + "/content" + digest))
                            .body(),
                    StandardCharsets.ISO_8859_1);
            assertThat(content).contains("application/pkcs7-mime");
        }
    }

    private static List<JsonNode> overheated(GatewayProcess gateway) throws Exception {
        return gateway.search(SearchRequest.decode(SET.bytes("overheated.vgs")));
    }

    /** A search of a store with blocks of both forms finds both. */
    private static void assertFoundBesideThoseOfBefore(GatewayProcess gateway, byte[] stored, PublicBundle bundle)
            throws Exception {
        UUID id = Envelope.decode(ForgedMail.index(stored)).id();
        UUID other = new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ 0xff00);
        byte[] mail = ForgedMail.sealedAnew(stored, other, bundle, "2026-11", "cold", "overheated");
        Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, mail);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> overheated(gateway).stream()
                        .anyMatch(hit -> hit.get("envelope").asString().equals(other.toString())));
        assertThat(overheated(gateway)).hasSize(7);
    }

    /** The mails of before, and none of those whose index was altered. */
    private static void assertFound(GatewayProcess gateway, byte[]... mails) throws Exception {
        List<JsonNode> hits = overheated(gateway);
        assertThat(hits).hasSize(6);
        for (byte[] mail : mails) {
            byte[] index = ForgedMail.index(mail);
            String id = Envelope.decode(index).id().toString();
            assertThat(hits)
                    .filteredOn(hit -> hit.get("envelope").asString().equals(id))
                    .extracting(hit -> hit.get("digest").asString())
                    .containsExactly(digest(index));
        }
    }

    private static void assertHoldsOne(GatewayProcess gateway, byte[] mail) throws Exception {
        byte[] index = ForgedMail.index(mail);
        String body = "{\"envelope\":\"" + Envelope.decode(index).id() + "\",\"digest\":\"%s\",\"reason\":\"case 13\"}";
        assertThat(place(gateway, body.formatted("0"))).isEqualTo(400);
        assertThat(place(gateway, body.formatted(digest(index)))).isEqualTo(201);
        assertThat(gateway.json(gateway.request("/holds")).valueStream())
                .filteredOn(hold -> hold.get("reason").asString().equals("case 13"))
                .extracting(hold -> hold.get("digest").asString())
                .containsExactly(digest(index));
    }

    private static int place(GatewayProcess gateway, String body) throws Exception {
        return gateway.send(gateway.request("/holds")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                .statusCode();
    }
}
