package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.Await;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.testing.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The next server is away, and comes back: what waited for it goes, and what it does not want now waits as it should. */
class MailOutageTest {
    private static final String ADA = "ada@example.org";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    /** Much less than any pause that a mail would wait for itself. */
    private static final int SOON_SECONDS = 60;

    @TempDir
    Path folder;

    private MailLab lab;

    /** The real time and a bit. */
    private static final class Later extends Clock {
        volatile Duration by = Duration.ZERO;

        @Override
        public Instant instant() {
            return Instant.now().plus(by);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @BeforeEach
    void makeLab() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
    }

    @Test
    void allThatWaitedForAServerGoesWhenItTakesAMail() throws Exception {
        int port = FreePort.choose();
        int mails = 200;
        try (var proxy = lab.proxy(settings(HOUR, HOUR), port)) {
            send(proxy, 0, mails, "rsa@example.org");
            untilAttempted(proxy, mails);
            try (var relay = new CaptureServer(port)) {
                send(proxy, mails, mails + 1, "rsa@example.org");
                Await.until(
                        "all mails",
                        SOON_SECONDS,
                        () -> relay.mails.size() == mails + 1,
                        () -> "" + relay.mails.size());
                untilEmpty();
                assertThat(relay.mails).hasSize(mails + 1);
            }
        }
    }

    @Test
    void aServerThatIsAwayIsLookedForThoughEachMailWaitsLongForItself() throws Exception {
        int port = FreePort.choose();
        var clock = new Later();
        try (var proxy = lab.proxy(settings(Duration.ofMillis(200), DAY), port, clock)) {
            send(proxy, 0, 3, "rsa@example.org");
            for (int attempts = 1; attempts < 20; attempts++) {
                untilAttempted(proxy, 3 * attempts);
                clock.by = clock.by.plus(DAY);
            }
            untilAttempted(proxy, 3 * 20); // the next pause is of hours
            try (var relay = new CaptureServer(port)) {
                Await.until("all mails", SOON_SECONDS, () -> relay.mails.size() == 3);
                untilEmpty();
            }
        }
    }

    @Test
    void whatWaitedForAServerBeforeARestartGoesAtOnceAfterIt() throws Exception {
        int port = FreePort.choose();
        try (var proxy = lab.proxy(settings(HOUR, HOUR), port)) {
            send(proxy, 0, 20, "rsa@example.org");
            untilAttempted(proxy, 20);
        }
        try (var relay = new CaptureServer(port);
                var proxy = lab.proxy(settings(HOUR, HOUR), port)) {
            Await.until("all mails", SOON_SECONDS, () -> relay.mails.size() == 20);
            untilEmpty();
            Await.until("none is counted", () -> waiting(proxy) == 0); // counted after the file is gone
        }
    }

    @Test
    void whatAServerRefusesForNowWaitsItsOwnPauseHoweverOftenItIsConnectedTo() throws Exception {
        int port = FreePort.choose();
        try (var proxy = lab.proxy(settings(HOUR, HOUR), port)) {
            send(proxy, 0, 30, "rsa@example.org");
            send(proxy, 30, 60, "ec@example.org");
            untilAttempted(proxy, 60);
            try (var relay = new CaptureServer(port)) {
                var refused = new AtomicInteger();
                var hangUp = new AtomicInteger();
                relay.answers = line -> {
                    if (line.startsWith("RCPT TO:<ec@")) {
                        refused.incrementAndGet();
                        return "451 4.2.0 later";
                    }
                    return line.startsWith("RCPT TO:<hidden@") && hangUp.incrementAndGet() > 0
                            ? "421 4.3.2 a new connection, please"
                            : null;
                };
                for (int i = 60; i < 70; i++) {
                    send(proxy, i, i + 1, "rsa@example.org");
                    int expected = i - 60 + 31;
                    Await.until("those that are taken", SOON_SECONDS, () -> relay.mails.size() == expected);
                    send(proxy, 1000 + i, 1001 + i, "hidden@example.org");
                    int closed = i - 60 + 1;
                    Await.until("a connection that ends", SOON_SECONDS, () -> hangUp.get() == closed);
                }
                Await.until("all are counted", SOON_SECONDS, () -> waiting(proxy) == 40);
                assertThat(refused).hasValue(30);
                assertThat(relay.mails).hasSize(40);
            }
        }
    }

    /** A mail of which a server dies must neither go round and round nor keep others waiting. */
    @Test
    void aMailWithWhichConnectionsBreakIsTriedTwiceAndThenWaits() throws Exception {
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(HOUR, HOUR), relay.port())) {
            var broken = new AtomicInteger();
            relay.answers = line -> {
                if (line.startsWith("RCPT TO:<ec@")) {
                    broken.incrementAndGet();
                    throw new UncheckedIOException(new IOException("hangs up"));
                }
                return null;
            };
            send(proxy, 0, 1, "ec@example.org");
            for (int i = 1; i < 20; i++) {
                send(proxy, i, i + 1, "rsa@example.org");
                relay.await(i);
            }
            Await.until("all others are counted", SOON_SECONDS, () -> waiting(proxy) == 1);
            assertThat(broken).hasValue(2);
        }
    }

    /** @param first pause, which is also how often a server that is away is looked for */
    private ProxySettings settings(Duration first, Duration longest) {
        return new ProxySettings(
                "127.0.0.1",
                0,
                null,
                null,
                null,
                folder.resolve("spool"),
                1 << 20,
                false,
                false,
                new ProxySettings.Retry(first, longest, Duration.ofDays(30)),
                0,
                lab.form());
    }

    private static void send(MailProxy proxy, int from, int to, String recipient) throws IOException {
        try (var smtp = new RawSmtp(proxy.port())) {
            for (int i = from; i < to; i++) {
                String mail =
                        "From: ada@example.org\r\nSubject: owls\r\nMessage-ID: <" + i + "@example.org>\r\n\r\nhoot\r\n";
                assertThat(smtp.send(ADA, List.of(recipient), mail.getBytes(StandardCharsets.US_ASCII)))
                        .startsWith("250");
            }
        }
    }

    private static void untilAttempted(MailProxy proxy, int attempts) {
        Await.until("attempts", () -> count(proxy, "deferred_total") >= attempts);
    }

    private void untilEmpty() {
        Await.until("an empty queue", () -> {
            try (Stream<Path> items = Files.list(folder.resolve("spool/queue"))) {
                return items.findAny().isEmpty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static long waiting(MailProxy proxy) {
        return count(proxy, "waiting");
    }

    private static long count(MailProxy proxy, String name) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + proxy.monitorPort() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("veilgate_mail_" + name + " "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
