package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.cli.CommandRun;
import dev.veilgate.cli.Main;
import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.Thunderbird;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A user has a new Thunderbird and the folder that {@code veilgate mail enrol} made, and does what it says there. */
@Timeout(300)
class EnrolledInThunderbirdTest {
    private static final String ADA = "ada@acme.example";
    private static final String TEXT = "the owls are not what they seem";
    private static final Pattern DRAWN = Pattern.compile("(?m)^  ([0-9A-Z-]{29})$");
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();

    private String ok(Object... arguments) {
        run.now = Instant.now();
        CommandRun.Result result = run.run(arguments);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    private String drawn(Object... arguments) {
        Matcher shown = DRAWN.matcher(ok(arguments));
        assertThat(shown.find()).isTrue();
        return shown.group(1);
    }

    @Test
    void sendsAndReadsSealedMail() throws Exception {
        Path site = folder.resolve("acme");
        Path given = folder.resolve("given");
        int port = FreePort.choose();
        ok("quickstart", site, "--mail-domain", "acme.example");
        run.environment.put("VEILGATE_KEYS", site.resolve("keys").toString());
        String passphrase = drawn(
                "mail",
                "enrol",
                ADA,
                "--out",
                given,
                "--imap",
                "127.0.0.1:" + FreePort.choose(),
                "--smtp",
                "127.0.0.1:" + port,
                "--print-passphrase");
        ok("keys", "bundle", "-o", site.resolve("bundle.vgb"));

        try (CaptureServer next = new CaptureServer();
                Thunderbird thunderbird = Thunderbird.start(
                        folder.resolve("thunderbird"), List.of(), List.of(), "", "nobody@example.org")) {
            Process proxy = proxy(site, port, next.port());
            try {
                Path key = given.resolve(ADA + ".p12");
                assertThatThrownBy(() -> thunderbird.importKey(key, "wrong")).isInstanceOf(IOException.class);
                thunderbird.importKey(key, passphrase);
                thunderbird.trust(given.resolve("authority.pem"));
                Thunderbird.Account account =
                        thunderbird.addAccount(given.resolve("config-v1.1.xml"), "Ada", ADA, "unused");
                assertThat(account.outgoing()).isEqualTo("127.0.0.1:" + port);
                assertThat(account.incoming()).startsWith("imap://" + ADA + "@127.0.0.1:");

                thunderbird.send(ADA, ADA, "owls", TEXT);
                CaptureServer.Mail sent = next.await(1).getFirst();
                assertThat(sent.recipients()).containsExactly(ADA);
                assertThat(sent.text()).contains("smime-type=enveloped-data").doesNotContain("owls");
                Path pictures = Files.createDirectories(Path.of("target/thunderbird"));
                Thunderbird.Shown shown = thunderbird.open(sent.bytes(), pictures.resolve("enrolled.png"));
                assertThat(shown.text()).contains("Subject: owls", TEXT);
                assertThat(shown.encryption()).isEqualTo("Decryption successful");
                assertThat(shown.signature()).isEqualTo("Good signature");
            } finally {
                proxy.destroyForcibly().onExit().join();
            }
        }
    }

    private static Process proxy(Path site, int port, int next) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of("mail", "proxy", "--no-index", "--port", String.valueOf(port), "--sign-as", "from"));
        command.addAll(List.of("--smtp-url", "smtp://127.0.0.1:" + next));
        command.addAll(List.of("--spool", site.resolve("spool").toString()));
        command.addAll(List.of("--bundle", site.resolve("bundle.vgb").toString()));
        String variables = Files.readString(site.resolve("env"));
        command.addAll(List.of("--authority", variables.replaceAll("(?s).*VEILGATE_AUTHORITY=(\\w+).*", "$1")));
        command.addAll(List.of("--signing-key", site.resolve("mail-signer.p12").toString()));
        command.addAll(List.of(
                "--signing-passphrase-file",
                site.resolve("mail-signer.passphrase").toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            said.append(line).append('\n');
            if (LISTENING.matcher(line).find()) {
                Thread.ofPlatform().daemon().start(() -> out.lines().forEach(_ -> {}));
                return process;
            }
        }
        throw new AssertionError("the proxy did not start: " + said);
    }
}
