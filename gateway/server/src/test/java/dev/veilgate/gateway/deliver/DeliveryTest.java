package dev.veilgate.gateway.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.veilgate.testing.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final String MAIL =
            "From: ada@example.org\r\nSubject: the owls\r\n\r\n.dot\r\n..dots\r\nnot what they seem\r\n";
    private static final String ADA = "ada@example.org";

    private final DeliveryLab lab = new DeliveryLab();

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void sendsByteForByteOnceAHopOverAConnectionThatIsKept() {
        String large = "Subject: x\r\n\r\n" + ("." + "x".repeat(70) + "\r\n").repeat(10_000);
        try (var first = new MailSink();
                var second = new MailSink()) {
            lab.relay("a.example", first.port())
                    .relay("b.example", first.port())
                    .relay("c.example", second.port());
            lab.parallel = 1; // else the next mail may open another connection while the one before is noted
            lab.start();
            lab.add(ADA, List.of("x@a.example", "y@A.example", "z@b.example", "w@c.example"), MAIL);
            assertThat(first.await(1).getFirst().recipients())
                    .containsExactlyInAnyOrder("x@a.example", "y@a.example", "z@b.example");
            assertThat(second.await(1).getFirst().recipients()).containsExactly("w@c.example");
            assertThat(first.mails.getFirst().text()).isEqualTo(MAIL);
            assertThat(first.mails.getFirst().sender()).isEqualTo(ADA);
            for (int i = 2; i < 6; i++) {
                lab.add(ADA, List.of("x@a.example"), i == 5 ? large : MAIL);
                first.await(i);
            }
            assertThat(first.mails.getLast().text()).isEqualTo(large);
            assertThat(first.connections).hasValue(1);
            lab.awaitEmpty();
        }
        assertThat(lab.rows("outbound_mail") + lab.rows("outbound_piece")).isZero();
    }

    @Test
    void queuesOnlyWhatTheTransactionOfTheCallerCommits() {
        StoredQueue queue = lab.queue("one");
        var mail = new OutboundMail(ADA, List.of("x@a.example"), MAIL.getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> queue.add(mail)).isInstanceOf(IllegalStateException.class);
        lab.database.transactions().executeWithoutResult(status -> {
            queue.add(mail);
            status.setRollbackOnly();
        });
        assertThat(lab.waiting()).isZero();
        for (String bad : List.of("x", "x@y\r\nRCPT TO:<z@y>", "x>@y", "x y@z")) {
            assertThatThrownBy(() -> new OutboundMail("", List.of(bad), new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void reportsWhatIsRefusedForGoodAndTriesAgainWhatIsRefusedForNow() {
        try (var sink = new MailSink()) {
            lab.relay("a.example", sink.port()).relay("example.org", sink.port());
            sink.refusals = what -> switch (what) {
                case "no@a.example" -> "550 5.1.1 never heard of <no@a.example>";
                case "later@a.example" -> sink.attempts.get() < 6 ? "451 4.2.0 later" : null;
                default -> null;
            };
            lab.start();
            lab.add(ADA, List.of("yes@a.example", "no@a.example", "later@a.example"), MAIL);
            var mails = sink.await(2);
            assertThat(mails.get(0).recipients()).containsExactly("yes@a.example");
            assertThat(mails.get(1).sender()).isEmpty();
            assertThat(mails.get(1).recipients()).containsExactly(ADA);
            assertThat(mails.get(1).text())
                    .contains(
                            "Content-Type: multipart/report; report-type=delivery-status;",
                            "Auto-Submitted: auto-replied\r\n",
                            "Final-Recipient: rfc822; no@a.example\r\nAction: failed\r\nStatus: 5.1.1\r\n"
                                    + "Diagnostic-Code: smtp; 550 5.1.1 never heard of <no@a.example>\r\n",
                            "Content-Type: text/rfc822-headers\r\n\r\nFrom: ada@example.org\r\nSubject: the owls\r\n\r\n--")
                    .doesNotContain("later@a.example", "not what they seem");
            await().until(() -> lab.waiting() == 1);
            int before = sink.attempts.get();
            lab.clock.by = Duration.ofSeconds(30);
            await().during(Duration.ofMillis(300)).until(() -> sink.attempts.get() == before);
            lab.clock.by = Duration.ofSeconds(62); // the first pause is a minute
            await().until(() -> lab.attempts() == 2); // from then on the second pause counts, of two minutes
            assertThat(sink.attempts).hasValue(before + 1);
            lab.clock.by = Duration.ofSeconds(62 + 122);
            assertThat(sink.await(3).getLast().recipients()).containsExactly("later@a.example");
            lab.awaitEmpty();
            assertThat(sink.mails).hasSize(3);
        }
    }

    @Test
    void nothingIsReportedToNobody() {
        try (var sink = new MailSink()) {
            lab.relay("a.example", sink.port());
            sink.refusals = what -> what.equals(".") ? "554 5.7.1 no" : null;
            lab.start();
            lab.add("", List.of("x@a.example"), MAIL);
            await().until(() -> sink.attempts.get() == 1);
            lab.awaitEmpty();
            assertThat(sink.mails).isEmpty();
            assertThat(lab.rows("outbound_mail")).isZero();
        }
    }

    /** What a stranger wrote as its sender is somebody who is not to be written to. */
    @Test
    void nothingIsReportedToWhomAStrangerNamed() {
        String trace =
                "Received: from x ([192.0.2.1])\r\n (using TLSv1.3 with cipher TLS)\r\n by mx.example.org with %s id 1;\r\n"
                        + " Sat, 21 Nov 2026 10:00:00 +0000\r\n";
        try (var sink = new MailSink();
                var victim = new MailSink()) {
            lab.relay("a.example", sink.port()).relay("example.org", victim.port());
            sink.refusals = what -> what.equals(".") ? "554 5.7.1 no" : null;
            lab.start();
            int sent = 0;
            for (String protocol : List.of("SMTP", "SMTPS", "ESMTP", "ESMTPS")) {
                // A trace that the stranger wrote comes behind ours.
                lab.add(ADA, List.of("x@a.example"), trace.formatted(protocol) + trace.formatted("ESMTPSA") + MAIL);
                sent++;
            }
            int strangers = sent;
            await().until(() -> sink.attempts.get() == strangers);
            lab.awaitEmpty();
            assertThat(victim.mails).isEmpty();
            lab.add(ADA, List.of("x@a.example"), trace.formatted("ESMTPSA") + MAIL);
            assertThat(victim.await(1).getFirst().text()).contains("Final-Recipient: rfc822; x@a.example");
        }
    }

    /** A stranger for whom the domain of the sender vouches (SPF) is told, another one is not. */
    @Test
    void aSenderWhoseDomainVouchesForTheClientIsTold() throws Exception {
        String trace = "Received: from client.example ([%s])\r\n by mx.example.org with ESMTPS id 1;\r\n"
                + " Sat, 21 Nov 2026 10:00:00 +0000\r\n";
        try (var dns = new NameServer();
                var sink = new MailSink();
                var home = new MailSink()) {
            dns.texts.put("example.org", "v=spf1 ip4:192.0.2.7 ip6:2001:db8::/32 -all");
            dns.texts.put("broken.example", "v=spf1 ip4:192.0.2.7 include:");
            lab.dns = dns.address();
            lab.relay("a.example", sink.port())
                    .relay("example.org", home.port())
                    .relay("broken.example", home.port())
                    .relay("none.example", home.port());
            sink.refusals = what -> what.equals(".") ? "554 5.7.1 no" : null;
            lab.start();
            lab.add("forged@example.org", List.of("x@a.example"), trace.formatted("192.0.2.8") + MAIL);
            lab.add("forged@broken.example", List.of("x@a.example"), trace.formatted("192.0.2.7") + MAIL);
            lab.add("forged@none.example", List.of("x@a.example"), trace.formatted("192.0.2.7") + MAIL);
            lab.awaitEmpty();
            assertThat(home.mails).isEmpty();
            lab.add(ADA, List.of("x@a.example"), trace.formatted("192.0.2.7") + MAIL);
            home.await(1);
            lab.add(ADA, List.of("x@a.example"), trace.formatted("IPv6:2001:db8:0:0:0:0:0:9") + MAIL);
            assertThat(home.await(2))
                    .allSatisfy(mail -> assertThat(mail.recipients()).containsExactly(ADA));
            lab.awaitEmpty();
        }
    }

    @Test
    void waitsForAHopThatIsAwayForADay() throws Exception {
        int port = FreePort.choose();
        lab.relay("a.example", port);
        Dispatcher dispatcher = lab.start();
        for (int i = 0; i < 5; i++) {
            lab.add(ADA, List.of("x" + i + "@a.example"), MAIL);
        }
        for (int hour = 0; hour < 24; hour++) {
            lab.clock.by = Duration.ofHours(hour);
            await().during(Duration.ofMillis(60)).until(() -> lab.waiting() == 5);
        }
        dispatcher.stop();
        try (var sink = new MailSink(port, null)) {
            lab.clock.by = Duration.ofHours(30);
            lab.start(); // behind both: an attempt that failed between them would be followed by hours
            sink.await(5);
            lab.awaitEmpty();
            assertThat(sink.mails)
                    .hasSize(5)
                    .allSatisfy(mail -> assertThat(mail.sender()).isEqualTo(ADA));
        }
    }

    @Test
    void givesUpAfterDaysAndSaysSo() throws Exception {
        try (var home = new MailSink()) {
            lab.relay("a.example", FreePort.choose()).relay("example.org", home.port());
            lab.start();
            lab.add(ADA, List.of("x@a.example"), MAIL);
            await().until(() -> lab.attempts() == 1);
            lab.clock.by = Duration.ofDays(4).plusMinutes(1);
            assertThat(home.await(1).getFirst().text())
                    .contains("Status: 5.4.7\r\nDiagnostic-Code: smtp; 451 4.4.1 no connection to the next server");
            lab.awaitEmpty();
        }
    }

    @Test
    void mailThatGoesRoundInCirclesIsReported() {
        try (var home = new MailSink();
                var sink = new MailSink()) {
            lab.relay("a.example", sink.port()).relay("example.org", home.port());
            lab.start();
            String other = "Received: from x by y with ESMTP;\r\n Sat, 21 Nov 2026 10:00:00 +0000\r\n";
            String ours = "Received: from x\r\n by mx.example.org with ESMTPS;\r\n Sat, 21 Nov 2026 10:00:00 +0000\r\n";
            lab.add(ADA, List.of("fine@a.example"), other.repeat(100) + MAIL);
            lab.add(ADA, List.of("fine@a.example"), ours.repeat(10) + MAIL);
            lab.add(ADA, List.of("x@a.example"), other.repeat(101) + MAIL);
            lab.add(ADA, List.of("x@a.example"), ours.repeat(11) + MAIL);
            assertThat(home.await(2)).allSatisfy(mail -> assertThat(mail.text()).contains("Status: 5.4.6"));
            assertThat(sink.await(2))
                    .allSatisfy(mail -> assertThat(mail.recipients()).containsExactly("fine@a.example"));
            lab.awaitEmpty();
        }
    }

    /** One that is folded twenty thousand times once exhausted the stack of whoever looked at it. */
    @Test
    void aTraceOfAnyFormIsReadToItsEnd() {
        String folded = "Received: from x" + "\r\n ".repeat(20_000) + "by mx.example.org with ESMTP;\r\n";
        assertThat(Hops.isLoop((folded + MAIL).getBytes(StandardCharsets.US_ASCII), "mx.example.org"))
                .isFalse();
        String short11 = "Received: from x\r\n \r\n\tby MX.example.org\r\n  with ESMTP;\r\n".repeat(11);
        assertThat(Hops.isLoop((short11 + MAIL).getBytes(StandardCharsets.US_ASCII), "mx.example.org"))
                .isTrue();
    }

    @Test
    void eightBitMailGoesOnlyWhereItIsTaken() throws Exception {
        String latin = "Subject: x\r\n\r\nW\u00e4hrung\r\n";
        try (var sink = new MailSink();
                var home = new MailSink();
                var old = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> sevenBit(old));
            lab.relay("a.example", sink.port())
                    .relay("old.example", old.getLocalPort())
                    .relay("example.org", home.port());
            lab.start();
            lab.add(ADA, List.of("x@a.example", "x@old.example"), latin);
            assertThat(sink.await(1).getFirst().text()).isEqualTo(latin);
            assertThat(home.await(1).getFirst().text()).contains("Status: 5.6.3");
            lab.awaitEmpty();
        }
    }

    private static void sevenBit(ServerSocket server) {
        try (var client = server.accept();
                var in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
            var out = client.getOutputStream();
            out.write("220 old\r\n".getBytes(StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write("250 ok\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // it is gone
        }
    }

    /** A hop that takes connections and says nothing, beside one that works. */
    @Test
    void aHopThatHangsHoldsUpNobodyElse() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var sink = new MailSink()) {
            lab.relay("hangs.example", silent.getLocalPort()).relay("a.example", sink.port());
            lab.reply = Duration.ofSeconds(10);
            for (int i = 0; i < 300; i++) {
                lab.add(ADA, List.of("x@hangs.example"), MAIL);
            }
            lab.start();
            for (int i = 0; i < 50; i++) {
                lab.add(ADA, List.of("x@a.example"), MAIL);
            }
            sink.await(50);
            await().until(() -> lab.waiting() <= 300); // the last one arrives before that is noted
            assertThat(lab.waiting()).isEqualTo(300);
        }
    }

    /** One that drops the connection at the end of data: nobody knows, so it is tried again. */
    @Test
    void aConnectionThatBreaksIsTriedAgain() throws Exception {
        var count = new AtomicInteger();
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!server.isClosed()) {
                    try (var client = server.accept()) {
                        count.incrementAndGet();
                        client.getOutputStream().write("220 broken\r\n".getBytes(StandardCharsets.US_ASCII));
                        client.getInputStream().read();
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            lab.relay("a.example", server.getLocalPort());
            lab.start();
            lab.add(ADA, List.of("x@a.example"), MAIL);
            await().until(() -> lab.attempts() == 1); // from then on the pause counts
            assertThat(count).hasValue(1);
            lab.clock.by = Duration.ofMinutes(2);
            await().until(() -> count.get() == 2);
            assertThat(lab.waiting()).isEqualTo(1);
        }
    }
}
