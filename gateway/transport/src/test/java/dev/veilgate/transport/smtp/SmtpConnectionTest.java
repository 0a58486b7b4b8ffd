package dev.veilgate.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SmtpConnectionTest {
    private static final SmtpHop.Patience PATIENCE =
            new SmtpHop.Patience(Duration.ofSeconds(20), Duration.ofSeconds(20));
    private static final SmtpMessage HELLO = SmtpMessage.of(ascii("Subject: x\r\n\r\nhello\r\n"));

    @TempDir
    Path folder;

    private ScriptedServer server;

    @BeforeEach
    void serve() throws IOException {
        server = new ScriptedServer();
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private SmtpHop hop(SmtpTls tls, SmtpHop.@org.jspecify.annotations.Nullable Login login) throws Exception {
        return new SmtpHop("127.0.0.1", server.port(), tls, SSLContext.getDefault(), login);
    }

    private SmtpConnection open() throws Exception {
        return SmtpConnection.open(hop(SmtpTls.NONE, null), "test", PATIENCE);
    }

    @Test
    void triesEachAddressOfTheHost() throws Exception {
        List<InetAddress> addresses = List.of(InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.1"));
        try (SmtpConnection connection = SmtpConnection.open(hop(SmtpTls.NONE, null), addresses, "test", PATIENCE)) {
            assertThat(connection.send("a@b.example", List.of("c@d.example"), HELLO))
                    .hasEntrySatisfying(
                            "c@d.example", reply -> assertThat(reply.isTaken()).isTrue());
        }
        assertThatThrownBy(
                        () -> SmtpConnection.open(hop(SmtpTls.NONE, null), addresses.subList(0, 1), "test", PATIENCE))
                .isInstanceOf(IOException.class);
    }

    @Test
    void policyOfTlsDecidesWhereNoneIsOffered() throws Exception {
        SmtpConnection.open(hop(SmtpTls.OPPORTUNISTIC, null), "test", PATIENCE).close();
        assertThatThrownBy(() -> SmtpConnection.open(hop(SmtpTls.REQUIRED, null), "test", PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessage("the SMTP server offers no STARTTLS");
        assertThatThrownBy(() -> SmtpConnection.open(hop(SmtpTls.IMPLICIT, null), "test", PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no TLS with the SMTP server");
    }

    /** Offered, and broken: only who may speak in clear goes on. */
    @Test
    void policyOfTlsDecidesWhereItFails() throws Exception {
        server.answers = command -> command.startsWith("EHLO")
                ? "250-here\r\n250 STARTTLS"
                : command.equals("STARTTLS") ? "220 go on\r\nthis is no handshake" : null;
        try (SmtpConnection connection = SmtpConnection.open(hop(SmtpTls.OPPORTUNISTIC, null), "test", PATIENCE)) {
            assertThat(connection.isUsable()).isTrue();
        }
        assertThatThrownBy(() -> SmtpConnection.open(hop(SmtpTls.REQUIRED, null), "test", PATIENCE))
                .isInstanceOf(IOException.class);
    }

    @Test
    void logsInByPlainAndWhereThatIsUnknownByLogin() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "owl:42\nsecond line\n");
        var login = new SmtpHop.Login("ada", file);
        Map<String, String> plain = Map.of("AUTH PLAIN", "334 go on", base64("\0ada\0owl:42"), "235 welcome");
        server.answers = plain::get;
        SmtpConnection.open(hop(SmtpTls.NONE, login), "test", PATIENCE).close();
        Map<String, String> other = Map.of(
                "AUTH PLAIN",
                "504 5.5.4 unknown",
                "AUTH LOGIN",
                "334 go on",
                base64("ada"),
                "334 go on",
                base64("owl:42"),
                "235 welcome");
        server.answers = other::get;
        SmtpConnection.open(hop(SmtpTls.NONE, login), "test", PATIENCE).close();
        assertThat(server.commands).contains(base64("\0ada\0owl:42"), base64("owl:42"));
        server.answers = command -> command.startsWith("AUTH") ? "535 5.7.8 not ada@secret.example" : null;
        assertThatThrownBy(() -> SmtpConnection.open(hop(SmtpTls.NONE, login), "test", PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessage("the SMTP server refuses the user or the password (535)");
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> SmtpConnection.open(hop(SmtpTls.NONE, login), "test", PATIENCE))
                .hasMessage("the password file of the SMTP server is empty");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(ascii(text));
    }

    @Test
    void messageArrivesByteForByte() throws Exception {
        for (int filler = (64 << 10) - 6; filler <= (64 << 10) + 2; filler++) {
            String lines = ("x".repeat(500) + "\r\n").repeat(filler / 502);
            String start = lines + "y".repeat(filler - lines.length());
            byte[] message = ascii(start + "\r\n.\r\n..\r\n.z\r\n\u00e9\r\n");
            Path file = Files.write(folder.resolve("mail"), message);
            try (SmtpConnection connection = open()) {
                connection.send("", List.of("c@d.example"), SmtpMessage.of(message));
                connection.send("", List.of("c@d.example"), SmtpMessage.of(file));
            }
            assertThat(server.messages)
                    .hasSize(2)
                    .allSatisfy(got -> assertThat(got).isEqualTo(message));
            server.messages.clear();
        }
        try (SmtpConnection connection = open()) {
            connection.send("", List.of("c@d.example"), SmtpMessage.of(ascii("a\r\nb")));
        }
        assertThat(server.messages.getFirst()).isEqualTo(ascii("a\r\nb\r\n"));
        assertThat(server.commands).contains("MAIL FROM:<> SIZE=4").anyMatch(c -> c.contains("BODY=8BITMIME"));
    }

    @Test
    void whatTheServerCannotTakeIsRefusedWithoutSendingIt() throws Exception {
        try (SmtpConnection connection = open()) {
            assertThat(connection.maxBytes()).isEqualTo(200_000);
            assertThat(sent(connection, "x\r\n".repeat(70_000))).startsWith("552 5.3.4");
            assertThat(sent(connection, "y".repeat(999) + "\r\nx\r\n")).startsWith("554 5.6.0");
            assertThat(sent(connection, "x\r\n" + "y".repeat(999))).startsWith("554 5.6.0");
            assertThat(server.commands).noneMatch(command -> command.startsWith("MAIL"));
            assertThat(sent(connection, "y".repeat(998) + "\r\n")).startsWith("250");
            assertThat(connection.isUsable()).isTrue();
        }
        server.answers = command -> command.startsWith("EHLO") ? "250 here" : null;
        try (SmtpConnection connection = open()) {
            assertThat(sent(connection, "\u00e9\r\n")).startsWith("554 5.6.3");
            assertThat(sent(connection, "x\r\n".repeat(70_000))).startsWith("250");
            assertThat(server.commands).contains("MAIL FROM:<a@b.example>");
        }
    }

    private static String sent(SmtpConnection connection, String message) throws IOException {
        Map<String, SmtpReply> answers =
                connection.send("a@b.example", List.of("c@d.example"), SmtpMessage.of(ascii(message)));
        return answers.get("c@d.example").toString();
    }

    @Test
    void manyRecipientsGoInSeveralTransactions() throws Exception {
        List<String> many =
                IntStream.range(0, 250).mapToObj(n -> "c" + n + "@d.example").toList();
        AtomicInteger taken = new AtomicInteger();
        server.answers = command -> {
            if (command.startsWith("MAIL")) {
                taken.set(0);
            }
            return command.startsWith("RCPT TO:<c7@")
                    ? "550 5.1.1 unknown"
                    : command.startsWith("RCPT") && taken.incrementAndGet() > 60 ? "452 4.5.3 too many" : null;
        };
        try (SmtpConnection connection = open()) {
            Map<String, SmtpReply> answers = connection.send("a@b.example", many, HELLO);
            assertThat(answers).hasSize(250);
            assertThat(answers.values().stream().filter(SmtpReply::isTaken)).hasSize(249);
            assertThat(answers.get("c7@d.example").isFinal()).isTrue();
        }
        assertThat(server.messages).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void connectionThatBreaksLaterKeepsWhatWasTaken() throws Exception {
        List<String> many =
                IntStream.range(0, 150).mapToObj(n -> "c" + n + "@d.example").toList();
        server.answers = command -> command.startsWith("RCPT TO:<c120@") ? ScriptedServer.HANG_UP : null;
        try (SmtpConnection connection = open()) {
            Map<String, SmtpReply> answers = connection.send("a@b.example", many, HELLO);
            assertThat(answers).hasSize(150);
            assertThat(answers.get("c99@d.example").isTaken()).isTrue();
            assertThat(answers.get("c100@d.example").code()).isEqualTo(421);
            assertThat(answers.get("c149@d.example").code()).isEqualTo(421);
            assertThat(connection.isUsable()).isFalse();
        }
        try (SmtpConnection connection = open()) {
            assertThatThrownBy(() -> connection.send("a@b.example", many.subList(110, 130), HELLO))
                    .isInstanceOf(IOException.class);
            assertThat(connection.isUsable()).isFalse();
            assertThat(connection.isSentAway()).isFalse();
        }
    }

    /** Whatever is not taken is not final unless the server says so. */
    @Test
    void repliesAreClassified() throws Exception {
        for (String reply : List.of("451 4.3.0 later", "550 5.1.1 no", "250 2.0.0 what", "354 what")) {
            for (String command : List.of("MAIL", "RCPT", "DATA", ".")) {
                server.answers = got -> got.startsWith(command) ? reply : null;
                if (command.equals("DATA") && reply.startsWith("354")) {
                    continue;
                }
                try (SmtpConnection connection = open()) {
                    SmtpReply answer = connection
                            .send("a@b.example", List.of("c@d.example"), HELLO)
                            .get("c@d.example");
                    String what = command + " answered by " + reply;
                    assertThat(answer.isFinal()).as(what).isEqualTo(reply.startsWith("550"));
                    assertThat(answer.isTaken()).as(what).isEqualTo(reply.startsWith("250") && !command.equals("DATA"));
                    assertThat(connection.isUsable()).as(what).isTrue();
                }
            }
        }
    }

    @Test
    void reasonQuotesNothingThatTheServerSaid() throws Exception {
        server.answers = command -> command.startsWith("EHLO") ? "ada@example.org is not here" : null;
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        IOException.class,
                        e -> assertThat(SmtpConnection.reason(e)).isEqualTo("the SMTP server's answer is not SMTP"));
    }

    @Test
    void abortEndsWhatHangs() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        server.answers = command -> {
            if (!command.startsWith("MAIL")) {
                return null;
            }
            asked.countDown();
            await(over);
            return ScriptedServer.HANG_UP;
        };
        try (SmtpConnection connection = open()) {
            Thread.ofVirtual().start(() -> {
                await(asked);
                connection.abort();
            });
            long began = System.nanoTime();
            assertThatThrownBy(() -> connection.send("", List.of("c@d.example"), HELLO))
                    .isInstanceOf(IOException.class);
            assertThat(System.nanoTime() - began)
                    .as("ended by abort, before it lost patience")
                    .isLessThan(PATIENCE.answer().toNanos() / 2);
        } finally {
            over.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
