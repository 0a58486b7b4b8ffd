package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.CmsOpener;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.AuthenticatedPrograms;
import dev.veilgate.settings.MailFormSettings;
import dev.veilgate.settings.OwnedAddresses;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.ShownSubjects;
import dev.veilgate.testing.FrozenSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * A mail proxy goes on with the spool that an earlier version left when it was killed: what waits is delivered once,
 * and a message that was submitted before is known again.
 */
@ParameterizedClass
@FieldSource("SETS")
class FrozenProxySpoolTest {
    /** Each at a time within the two days for which a message is known again. */
    static final List<FrozenSet> SETS = List.of(new FrozenSet("009bb538/proxy", "2026-11-30T12:00:00Z"));

    private static final List<String> TO = List.of("rsa@example.org");

    @TempDir
    private Path folder;

    private final FrozenSet set;
    private Path spool;

    FrozenProxySpoolTest(FrozenSet set) {
        this.set = set;
    }

    @BeforeEach
    void copy() throws IOException {
        spool = set.copy("spool", folder);
    }

    private MailProxy start(int relayPort) throws IOException {
        Path signer = set.copy("signer.p12", folder);
        Files.setPosixFilePermissions(signer, PosixFilePermissions.fromString("rw-------")); // as a checkout has not
        var retry = new ProxySettings.Retry(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofDays(10));
        var form = new MailFormSettings(
                signer,
                set.path("signer-passphrase"),
                null,
                AuthenticatedPrograms.NONE,
                ShownSubjects.DEFAULT,
                OwnedAddresses.DEFAULT);
        var settings = new ProxySettings("127.0.0.1", 0, null, null, null, spool, 1 << 20, false, true, retry, 0, form);
        Clock clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), set.now()));
        return MailProxy.start(
                settings,
                MailLab.relay(relayPort),
                KeptBundle.ofFile(set.copy("acme.vgb", folder)),
                set.text("authority").strip(),
                clock,
                new LineLog(System.out, clock));
    }

    private void awaitEmptyQueue() throws Exception {
        long until = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (true) {
            try (Stream<Path> waiting = Files.list(spool.resolve("queue"))) {
                if (waiting.findAny().isEmpty()) {
                    return;
                }
            }
            assertThat(System.nanoTime()).as("the queue is empty").isLessThan(until);
            Thread.sleep(20);
        }
    }

    private String opened(CaptureServer.Mail mail) throws Exception {
        PublicBundle bundle =
                PublicBundle.verify(set.bytes("acme.vgb"), set.text("authority").strip(), set.now());
        X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(set.bytes("rsa.crt")));
        ByteArrayOutputStream opened = new ByteArrayOutputStream();
        CmsOpener.open(
                new ByteArrayInputStream(SealedParts.of(mail.bytes()).cms()),
                KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(set.bytes("rsa.key"))),
                certificate,
                bundle.mailSigners().stream().map(List::getFirst).toList(),
                opened);
        return opened.toString(StandardCharsets.UTF_8);
    }

    @Test
    void deliversWhatWaitsOnceAndKnowsItAgain() throws Exception {
        try (var relay = new CaptureServer();
                var proxy = start(relay.port())) {
            TreeSet<String> subjects = new TreeSet<>();
            for (CaptureServer.Mail mail : relay.await(2)) {
                assertThat(mail.recipients()).isEqualTo(TO);
                subjects.add(opened(mail).replaceAll("(?s).*?\nSubject: ([^\r\n]*).*", "$1"));
            }
            assertThat(subjects).containsExactly("overheated one", "overheated two");
            awaitEmptyQueue();
            try (var smtp = new RawSmtp(proxy.port())) {
                assertThat(smtp.send("ada@example.com", TO, set.bytes("one.eml")))
                        .startsWith("250");
                byte[] other = set.text("one.eml").replace("one", "three").getBytes(StandardCharsets.UTF_8);
                assertThat(smtp.send("ada@example.com", TO, other)).startsWith("250");
            }
            assertThat(opened(relay.await(3).getLast())).contains("The pump three is overheated.");
            awaitEmptyQueue();
            assertThat(relay.mails).hasSize(3);
        }
    }
}
