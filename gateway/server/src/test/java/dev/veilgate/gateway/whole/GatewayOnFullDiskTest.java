package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.deliver.MailSink;
import dev.veilgate.testing.SmallDisk;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Somebody else's file takes the last byte of the disk again and again while mail and envelopes come: the gateway goes on by itself, every mail that it acknowledged
 * is delivered, every envelope found, and every chain whole.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class GatewayOnFullDiskTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final int MEGABYTES = 1024;
    private static final int FILLINGS = 3;
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(8);
    /** A sender pauses between two messages, so that neither load nor checks grow with the speed of the machine. */
    private static final long PAUSE_NANOS = 20_000_000;

    private static final long HURRY_NANOS = 300_000_000;

    private static final Pattern ID = Pattern.compile("(?m)^Message-ID: <(\\d+)@elsewhere\\.example>");

    @TempDir
    Path folder;

    private final Set<Integer> mails = ConcurrentHashMap.newKeySet();
    private final Map<String, byte[]> envelopes = new ConcurrentHashMap<>();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean done;
    /** Without pauses, so that a disk that becomes full finds some on their way. */
    private volatile boolean hurried;

    @Test
    void losesNothingThatItAcknowledged() throws Exception {
        try (var disk = new SmallDisk(MEGABYTES);
                var sink = new MailSink();
                var gateway = new GatewayProcess(
                        disk.folder(),
                        ACME,
                        "veilgate.ingest.min-free-disk=1mb", // the margin would keep the harm away
                        "veilgate.deliver.retry.first=1s",
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.start();
            List<Thread> senders = new ArrayList<>();
            var sealed = new TestMail(folder, ACME);
            try {
                senders.add(Thread.ofPlatform().start(() -> sendMails(gateway, sealed)));
                senders.add(Thread.ofPlatform().start(() -> sendEnvelopes(gateway, "press-1")));
                senders.add(Thread.ofPlatform().start(() -> sendEnvelopes(gateway, "press-2")));
                for (int filling = 0; filling < FILLINGS; filling++) {
                    awaitMore();
                    hurried = true;
                    LockSupport.parkNanos(HURRY_NANOS);
                    refused.set(0);
                    disk.fill();
                    hurried = false;
                    LockSupport.parkNanos(FULL_NANOS);
                    await("refused while the disk is full").until(() -> refused.get() > 0);
                    disk.free();
                }
                awaitMore();
            } finally {
                stop(senders);
            }
            check(gateway, sink);
            assertThat(gateway.stop()).isIn(0, 143);
            gateway.start();
            check(gateway, sink);
        }
    }

    private void pause() {
        if (!hurried) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void stop(List<Thread> senders) throws InterruptedException {
        done = true;
        for (Thread sender : senders) {
            sender.join();
        }
    }

    private void awaitMore() {
        int mailsBefore = mails.size();
        int envelopesBefore = envelopes.size();
        await().until(() -> mails.size() > mailsBefore + 20 && envelopes.size() > envelopesBefore + 20);
    }

    /** Each until it is acknowledged: the same bytes. */
    private void sendMails(GatewayProcess gateway, TestMail sealed) {
        for (int number = 1; !done; number++) {
            byte[] mail = seal(sealed, number);
            while (!done) {
                try {
                    Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, mail);
                    mails.add(number);
                    pause();
                    break;
                } catch (IOException e) {
                    refused.incrementAndGet();
                    LockSupport.parkNanos(50_000_000);
                }
            }
        }
    }

    private static byte[] seal(TestMail sealed, int number) {
        try {
            return sealed.seal(
                    "From: bob@elsewhere.example\r\nTo: " + TestMail.ADDRESS
                            + "\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <" + number
                            + "@elsewhere.example>\r\nSubject: owls\r\n\r\nnot what they seem\r\n",
                    "owls");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void sendEnvelopes(GatewayProcess gateway, String sender) {
        TestTenant.Sender press = ACME.sender(sender, Clock.systemUTC());
        for (int i = 0; !done; i++) {
            SealedEnvelope sealed = press.seal("common " + sender + "-" + i);
            while (!done) {
                if (isTaken(gateway, sealed)) {
                    envelopes.put(sealed.id().toString(), sealed.bytes());
                    pause();
                    break;
                }
                refused.incrementAndGet();
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    private static boolean isTaken(GatewayProcess gateway, SealedEnvelope sealed) {
        try {
            HttpResponse<byte[]> answer = gateway.submit(sealed.bytes());
            return answer.statusCode() == 201 || answer.statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void check(GatewayProcess gateway, MailSink sink) throws Exception {
        await().until(() -> delivered(sink).containsAll(mails));
        await().until(() -> new HashSet<>(found(gateway)).containsAll(envelopes.keySet()));
        assertThat(found(gateway)).doesNotHaveDuplicates();
        for (Map.Entry<String, byte[]> envelope : envelopes.entrySet()) {
            HttpResponse<byte[]> stored = gateway.send(gateway.request("/envelopes/" + envelope.getKey()));
            assertThat(stored.statusCode()).isEqualTo(200);
            assertThat(stored.body()).isEqualTo(envelope.getValue());
        }
        for (JsonNode sender : gateway.json(gateway.request("/senders"))) {
            assertThat(sender.get("findings").size()).as("%s", sender).isZero();
            assertThat(sender.get("gaps").size()).as("%s", sender).isZero();
            assertThat(sender.get("envelopes").asLong())
                    .isEqualTo(sender.get("highestSequence").asLong());
        }
    }

    private static Set<Integer> delivered(MailSink sink) {
        return sink.mails.stream()
                .map(mail -> {
                    Matcher id = ID.matcher(mail.text());
                    assertThat(id.find()).isTrue();
                    return Integer.valueOf(id.group(1));
                })
                .collect(Collectors.toSet());
    }

    private List<String> found(GatewayProcess gateway) throws Exception {
        return gateway.search(ACME.search("common", folder.resolve("trapdoors"))).stream()
                .map(hit -> hit.get("envelope").asString())
                .toList();
    }
}
