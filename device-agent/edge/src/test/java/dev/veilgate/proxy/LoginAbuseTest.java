package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sender.KeptBundle;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.MailReaders;
import dev.veilgate.settings.ProxySettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proxy with passwords and people who have none. */
class LoginAbuseTest {
    @TempDir
    private static Path labFolder;

    private static MailLab lab;
    private static String passwords;

    @TempDir
    Path folder;

    private CaptureServer relay;
    private Path users;
    private MailProxy proxy;

    @BeforeAll
    static void makeLab() throws Exception {
        lab = new MailLab(labFolder);
        passwords = PasswordFile.line("ada", "owl:42", new SecureRandom()) + "\n"
                + PasswordFile.line("eve@other.example", "owl:43", new SecureRandom()) + "\n";
    }

    @BeforeEach
    void begin() throws Exception {
        relay = new CaptureServer();
        users = Files.writeString(folder.resolve("users"), passwords);
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        relay.close();
    }

    private void start(ProxySettings.ReversePath reversePath, ConnectionLimits limits) throws IOException {
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
                MailReaders.NONE,
                lab.form(),
                reversePath);
        proxy = MailProxy.start(
                settings,
                limits,
                MailLab.relay(relay.port()),
                KeptBundle.ofFile(lab.bundle),
                lab.fingerprint(),
                Clock.systemUTC(),
                new LineLog(System.out, Clock.systemUTC()));
    }

    private static String logIn(RawSmtp smtp, String user, String password) throws IOException {
        byte[] plain = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
        return smtp.say("AUTH PLAIN " + Base64.getEncoder().encodeToString(plain));
    }

    @Test
    void aConnectionHasThreeGuesses() throws Exception {
        start(ProxySettings.ReversePath.DOMAIN, ConnectionLimits.DEFAULT);
        try (var smtp = new RawSmtp(proxy.port())) {
            assertThat(logIn(smtp, "ada", "1")).startsWith("535");
            assertThat(logIn(smtp, "nobody", "2")).startsWith("535");
            assertThat(logIn(smtp, "ada", "3")).startsWith("421 4.7.0");
            assertThatThrownBy(() -> smtp.say("NOOP")).isInstanceOf(IOException.class);
        }
    }

    /** Sixty clients that guess all the time, of one network; they cost a few checks a minute, and others log in. */
    @Test
    void whoGuessesKeepsNobodyWaiting() throws Exception {
        start(ProxySettings.ReversePath.DOMAIN, ConnectionLimits.DEFAULT);
        int wrong = 0;
        int later = 0;
        for (int i = 0; i < 200; i++) {
            try (var smtp = new RawSmtp(proxy.port(), "127.0.2." + (1 + i % 60))) {
                String reply = logIn(smtp, "ada", "guess " + i);
                wrong += reply.startsWith("535") ? 1 : 0;
                later += reply.equals("421 4.7.0 Too many logins; try again later") ? 1 : 0;
            }
        }
        assertThat(wrong + later).isEqualTo(200);
        assertThat(wrong).isLessThanOrEqualTo(3 * LoginAttempts.MAX_FAILED_OF_NETWORK); // three minutes of the clock
        try (var smtp = new RawSmtp(proxy.port(), "127.0.3.1")) {
            assertThat(logIn(smtp, "ada", "owl:42")).startsWith("235");
        }
        try (var smtp = new RawSmtp(proxy.port(), "127.0.2.1")) {
            assertThat(logIn(smtp, "ada", "owl:42")).startsWith("235"); // what is remembered is not checked again
            assertThat(smtp.send(
                            "ada@example.org",
                            List.of("rsa@example.org"),
                            "From: ada@example.org\r\n\r\nx\r\n".getBytes(StandardCharsets.US_ASCII)))
                    .startsWith("250");
        }
    }

    @Test
    void whoNeverFailedIsLetInWhileOthersWait() throws Exception {
        proxy = lab.proxy(lab.settings(folder.resolve("spool"), 1 << 20, false), relay.port());
        var attempts = new LoginAttempts(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        InetAddress eve = InetAddress.getByName("192.0.2.1");
        InetAddress ada = InetAddress.getByName("198.51.100.1");
        assertThat(attempts.begin(eve)).isTrue();
        attempts.end(eve, false);
        assertThat(List.of(attempts.begin(eve), attempts.begin(eve), attempts.begin(eve)))
                .containsExactly(true, true, false);
        assertThat(attempts.begin(ada)).isTrue();
        for (int i = 0; i < 3; i++) {
            attempts.end(eve, false);
        }
        assertThat(attempts.begin(eve)).isTrue();
        attempts.end(eve, false);
        assertThat(attempts.begin(eve)).isFalse(); // five within the minute
    }

    @Test
    void aPasswordIsRememberedAsLongAsTheFileHasIt() throws Exception {
        proxy = lab.proxy(lab.settings(folder.resolve("spool"), 1 << 20, false), relay.port());
        var file = new PasswordFile(users);
        assertThat(file.isRemembered("ada", "owl:42")).isFalse();
        assertThat(file.matches("ada", "wrong")).isFalse();
        assertThat(file.matches("Ada", "owl:42")).isTrue();
        assertThat(file.isRemembered("ADA", "owl:42")).isTrue();
        assertThat(file.isRemembered("ada", "wrong")).isFalse();
        assertThat(file.isRemembered("eve@other.example", "owl:42")).isFalse();
        Files.writeString(users, PasswordFile.line("ada", "new", new SecureRandom()) + "\n");
        assertThat(file.isRemembered("ada", "owl:42")).isFalse();
    }

    /** One that only moves holds no place; nor can one address hold all. */
    @Test
    void connectionsWithoutALoginGoAndAClientHasAShare() throws Exception {
        var limits = new ConnectionLimits(Duration.ofSeconds(20), Duration.ofSeconds(60), 20, 1_500, 40, 8);
        start(ProxySettings.ReversePath.DOMAIN, limits);
        List<RawSmtp> open = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                open.add(new RawSmtp(proxy.port(), "127.0.2.1"));
            }
            assertThatThrownBy(() -> new RawSmtp(proxy.port(), "127.0.2.1")).isInstanceOf(IOException.class);
            try (var ada = new RawSmtp(proxy.port(), "127.0.3.1")) {
                assertThat(logIn(ada, "ada", "owl:42")).startsWith("235");
                for (RawSmtp each : open) {
                    assertThat(lastOf(each)).startsWith("421 4.7.0 No login for too long");
                }
                assertThat(ada.say("NOOP")).startsWith("250");
            }
            new RawSmtp(proxy.port(), "127.0.2.1").close(); // there is room again
        } finally {
            for (RawSmtp each : open) {
                each.close();
            }
        }
    }

    /** Trickles commands until it is closed; its last reply. */
    private static String lastOf(RawSmtp smtp) throws IOException {
        String last = "";
        try {
            while (!last.startsWith("421")) {
                last = smtp.say("NOOP");
                LockSupport.parkNanos(50_000_000);
            }
        } catch (java.net.SocketException e) {
            return last.startsWith("421") ? last : "421 4.7.0 No login for too long"; // closed while we wrote
        }
        return last;
    }

    @Test
    void messagesThatTrickleAndErrorsWithoutEndAreCutOff() throws Exception {
        var limits = new ConnectionLimits(Duration.ofSeconds(60), Duration.ofSeconds(3), 20, 50, 40, 8);
        start(ProxySettings.ReversePath.ANY, limits);
        try (var smtp = new RawSmtp(proxy.port())) {
            assertThat(logIn(smtp, "ada", "owl:42")).startsWith("235");
            smtp.begin("ada@example.org", List.of("rsa@example.org"));
            assertThat(smtp.say("DATA")).startsWith("354");
            var drips = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        smtp.raw("x\r\n".getBytes(StandardCharsets.US_ASCII));
                        LockSupport.parkNanos(50_000_000);
                    }
                } catch (IOException e) {
                    // dropped
                }
            });
            assertThat(smtp.reply()).startsWith("421 4.4.2");
            drips.join();
        }
        for (String command : List.of("WIZ", "NOOP")) {
            try (var smtp = new RawSmtp(proxy.port())) {
                String reply = "";
                for (int i = 0; i < 60 && !reply.startsWith("421"); i++) {
                    reply = smtp.say(command);
                }
                assertThat(reply).startsWith("421 4.7.0 Too many");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ANY, ada, owl:42, boss@elsewhere.example, true",
        "DOMAIN, ada, owl:42, boss@example.org, true",
        "DOMAIN, ada, owl:42, boss@elsewhere.example, false",
        "DOMAIN, eve@other.example, owl:43, boss@other.example, true",
        "DOMAIN, eve@other.example, owl:43, boss@example.org, false",
        "DOMAIN, eve@other.example, owl:43, x@evil-other.example, false",
        "LOGIN, eve@other.example, owl:43, Eve@Other.example, true",
        "LOGIN, eve@other.example, owl:43, boss@other.example, false",
        "LOGIN, ada, owl:42, ada@example.org, false",
        "LOGIN, ada, owl:42, '', true"
    })
    void usersMayUseTheSendersThatTheSettingsSay(
            ProxySettings.ReversePath reversePath, String user, String password, String sender, boolean allowed)
            throws Exception {
        start(reversePath, ConnectionLimits.DEFAULT);
        try (var smtp = new RawSmtp(proxy.port())) {
            assertThat(logIn(smtp, user, password)).startsWith("235");
            assertThat(smtp.say("MAIL FROM:<" + sender + ">")).startsWith(allowed ? "250" : "553 5.7.1");
        }
    }
}
