package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.deliver.MailSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose signatures liboqs verifies. ./verify makes the library by native/install-liboqs. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class NativeLibraryTest {
    private static final Path LIBRARY =
            Path.of("native/target/liboqs/liboqs.so").toAbsolutePath();
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    /** liboqs with a fault: when a file is there, verification reads what it may not. */
    private static final String FAULTY = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stddef.h>
            #include <stdint.h>
            #include <unistd.h>
            typedef int verify(const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *);
            int OQS_SIG_ml_dsa_65_verify(const uint8_t *m, size_t ml, const uint8_t *s, size_t sl, const uint8_t *pk) {
              if (access(WHEN, F_OK) == 0) return *(volatile int *)8;
              verify *real = (verify *)dlsym(RTLD_NEXT, "OQS_SIG_ml_dsa_65_verify");
              return real(m, ml, s, sl, pk);
            }
            """;

    private static final Pattern SONAME = Pattern.compile("soname: \\[([^]]+)]");

    @TempDir
    Path folder;

    private final Map<String, byte[]> envelopes = new ConcurrentHashMap<>();
    private final Set<String> mails = ConcurrentHashMap.newKeySet();

    @Test
    void saysThatLiboqsComputesAndTakesWhatSendersSign() throws Exception {
        try (GatewayProcess gateway = new GatewayProcess(folder, ACME, "veilgate.native.liboqs=" + LIBRARY)) {
            gateway.start();
            SealedEnvelope sealed = ACME.sender("press-1", Clock.systemUTC()).seal("one line");
            gateway.store(sealed);
            byte[] forged = ACME.sender("press-2", Clock.systemUTC())
                    .seal("another line")
                    .bytes();
            forged[forged.length - 100] ^= 1;
            assertThat(gateway.submit(forged).statusCode()).isEqualTo(403);
            assertThat(gateway.json(gateway.request("/status"))
                            .get("postQuantum")
                            .asString())
                    .isEqualTo("liboqs 0.13.0");
            assertThat(Files.readString(gateway.log())).contains("post-quantum algorithms by liboqs 0.13.0");
        }
    }

    @Test
    void doesNotStartWithALibraryThatIsUnfit() throws Exception {
        Path library = Files.writeString(folder.resolve("liboqs.so"), "something else");
        try (GatewayProcess gateway = new GatewayProcess(folder, ACME, "veilgate.native.liboqs=" + library)) {
            gateway.launch();
            assertThat(gateway.awaitEnd()).isEqualTo(78);
            assertThat(Files.readString(gateway.log()))
                    .contains("veilgate.native.liboqs: " + library + " cannot be loaded as a library of this system");
        }
    }

    @Test
    void losesNothingAcknowledgedWhenNativeCodeCrashes() throws Exception {
        Path fault = folder.resolve("fault");
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.native.liboqs=" + faulty(fault),
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.javaOption("-XX:ErrorFile=" + folder.resolve("crash"));
            gateway.javaOption("-XX:-CreateCoredumpOnCrash");
            gateway.start();
            Thread envelopeSender = Thread.ofVirtual().start(() -> sendEnvelopes(gateway));
            Thread mailSender = Thread.ofVirtual().start(() -> sendMails(gateway));
            await().atMost(Duration.ofMinutes(2)).until(() -> envelopes.size() >= 20 && mails.size() >= 5);
            Files.createFile(fault);
            assertThat(gateway.awaitEnd()).isEqualTo(1);
            envelopeSender.join();
            mailSender.join();
            assertThat(Files.readString(folder.resolve("crash"))).contains("SIGSEGV", "OQS_SIG_ml_dsa_65_verify");

            gateway.forget("veilgate.native.liboqs"); // as an operator would: Java's libraries again
            gateway.start();
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                for (Map.Entry<String, byte[]> envelope : envelopes.entrySet()) {
                    assertThat(gateway.send(gateway.request("/envelopes/" + envelope.getKey()))
                                    .body())
                            .isEqualTo(envelope.getValue());
                }
                String delivered = String.join(
                        "\n", sink.await(1).stream().map(MailSink.Mail::text).toList());
                assertThat(mails).allSatisfy(id -> assertThat(delivered).contains(id));
            });
        }
    }

    private void sendEnvelopes(GatewayProcess gateway) {
        TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
        try {
            while (true) {
                SealedEnvelope sealed = press.seal("one line", "other line");
                if (gateway.submit(sealed.bytes()).statusCode() != 201) {
                    throw new AssertionError("refused");
                }
                envelopes.put(sealed.id().toString(), sealed.bytes());
            }
        } catch (IOException e) {
            // it has crashed
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void sendMails(GatewayProcess gateway) {
        try {
            var sealer = new TestMail(Files.createDirectory(folder.resolve("mails")), ACME);
            for (int number = 1; ; number++) {
                String id = "<crash-" + number + "@elsewhere.example>";
                String mail = "From: bob@elsewhere.example\r\nTo: " + TestMail.ADDRESS
                        + "\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: " + id
                        + "\r\nSubject: owls\r\n\r\nnot what they seem\r\n";
                Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, sealer.seal(mail, "owls"));
                mails.add(id);
            }
        } catch (IOException e) {
            // it has crashed
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A library of its own that has but the faulty function, and all others from liboqs beside it. */
    private Path faulty(Path fault) throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("faulty.c"), FAULTY, StandardCharsets.US_ASCII);
        Path library = folder.resolve("faulty.so");
        Matcher name = SONAME.matcher(run("readelf", "-d", LIBRARY.toString()));
        assertThat(name.find()).isTrue();
        Files.createSymbolicLink(folder.resolve(name.group(1)), LIBRARY);
        String when = "-DWHEN=\"" + fault + "\"";
        String beside = "-Wl,--no-as-needed,-rpath," + folder;
        run("cc", "-shared", "-fPIC", beside, when, "-o", library.toString(), source.toString(), LIBRARY.toString());
        return library;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
