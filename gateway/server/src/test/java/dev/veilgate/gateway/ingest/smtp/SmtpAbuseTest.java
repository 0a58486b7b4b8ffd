package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.testing.BrokenConnections;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

/** Garbage, smuggling, injection, and too much of everything. After each of them a proper client is served. */
class SmtpAbuseTest {
    private static final List<String> ADA = List.of("ada@example.org");

    @TempDir
    Path folder;

    private SmtpLab lab;

    @BeforeEach
    void start() throws Exception {
        lab = lab(Duration.ofMinutes(5));
    }

    private SmtpLab lab(Duration timeout) throws Exception {
        SmtpSettings.Limits limits = SmtpLab.limits(5, 40, DataSize.ofKilobytes(300));
        return new SmtpLab(folder, SmtpLab.settings(limits, timeout, DataSize.ofKilobytes(200)));
    }

    @AfterEach
    void servesAProperClientAndStops() throws Exception {
        lab.answer = mail -> CompletableFuture.completedFuture(new Receipt(Optional.empty(), false));
        try (RawSmtp smtp = hello()) {
            assertThat(smtp.send("a@b.example", ADA, "Subject: proper\r\n\r\nx"))
                    .startsWith("250");
        }
        await().until(() -> lab.meters.get("veilgate.smtp.connections").gauge().value() == 0);
        assertThat(lab.meters.get("veilgate.smtp.buffered").gauge().value()).isZero();
        lab.close();
    }

    private RawSmtp hello() throws IOException {
        var smtp = new RawSmtp(lab.clear());
        smtp.say("EHLO client.example");
        return smtp;
    }

