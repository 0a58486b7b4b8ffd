package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.testing.TlsRelay;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.smtp.SmtpConnection;
import dev.veilgate.transport.smtp.SmtpHop;
import dev.veilgate.transport.smtp.SmtpTls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a mail program and another server see. */
class SmtpSessionTest {
    private static final String MAIL = "From: ada@example.org\r\nSubject: owls\r\n\r\n..stuffed\r\nbody";

    @TempDir
    Path folder;

    private SmtpLab lab;

    @BeforeEach
    void start() throws Exception {
        lab = new SmtpLab(folder, SmtpLab.settings());
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private static String auth(String user, String password) {
        return Base64.getEncoder().encodeToString(("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8));
    }

    private RawSmtp hello(int port) throws IOException {
        var smtp = new RawSmtp(port);
        smtp.say("EHLO client.example");
        return smtp;
    }

    private RawSmtp user() throws IOException {
        RawSmtp smtp = hello(lab.users());
        smtp.startTls();
        smtp.say("EHLO client.example");
        assertThat(smtp.say("AUTH PLAIN " + auth("ada@example.org", SmtpLab.PASSWORD)))
                .startsWith("235");
        return smtp;
    }

    /** STARTTLS and TLS from the first byte, by the connection that mail proxy and gateways send with. */
    @ParameterizedTest
    @EnumSource(names = {"REQUIRED", "IMPLICIT"})
    void clientOfOursAgreesOnTheHybridGroup(SmtpTls tls) throws Exception {
        int port = tls == SmtpTls.IMPLICIT ? lab.implicit() : lab.startTls();
        SSLContext ours = TlsContext.client(folder.resolve("first.crt"));
        var patience = new SmtpHop.Patience(Duration.ofSeconds(20), Duration.ofSeconds(20));
        try (var relay = new TlsRelay(port);
                SmtpConnection connection = SmtpConnection.open(
                        new SmtpHop("localhost", relay.port(), tls, ours, null), "client.example.org", patience)) {
            assertThat(connection.isUsable()).isTrue();
            assertThat(relay.groups()).containsExactly(TlsRelay.HYBRID);
        }
        var stranger = new SmtpHop("localhost", port, tls, TlsContext.machine(), null);
        assertThatThrownBy(() -> SmtpConnection.open(stranger, "client.example.org", patience))
                .hasMessageContaining("no TLS with the SMTP server");
    }

    @Test
    void handsOverWhatCameBehindATraceOfThisHop() throws Exception {
        try (RawSmtp smtp = hello(lab.startTls())) {
            smtp.startTls();
            assertThat(smtp.say("EHLO client.example"))
                    .contains("SIZE 1048576", "8BITMIME", "PIPELINING", "AUTH PLAIN LOGIN")
                    .doesNotContain("STARTTLS");
            String reply = smtp.send("bob@elsewhere.example", List.of("ada@EXAMPLE.org", "ada@EXAMPLE.org"), MAIL);
            assertThat(reply).isEqualTo("250 2.6.0 Kept");
        }
        var mail = lab.mails.getFirst();
        assertThat(mail.from()).isEmpty();
        assertThat(mail.reversePath()).isEqualTo("bob@elsewhere.example");
        assertThat(mail.recipients()).containsExactly("ada@example.org");
        assertThat(lab.lastText())
                .matches("(?s)Received: from client\\.example \\(\\[127\\.0\\.0\\.1]\\)\r\n"
                        + " \\(using TLSv1\\.3 with cipher TLS_\\w+\\)\r\n"
                        + " by mx\\.example\\.org with ESMTPS id \\w+;\r\n \\w{3}, \\d+ \\w{3} \\d{4} [0-9:]{8} \\+0000\r\n"
                        + "From: ada.*")
                .endsWith("\r\n\r\n.stuffed\r\nbody\r\n");
    }

    /** To take it would be to report it later, to whomever the sender claims to be. */
    @Test
    void refusesUnknownRecipientsOfDomainsWhoseRecipientsItKnows() throws Exception {
        byte[] certificate = lab.bundles
                .getBundle("smtp")
                .getStores()
                .getKeyStore()
                .getCertificateChain("ssl")[0]
                .getEncoded();
        TestTenant acme = TestTenant.of("known");
        acme.keys().putRecipient(new PublicBundle.Recipient("ada@example.org", certificate, TestTenant.SCOPE));
        Tenant tenant = acme.tenant();
        Tenants tenants = new Tenants() {
            @Override
            public Optional<Tenant> find(String name) {
                return Optional.of(tenant);
            }

            @Override
            public List<Tenant> all() {
                return List.of(tenant);
            }
        };
        try (var knowing = new SmtpLab(folder, SmtpLab.settings(), tenants);
                RawSmtp smtp = hello(knowing.clear())) {
            smtp.say("MAIL FROM:<victim@elsewhere.example>");
            assertThat(smtp.say("RCPT TO:<nobody@example.org>")).isEqualTo("550 5.1.1 No such recipient here");
            assertThat(smtp.say("RCPT TO:<ADA@Example.org>")).startsWith("250");
            assertThat(smtp.say("RCPT TO:<nobody@plain.example>")).startsWith("250"); // relays plain mail
            smtp.say("RSET");
            smtp.say("MAIL FROM:<>");
            assertThat(smtp.say("RCPT TO:<nobody@example.org>")).startsWith("250"); // a report, of which no other comes
        }
    }

    @Test
    void takesMailForItsOwnDomainsFromAnybodyAndForOthersFromUsers() throws Exception {
        try (RawSmtp smtp = hello(lab.clear())) {
            smtp.say("MAIL FROM:<>");
            assertThat(smtp.say("RCPT TO:<x@other.example>")).startsWith("550 5.7.1");
            assertThat(smtp.say("RCPT TO:<x@plain.example>")).startsWith("250");
        }
        try (RawSmtp smtp = user()) {
            assertThat(smtp.send("ada@example.org", List.of("x@other.example"), MAIL))
                    .startsWith("250");
            assertThat(smtp.say("MAIL FROM:<ada@other.example>")).startsWith("553 5.7.1");
            assertThat(smtp.send("", List.of("x@other.example"), MAIL)).startsWith("250");
        }
        assertThat(lab.mails.getFirst().from().orElseThrow().name()).isEqualTo("ada@example.org");
        assertThat(lab.lastText()).contains(" with ESMTPSA ");
    }

    @Test
    void passwordsAreTakenUnderTlsAndFewWrongOnes() throws Exception {
        try (RawSmtp smtp = hello(lab.users())) {
            assertThat(smtp.say("MAIL FROM:<ada@example.org>")).startsWith("530 5.7.0");
        }
        try (RawSmtp smtp = RawSmtp.tls(lab.implicit())) {
            smtp.say("EHLO client.example");
            assertThat(smtp.say("AUTH LOGIN")).isEqualTo("334 VXNlcm5hbWU6");
            assertThat(smtp.say(Base64.getEncoder().encodeToString("ada@example.org".getBytes(StandardCharsets.UTF_8))))
                    .isEqualTo("334 UGFzc3dvcmQ6");
            assertThat(smtp.say("*")).startsWith("501");
            assertThat(smtp.say("AUTH PLAIN")).startsWith("334");
            assertThat(smtp.say("no base64!")).startsWith("501");
            assertThat(smtp.say("AUTH CRAM-MD5")).startsWith("504");
            assertThat(smtp.say("AUTH PLAIN " + auth("ada@example.org", "wrong")))
                    .startsWith("535");
            assertThat(smtp.say("AUTH PLAIN " + auth("nobody", SmtpLab.PASSWORD)))
                    .startsWith("535");
            assertThat(smtp.say("AUTH PLAIN " + auth("ada@example.org", ""))).startsWith("421");
            assertThat(smtp.isHungUp()).isTrue();
        }
    }

    @Test
    void answersOnlyWhenTheMailIsDurable() throws Exception {
        var durable = new CompletableFuture<Receipt>();
        lab.answer = mail -> durable;
        try (RawSmtp smtp = hello(lab.clear())) {
            smtp.raw("MAIL FROM:<a@b.example>\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n");
            assertThat(List.of(smtp.reply(), smtp.reply(), smtp.reply().substring(0, 3)))
                    .containsExactly(
                            "250 2.1.0 Sender <a@b.example> OK", "250 2.1.5 Recipient <ada@example.org> OK", "354");
            // What follows the message waits for it too.
            smtp.raw(MAIL + "\r\n.\r\nNOOP\r\nMAIL FROM:<c@d.example>\r\n");
            await().until(() -> lab.mails.size() == 1);
            durable.complete(new Receipt(Optional.empty(), false));
            assertThat(smtp.reply()).isEqualTo("250 2.6.0 Kept");
            assertThat(smtp.reply()).startsWith("250 2.0.0");
            assertThat(smtp.reply()).startsWith("250 2.1.0");
        }
    }

    @Test
    void everyRefusalHasItsReply() throws Exception {
        Map<Refusal, String> expected = new EnumMap<>(Refusal.class);
        expected.put(Refusal.MALFORMED, "554 5.6.0 why");
        expected.put(Refusal.OUTDATED, "550 5.7.1 why");
        expected.put(Refusal.TOO_LARGE, "552 5.3.4 why");
        expected.put(Refusal.UNKNOWN_TENANT, "550 5.7.1 why");
        expected.put(Refusal.UNKNOWN_KEY, "550 5.7.1 why");
        expected.put(Refusal.UNKNOWN_SCOPE, "550 5.7.1 why");
        expected.put(Refusal.BAD_SIGNATURE, "550 5.7.7 why");
        expected.put(Refusal.NOT_ALLOWED, "550 5.7.1 why");
        expected.put(Refusal.UNPROVEN_SENDER, "550 5.7.1 why");
        expected.put(Refusal.CONFLICT, "550 5.7.1 why");
        expected.put(Refusal.CLOCK, "550 5.7.1 why");
        expected.put(Refusal.PLAIN_MAIL, "550 5.7.10 why");
        expected.put(Refusal.QUOTA, "451 4.7.1 why");
        expected.put(Refusal.STORAGE_FULL, "452 4.3.1 No room at the moment; try again later");
        expected.put(Refusal.UNAVAILABLE, "451 4.3.0 Not possible at the moment; try again later");
        try (RawSmtp smtp = hello(lab.clear())) {
            for (Refusal refusal : Refusal.values()) {
                lab.answer = mail -> CompletableFuture.failedFuture(new RefusedException(refusal, "why"));
                assertThat(smtp.send("a@b.example", List.of("ada@example.org"), MAIL))
                        .isEqualTo(expected.get(refusal));
            }
            lab.answer = mail -> {
                throw new IllegalStateException("a bug");
            };
            assertThat(smtp.send("a@b.example", List.of("ada@example.org"), MAIL))
                    .startsWith("451 4.3.0");
        }
        assertThat(lab.count("storage_full")).isEqualTo(1);
        assertThat(lab.count("bug")).isEqualTo(1);
    }

    @Test
    void stoppingEndsMessagesInProgressAndNothingElse() throws Exception {
        var durable = new CompletableFuture<Receipt>();
        lab.answer = mail -> durable;
        try (RawSmtp idle = hello(lab.clear());
                RawSmtp sending = hello(lab.clear())) {
            sending.say("MAIL FROM:<a@b.example>");
            sending.say("RCPT TO:<ada@example.org>");
            sending.say("DATA");
            int port = lab.clear();
            assertThat(lab.server().isListening()).isTrue();
            var stopped = CompletableFuture.runAsync(lab.server()::stop);
            assertThat(idle.reply()).startsWith("421 4.3.2");
            assertThat(idle.isHungUp()).isTrue();
            sending.raw(MAIL + "\r\n.\r\n");
            await().until(() -> lab.mails.size() == 1);
            assertThat(stopped).isNotDone();
            assertThatThrownBy(() -> new RawSmtp(port)).isInstanceOf(IOException.class);
            durable.complete(new Receipt(Optional.empty(), false));
            assertThat(sending.reply()).startsWith("250");
            assertThat(sending.reply()).startsWith("421");
            stopped.join();
            assertThat(lab.server().isListening()).isFalse();
        }
    }

    @Test
    void aNewCertificateIsUsedForNewConnections() throws Exception {
        try (RawSmtp before = RawSmtp.tls(lab.implicit())) {
            assertThat(before.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=first");
            lab.bundles.updateBundle("smtp", SmtpLab.bundle(folder, "second"));
            try (RawSmtp after = RawSmtp.tls(lab.implicit())) {
                assertThat(after.certificate().getSubjectX500Principal().getName())
                        .isEqualTo("CN=second");
            }
            assertThat(before.say("NOOP")).startsWith("250");
        }
    }

    @Test
    void swaksAndOpensslSend() throws Exception {
        SmtpLab.run(List.of(
                "swaks",
                "--server",
                "127.0.0.1:" + lab.users(),
                "--auth",
                "PLAIN",
                "--auth-user",
                "ada@example.org",
                "--auth-password",
                SmtpLab.PASSWORD,
                "--from",
                "ada@example.org",
                "--to",
                "bob@other.example",
                "--body",
                ".\n..\nbody"));
        assertThat(lab.lastText()).contains(" with ESMTPA ").contains("\r\n.\r\n..\r\nbody\r\n");
        Path script = Files.writeString(
                folder.resolve("script"),
                "EHLO client.example\nMAIL FROM:<a@b.example>\nrcpt to:<ada@example.org>\nDATA\nSubject: x\n\nbody\n.\nQUIT\n");
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "s_client",
                        "-quiet",
                        "-crlf",
                        "-starttls",
                        "smtp",
                        "-connect",
                        "127.0.0.1:" + lab.startTls())
                .redirectErrorStream(true)
                .redirectInput(script.toFile())
                .start();
        assertThat(openssl.inputReader().lines().toList()).anyMatch(line -> line.startsWith("250 2.6.0 Kept"));
        assertThat(openssl.waitFor(Duration.ofMinutes(1))).isTrue();
        assertThat(lab.mails).hasSize(2);
    }
}
