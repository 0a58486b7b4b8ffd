package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.edge.Main;
import dev.veilgate.sender.BundleServer;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailSendTest {
    private static final String MAIL =
            "From: ada@example.org\nTo: rsa@example.org\nBcc: hidden@example.org\nSubject: owls\n\n" + ".dot\nhello\n";

    @TempDir
    Path folder;

    private MailLab lab;
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void makeLab() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        environment.put("VEILGATE_MAIL_SIGNING_KEY", lab.signingKey.toString());
    }

    @Test
    void sendsToWhomTheHeaderNames() throws Exception {
        try (var relay = new CaptureServer()) {
            assertThat(send(MAIL, "--smtp-url", "smtp://127.0.0.1:" + relay.port()))
                    .isEqualTo(ExitCode.OK);
            List<CaptureServer.Mail> mails = relay.await(2);
            assertThat(mails.get(0).recipients()).containsExactly("rsa@example.org");
            assertThat(mails.get(1).recipients()).containsExactly("hidden@example.org");
            assertThat(mails.get(0).sender()).isEqualTo("ada@example.org");
            String opened = new String(
                    SealedMailTest.restored(lab.openssl(mails.get(0).bytes(), "rsa@example.org")),
                    StandardCharsets.US_ASCII);
            assertThat(opened)
                    .isEqualTo(
                            "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: owls\r\n\r\n.dot\r\nhello\r\n");
        }
    }

    @Test
    void writesAFileForTheRecipientsOfTheArguments() throws Exception {
        Path out = folder.resolve("sealed.eml");
        assertThat(send(MAIL, "-o", out.toString(), "--no-index", "EC@example.org"))
                .isEqualTo(ExitCode.OK);
        byte[] sealed = Files.readAllBytes(out);
        assertThat(new String(sealed, StandardCharsets.US_ASCII))
                .contains("\r\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data;")
                .doesNotContain("multipart");
        // Without an index the whole mail is what openssl opens.
        assertThat(new String(lab.opened(out, "ec@example.org"), StandardCharsets.US_ASCII))
                .contains("Subject: owls");
    }

    @Test
    void sendsNothingIfOneHasNoKey() throws Exception {
        try (var relay = new CaptureServer()) {
            String url = "smtp://127.0.0.1:" + relay.port();
            assertThat(send(MAIL, "--smtp-url", url, "rsa@example.org", "stranger@example.org", "expired@example.org"))
                    .isEqualTo(ExitCode.REFUSED);
            assertThat(said())
                    .contains("no key for <stranger@example.org>: not in the public bundle, <expired@example.org>:")
                    .contains("nothing was sent");
            assertThat(relay.mails).isEmpty();
        }
    }

    @Test
    void saysWhatTheServerRefuses() throws Exception {
        try (var relay = new CaptureServer()) {
            relay.answers = line -> line.startsWith("RCPT") ? "550 5.1.1 no" : null;
            assertThat(send(MAIL, "--smtp-url", "smtp://127.0.0.1:" + relay.port()))
                    .isEqualTo(ExitCode.IO);
            assertThat(said()).contains("did not take 2 of the recipients (550)");
        }
        assertThat(send(MAIL)).isEqualTo(ExitCode.USAGE);
        assertThat(send("Subject: x\n\nx\n", "-o", folder.resolve("x").toString()))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void refusesTheBundleOfAnotherAuthority() throws Exception {
        var arguments = new ArrayList<>(List.of("mail", "send", "--bundle", lab.bundle.toString(), "--authority"));
        arguments.addAll(List.of("0".repeat(64), "-o", folder.resolve("x").toString()));
        assertThat(run(MAIL, arguments)).isEqualTo(ExitCode.REFUSED);
        assertThat(said()).contains("another authority");
    }

    @Test
    void takesBundleAndAuthorityFromTheEnvironment() throws Exception {
        environment.put("VEILGATE_BUNDLE", lab.bundle.toString());
        environment.put("VEILGATE_AUTHORITY", lab.fingerprint());
        Path out = folder.resolve("sealed.eml");
        List<String> arguments = List.of("mail", "send", "-o", out.toString(), "ec@example.org");
        assertThat(run(MAIL, arguments)).isEqualTo(ExitCode.OK);
        assertThat(out).exists();
        environment.put("VEILGATE_AUTHORITY", "0".repeat(64));
        assertThat(run(MAIL, arguments)).isEqualTo(ExitCode.REFUSED);
        Path settings = folder.resolve("veilgate.yaml");
        Files.writeString(settings, "authority: \"" + lab.fingerprint() + "\"\n");
        var withFile = new ArrayList<>(arguments);
        withFile.addAll(2, List.of("--config", settings.toString()));
        assertThat(run(MAIL, withFile))
                .as("the file is named, the variable is around")
                .isEqualTo(ExitCode.OK);
        environment.remove("VEILGATE_BUNDLE");
        assertThat(run(MAIL, arguments)).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void refusesAnOlderBundleThanTheLastTime() throws Exception {
        byte[] older = Files.readAllBytes(lab.bundle);
        lab.publish();
        String out = folder.resolve("x").toString();
        assertThat(send(MAIL, "-o", out)).isEqualTo(ExitCode.OK);
        Files.write(lab.bundle, older);
        assertThat(send(MAIL, "-o", out)).isEqualTo(ExitCode.REFUSED);
        assertThat(said()).contains("serial 2 was seen before");
        String state = folder.resolve("state").toString(); // of somebody else
        assertThat(send(MAIL, "-o", out, "--state", state)).isEqualTo(ExitCode.OK);
        assertThat(Path.of(state)).hasContent("1");
        String nowhere = folder.resolve("missing/state").toString();
        assertThat(send(MAIL, "-o", out, "--state", nowhere)).isEqualTo(ExitCode.IO);
        assertThat(said()).contains("--state");
    }

    @Test
    void aPasswordLineFitsTheFile() throws Exception {
        var out = new ByteArrayOutputStream();
        assertThat(Main.run(terminal("owl:42\n", out), "mail", "password", "Ada"))
                .isEqualTo(ExitCode.OK);
        Path file = Files.write(folder.resolve("users"), out.toByteArray());
        var passwords = new PasswordFile(file);
        assertThat(passwords.matches("ada", "owl:42")).isTrue();
        assertThat(passwords.matches("ada", "owl:4")).isFalse();
        assertThat(passwords.matches("eve", "owl:42")).isFalse();
    }

    @Test
    void aBundleOfAnAddressIsKeptForWhenTheConsoleIsAway() throws Exception {
        Path out = folder.resolve("sealed.eml");
        String url;
        try (BundleServer console = new BundleServer()) {
            console.bundle = Files.readAllBytes(lab.bundle);
            url = console.url();
            assertThat(sendUnder(url, MAIL, "-o", out.toString())).isEqualTo(ExitCode.USAGE);
            assertThat(said()).contains("--state is needed");
            assertThat(sendUnder(url, MAIL, "-o", out.toString(), "--state", state()))
                    .isEqualTo(ExitCode.OK);
        }
        Files.delete(out);
        assertThat(sendUnder(url, MAIL, "-o", out.toString(), "--state", state()))
                .isEqualTo(ExitCode.OK);
        assertThat(out).exists();
        assertThat(said()).doesNotContain("nobody answers there"); // it was not asked: that was a moment ago
        Files.setLastModifiedTime(
                folder.resolve("serial.vgb"), FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Files.delete(out);
        assertThat(sendUnder(url, MAIL, "-o", out.toString(), "--state", state()))
                .isEqualTo(ExitCode.OK);
        assertThat(out).exists();
        assertThat(said()).contains("nobody answers there", "stays in use");
    }

    private String state() {
        return folder.resolve("serial").toString();
    }

    private int send(String mail, String... more) {
        return sendUnder(lab.bundle.toString(), mail, more);
    }

    private int sendUnder(String bundle, String mail, String... more) {
        var arguments = new ArrayList<>(List.of("mail", "send", "--bundle", bundle, "--authority", lab.fingerprint()));
        Stream.of(more).forEach(arguments::add);
        return run(mail, arguments);
    }

    private int run(String mail, List<String> arguments) {
        return Main.run(terminal(mail, new ByteArrayOutputStream()), arguments.toArray(String[]::new));
    }

    private Terminal terminal(String in, ByteArrayOutputStream out) {
        return new Terminal(
                new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                Clock.systemUTC(),
                false,
                false,
                question -> null);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
