package dev.veilgate.gateway.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.testing.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A next hop is away, and comes back: what waited for it goes, and what it does not want now waits as it should. */
class OutageTest {
    private static final String MAIL = "From: ada@example.org\r\nSubject: the owls\r\n\r\nhoot\r\n";
    /** Much less than any pause that a mail would wait for itself. */
    private static final Duration SOON = Duration.ofSeconds(100);

    private final DeliveryLab lab = new DeliveryLab();

    @AfterEach
    void close() {
        lab.close();
    }

    private void add(int from, int to, String domain) {
        for (int i = from; i < to; i++) {
            lab.add("", List.of("r" + i + "@" + domain), MAIL);
        }
    }

    /** The fewest attempts for any recipient of a domain. */
    private int attempts(String domain) {
        return lab.database
                .jdbc()
                .sql("SELECT COALESCE(MIN(attempts), 0) FROM outbound_recipient WHERE domain = ?")
                .param(domain)
                .query(Integer.class)
                .single();
    }

    private long underWay() {
        return lab.database
                .jdbc()
                .sql("SELECT COUNT(*) FROM outbound_recipient WHERE lease_owner IS NOT NULL")
                .query(Long.class)
                .single();
    }

    private long waiting(String domain) {
        return lab.database
                .jdbc()
                .sql("SELECT COUNT(*) FROM outbound_recipient WHERE domain = ?")
                .param(domain)
                .query(Long.class)
                .single();
    }

    /** Lets the time go on in steps until each has been tried so often. */
    private void untilTried(String domain, int attempts, Duration step) {
        await().until(() -> {
            boolean done = attempts(domain) >= attempts;
            lab.clock.by = done ? lab.clock.by : lab.clock.by.plus(step);
            return done;
        });
        await().until(() -> underWay() == 0);
    }

    @Test
    void allThatWaitedForAHopGoesWhenItTakesAMail() throws Exception {
        int port = FreePort.choose();
        lab.relay("a.example", port).relay("b.example", port);
        lab.start();
        add(0, 150, "a.example");
        add(150, 300, "b.example");
        untilTried("a.example", 8, Duration.ofMinutes(10)); // from now on the pauses are of hours
        untilTried("b.example", 8, Duration.ofMinutes(10));
        try (var sink = new MailSink(port, null)) {
            lab.clock.by = lab.clock.by.plus(Duration.ofMinutes(2)); // the hop is left alone for a minute
            add(300, 301, "a.example");
            await().atMost(SOON).until(() -> sink.mails.size() == 301);
            lab.awaitEmpty();
            Set<String> recipients = new HashSet<>();
            sink.mails.forEach(mail -> recipients.addAll(mail.recipients()));
            assertThat(recipients).hasSize(301);
            assertThat(sink.connections.get()).isLessThanOrEqualTo(2 * lab.parallel);
        }
    }

    @Test
    void aHopOfTheSettingsIsSoonLookedForThoughEachMailWaitsLongForItself() throws Exception {
        int port = FreePort.choose();
        lab.relay("a.example", port);
        lab.start();
        add(0, 3, "a.example");
        untilTried("a.example", 7, Duration.ofMinutes(10));
        try (var sink = new MailSink(port, null)) {
            lab.clock.by = lab.clock.by.plus(Duration.ofSeconds(62));
            await().atMost(SOON).until(() -> sink.mails.size() == 3);
            lab.awaitEmpty();
        }
    }

    @Test
    void anotherGatewayThatReachesTheHopSendsWhatWaitedForItBeforeARestart() throws Exception {
        int port = FreePort.choose();
        lab.relay("a.example", port);
        Dispatcher first = lab.start("one");
        add(0, 20, "a.example");
        untilTried("a.example", 4, Duration.ofMinutes(2));
        first.stop();
        try (var sink = new MailSink(port, null)) {
            lab.start("two");
            add(20, 21, "a.example");
            await().atMost(SOON).until(() -> sink.mails.size() == 21);
            lab.awaitEmpty();
        }
    }

    @Test
    void whatAHopRefusesForNowWaitsItsOwnPauseWhateverElseItTakes() throws Exception {
        int port = FreePort.choose();
        lab.relay("a.example", port).relay("busy.example", port);
        lab.start();
        add(0, 40, "a.example");
        add(40, 80, "busy.example");
        untilTried("a.example", 4, Duration.ofMinutes(2));
        untilTried("busy.example", 4, Duration.ofMinutes(2));
        var refused = new AtomicInteger();
        try (var sink = new MailSink(port, null)) {
            sink.refusals = what -> {
                if (what.endsWith("@busy.example")) {
                    refused.incrementAndGet();
                    return "451 4.2.0 later";
                }
                return null;
            };
            lab.clock.by = lab.clock.by.plus(Duration.ofSeconds(62)); // the hop is left alone for a minute
            for (int i = 0; i < 5; i++) {
                add(100 + i, 101 + i, "a.example");
                int taken = 41 + i;
                await().atMost(SOON).until(() -> sink.mails.size() == taken);
                await().until(() -> refused.get() >= 40);
            }
            await().until(() -> lab.waiting() == 40);
            assertThat(refused).hasValue(40);
            assertThat(waiting("busy.example")).isEqualTo(40);
        }
    }

    /** A mail of which a server dies must neither go round and round nor keep others waiting. */
    @ParameterizedTest
    @CsvSource({"'', 2", "421 4.3.2 not this one, 1"})
    void aMailWithWhichConnectionsEndIsTriedAgainOnceIfThereWasNoReplyAndThenWaits(String reply, int times)
            throws Exception {
        var broken = new AtomicInteger();
        var taken = new AtomicInteger();
        lab.parallel = 1;
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!server.isClosed()) {
                    serve(server, reply, broken, taken);
                }
            });
            lab.relay("a.example", server.getLocalPort()).relay("deadly.example", server.getLocalPort());
            lab.start();
            add(0, 1, "deadly.example");
            for (int i = 1; i < 20; i++) {
                add(i, i + 1, "a.example");
                int least = i;
                await().until(() -> taken.get() == least);
            }
            await().until(() -> attempts("deadly.example") == times);
            assertThat(broken).hasValue(times);
        }
    }

    /** A server that takes mail, and hangs up when it hears of a certain domain. */
    private static void serve(ServerSocket server, String reply, AtomicInteger broken, AtomicInteger taken) {
        try (var client = server.accept();
                var in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
            var out = client.getOutputStream();
            out.write("220 deadly\r\n".getBytes(StandardCharsets.US_ASCII));
            boolean data = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.contains("@deadly.example")) {
                    broken.incrementAndGet();
                    out.write((reply.isEmpty() ? "" : reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
                    return;
                }
                if (data && !line.equals(".")) {
                    continue;
                }
                if (data) {
                    taken.incrementAndGet();
                }
                data = line.equals("DATA");
                out.write((data ? "354 go\r\n" : "250 ok\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // the client went away
        }
    }
}
