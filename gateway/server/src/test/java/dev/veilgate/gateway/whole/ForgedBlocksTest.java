package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.deliver.MailSink;
import dev.veilgate.gateway.ingest.ForgedMail;
import dev.veilgate.peks.ForgedIndexBlock;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Index blocks whose mask was chosen come to a gateway over SMTP, from a stranger, and over HTTP, from a registered
 * sender: they are refused, in the form before too unless a registered sender signed them and the gateway held some
 * when it was updated; then no route finds them. What is honest goes on.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ForgedBlocksTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final List<String> ROUTED = List.of("urgent", "fire", "pump", "overheated");
    private static final List<String> SEARCHED = List.of("invoice", "login", "failed");
    private static final String PAGER = "pager@example.org";
    private static final String STRANGER = "bob@elsewhere.example";

    @TempDir
    Path folder;

    @Test
    void reachNeitherRoutesNorSearches() throws Exception {
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            Instant updated = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            Files.writeString(gateway.data().resolve("index-form-3-since"), updated.toString());
            Files.writeString(
                    gateway.data().resolve("index-form-2-newest"),
                    updated.minusSeconds(60).toString());
            gateway.start();
            for (String word : ROUTED) {
                routeToPager(gateway, word);
            }
            var mails = new TestMail(folder, ACME);
            TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
            byte[] forgedLine = ACME.liar("press-1", Clock.systemUTC(), ACME, ForgedBlocksTest::ofZeros)
                    .seal("hello")
                    .bytes();
            byte[] lineOfBefore = ACME.liar("press-1", Clock.systemUTC(), ACME, ForgedIndexBlock::unshifted)
                    .seal("hello")
                    .bytes();

            assertThatThrownBy(() -> Mail.send(
                            gateway.smtpPort,
                            STRANGER,
                            TestMail.ADDRESS,
                            ForgedMail.otherMask(mails.seal(text("hello"), "hello"))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("554 5.6.0");
            assertThatThrownBy(() -> Mail.send(
                            gateway.smtpPort,
                            STRANGER,
                            TestMail.ADDRESS,
                            ForgedMail.sharedMask(mails.seal(text("hello"), words(300)))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("554 5.6.0");
            HttpResponse<byte[]> answer = gateway.submit(forgedLine);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("ntru-peks.binding");
            assertThat(gateway.submit(lineOfBefore).statusCode()).isEqualTo(201);

            Mail.send(gateway.smtpPort, STRANGER, TestMail.ADDRESS, mails.seal(text("invoice"), "invoice"));
            Mail.send(gateway.smtpPort, STRANGER, TestMail.ADDRESS, mails.seal(text("fire"), "fire"));
            gateway.store(press.seal("login"));
            assertThat(sink.await(3)) // two as addressed, one of them to the pager too
                    .extracting(mail -> List.copyOf(mail.recipients()))
                    .containsExactlyInAnyOrder(List.of(TestMail.ADDRESS), List.of(TestMail.ADDRESS), List.of(PAGER));
            assertThat(SEARCHED.stream().map(word -> hits(gateway, word)))
                    .containsExactly(2, 2, 1); // with the line of before
            assertThat(metrics(gateway))
                    .containsPattern("veilgate_ingest_refused_total\\{kind=\"mail\",reason=\"malformed\"} 2.0");

            assertThat(gateway.stop()).isIn(0, 143);
            assertThat(sink.mails).hasSize(3);
            assertThat(Files.readString(gateway.log())).doesNotContain("hello", "word29", STRANGER, TestMail.ADDRESS);
        }
    }

    @Test
    void ofTheFormBeforeAreRefusedByANewGateway() throws Exception {
        try (var gateway = new GatewayProcess(folder, ACME)) {
            gateway.start();
            byte[] line = ACME.liar("press-1", Clock.systemUTC(), ACME, ForgedIndexBlock::unshifted)
                    .seal("hello")
                    .bytes();
            for (int start = 0; start < 2; start++) {
                HttpResponse<byte[]> answer = gateway.submit(line);
                assertThat(answer.statusCode()).isEqualTo(422);
                assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("outdated", "update");
                gateway.stop();
                gateway.start();
            }
        }
    }

    private static IndexBlock ofZeros(IndexBlock block) {
        byte[] payload = block.payload();
        Arrays.fill(payload, 5, 5 + 2048 * 29 / 8, (byte) 0);
        return new IndexBlock(block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload);
    }

    private void routeToPager(GatewayProcess gateway, String word) throws Exception {
        SearchRequest search = ACME.search(word, folder.resolve("trapdoors"));
        String route = "{\"search\":\"" + Base64.getEncoder().encodeToString(search.encode())
                + "\",\"action\":{\"type\":\"forward\",\"target\":\"" + PAGER + "\"}}";
        HttpResponse<byte[]> installed = gateway.send(gateway.request("/routes/" + word)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(route)));
        assertThat(installed.statusCode()).isEqualTo(201);
    }

    private int hits(GatewayProcess gateway, String word) {
        try {
            return gateway.search(ACME.search(word, folder.resolve("trapdoors")))
                    .size();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String metrics(GatewayProcess gateway) throws Exception {
        String token = gateway.request("")
                .build()
                .headers()
                .firstValue("Authorization")
                .orElseThrow();
        return new String(
                gateway.send(HttpRequest.newBuilder(gateway.uri("/actuator/prometheus"))
                                .header("Authorization", token))
                        .body(),
                StandardCharsets.UTF_8);
    }

    private static String[] words(int count) {
        String[] words = new String[count];
        for (int i = 0; i < count; i++) {
            words[i] = "word" + i;
        }
        return words;
    }

    private static String text(String subject) {
        return "From: " + STRANGER + "\r\nTo: " + TestMail.ADDRESS
                + "\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <" + subject
                + "@elsewhere.example>\r\nSubject: " + subject + "\r\n\r\nhello\r\n";
    }
}
