package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.RunningSearch;
import dev.veilgate.client.SearchEvent;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.deliver.MailSink;
import dev.veilgate.gateway.ingest.ForgedMail;
import dev.veilgate.testing.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sealed mail from a mail server through a gateway to the next one. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class MailThroughGatewayTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final Pattern ID = Pattern.compile("(?m)^Message-ID: <(\\d+)@elsewhere\\.example>");
    private static final int KILLS = Integer.getInteger("veilgate.kills", 3);
    /** H2 makes commits durable after half a second; a loaded machine takes much longer. */
    private static final Duration WINDOW = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private static String mail(int number) {
        return "From: bob@elsewhere.example\r\nTo: " + TestMail.ADDRESS
                + "\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n" + "Message-ID: <" + number
                + "@elsewhere.example>\r\nSubject: owls\r\n\r\nnot what they seem\r\n";
    }

    @Test
    void arrivesWhereMailProgramsOpenItAndTheCertificateOfTheDayIsShown() throws Exception {
        int tlsPort = FreePort.choose();
        certificate("first");
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.hostname=mx.example.org",
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port(),
                        "veilgate.smtp.listeners[1].port=" + tlsPort,
                        "veilgate.smtp.ssl-bundle=mail",
                        "spring.ssl.bundle.pem.mail.keystore.certificate=" + folder.resolve("server.crt"),
                        "spring.ssl.bundle.pem.mail.keystore.private-key=" + folder.resolve("server.key"),
                        "spring.ssl.bundle.pem.mail.reload-on-update=true",
                        "spring.ssl.bundle.watch.file.quiet-period=100ms")) {
            gateway.start();
            var mails = new TestMail(folder, ACME);
            Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, mails.seal(mail(1), "owls"));
            MailSink.Mail arrived = sink.await(1).getFirst();
            assertThat(arrived.sender()).isEqualTo("bob@elsewhere.example");
            assertThat(arrived.text())
                    .startsWith("Received: from client.example ")
                    .contains(" by mx.example.org with ");
            assertThat(mails.open(arrived.bytes())).contains("Subject: owls", "not what they seem");
            try {
                Mail.send(
                        gateway.smtpPort, "b@c.example", TestMail.ADDRESS, mail(2).getBytes(StandardCharsets.US_ASCII));
                assertThat(false).as("plain mail is refused").isTrue();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("550 5.7.10");
            }
            assertThat(shown(tlsPort)).contains("CN = first");
            certificate("second");
            await().until(() -> shown(tlsPort).contains("CN = second"));
            assertThat(gateway.stop()).isIn(0, 143);
            assertThat(Files.readString(gateway.log())).doesNotContain("@elsewhere.example", TestMail.ADDRESS, "owls");
        }
    }

    @Test
    void mailsWithAttachmentsOf25MegabytesArrive() throws Exception {
        byte[] file = new byte[25_000_000];
        new Random(1).nextBytes(file);
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.javaOption("-Xmx640m");
            gateway.start();
            var mails = new TestMail(folder, ACME);
            for (int number = 1; number <= 2; number++) {
                byte[] sealed = mails.seal(withFile(number, file), "owls");
                assertThat(sealed.length).isBetween(63_000_000, 66_000_000);
                Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, sealed);
                sink.await(number); // a delivery in progress has memory of its own, which nobody counts
            }
            List<MailSink.Mail> arrived = sink.await(2);
            String base64 = Base64.getMimeEncoder().encodeToString(file);
            for (MailSink.Mail mail : arrived) {
                assertThat(mails.open(mail.bytes()).contains(base64)).isTrue();
            }
            System.out.println("MailThroughGatewayTest: " + gateway.peakMemory());
        }
    }

    /** Where Java has too little memory for a mail it says so, and takes the next one. */
    @Test
    void aMailThatDoesNotFitIntoMemoryIsRefused() throws Exception {
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.javaOption("-Xmx256m");
            gateway.start();
            var mails = new TestMail(folder, ACME);
            for (int number = 1; number <= 3; number++) {
                byte[] sealed = mails.seal(withFile(number, new byte[number == 1 ? 12_000_000 : 7_000_000]), "owls");
                if (number == 1) {
                    assertThatIOException()
                            .isThrownBy(() ->
                                    Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, sealed))
                            .withMessageContaining(
                                    "552 5.3.4 The message is longer than this server takes: 20 MB, which is a"
                                            + " sealed mail with attachments of about 8");
                } else {
                    Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, sealed);
                }
            }
            assertThat(sink.await(2)).hasSize(2);
            assertThat(Files.readString(gateway.log())).contains("mails of up to ");
        }
    }

    private static String withFile(int number, byte[] file) {
        String mail = mail(number);
        int header = mail.indexOf("\r\n\r\n") + 2;
        return mail.substring(0, header)
                + "MIME-Version: 1.0\r\nContent-Type: application/octet-stream; name=film.bin\r\n"
                + "Content-Transfer-Encoding: base64\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(file);
    }

    @Test
    void mailInTheNameOfTheSiteIsCountedInHealthThroughARestart() throws Exception {
        try (var gateway = new GatewayProcess(
                folder,
                ACME,
                "management.endpoint.health.show-details=always",
                "veilgate.smtp.domains[plain.example].plain=relay")) {
            gateway.start();
            String forged = mail(1).replace("bob@elsewhere.example", "ada@example.org");
            byte[] plain = forged.getBytes(StandardCharsets.US_ASCII);
            assertThatIOException()
                    .isThrownBy(() -> Mail.send(gateway.smtpPort, "b@c.example", "carol@plain.example", plain))
                    .withMessageContaining("550 5.7.1 MAIL FROM or From names a sender of a domain of this site");
            byte[] sealed = new TestMail(folder, ACME).seal(forged, "owls");
            Mail.send(gateway.smtpPort, "b@c.example", TestMail.ADDRESS, sealed);
            Mail.send(gateway.smtpPort, "ada@example.org", TestMail.ADDRESS, sealed);
            for (int start = 1; start <= 2; start++) {
                assertThat(gateway.health("").orElseThrow().body())
                        .contains("\"plainRefused\":\"1 mails without an index were refused in the name")
                        .contains("\"sealedTaken\":\"2 mails with an index were taken in the name")
                        .contains("when counting began");
                assertThat(gateway.stop()).isIn(0, 143);
                gateway.start();
            }
        }
    }

    /** A stranger flips a bit of the index and sends that first, to somebody else. */
    @Test
    void isFoundAndOpensThoughAnAlteredCopyCameFirst() throws Exception {
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.start();
            var mails = new TestMail(folder, ACME);
            byte[] genuine = mails.seal(mail(1), "owls");
            byte[] altered = ForgedMail.bitFlipped(genuine, 0);
            Mail.send(gateway.smtpPort, "m@elsewhere.example", "mallory@example.org", altered);
            sink.await(1);
            Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, genuine);
            MailSink.Mail arrived = sink.await(2).getLast();
            assertThat(arrived.recipients()).containsExactly(TestMail.ADDRESS);
            List<JsonNode> hits = gateway.search(ACME.search("owls", folder.resolve("trapdoors")));
            assertThat(hits).hasSize(1);
            String path = "/envelopes/" + hits.getFirst().get("envelope").asString();
            String digest = "?digest=" + hits.getFirst().get("digest").asString();
            byte[] index = gateway.send(gateway.request(path + digest)).body();
            assertThat(index).isEqualTo(ForgedMail.index(genuine));
            byte[] content =
                    gateway.send(gateway.request(path + "/content" + digest)).body();
            assertThat(mails.open(content)).contains("not what they seem");
            assertThat(arrived.text()).endsWith(new String(content, StandardCharsets.ISO_8859_1));
            List<RunningSearch.Found> found = found(gateway);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().envelope().bytes()).isEqualTo(ForgedMail.index(genuine));
            assertThat(found.getFirst().content()).isEqualTo(content);
            JsonNode none = gateway.json(gateway.request(path));
            assertThat(none.get("type").asString()).endsWith(":shared-id");
            assertThat(none.get("status").asInt()).isEqualTo(404);
        }
    }

    /** What a program of a reader gets. */
    private List<RunningSearch.Found> found(GatewayProcess gateway) throws Exception {
        List<RunningSearch.Found> all = new ArrayList<>();
        try (GatewayClient client = new GatewayClient(gateway.uri(""), GatewayProcess.TENANT, gateway.token(), null);
                RunningSearch search = RunningSearch.start(client, ACME.search("owls", folder.resolve("trapdoors")))) {
            search.run(new RunningSearch.Visitor() {
                @Override
                public boolean wantsMore() {
                    return true;
                }

                @Override
                public void found(RunningSearch.Found one) {
                    all.add(one);
                }

                @Override
                public void refused(SearchEvent.Hit hit, String why) {
                    throw new AssertionError(why);
                }

                @Override
                public void progress(SearchEvent.Progress progress) {}
            });
        }
        return all;
    }

    /** Both files at once, or nearly so: a certificate with the key of another is not taken. */
    private void certificate(String name) throws Exception {
        run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=" + name,
                "-keyout",
                folder.resolve("new.key").toString(),
                "-out",
                folder.resolve("new.crt").toString());
        Files.move(folder.resolve("new.key"), folder.resolve("server.key"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(folder.resolve("new.crt"), folder.resolve("server.crt"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String shown(int port) throws Exception {
        return run("openssl", "s_client", "-starttls", "smtp", "-connect", "127.0.0.1:" + port);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    /** What was acknowledged arrives; twice only what was on its way in the moment of a kill. */
    @Test
    void losesNoMailByKills() throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        var mails = new TestMail(folder, ACME);
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        var numbers = new AtomicInteger();
        List<Long> kills = new CopyOnWriteArrayList<>();
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.deliver.retry.first=1s",
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.start();
            List<Thread> senders = new ArrayList<>();
            var stopped = new AtomicBoolean();
            try {
                for (int i = 0; i < 3; i++) {
                    senders.add(Thread.ofVirtual().start(() -> {
                        while (kills.size() < KILLS || acknowledged.size() < 100) {
                            int number = numbers.incrementAndGet();
                            if (!submit(gateway, mails, number, stopped)) {
                                return;
                            }
                            acknowledged.add(number);
                        }
                    }));
                }
                while (kills.size() < KILLS) {
                    int before = acknowledged.size();
                    long wait = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(2000));
                    while (acknowledged.size() < before + 10 || System.nanoTime() < wait) {
                        LockSupport.parkNanos(5_000_000);
                    }
                    gateway.kill();
                    long at = System.nanoTime();
                    gateway.start();
                    kills.add(at);
                }
                await().until(() -> acknowledged.size() >= 100);
            } finally {
                stopped.set(true);
                for (Thread sender : senders) {
                    sender.join();
                }
            }
            await().until(() -> byNumber(sink).keySet().containsAll(acknowledged));
            assertThat(gateway.stop()).isIn(0, 143);
            byNumber(sink)
                    .forEach((number, times) -> assertThat(times)
                            .as("seed %d, mail %d", seed, number)
                            .satisfies(all -> assertThat(all.size() == 1
                                            || kills.stream()
                                                    .anyMatch(kill -> kill > all.getFirst() - 1_000_000_000L
                                                            && kill - all.getFirst() < WINDOW.toNanos()))
                                    .isTrue()));
        }
    }

    /** Until it is acknowledged: the same bytes. Whether it was. */
    private static boolean submit(GatewayProcess gateway, TestMail mails, int number, AtomicBoolean stopped) {
        try {
            byte[] sealed = mails.seal(mail(number), "owls");
            while (!stopped.get()) {
                try {
                    Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, sealed);
                    return true;
                } catch (IOException e) {
                    LockSupport.parkNanos(20_000_000); // it is down
                }
            }
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Integer, List<Long>> byNumber(MailSink sink) {
        Map<Integer, List<Long>> arrivals = new HashMap<>();
        for (MailSink.Mail mail : sink.mails) {
            Matcher id = ID.matcher(mail.text());
            assertThat(id.find()).isTrue();
            arrivals.computeIfAbsent(Integer.valueOf(id.group(1)), number -> new ArrayList<>())
                    .add(mail.at());
        }
        return arrivals;
    }
}
