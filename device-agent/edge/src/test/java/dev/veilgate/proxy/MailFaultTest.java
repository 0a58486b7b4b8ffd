package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.edge.Main;
import dev.veilgate.sender.BundleServer;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import dev.veilgate.testing.FreePort;
import java.io.InputStream;
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
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Full disks, bundles that expire or are damaged, servers that never take a mail. */
class MailFaultTest {
    @TempDir
    Path folder;

    private MailLab lab;

    @BeforeEach
    void makeLab() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
    }

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

    @Test
    void aSigningKeyThatTheBundleDoesNotNameOrThatExpiredIsUsedAndHealthSaysSo() throws Exception {
        var signers = lab.mailSigners;
        lab.mailSigners = List.of();
        lab.publish(Duration.ofDays(3));
        var clock = new Later();
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(), relay.port(), clock)) {
            assertThat(send(proxy.port(), "unnamed", 10)).startsWith("250");
            var health = get(proxy.monitorPort(), "/health");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body())
                    .contains("signing key: the public bundle does not name the mail signing certificate");
            lab.mailSigners = signers;
            lab.publish(Duration.ofDays(3));
            assertThat(get(proxy.monitorPort(), "/health").statusCode()).isEqualTo(200);
            clock.by = Duration.ofHours(24);
            assertThat(get(proxy.monitorPort(), "/health").body())
                    .contains("signing key: the mail signing certificate expired on ");
        }
    }

    @Test
    void withoutAUsableBundleNothingIsTakenAndHealthSaysSo() throws Exception {
        lab.publish(Duration.ofHours(1));
        var clock = new Later();
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(), relay.port(), clock)) {
            assertThat(send(proxy.port(), "before", 10)).startsWith("250");
            clock.by = Duration.ofHours(2);
            try (var smtp = new RawSmtp(proxy.port())) {
                smtp.say("MAIL FROM:<ada@example.org>");
                assertThat(smtp.say("RCPT TO:<rsa@example.org>"))
                        .isEqualTo("451 4.7.5 No usable public bundle; tell your administrator");
            }
            var health = get(proxy.monitorPort(), "/health");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("degraded", "bundle: the bundle expired at", "fetch a new one");
            assertThat(get(proxy.monitorPort(), "/metrics").body()).contains("\nveilgate_mail_healthy 0\n");
            relay.await(1); // what was taken goes out all the same
            lab.publish(Duration.ofHours(12));
            assertThat(send(proxy.port(), "after", 10)).startsWith("250");
            assertThat(get(proxy.monitorPort(), "/health").statusCode()).isEqualTo(200);
            relay.await(2);
        }
    }

    @Test
    void aBundleThatIsRefusedDoesNotReplaceTheOneInUse() throws Exception {
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(), relay.port())) {
            byte[] good = Files.readAllBytes(lab.bundle);
            Files.writeString(lab.bundle, "half a copy");
            assertThat(send(proxy.port(), "one", 10)).startsWith("250");
            var health = get(proxy.monitorPort(), "/health");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("\"bundle: ");
            Files.write(lab.bundle, good);
            assertThat(get(proxy.monitorPort(), "/health").statusCode()).isEqualTo(200);
            relay.await(1);
        }
    }

    @Test
    void anOlderBundleIsRefusedAfterARestartToo() throws Exception {
        byte[] older = Files.readAllBytes(lab.bundle);
        lab.publish();
        byte[] newer = Files.readAllBytes(lab.bundle);
        try (var relay = new CaptureServer()) {
            lab.proxy(settings(), relay.port()).close();
            Files.write(lab.bundle, older);
            assertThatThrownBy(() -> lab.proxy(settings(), relay.port()).close())
                    .isInstanceOf(BundleUnusableException.class)
                    .hasMessageContaining("serial 2 was seen before");
            Files.writeString(folder.resolve("spool/" + SeenSerial.IN_SPOOL), "");
            Files.write(lab.bundle, newer);
            assertThatThrownBy(() -> lab.proxy(settings(), relay.port()).close())
                    .hasMessageContaining("damaged");
            Files.delete(folder.resolve("spool/" + SeenSerial.IN_SPOOL));
            lab.proxy(settings(), relay.port()).close();
        }
    }

    @Test
    void aMailThatGetsTooOldIsReportedToItsSender() throws Exception {
        var clock = new Later();
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(), relay.port(), clock)) {
            relay.answers = line -> line.startsWith("RCPT TO:<rsa@") ? "451 4.2.0 later" : null;
            assertThat(send(proxy.port(), "old", 10)).startsWith("250");
            until("two attempts", () -> deferred(proxy.monitorPort()) >= 2);
            assertThat(relay.mails).isEmpty();
            clock.by = Duration.ofMinutes(50);
            long before = deferred(proxy.monitorPort());
            until("attempts go on", () -> deferred(proxy.monitorPort()) >= before + 2);
            assertThat(relay.mails).isEmpty();
            clock.by = Duration.ofMinutes(61);
            var report = relay.await(1).getFirst();
            assertThat(report.sender()).isEmpty();
            assertThat(report.recipients()).containsExactly("ada@example.org");
            assertThat(report.text())
                    .contains("report-type=delivery-status", "Final-Recipient: rfc822; rsa@example.org", "<old@")
                    .doesNotContain("Subject: owls");
            until("an empty queue", () -> queued() == 0);
            assertThat(relay.mails).hasSize(1);
        }
    }

    /** A limit on the size of files fails writes in the kernel, in the middle of a file, as a full disk does. */
    @Test
    void aFailedWriteRefusesForNowLosesNothingAndPasses() throws Exception {
        int monitor = FreePort.choose();
        try (var relay = new CaptureServer();
                var child = new ChildProxy(
                        lab, relay.port(), folder.resolve("spool"), "256m", "--monitor-port", "" + monitor)) {
            limitFiles(child, "100000");
            assertThat(send(child.port, "small", 10)).startsWith("250");
            assertThat(send(child.port, "sealed", 100_000))
                    .isEqualTo("451 4.3.0 The message could not be sealed and kept; try again later");
            assertThat(send(child.port, "large", 500_000))
                    .isEqualTo("452 4.3.1 The message could not be kept; try again later");
            relay.await(1);
            until("an empty queue", () -> queued() == 0);
            assertThat(files("incoming")).isZero();
            assertThat(send(child.port, "sealed", 100_000)).startsWith("451");
            assertThat(get(monitor, "/health").statusCode()).isEqualTo(503);

            limitFiles(child, "unlimited");
            assertThat(send(child.port, "sealed", 100_000)).startsWith("250");
            assertThat(send(child.port, "large", 500_000)).startsWith("250");
            relay.await(3);
            assertThat(get(monitor, "/health").statusCode()).isEqualTo(200);

            // Nor is a mail lost or sent twice if what became of it cannot be written.
            relay.answers = line -> line.startsWith("RCPT") ? "451 4.2.0 later" : null;
            assertThat(send(child.port, "deferred", 10)).startsWith("250");
            limitFiles(child, "16");
            until("a failed write", () -> child.output().contains("the spool failed, trying again later"));
            relay.answers = line -> line.startsWith("RCPT") ? "550 5.1.1 no" : null;
            until(
                    "a failed report",
                    () -> child.output().lastIndexOf("others answered 550")
                                    < child.output().lastIndexOf("the spool failed, trying again later")
                            && child.output().contains("others answered 550"));
            relay.answers = line -> null;
            limitFiles(child, "unlimited");
            var report = relay.await(4).get(3);
            assertThat(report.text()).contains("Final-Recipient: rfc822; rsa@example.org", "<deferred@example.org>");
            until("an empty queue", () -> queued() == 0);
            assertThat(files("incoming")).isZero();
            assertThat(relay.mails).hasSize(4);
        }
    }

    @Test
    void aBundleOfAnAddressIsFollowedAndKept() throws Exception {
        Path spool = folder.resolve("spool");
        String url;
        try (var relay = new CaptureServer();
                var console = new BundleServer()) {
            url = console.url();
            console.bundle = Files.readAllBytes(lab.bundle);
            try (var child = new ChildProxy(lab, url, relay.port(), spool, "256m", false, "--bundle-every", "1 s")) {
                assertThat(send(child.port, "first", 10)).startsWith("250");
                lab.publish();
                byte[] fresh = console.bundle = Files.readAllBytes(lab.bundle);
                until("the new bundle", () -> child.output().split("was fetched", -1).length == 3);
                assertThat(spool.resolve("bundle.vgb")).hasBinaryContent(fresh);
                assertThat(send(child.port, "second", 10)).startsWith("250");
                relay.await(2);
            }
            assertThat(check(url)).isEqualTo(ExitCode.OK);
        }
        assertThat(check(url)).isEqualTo(ExitCode.IO);
        try (var relay = new CaptureServer();
                var child = new ChildProxy(lab, url, relay.port(), spool, "256m", false)) { // the console is away
            assertThat(child.output()).contains("nobody answers there", "stays in use");
            assertThat(send(child.port, "third", 10)).startsWith("250");
            relay.await(1);
        }
    }

    private int check(String url) {
        var terminal = new Terminal(
                InputStream.nullInputStream(),
                System.out,
                System.out,
                Map.of(),
                Clock.systemUTC(),
                false,
                false,
                q -> null);
        return Main.run(
                terminal,
                "mail",
                "check",
                "--offline",
                "--bundle=" + url,
                "--authority=" + lab.fingerprint(),
                "--spool=" + folder.resolve("spool"),
                "--signing-key=" + lab.signingKey,
                "--smtp-url=smtp://127.0.0.1:25");
    }

    private static void limitFiles(ChildProxy child, String bytes) throws Exception {
        var result =
                MailLab.run(List.of("prlimit", "--pid", "" + child.process.pid(), "--fsize=" + bytes + ":unlimited"));
        assertThat(result.code()).as(result.output()).isZero();
    }

    private ProxySettings settings() {
        return lab.settings(folder.resolve("spool"), 1 << 20, false);
    }

    private static String send(int port, String id, int bytes) throws Exception {
        String mail = "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: owls\r\nMessage-ID: <" + id
                + "@example.org>\r\n\r\n" + ("x".repeat(74) + "\r\n").repeat(Math.max(1, bytes / 76));
        try (var smtp = new RawSmtp(port)) {
            return smtp.send("ada@example.org", List.of("rsa@example.org"), mail.getBytes(StandardCharsets.US_ASCII));
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

    private static long deferred(int monitor) throws Exception {
        return get(monitor, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("veilgate_mail_deferred_total "))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private long queued() throws Exception {
        return files("queue");
    }

    private long files(String part) throws Exception {
        try (Stream<Path> items = Files.list(folder.resolve("spool").resolve(part))) {
            return items.count();
        }
    }

    private static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + 120_000_000_000L;
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(5); // the condition is looked at again
        }
    }
}
