package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.settings.ProxySettings;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The proxy does not ask for the names of its clients: those who answer may be slow, and the threads that would wait serve everybody. */
class ClientNamesTest {
    private static final String ADA = "ada@example.org";
    private static final byte[] MAIL = "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: owls\r\n\r\nhoot\r\n"
            .getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    @AfterEach
    void release() {
        SlowNames.release();
    }

    @Test
    @Timeout(value = 90, unit = TimeUnit.SECONDS)
    void aNameServerThatIsAwayDelaysNobody() throws Exception {
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(settings(lab), relay.port())) {
            SlowNames.hold();
            var clients = new ArrayList<RawSmtp>();
            try {
                for (int i = 0; i < 2 * SubmissionServer.THREADS; i++) {
                    clients.add(new RawSmtp(proxy.port(), "127.0.1." + (1 + i))); // greeted, and EHLO answered
                }
                RawSmtp last = clients.getLast();
                assertThat(last.say("AUTH PLAIN " + base64("\0ada\0owl:42"))).startsWith("235");
                assertThat(last.say("VRFY ada")).startsWith("502");
                assertThat(last.say("RCPT TO:<rsa@example.org>")).startsWith("503");
                assertThat(last.send(ADA, List.of("stranger@example.org"), MAIL))
                        .startsWith("5");
                assertThat(last.send(ADA, List.of("rsa@example.org"), MAIL)).startsWith("250");
                assertThat(last.say("HELO again")).startsWith("250");
                assertThat(last.say("NONSENSE")).startsWith("5");
                assertThat(last.say("QUIT")).startsWith("221");
                relay.await(1);
            } finally {
                for (RawSmtp client : clients) {
                    client.close();
                }
            }
            assertThat(SlowNames.questions()).isZero();
            SlowNames.release();
            assertThat(InetAddress.getByName("127.0.1.1").getHostName()).isNotEmpty();
            assertThat(SlowNames.questions()).as("they would have been seen").isEqualTo(1);
        }
    }

    private ProxySettings settings(MailLab lab) throws Exception {
        Path users = Files.writeString(
                folder.resolve("users"), PasswordFile.line("ada", "owl:42", new SecureRandom()) + "\n");
        return new ProxySettings(
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
                lab.form());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
