package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.Submission;
import dev.veilgate.gateway.tenant.Tenants;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.util.unit.DataSize;

/** The SMTP side before an ingestion that keeps what it gets in memory. */
final class SmtpLab implements AutoCloseable {
    static final String PASSWORD = "correct horse";

    final List<Submission.OfMail> mails = new CopyOnWriteArrayList<>();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
    volatile Function<Submission.OfMail, CompletableFuture<Receipt>> answer =
            mail -> CompletableFuture.completedFuture(new Receipt(Optional.empty(), false));
    private final SmtpServer server;

    /** Listeners: in clear, with STARTTLS, with TLS, and with STARTTLS for users only. */
    SmtpLab(Path folder, SmtpSettings settings) throws Exception {
        this(folder, settings, name -> Optional.empty());
    }

    SmtpLab(Path folder, SmtpSettings settings, Tenants tenants) throws Exception {
        bundles.registerBundle("smtp", bundle(folder, "first"));
        Ingestion ingestion = submission -> {
            var mail = (Submission.OfMail) submission;
            mails.add(mail);
            return answer.apply(mail);
        };
        server = SmtpConfiguration.server(
                settings, "mx.example.org", ingestion, new OneUser(), tenants, bundles, Clock.systemUTC(), meters);
        server.start();
    }

    static SmtpSettings settings() {
        return settings(limits(20, 300, DataSize.ofMegabytes(8)), Duration.ofMinutes(5), DataSize.ofMegabytes(1));
    }

    static SmtpSettings.Limits limits(int errors, int commands, DataSize buffered) {
        return new SmtpSettings.Limits(
                100,
                50,
                1000,
                5,
                100_000,
                100_000,
                100_000,
                errors,
                commands,
                buffered,
                buffered,
                buffered,
                DataSize.ofKilobytes(1));
    }

    static SmtpSettings settings(SmtpSettings.Limits limits, Duration timeout, DataSize maxMessage) {
        return new SmtpSettings(
                List.of(
                        new SmtpSettings.Listener("127.0.0.1", 0, SmtpSettings.Tls.NONE, false),
                        new SmtpSettings.Listener("127.0.0.1", 0, SmtpSettings.Tls.STARTTLS, false),
                        new SmtpSettings.Listener("127.0.0.1", 0, SmtpSettings.Tls.IMPLICIT, false),
                        new SmtpSettings.Listener("127.0.0.1", 0, SmtpSettings.Tls.STARTTLS, true)),
                "smtp",
                Map.of(
                        "example.org",
                        new SmtpSettings.Domain(SmtpSettings.Plain.REFUSE, null),
                        "Plain.example",
                        new SmtpSettings.Domain(SmtpSettings.Plain.RELAY, null)),
                SmtpSettings.Plain.REFUSE,
                SmtpSettings.Plain.RELAY,
                SmtpSettings.ReversePath.DOMAIN,
                maxMessage,
                timeout,
                Duration.ofMinutes(1),
                limits);
    }

    SmtpServer server() {
        return server;
    }

    int clear() {
        return server.ports().get(0);
    }

    int startTls() {
        return server.ports().get(1);
    }

    int implicit() {
        return server.ports().get(2);
    }

    int users() {
        return server.ports().get(3);
    }

    String lastText() {
        return new String(mails.getLast().message(), StandardCharsets.ISO_8859_1);
    }

    double count(String outcome) {
        var counter =
                meters.find("veilgate.smtp.messages").tag("outcome", outcome).counter();
        return counter == null ? 0 : counter.count();
    }

    /** A new certificate, from openssl. */
    static SslBundle bundle(Path folder, String name) throws Exception {
        Path certificate = folder.resolve(name + ".crt");
        Path key = folder.resolve(name + ".key");
        run(List.of(
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
                "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString()));
        return SslBundle.of(new PemSslStoreBundle(
                PemSslStoreDetails.forCertificate(Files.readString(certificate)).withPrivateKey(Files.readString(key)),
                null));
    }

    /** What a program prints, which must succeed. */
    static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(new ArrayList<>(command))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command.getFirst() + " failed:\n" + output);
        }
        return output;
    }

    private static final class OneUser implements Access {
        @Override
        public Optional<Principal> token(String secret) {
            return Optional.empty();
        }

        @Override
        public Optional<Principal> device(String name, String password) {
            return Optional.empty();
        }

        @Override
        public Optional<Principal> mailUser(String name, String password) {
            return name.equals("ada@example.org") && password.equals(PASSWORD)
                    ? Optional.of(new Principal(Principal.Kind.MAIL, name, "acme", Set.of(Right.INGEST), Set.of()))
                    : Optional.empty();
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
