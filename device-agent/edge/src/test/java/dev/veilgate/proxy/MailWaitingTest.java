package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the proxy says of the mails that wait is what is in its queue. */
class MailWaitingTest {
    private static final String ADA = "ada@example.org";

    @TempDir
    Path folder;

    private CaptureServer relay;
    private MailProxy proxy;

    @BeforeEach
    void start() throws Exception {
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        relay = new CaptureServer();
        proxy = lab.proxy(lab.settings(folder.resolve("spool"), 1 << 20, false), relay.port());
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        relay.close();
    }

    @Test
    void nothingWaitsWhenAllIsDelivered() throws Exception {
        for (int i = 1; i <= 3; i++) {
            send("taken" + i);
            relay.await(i);
            untilNothingWaits();
        }
    }

    @Test
    void nothingWaitsWhenAllIsReportedOrSetAside() throws Exception {
        relay.answers = line -> line.startsWith("RCPT TO:<rsa@") ? "550 5.1.1 no" : null;
        send("reported");
        relay.await(1);
        untilNothingWaits();
        relay.answers = line -> line.startsWith("RCPT") ? "550 5.1.1 no" : null;
        send("aside");
        Await.until("it is set aside", () -> names("failed").size() == 1);
        untilNothingWaits();
    }

    @Test
    void whatIsTriedAgainWaits() throws Exception {
        relay.answers = line -> line.startsWith("RCPT") ? "451 4.2.0 later" : null;
        send("deferred");
        send("deferred2");
        Await.until("both wait", () -> waiting() == 2);
        relay.answers = line -> null;
        relay.await(2);
        untilNothingWaits();
    }

    @Test
    void aMailThatTheOperatorTookAwayIsNotWaitedForAndIsTakenAgain() throws Exception {
        relay.answers = line -> line.startsWith("RCPT") ? "451 4.2.0 later" : null;
        String first = send("away");
        Path item = folder.resolve("spool/queue").resolve(names("queue").getFirst());
        Await.until("an attempt", () -> proxyMetric("deferred_total") > 0);
        Files.move(item, folder.resolve("elsewhere"));
        untilNothingWaits();
        relay.answers = line -> null;
        assertThat(send("away")).isNotEqualTo(first);
        relay.await(1);
        untilNothingWaits();
        assertThat(proxyMetric("relay_reachable")).isEqualTo(1);
    }

    private void untilNothingWaits() {
        Await.until("an empty queue", () -> names("queue").isEmpty());
        Await.until("nothing waits", 10, () -> waiting() == 0);
        assertThat(get("/health")).contains("\"waiting\":0");
    }

    private long waiting() {
        return proxyMetric("waiting");
    }

    private long proxyMetric(String name) {
        return get("/metrics")
                .lines()
                .filter(line -> line.startsWith("veilgate_mail_" + name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private String get(String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + proxy.monitorPort() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String send(String id) throws IOException {
        String mail = "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: owls\r\nMessage-ID: <" + id
                + "@example.org>\r\n\r\nhoot\r\n";
        try (var smtp = new RawSmtp(proxy.port())) {
            String answer = smtp.send(ADA, List.of("rsa@example.org"), mail.getBytes(StandardCharsets.US_ASCII));
            assertThat(answer).startsWith("250");
            return answer;
        }
    }

    private List<String> names(String part) {
        try (Stream<Path> items = Files.list(folder.resolve("spool").resolve(part))) {
            return items.map(item -> item.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
