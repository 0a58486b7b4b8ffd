package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.settings.ProxySettings;
import java.io.ByteArrayOutputStream;
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

class MailProxyTest {
    static final String MAIL = """
            Received: from secret.example.org by mx.example.org; Sat, 21 Nov 2026 10:00:00 +0000\r
            From: Ada <ada@example.org>\r
            To: <rsa@example.org>, ec@example.org\r
            Bcc: hidden@example.org,\r
             another@example.org\r
            Subject: the =?utf-8?q?p=C3=A4rliament?= of owls\r
            Date: Sat, 21 Nov 2026 10:00:00 +0000\r
            Message-ID: <one@example.org>\r
            In-Reply-To: <zero@example.org>\r
            X-Mailer: quill\r
            MIME-Version: 1.0\r
            Content-Type: text/plain;\r
             charset=utf-8\r
            \r
            .starts with a dot\r
            overheated owl\r
            .\r
            the end\r
            """;

    @TempDir
    static Path labFolder;

    private static MailLab lab;

    @TempDir
    Path folder;

    private CaptureServer relay;
    private MailProxy proxy;

    @BeforeEach
    void start() throws Exception {
        if (lab == null || !lab.folder.equals(labFolder)) {
            lab = new MailLab(labFolder);
        }
        relay = new CaptureServer();
        proxy = lab.proxy(lab.settings(folder.resolve("spool"), 1 << 20, false), relay.port());
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        relay.close();
    }