    /** Ends of data that other servers have taken for one, and what they could let through. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n.\n",
                "\n.\r\n",
                "\r\n.\n",
                "\r.\r",
                "\r.\r\n",
                "\r\n.\r",
                "\n\n.\r\n",
                "\r\r\n.\r\n",
                "\r\n.\r\r\n",
                "\r\n\0.\r\n",
                "\r\n.\0\r\n",
                "\n..\r\n",
                "\r\n.\n\r\n"
            })
    void nothingCanBeSmuggledBehindADot(String end) throws Exception {
        try (RawSmtp smtp = hello()) {
            smtp.say("MAIL FROM:<a@b.example>");
            smtp.say("RCPT TO:<ada@example.org>");
            smtp.say("DATA");
            smtp.raw(
                    "Subject: outer\r\n\r\nx" + end
                            + "MAIL FROM:<forged@example.org>\r\nRCPT TO:<ada@example.org>\r\nDATA\r\nSubject: inner\r\n\r\ny\r\n.\r\n");
            String first = smtp.reply();
            if (end.equals("\r\n\0.\r\n") || end.equals("\r\n.\0\r\n")) {
                assertThat(first).startsWith("250"); // one message with a NUL in it, dot or not
                assertThat(lab.mails).hasSize(1);
                assertThat(lab.lastText()).contains("Subject: inner");
            } else {
                assertThat(first).isEqualTo("550 5.6.0 Lines must end in CR LF, and a CR or LF stood alone");
                if (!end.contains(
                        "\r\n.\r\n")) { // else the message has ended, and the rest are this client's own commands
                    assertThat(lab.mails).isEmpty();
                }
            }
            assertThat(smtp.say("RSET")).startsWith("250");
        }
    }

    @Test
    void aDotIsFoundWhereverTheNetworkCuts() throws Exception {
        byte[] bytes = "S: x\r\n\r\n..a\r\n.b\r\n\r\n.\r\nNOOP\r\n".getBytes(StandardCharsets.US_ASCII);
        try (RawSmtp smtp = hello()) {
            for (int cut = 1; cut < bytes.length; cut++) {
                smtp.say("MAIL FROM:<a@b.example>");
                smtp.say("RCPT TO:<ada@example.org>");
                smtp.say("DATA");
                smtp.raw(java.util.Arrays.copyOf(bytes, cut));
                smtp.raw(java.util.Arrays.copyOfRange(bytes, cut, bytes.length));
                assertThat(smtp.reply()).as("cut at %s", cut).startsWith("250 2.6.0");
                assertThat(smtp.reply()).startsWith("250 2.0.0");
                assertThat(lab.lastText()).endsWith("S: x\r\n\r\n.a\r\nb\r\n\r\n");
            }
        }
    }

    @Test
    void nothingIsTakenInClearBehindStartTls() throws Exception {
        try (var smtp = new RawSmtp(lab.startTls())) {
            smtp.say("EHLO client.example");
            smtp.raw("STARTTLS\r\nMAIL FROM:<forged@example.org>\r\n");
            assertThat(smtp.reply()).startsWith("554 5.5.1");
            assertThat(smtp.isHungUp()).isTrue();
        }
        try (var smtp = new RawSmtp(lab.startTls())) {
            smtp.say("EHLO client.example");
            smtp.say("MAIL FROM:<forged@example.org>");
            smtp.startTls();
            assertThat(smtp.say("RCPT TO:<ada@example.org>")).startsWith("503"); // what was said before does not count
            assertThat(smtp.say("MAIL FROM:<a@b.example>")).startsWith("503");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\n",
                "MAIL FROM:<a@b.example>\nRCPT",
                "NOOP \u0007\r\n",
                "NOOP \u00e4\r\n",
                "NO\0OP\r\n",
                "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\r\n"
            })
    void whoDoesNotSpeakSmtpIsCutOff(String bytes) throws Exception {
        try (RawSmtp smtp = hello()) {
            smtp.raw(bytes);
            assertThat(smtp.reply()).isEqualTo("500 5.5.2 Commands are printable ASCII and end in CR LF");
            assertThat(smtp.isHungUp()).isTrue();
        }
    }

    @Test
    void randomBytesEndInARefusalOrAnEnd() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int port : List.of(lab.clear(), lab.implicit())) {
            for (int i = 0; i < 20; i++) {
                byte[] bytes = new byte[random.nextInt(5000) + 2100];
                random.nextBytes(bytes);
                try (var socket = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(60_000);
                    socket.getOutputStream().write(bytes);
                    String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                    assertThat(port == lab.clear() ? said.strip() : "500 ")
                            .as("seed %s", seed)
                            .contains("500 ");
                } catch (java.net.SocketException e) {
                    // reset, since it had not read all
                }
            }
        }
        assertThat(lab.mails).isEmpty();
    }

    @Test
    void longLinesAndLargeMessagesAreRefusedAndTheSessionGoesOn() throws Exception {
        try (RawSmtp smtp = hello()) {
            assertThat(smtp.say("MAIL FROM:<a@b.example> SIZE=204801")).startsWith("552 5.3.4");
            assertThat(smtp.say("MAIL FROM:<a@b.example> SIZE=x")).startsWith("555");
            assertThat(smtp.send("a@b.example", ADA, "x".repeat(998))).startsWith("250");
            assertThat(smtp.send("a@b.example", ADA, "x".repeat(999)))
                    .isEqualTo("554 5.6.0 A line is longer than 998 bytes");
            String large = ("x".repeat(98) + "\r\n").repeat(2048);
            assertThat(large).hasSize(204_800);
            assertThat(smtp.send("a@b.example", ADA, large.substring(0, large.length() - 2)))
                    .startsWith("250");
            assertThat(smtp.send("a@b.example", ADA, large))
                    .isEqualTo("552 5.3.4 The message is longer than this server takes: 204 kB, which is a sealed mail"
                            + " with attachments of about 79 kB");
        }
        try (RawSmtp smtp = hello()) {
            smtp.raw("NOOP " + "x".repeat(2100));
            assertThat(smtp.reply()).startsWith("500 5.5.6");
            assertThat(smtp.isHungUp()).isTrue();
        }
    }

    @Test
    void messagesInProgressHaveAMemoryTogether() throws Exception {
        String large = ("x".repeat(98) + "\r\n").repeat(1900);
        try (RawSmtp first = hello();
                RawSmtp second = hello()) {
            first.say("MAIL FROM:<a@b.example>");
            first.say("RCPT TO:<ada@example.org>");
            first.say("DATA");
            first.raw(large);
            await().until(() -> lab.meters.get("veilgate.smtp.buffered").gauge().value() > 180_000);
            assertThat(second.send("a@b.example", ADA, large)).startsWith("452 4.3.1");
            assertThat(second.say("MAIL FROM:<a@b.example> SIZE=190000"))
                    .as("need not be sent first")
                    .startsWith("452 4.3.1");
            assertThat(first.say(".")).startsWith("250");
            assertThat(second.say("MAIL FROM:<a@b.example> SIZE=190000")).startsWith("250");
            assertThat(second.say("RSET")).startsWith("250");
            assertThat(second.send("a@b.example", ADA, large)).startsWith("250");
        }
    }

    /** Its client has said how much is still to come, and would send all of it in vain. */
    @Test
    void aLongMessageForWhichMemoryEndsIsNotReadToItsEnd() throws Exception {
        lab.close();
        lab = new SmtpLab(
                folder,
                SmtpLab.settings(
                        SmtpLab.limits(20, 300, DataSize.ofMegabytes(4)),
                        Duration.ofMinutes(5),
                        DataSize.ofMegabytes(4)));
        String half = ("x".repeat(98) + "\r\n").repeat(20_000);
        try (RawSmtp first = hello();
                RawSmtp second = hello()) {
            for (RawSmtp each : List.of(first, second)) {
                assertThat(each.say("MAIL FROM:<a@b.example> SIZE=3900000")).startsWith("250");
                each.say("RCPT TO:<ada@example.org>");
                each.say("DATA");
            }
            first.raw(half);
            await().until(() -> lab.meters.get("veilgate.smtp.buffered").gauge().value() > 1_900_000);
            second.raw(half + half.substring(0, 500_000));
            assertThat(second.reply()).startsWith("421 4.3.1 Too much mail at the moment");
            assertThat(second.isHungUp()).isTrue();
            first.raw(half.substring(0, 1_800_000));
            assertThat(first.say(".")).startsWith("250");
            assertThat(lab.count("no_memory")).isEqualTo(1);
        }
    }

