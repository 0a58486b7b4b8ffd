package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.Await;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.settings.ProxySettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mail that was answered 250 reaches its recipients, or its sender knows, or it lies where the operator is told to look. */
class MailKeptTest {
    private static final String ADA = "ada@example.org";

    @TempDir
    Path folder;

    private MailLab lab;

    @BeforeEach
    void makeLab() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
    }

    @Test
    void refusesAtOnceWhatTheNextServerWouldRefuseForItsLength() throws Exception {
        try (var relay = new CaptureServer()) {
            relay.answers = line -> line.startsWith("EHLO") ? "250-capture\r\n250 SIZE 300000" : null;
            try (var proxy = lab.proxy(settings(), relay.port())) {
                try (var smtp = new RawSmtp(proxy.port())) {
                    until("the announced size", () -> announced(smtp.lines("EHLO x")) == 300_000 / 78 * 57 / 78 * 57);
                    assertThat(smtp.say("MAIL FROM:<ada@example.org> SIZE=250000"))
                            .startsWith("552 5.3.4");
                    assertThat(smtp.send(ADA, List.of("rsa@example.org"), mail("long", 250_000)))
                            .startsWith("552 5.3.4 The message is longer than this server takes: 160 kB, which is"
                                    + " attachments of about 11");
                    // Below what is announced, and longer than that when it is sealed, with its index.
                    assertThat(smtp.send(ADA, List.of("rsa@example.org"), mail("sealed", 158_000)))
                            .startsWith("552 5.3.4 sealed the message has ")
                            .endsWith("and the next server takes 300 kB; nothing was sent");
                    assertThat(smtp.send(ADA, List.of("rsa@example.org"), mail("fits", 120_000)))
                            .startsWith("250");
                }
                relay.await(1);
                until("an empty queue", () -> names("queue").isEmpty());
                assertThat(relay.mails.getFirst().text()).contains("<fits@example.org>");
                assertThat(names("failed")).isEmpty();
                assertThat(names("incoming")).isEmpty();
            }
        }
    }

    /** None is on disk before the others come: a program that lost patience, or one that sends over two connections. */
    @Test
    void oneMessageSubmittedManyTimesAtOnceIsSentOnce() throws Exception {
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(), relay.port())) {
            int messages = 10;
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < messages; i++) {
                    byte[] mail = mail("same" + i, 2000);
                    List<Future<String>> answers = IntStream.range(0, 8)
                            .mapToObj(n -> threads.submit(() -> {
                                try (var smtp = new RawSmtp(proxy.port())) {
                                    return smtp.send(ADA, List.of("rsa@example.org"), mail);
                                }
                            }))
                            .toList();
                    for (Future<String> answer : answers) {
                        assertThat(answer.get()).startsWith("250");
                    }
                }
            }
            until("an empty queue", () -> names("queue").isEmpty());
            assertThat(relay.mails).hasSize(messages);
        }
    }

    /** A server that says only at DATA what it takes, and takes no reports either. */
    @Test
    void keepsAMailWhoseReportIsRefusedTooAndSaysSo() throws Exception {
        try (var relay = new CaptureServer()) {
            keepsAMailWhoseReportIsRefused(relay);
            Files.move(
                    folder.resolve("spool/failed").resolve(names("failed").getFirst()),
                    folder.resolve("spool/queue/again"));
            try (var proxy = lab.proxy(settings(), relay.port())) { // as the operator is told to
                assertThat(relay.await(2).getLast().text()).contains("<lost@example.org>");
                until("an empty queue", () -> names("queue").isEmpty());
                assertThat(get(proxy.monitorPort(), "/health").statusCode()).isEqualTo(200);
            }
        }
    }

    private void keepsAMailWhoseReportIsRefused(CaptureServer relay) throws Exception {
        try (var proxy = lab.proxy(settings(), relay.port())) {
            var nobody = new AtomicBoolean();
            relay.answers = line -> {
                nobody.set(line.startsWith("MAIL") ? line.startsWith("MAIL FROM:<>") : nobody.get());
                return !line.equals(".") ? null : nobody.get() ? "550 5.7.10 no" : "552 5.3.4 no";
            };
            assertThat(send(proxy.port(), "lost")).startsWith("250");
            until("it is set aside", () -> names("failed").size() == 1);
            Path kept = folder.resolve("spool/failed").resolve(names("failed").getFirst());
            assertThat(Files.readString(kept.resolve("copy-0.eml"))).contains("<lost@example.org>", "pkcs7-mime");
            assertThat(Files.readString(kept.resolve("report.eml")))
                    .contains("Final-Recipient: rfc822; rsa@example.org");
            var health = get(proxy.monitorPort(), "/health");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("1 mails were refused for good", "folder failed");
            assertThat(names("queue")).isEmpty();

            relay.answers = line -> null;
            assertThat(send(proxy.port(), "lost"))
                    .startsWith("250"); // what was given up is a new mail, not a repetition
            relay.await(1);
        }
    }

    @Test
    void keepsAMailUntilItsReportWasTakenAlsoOverARestart() throws Exception {
        try (var relay = new CaptureServer()) {
            relay.answers = line -> line.startsWith("RCPT TO:<rsa@")
                    ? "550 5.1.1 no"
                    : line.startsWith("RCPT TO:<ada@") ? "451 4.2.0 later" : null;
            try (var proxy = lab.proxy(settings(), relay.port())) {
                assertThat(send(proxy.port(), "told")).startsWith("250");
                until(
                        "a report that has to wait",
                        () -> names("queue").stream()
                                .anyMatch(id -> Files.exists(folder.resolve("spool/queue/" + id + "/report.eml"))));
            }
            assertThat(names("queue")).hasSize(1);
            Path mail = folder.resolve("spool/queue").resolve(names("queue").getFirst());
            assertThat(mail.resolve("copy-0.eml")).exists();
            relay.answers = line -> line.startsWith("RCPT TO:<rsa@") ? "550 5.1.1 no" : null;
            try (var proxy = lab.proxy(settings(), relay.port())) {
                var report = relay.await(1).getFirst();
                assertThat(report.sender()).isEmpty();
                assertThat(report.recipients()).containsExactly(ADA);
                assertThat(report.text()).contains("Final-Recipient: rfc822; rsa@example.org", "<told@example.org>");
                until("an empty queue", () -> names("queue").isEmpty());
                assertThat(names("failed")).isEmpty();
                assertThat(relay.mails).hasSize(1);
                assertThat(get(proxy.monitorPort(), "/health").statusCode()).isEqualTo(200);
            }
        }
    }

    /** Items that were written before reports belonged to their mail (1), and before they said that they wait for a connection only (2). */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void goesOnWithASpoolOfTheVersionsBefore(int version) throws Exception {
        try (var relay = new CaptureServer()) {
            relay.answers = line -> line.startsWith("RCPT") ? "451 4.2.0 later" : null;
            try (var proxy = lab.proxy(settings(), relay.port())) {
                assertThat(send(proxy.port(), "old")).startsWith("250");
            }
            Path item = folder.resolve("spool/queue").resolve(names("queue").getFirst());
            long now = System.currentTimeMillis();
            CborWriter state = new CborWriter(512)
                    .array(6 + version)
                    .integer(version)
                    .text("")
                    .text(ADA);
            state.integer(now).integer(3).integer(now).array(1).array(3).text("copy-0.eml");
            state.array(1).text("rsa@example.org").array(0);
            if (version == 2) {
                state.integer(0);
            }
            Files.write(item.resolve("state"), state.toByteArray());
            relay.answers = line -> null;
            try (var proxy = lab.proxy(settings(), relay.port())) {
                assertThat(relay.await(1).getFirst().recipients()).containsExactly("rsa@example.org");
                until("an empty queue", () -> names("queue").isEmpty());
                assertThat(get(proxy.monitorPort(), "/health").statusCode()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"ada lovelace\"@example.org",
                "\"ada\"@example.org",
                "ada@[127.0.0.1]",
                "ada@[IPv6:::1]",
                "a1234567890123456789012345678901234567890123456789012345678901234@example.org",
                "ada@-example.org",
                "ada@ex_ample.org"
            })
    void refusesSenderAddressesThatTheGatewayWouldRefuse(String sender) throws Exception {
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(), relay.port());
                var smtp = new RawSmtp(proxy.port())) {
            assertThat(smtp.say("MAIL FROM:<" + sender + ">")).startsWith("5");
            assertThat(smtp.say("RCPT TO:<rsa@example.org>")).startsWith("503");
            assertThat(names("queue")).isEmpty();
        }
    }

    /** A server that takes a hundred recipients in a transaction and three hundred commands between mails; no pause is short enough to help. */
    @Test
    void bringsMailToHundredsOfVisibleRecipientsAtOnce() throws Exception {
        List<String> many =
                IntStream.range(0, 350).mapToObj(i -> "r" + i + "@example.org").toList();
        for (String each : many) {
            lab.add(each, "EC", Duration.ofDays(1));
        }
        lab.publish();
        try (var relay = new CaptureServer()) {
            var recipients = new AtomicInteger();
            var commands = new AtomicInteger();
            relay.answers = line -> {
                commands.set(line.equals(".") ? 0 : commands.get() + 1);
                recipients.set(line.startsWith("MAIL") ? 0 : recipients.get() + (line.startsWith("RCPT") ? 1 : 0));
                if (line.startsWith("EHLO")) {
                    commands.set(0);
                }
                return commands.get() > 300
                        ? "421 4.7.0 Too many commands without a message"
                        : line.startsWith("RCPT") && recipients.get() > 60 ? "452 4.5.3 Too many recipients" : null;
            };
            var hour = new ProxySettings.Retry(Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(1));
            var settings = new ProxySettings(
                    "127.0.0.1",
                    0,
                    null,
                    null,
                    null,
                    folder.resolve("spool"),
                    1 << 20,
                    false,
                    true,
                    hour,
                    0,
                    lab.form());
            try (var proxy = lab.proxy(settings, relay.port());
                    var smtp = new RawSmtp(proxy.port())) {
                String to = many.stream().collect(Collectors.joining(",\r\n "));
                String mail = "From: ada@example.org\r\nTo: " + to + "\r\nSubject: x\r\n\r\nowls\r\n";
                assertThat(smtp.send(ADA, many, mail.getBytes(StandardCharsets.US_ASCII)))
                        .startsWith("250");
                until("all of them have it", () -> names("queue").isEmpty());
            }
            var reached = new ArrayList<String>();
            relay.mails.forEach(mail -> reached.addAll(mail.recipients()));
            assertThat(reached).containsExactlyInAnyOrderElementsOf(many);
            Set<String> copies = new HashSet<>();
            relay.mails.forEach(mail -> copies.add(mail.text()));
            assertThat(copies).hasSize(5); // what is before the @ of each of them is a keyword, too
        }
    }

    /** Mail of many words for many scopes: a gateway takes 256 blocks. */
    @Test
    void noCopyHasMoreIndexBlocksThanAGatewayTakes() throws Exception {
        List<String> many =
                IntStream.range(0, 40).mapToObj(i -> "r" + i + "@example.org").toList();
        for (String each : many) {
            lab.add(each, "EC", Duration.ofDays(1));
        }
        lab.publish();
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(), relay.port());
                var smtp = new RawSmtp(proxy.port())) {
            String words = IntStream.range(0, 2600)
                    .mapToObj(i -> "w" + Integer.toString(i + 50_000, 36) + (i % 9 == 0 ? "\r\n" : " "))
                    .collect(Collectors.joining());
            String mail = "From: ada@example.org\r\nTo: " + String.join(",\r\n ", many) + "\r\nSubject: x\r\n\r\n"
                    + words + "\r\n";
            assertThat(smtp.send(ADA, many, mail.getBytes(StandardCharsets.US_ASCII)))
                    .startsWith("250");
            until("all of them have it", () -> names("queue").isEmpty());
            assertThat(relay.mails.size()).isBetween(2, 3);
            for (CaptureServer.Mail each : relay.mails) {
                var envelope = dev.veilgate.envelope.Envelope.decode(
                        SealedParts.of(each.bytes()).index());
                assertThat(envelope.index().size()).isBetween(100, 256);
            }
        }
    }

    private static long announced(List<String> ehlo) {
        return ehlo.stream()
                .filter(line -> line.contains("SIZE "))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf("SIZE ") + 5)))
                .findFirst()
                .orElseThrow();
    }

    private ProxySettings settings() {
        return lab.settings(folder.resolve("spool"), 50 << 20, false);
    }

    private static byte[] mail(String id, int bytes) {
        String mail = "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: owls\r\nMessage-ID: <" + id
                + "@example.org>\r\n\r\n" + ("x".repeat(74) + "\r\n").repeat(Math.max(1, bytes / 76));
        return mail.getBytes(StandardCharsets.US_ASCII);
    }

    private static String send(int port, String id) throws Exception {
        try (var smtp = new RawSmtp(port)) {
            return smtp.send(ADA, List.of("rsa@example.org"), mail(id, 10));
        }
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private List<String> names(String part) throws Exception {
        try (Stream<Path> items = Files.list(folder.resolve("spool").resolve(part))) {
            return items.map(item -> item.getFileName().toString()).toList();
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void until(String what, Condition condition) {
        Await.until(what, () -> {
            try {
                return condition.holds();
            } catch (Exception e) {
                throw new AssertionError(what, e);
            }
        });
    }
}
