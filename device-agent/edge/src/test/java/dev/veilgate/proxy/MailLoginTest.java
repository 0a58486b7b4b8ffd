package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.service.LineLog;
import dev.veilgate.settings.AuthenticatedPrograms;
import dev.veilgate.settings.MailFormSettings;
import dev.veilgate.settings.OwnedAddresses;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import dev.veilgate.settings.ShownSubjects;
import dev.veilgate.transport.smtp.SmtpConnection;
import dev.veilgate.transport.smtp.SmtpMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS and passwords, with swaks as the client, and our own client against our own server. */
class MailLoginTest {
    @TempDir
    Path folder;

    @Test
    void mailOnlyWithTheRightPasswordAndPasswordsOnlyUnderTls() throws Exception {
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        lab.add("localhost", "EC", java.time.Duration.ofDays(1));
        Path users = folder.resolve("users");
        Files.writeString(users, PasswordFile.line("ada", "owl:42", new SecureRandom()) + "\n");
        var settings = new ProxySettings(
                "127.0.0.1",
                0,
                lab.identity("localhost").certificateFile(),
                lab.identity("localhost").keyFile(),
                users,
                folder.resolve("spool"),
                1 << 20,
                false,
                true,
                ProxySettings.Retry.DEFAULT,
                -1,
                lab.form());
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings, relay.port())) {
            assertThat(swaks(
                            proxy.port(),
                            "--tls",
                            "--auth",
                            "PLAIN",
                            "--auth-user",
                            "ada",
                            "--auth-password",
                            "owl:42"))
                    .contains("250 2.6.0 sealed");
            assertThat(swaks(
                            proxy.port(),
                            "--tls",
                            "--auth",
                            "LOGIN",
                            "--auth-user",
                            "ada",
                            "--auth-password",
                            "owl:42"))
                    .contains("250 2.6.0 sealed");
            assertThat(swaks(
                            proxy.port(), "--tls", "--auth", "PLAIN", "--auth-user", "ada", "--auth-password", "wrong"))
                    .contains("535 5.7.8")
                    .doesNotContain("250 2.6.0");
            assertThat(swaks(
                            proxy.port(),
                            "--tls",
                            "--auth",
                            "PLAIN",
                            "--auth-user",
                            "eve",
                            "--auth-password",
                            "owl:42"))
                    .contains("535 5.7.8");
            assertThat(swaks(proxy.port(), "--tls")).contains("530 5.7.0");
            assertThat(swaks(proxy.port())).contains("530 5.7.0").doesNotContain("AUTH PLAIN");
            relay.await(2);

            // A command behind STARTTLS in the same packet must not be taken for one that came under TLS.
            try (var smtp = new RawSmtp(proxy.port())) {
                smtp.raw("STARTTLS\r\nNOOP\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                org.assertj.core.api.Assertions.assertThatThrownBy(() -> {
                            assertThat(smtp.reply()).doesNotStartWith("220");
                            smtp.reply();
                            smtp.reply();
                        })
                        .isInstanceOf(java.io.IOException.class);
            }

            relaysUnderTls(lab, proxy.port());
        }
    }

    /** Another's address in From is signed by a certificate that names nobody. */
    @Test
    void mailIsSignedAsItsSenderOnlyIfTheLoginOwnsTheAddressInFrom() throws Exception {
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        lab.signAsSenders("example.org");
        Path users = folder.resolve("users");
        Files.writeString(
                users,
                PasswordFile.line("ada@example.org", "owl:42", new SecureRandom()) + "\n"
                        + PasswordFile.line("crm", "owl:42", new SecureRandom()) + "\n");
        var form = new MailFormSettings(
                lab.signingKey,
                lab.signingPassphrase,
                null,
                AuthenticatedPrograms.NONE,
                ShownSubjects.DEFAULT,
                new OwnedAddresses(Map.of("crm", Set.of("info@example.org"))));
        var settings = new ProxySettings(
                "127.0.0.1",
                0,
                null,
                null,
                users,
                folder.resolve("spool"),
                1 << 20,
                false,
                true,
                ProxySettings.Retry.DEFAULT,
                -1,
                form);
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings, relay.port())) {
            String[][] all = {
                {"ada@example.org", "ada@example.org", "CN=ada@example.org"},
                {"ada@example.org", "boss@example.org", "CN=Veilgate mail sealing"},
                {"crm", "info@example.org", "CN=info@example.org"},
                {"crm", "ada@example.org", "CN=Veilgate mail sealing"}
            };
            for (int i = 0; i < all.length; i++) {
                assertThat(swaks(
                                proxy.port(),
                                "--auth",
                                "PLAIN",
                                "--auth-user",
                                all[i][0],
                                "--auth-password",
                                "owl:42",
                                "--header",
                                "From: " + all[i][1]))
                        .contains("250 2.6.0 sealed");
                byte[] sealed = relay.await(i + 1).get(i).bytes();
                lab.openssl(sealed, "ec@example.org");
                assertThat(lab.signedBy(sealed, "ec@example.org")).isEqualTo(all[i][2]);
            }
        }
    }

    /** The other one's may be signed as the tenant. */
    @Test
    void theSameMailByAnotherLoginIsAnotherMail() throws Exception {
        var random = new SecureRandom();
        RepetitionKey key = RepetitionKey.keptIn(
                Files.createDirectory(folder.resolve("spool")), random, new LineLog(System.out, Clock.systemUTC()));
        List<String> to = List.of("ec@example.org");
        try (var mail = new PlainMail(folder, random)) {
            mail.write("Message-ID: <1@example.org>\r\n\r\nowls\r\n".getBytes(StandardCharsets.US_ASCII));
            String byAda = key.of(mail, "ada@example.org", to, "ada@example.org");
            assertThat(key.of(mail, "ada@example.org", to, "ada@example.org")).isEqualTo(byAda);
            assertThat(key.of(mail, "ada@example.org", to, "crm")).isNotEqualTo(byAda);
            assertThat(key.of(mail, "ada@example.org", to, null)).isNotEqualTo(byAda);
        }
    }

    /** A proxy whose relay is the first one: STARTTLS, the certificate checked, logged in. */
    private void relaysUnderTls(MailLab lab, int port) throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "owl:42\n");
        var next = new RelaySettings(
                "localhost",
                port,
                RelaySettings.Tls.STARTTLS,
                "ada",
                password,
                lab.identity("localhost").certificateFile(),
                java.time.Duration.ofSeconds(20));
        try (SmtpConnection session = NextServer.connect(next, "test")) {
            var answers = session.send(
                    "ada@example.org",
                    List.of("ec@example.org", "stranger@example.org"),
                    SmtpMessage.of(
                            Files.writeString(folder.resolve("mail.eml"), "From: ada@example.org\r\n\r\nhello\r\n")));
            assertThat(answers.get("stranger@example.org").isFinal()).isTrue();
        }
        var untrusted = new RelaySettings(
                "localhost",
                port,
                RelaySettings.Tls.STARTTLS,
                "ada",
                password,
                lab.identity("ec@example.org").certificateFile(),
                java.time.Duration.ofSeconds(20));
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> NextServer.connect(untrusted, "test"))
                .isInstanceOf(java.io.IOException.class);
    }

    private static String swaks(int port, String... more) throws Exception {
        var command = new ArrayList<>(List.of(
                "swaks", "--server", "127.0.0.1:" + port, "--from", "ada@example.org", "--to", "ec@example.org"));
        command.addAll(List.of(more));
        return MailLab.run(command).output();
    }
}