    /**
     * One that leaves as many messages open as it can, from as many addresses of its network as it has: others are
     * served.
     */
    @Test
    void nobodyTakesAllTheMemoryOfMessages() throws Exception {
        lab.close();
        var limits = new SmtpSettings.Limits(
                100,
                50,
                1000,
                5,
                100_000,
                100_000,
                100_000,
                20,
                300,
                DataSize.ofKilobytes(1300),
                DataSize.ofKilobytes(500),
                DataSize.ofKilobytes(900),
                DataSize.ofKilobytes(1));
        lab = new SmtpLab(folder, SmtpLab.settings(limits, Duration.ofMinutes(5), DataSize.ofKilobytes(200)));
        String large = ("x".repeat(98) + "\r\n").repeat(1900);
        List<RawSmtp> open = new ArrayList<>();
        try {
            for (int i = 0; i < 29; i++) {
                open.add(half(i % 2 == 0 ? "127.0.0.1" : "127.0.0." + i, large));
            }
            await().until(() -> lab.meters.get("veilgate.smtp.buffered").gauge().value() > 600_000);
            try (RawSmtp same = new RawSmtp(lab.clear(), "127.0.0.77");
                    RawSmtp other = new RawSmtp(lab.clear(), "127.0.1.1")) {
                same.say("EHLO client.example");
                assertThat(same.send("a@b.example", ADA, large)).startsWith("452 4.3.1");
                other.say("EHLO client.example");
                assertThat(other.send("a@b.example", ADA, large)).startsWith("250");
            }
        } finally {
            for (RawSmtp each : open) {
                each.close();
            }
        }
    }

    /** It always sends more than the timeout asks for. */
    @Test
    void aLongMessageThatComesTooSlowlyIsDroppedAndItsMemoryIsFree() throws Exception {
        lab.close();
        var limits = new SmtpSettings.Limits(
                100,
                50,
                1000,
                5,
                100_000,
                100_000,
                100_000,
                20,
                300,
                DataSize.ofMegabytes(9),
                DataSize.ofMegabytes(9),
                DataSize.ofMegabytes(9),
                DataSize.ofMegabytes(1));
        lab = new SmtpLab(folder, SmtpLab.settings(limits, Duration.ofSeconds(5), DataSize.ofMegabytes(8)));
        try (RawSmtp slow = half("127.0.0.1", ("x".repeat(98) + "\r\n").repeat(5_000))) {
            var drips = Thread.ofVirtual().start(() -> drip(slow, ("x".repeat(98) + "\r\n").repeat(200)));
            assertThat(slow.reply()).startsWith("421 4.4.2 The message comes too slowly");
            assertThat(lab.meters.get("veilgate.smtp.buffered").gauge().value()).isZero();
            drips.join();
        }
    }

    private RawSmtp half(String from, String text) throws IOException {
        var smtp = new RawSmtp(lab.clear(), from);
        smtp.say("EHLO client.example");
        smtp.say("MAIL FROM:<a@b.example>");
        smtp.say("RCPT TO:<ada@example.org>");
        smtp.say("DATA");
        smtp.raw(text);
        return smtp;
    }