    @Test
    void refusesAMailIfARecipientHasNoKey() throws Exception {
        try (var smtp = new RawSmtp(proxy.port())) {
            smtp.say("MAIL FROM:<ada@example.org>");
            assertThat(smtp.say("RCPT TO:<stranger@example.org>"))
                    .startsWith("550 5.7.5 no key for <stranger@example.org>")
                    .endsWith("nothing was sent");
            assertThat(smtp.say("RCPT TO:<expired@example.org>"))
                    .startsWith("550 5.7.5 no key for <expired@example.org>")
                    .contains("expired on");
            assertThat(smtp.say("RCPT TO:<rsa@example.org>")).startsWith("250");
            assertThat(smtp.say("DATA")).startsWith("354");
            smtp.raw("From: ada@example.org\r\n\r\nbody\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(smtp.say(".")).startsWith("554 5.7.5 no key for 2 of the recipients");
            // The next mail of the same connection is not touched by that.
            assertThat(smtp.send("ada@example.org", List.of("rsa@example.org"), MAIL.getBytes(StandardCharsets.UTF_8)))
                    .startsWith("250");
        }
        assertThat(relay.await(1)).hasSize(1);
    }

    @Test
    void sendsToTheOthersIfTheOperatorSaysSo() throws Exception {
        try (var lenient = lab.proxy(lab.settings(folder.resolve("other"), 1 << 20, true), relay.port());
                var smtp = new RawSmtp(lenient.port())) {
            assertThat(smtp.send(
                            "ada@example.org",
                            List.of("stranger@example.org", "rsa@example.org"),
                            MAIL.getBytes(StandardCharsets.UTF_8)))
                    .startsWith("250");
            assertThat(relay.await(1).getFirst().recipients()).containsExactly("rsa@example.org");
        }
    }

    @Test
    void refusesToBindWhereOthersConnectWithoutTlsAndPasswords() {
        assertThatThrownBy(() -> new ProxySettings(
                        "0.0.0.0",
                        0,
                        null,
                        null,
                        null,
                        folder,
                        1 << 20,
                        false,
                        true,
                        ProxySettings.Retry.DEFAULT,
                        -1,
                        lab.form()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs TLS");
    }

    @Test
    void nothingButLineEndDotLineEndEndsAMessage() throws Exception {
        String smuggled =
                "MAIL FROM:<eve@example.org>\r\nRCPT TO:<rsa@example.org>\r\nDATA\r\nFrom: eve@example.org\r\n\r\nevil\r\n";
        for (String end : new String[] {"\n.\n", "\n.\r\n", "\r.\r", "\r.\r\n", "\r\n.\r", "\r\n.\n", "\r\n.\r\r\n"}) {
            try (var smtp = new RawSmtp(proxy.port())) {
                smtp.begin("ada@example.org", List.of("rsa@example.org"));
                smtp.say("DATA");
                smtp.raw(("From: ada@example.org\r\n\r\nhello" + end + smuggled).getBytes(StandardCharsets.US_ASCII));
                assertThat(smtp.say("."))
                        .as(end.replace("\r", "CR").replace("\n", "LF"))
                        .startsWith("550 5.6.0");
                assertThat(smtp.say("NOOP")).startsWith("250");
            }
        }
        assertThat(relay.mails).isEmpty();
        assertThat(queued()).isZero();
    }

    @Test
    void refusesWhatIsTooLargeAtMailAndWhileItComes() throws Exception {
        try (var smtp = new RawSmtp(proxy.port())) {
            assertThat(smtp.say("MAIL FROM:<ada@example.org> SIZE=104857600")).startsWith("552 5.3.4");
            smtp.say("RSET");
            smtp.begin("ada@example.org", List.of("rsa@example.org"));
            smtp.say("DATA");
            byte[] line = ("x".repeat(76) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 20_000; i++) {
                smtp.raw(line);
            }
            assertThat(smtp.say(".")).startsWith("552 5.3.4");
            assertThat(smtp.say("NOOP")).startsWith("250");
        }
        assertThat(queued()).isZero();
    }

    @Test
    void longLinesAndEveryByteSurvive() throws Exception {
        var body = new ByteArrayOutputStream();
        body.writeBytes(
                "From: ada@example.org\r\nTo: rsa@example.org\r\nContent-Type: application/octet-stream;\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 300_000; i++) {
            int b = i % 256;
            body.write(b == '\r' || b == '\n' ? 'x' : b);
        }
        body.writeBytes("\r\n..\r\n".getBytes(StandardCharsets.US_ASCII));
        try (var smtp = new RawSmtp(proxy.port())) {
            assertThat(smtp.send("ada@example.org", List.of("rsa@example.org"), body.toByteArray()))
                    .startsWith("250");
        }
        byte[] opened =
                SealedMailTest.restored(lab.openssl(relay.await(1).getFirst().bytes(), "rsa@example.org"));
        assertThat(opened).isEqualTo(body.toByteArray());
    }

    @Test
    void triesAgainWhatTheRelayDefersAndReportsWhatItRefuses() throws Exception {
        var asked = new java.util.concurrent.atomic.AtomicInteger();
        relay.answers = line -> line.equals(".") && asked.incrementAndGet() <= 2 ? "451 4.3.0 later" : null;
        send(MAIL, "rsa@example.org");
        relay.await(1);
        assertThat(asked.get()).isEqualTo(3);

        relay.answers = line -> line.startsWith("RCPT TO:<ec@") ? "550 5.1.1 unknown" : null;
        send(MAIL.replace("<one@", "<two@"), "rsa@example.org", "ec@example.org");
        var mails = relay.await(3);
        assertThat(mails.get(1).recipients()).containsExactly("rsa@example.org");
        var report = mails.get(2);
        assertThat(report.sender()).isEmpty();
        assertThat(report.recipients()).containsExactly("ada@example.org");
        assertThat(report.text())
                .contains("report-type=delivery-status")
                .contains("Final-Recipient: rfc822; ec@example.org")
                .contains("Message-ID: <two@example.org>")
                .doesNotContain("owl");
        awaitEmptyQueue();
    }

    @Test
    void aSecondSubmissionOfTheSameMailIsNotSentAgain() throws Exception {
        String first = send(MAIL, "rsa@example.org");
        relay.await(1);
        awaitEmptyQueue();
        assertThat(send(MAIL, "rsa@example.org")).isEqualTo(first);
        assertThat(send(MAIL, "ec@example.org")).isNotEqualTo(first);
        assertThat(relay.await(2)).hasSize(2);
    }

    @Test
    void newBundleIsUsedWithoutARestart() throws Exception {
        try (var smtp = new RawSmtp(proxy.port())) {
            smtp.say("MAIL FROM:<ada@example.org>");
            assertThat(smtp.say("RCPT TO:<new@example.org>")).startsWith("550");
            lab.add("new@example.org", "EC", java.time.Duration.ofDays(1));
            lab.publish();
            assertThat(smtp.say("RCPT TO:<new@example.org>")).startsWith("250");
        }
    }

    @Test
    void saysHowItIs() throws Exception {
        send(MAIL, "rsa@example.org");
        relay.await(1);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String base = "http://127.0.0.1:" + proxy.monitorPort();
            var health = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/health")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(health.statusCode()).isEqualTo(200);
            var metrics = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/metrics")).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(metrics.body())
                    .contains("veilgate_mail_accepted_total 1", "veilgate_mail_cut_short_total 0")
                    .doesNotContain("example.org");
        }
    }

    private String send(String mail, String... recipients) throws Exception {
        try (var smtp = new RawSmtp(proxy.port())) {
            return smtp.send("ada@example.org", List.of(recipients), mail.getBytes(StandardCharsets.UTF_8));
        }
    }

    private long queued() throws Exception {
        try (Stream<Path> items = Files.list(folder.resolve("spool/queue"))) {
            return items.count();
        }
    }

    private void awaitEmptyQueue() throws Exception {
        long end = System.nanoTime() + 120_000_000_000L;
        while (queued() > 0) {
            assertThat(System.nanoTime()).as("the queue empties").isLessThan(end);
            Thread.sleep(5); // the condition is looked at again
        }
    }
}
