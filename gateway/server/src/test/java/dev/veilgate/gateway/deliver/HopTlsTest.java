package dev.veilgate.gateway.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.testing.TlsRelay;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.smtp.SmtpTls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.apache.james.protocols.netty.Encryption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** What a next hop must show, by policy. */
class HopTlsTest {
    private static final String MAIL = "Subject: x\r\n\r\nx\r\n";

    @TempDir
    static Path folder;

    private static Encryption startTls;
    private static Encryption implicit;
    private static Encryption otherName;
    private static SslBundle trusted;

    private final DeliveryLab lab = new DeliveryLab();

    @BeforeAll
    static void makeCertificates() throws Exception {
        SSLContext localhost = certificate("localhost");
        startTls = Encryption.createStartTls(localhost);
        implicit = Encryption.createTls(localhost);
        otherName = Encryption.createStartTls(certificate("elsewhere"));
        String authorities =
                Files.readString(folder.resolve("localhost.crt")) + Files.readString(folder.resolve("elsewhere.crt"));
        trusted = SslBundle.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate(authorities)));
    }

    private static SSLContext certificate(String name) throws IOException, InterruptedException {
        return bundle(name, "ec", "-pkeyopt", "ec_paramgen_curve:P-256").createSslContext();
    }

    private static SslBundle bundle(String name, String... algorithm) throws IOException, InterruptedException {
        Path certificate = folder.resolve(name + ".crt");
        Path key = folder.resolve(name + ".key");
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey"));
        command.addAll(List.of(algorithm));
        command.addAll(List.of(
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=" + name,
                "-addext",
                "subjectAltName=DNS:" + name,
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString()));
        Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(openssl.waitFor()).as(said).isZero();
        return SslBundle.of(new PemSslStoreBundle(
                PemSslStoreDetails.forCertificate(Files.readString(certificate)).withPrivateKey(Files.readString(key)),
                null));
    }

    @AfterEach
    void close() {
        lab.close();
    }

    /** Whether a mail arrives, and how; null if it has to wait. */
    private MailSink.Mail send(Encryption offered, SmtpTls policy, boolean trust) {
        try (var sink = new MailSink(0, offered)) {
            if (trust) {
                lab.bundles.registerBundle("hop", trusted);
            }
            lab.relay("a.example", sink.port(), policy, trust ? "hop" : "");
            lab.start();
            lab.add("", List.of("x@a.example"), MAIL);
            await().until(() -> lab.waiting() == 0 || lab.attempts() == 1);
            return sink.mails.isEmpty() ? null : sink.mails.getFirst();
        }
    }

    @Test
    void requiredIsVerified() {
        assertThat(send(startTls, SmtpTls.REQUIRED, true).tls()).isTrue();
    }

    @Test
    void requiredIsNotSentWithoutTrust() {
        assertThat(send(startTls, SmtpTls.REQUIRED, false)).isNull();
    }

    @Test
    void requiredIsNotSentToAnotherName() {
        assertThat(send(otherName, SmtpTls.REQUIRED, true)).isNull();
    }

    @Test
    void requiredIsNotSentInClear() {
        assertThat(send(null, SmtpTls.REQUIRED, true)).isNull();
    }

    @Test
    void implicitIsVerified() {
        assertThat(send(implicit, SmtpTls.IMPLICIT, true).tls()).isTrue();
    }

    /** A certificate that BoringSSL does not know must not have mail sent in clear that went by TLS before. */
    @Test
    void opportunisticSpeaksTheRuntimesTlsBeforeItGoesInClear() throws Exception {
        Encryption ed25519 = Encryption.createStartTls(bundle("ed", "ed25519").createSslContext());
        assertThat(send(ed25519, SmtpTls.OPPORTUNISTIC, false).tls()).isTrue();
    }

    @Test
    void hopThatHasTheHybridGroupIsSpokenToByIt() throws Exception {
        SslBundle shown = SslBundle.of(new PemSslStoreBundle(
                PemSslStoreDetails.forCertificate(Files.readString(folder.resolve("localhost.crt")))
                        .withPrivateKey(Files.readString(folder.resolve("localhost.key"))),
                null));
        lab.bundles.registerBundle("hop", trusted);
        Encryption hybrid =
                Encryption.createStartTls(TlsContext.of(shown.getManagers().getKeyManagers(), null));
        try (var sink = new MailSink(0, hybrid);
                var relay = new TlsRelay(sink.port())) {
            lab.relay("a.example", relay.port(), SmtpTls.REQUIRED, "hop");
            lab.start();
            lab.add("", List.of("x@a.example"), MAIL);
            assertThat(sink.await(1).getFirst().tls()).isTrue();
            assertThat(relay.groups()).containsExactly(TlsRelay.HYBRID);
        }
    }

    @Test
    void implicitIsNotSentWithoutTrust() {
        assertThat(send(implicit, SmtpTls.IMPLICIT, false)).isNull();
    }

    @Test
    void opportunisticTakesAnyCertificate() {
        assertThat(send(otherName, SmtpTls.OPPORTUNISTIC, false).tls()).isTrue();
    }

    @Test
    void opportunisticGoesInClearIfThereIsNoTls() {
        assertThat(send(null, SmtpTls.OPPORTUNISTIC, false).tls()).isFalse();
    }

    @Test
    void opportunisticGoesInClearIfTlsFails() throws Exception {
        SSLContext empty = SSLContext.getInstance("TLS");
        empty.init(null, null, null); // no certificate: every handshake fails
        assertThat(send(Encryption.createStartTls(empty), SmtpTls.OPPORTUNISTIC, false)
                        .tls())
                .isFalse();
    }

    @Test
    void logsInUnderTlsOnly() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), MailSink.PASSWORD + "\n");
        lab.bundles.registerBundle("hop", trusted);
        try (var sink = new MailSink(0, startTls)) {
            lab.relays.put(
                    "a.example",
                    new DeliverSettings.Relay("localhost", sink.port(), SmtpTls.REQUIRED, "hop", "ada", password));
            lab.start();
            lab.add("", List.of("x@a.example"), MAIL);
            assertThat(sink.await(1).getFirst().loggedIn()).isTrue();
        }
        org.assertj.core.api.Assertions.assertThatThrownBy(() ->
                        new DeliverSettings.Relay("mail.example.org", 25, SmtpTls.OPPORTUNISTIC, "", "ada", password))
                .hasMessageContaining("required or implicit where a password is sent");
    }
}