    @Test
    void slowClientsAreDroppedInEveryState() throws Exception {
        lab.close();
        lab = lab(Duration.ofSeconds(10)); // between two commands, of a client on a slow machine too
        List<RawSmtp> slow = new ArrayList<>();
        slow.add(hello());
        slow.add(hello());
        slow.getLast().raw("NOO");
        slow.add(hello());
        slow.getLast().say("MAIL FROM:<a@b.example>");
        slow.getLast().say("RCPT TO:<ada@example.org>");
        slow.getLast().say("DATA");
        try {
            var moves = Thread.ofVirtual().start(() -> drip(slow.getLast(), "x\r\n"));
            for (RawSmtp each : slow) {
                assertThat(each.reply()).startsWith("421 4.4.2");
                assertThat(each.isHungUp()).isTrue();
            }
            moves.join();
        } finally {
            for (RawSmtp each : slow) {
                each.close();
            }
        }
        try (var silent = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), lab.implicit())) {
            silent.setSoTimeout(60_000);
            assertThat(silent.getInputStream().read()).isLessThanOrEqualTo(21); // end, or an alert of TLS
        }
    }

    /** Attack: connections that break off, so that the descriptors of the process are used up. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void connectionsThatBreakOffLeaveNoFileDescriptors() throws Exception {
        int before = BrokenConnections.descriptors();
        BrokenConnections.open(lab.implicit(), 2000);
        for (int i = 0; i < 200; i++) {
            try (var smtp = new RawSmtp(lab.startTls())) {
                smtp.raw("STARTTLS\r\n");
            }
        }
        assertThat(BrokenConnections.descriptorsBelow(before + 50)).isLessThan(before + 50);
        try (RawSmtp smtp = hello()) {
            assertThat(smtp.say("NOOP")).startsWith("250 ");
        }
    }

    /** Moves all the time, but gets nowhere, until it is dropped. */
    private static void drip(RawSmtp client, String piece) {
        try {
            while (true) {
                client.raw(piece);
                LockSupport.parkNanos(100_000_000);
            }
        } catch (IOException e) {
            // dropped
        }
    }

    @Test
    void aClientThatDiesInTheMiddleLeavesNothing() throws Exception {
        try (RawSmtp smtp = hello()) {
            smtp.say("MAIL FROM:<a@b.example>");
            smtp.say("RCPT TO:<ada@example.org>");
            smtp.say("DATA");
            smtp.raw("Subject: half\r\n\r\n" + "x\r\n".repeat(20_000) + "\r\n.");
        }
        await().until(() -> lab.meters.get("veilgate.smtp.connections").gauge().value() == 0);
        assertThat(lab.mails).isEmpty();
    }

    @Test
    void whoOnlyMakesErrorsOrNoMessageIsCutOff() throws Exception {
        try (RawSmtp smtp = hello()) {
            for (String bad : List.of("VRFY ada", "EXPN list", "WIZ", "MAIL FROM:a@b.example")) {
                assertThat(smtp.say(bad)).startsWith("50").doesNotContain("ada");
            }
            assertThat(smtp.say("RCPT TO:<\"a b\"@example.org>")).startsWith("421");
            assertThat(smtp.isHungUp()).isTrue();
        }
        try (RawSmtp smtp = hello()) {
            String reply = "";
            for (int i = 0; i < 60 && !reply.startsWith("421"); i++) {
                reply = smtp.say("NOOP");
            }
            assertThat(reply).startsWith("421 4.7.0");
        }
    }

    @Test
    void recipientsConnectionsAndMinutesAreLimited() throws Exception {
        try (RawSmtp smtp = hello()) {
            smtp.say("MAIL FROM:<a@b.example>");
            for (int i = 0; i < 5; i++) {
                assertThat(smtp.say("RCPT TO:<r" + i + "@example.org>")).startsWith("250");
            }
            assertThat(smtp.say("RCPT TO:<r5@example.org>")).startsWith("452 4.5.3");
        }
        await().until(() -> lab.meters.get("veilgate.smtp.connections").gauge().value() == 0); // of the same client
        List<RawSmtp> open = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                open.add(new RawSmtp(lab.clear()));
                assertThat(open.getLast().greeting).startsWith("220");
            }
            try (var one = new RawSmtp(lab.clear())) {
                assertThat(one.greeting).startsWith("421 4.7.0");
                assertThat(one.isHungUp()).isTrue();
            }
        } finally {
            for (RawSmtp each : open) {
                each.close();
            }
        }
        await().until(() -> lab.meters.get("veilgate.smtp.connections").gauge().value() == 0);
        Instant now = Instant.parse("2026-11-21T10:00:30Z");
        var limit = new MinuteLimit(2, Clock.fixed(now, ZoneOffset.UTC));
        assertThat(List.of(limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")))
                .containsExactly(true, true, false, true);
    }
}
