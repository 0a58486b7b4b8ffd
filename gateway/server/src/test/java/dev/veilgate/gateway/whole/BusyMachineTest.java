package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.testing.ProcessorShare;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.net.smtp.SMTPClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway on a machine that is so busy that a fifth of a processor is left for it. */
class BusyMachineTest {
    private static final double SHARE = 0.2;
    private static final int ENVELOPES = 12;
    /** Time within which every service promises to end. */
    private static final Duration STOP = Duration.ofSeconds(10);

    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    @TempDir
    private Path folder;

    @Test
    void aFirstStartWorksAndAStopEndsInTimeAndLosesNothing() throws Exception {
        TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
        List<SealedEnvelope> sealed = new ArrayList<>();
        for (int i = 0; i < ENVELOPES; i++) {
            sealed.add(press.seal("line " + i, "another"));
        }
        try (GatewayProcess gateway = new GatewayProcess(folder, ACME, "veilgate.smtp.stop-timeout=5m")) {
            try (ProcessorShare share = new ProcessorShare(SHARE)) {
                gateway.limit(share);
                gateway.start();
                for (SealedEnvelope one : sealed) {
                    assertThat(gateway.submit(one.bytes()).statusCode()).isEqualTo(201);
                }
                SMTPClient client = halfAMail(gateway);
                long told = System.nanoTime();
                int status = gateway.stop();
                Duration took = Duration.ofNanos(System.nanoTime() - told);
                client.disconnect();
                assertThat(took).as("%s", Files.readString(gateway.log())).isLessThan(STOP);
                assertThat(status).isEqualTo(143);
            }
            assertThat(Files.readString(gateway.log()))
                    .contains(
                            "told to stop; ends within 8 s; waits for ",
                            "connections by SMTP with a message in progress: 1",
                            "ends at once, after 8.0 s, without waiting for ",
                            "What was acknowledged is in the journal or the database");
            gateway.limit(null);
            gateway.start();
            for (SealedEnvelope one : sealed) {
                await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                    HttpResponse<byte[]> stored = gateway.send(gateway.request("/envelopes/" + one.id()));
                    assertThat(stored.body()).isEqualTo(one.bytes());
                });
            }
        }
    }

    /** A mail program that hangs in the middle of a message. */
    private static SMTPClient halfAMail(GatewayProcess gateway) throws Exception {
        SMTPClient client = new SMTPClient();
        client.setDefaultTimeout(60_000);
        client.connect("127.0.0.1", gateway.smtpPort);
        client.login("client.example");
        client.setSender("bob@elsewhere.example");
        assertThat(client.addRecipient(TestMail.ADDRESS))
                .as(client.getReplyString())
                .isTrue();
        client.sendMessageData().append("Subject: half a mail\r\n").flush();
        return client;
    }
}
