package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** kill -9 at random moments under load: what was acknowledged is there, once, and every chain is whole. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class GatewayKillTest {
    private static final int KILLS = Integer.getInteger("veilgate.kills", 3);
    /** A sender pauses between two envelopes, so that neither load nor checks grow with the speed of the machine. */
    private static final long PAUSE_NANOS = 10_000_000;

    private static final long HURRY_NANOS = 300_000_000;

    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    @TempDir
    Path folder;

    private final Map<String, byte[]> acknowledged = new ConcurrentHashMap<>();
    private volatile boolean done;
    /** Without pauses, so that a kill finds some on their way and the store behind the journal. */
    private volatile boolean hurried;

    private final AtomicInteger onTheirWay = new AtomicInteger();

    /** Seals and sends one after the other; what was not acknowledged is sent again, the same bytes. */
    private void send(GatewayProcess gateway, String sender) {
        TestTenant.Sender press = ACME.sender(sender, Clock.systemUTC());
        for (int i = 0; !done; i++) {
            SealedEnvelope sealed = press.seal("common " + sender + "-" + i, "other line");
            while (!isTaken(gateway, sealed)) {
                if (done) {
                    return;
                }
            }
            acknowledged.put(sealed.id().toString(), sealed.bytes());
            if (!hurried) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private boolean isTaken(GatewayProcess gateway, SealedEnvelope sealed) {
        onTheirWay.incrementAndGet();
        try {
            HttpResponse<byte[]> answer = gateway.submit(sealed.bytes());
            return answer.statusCode() == 201 || answer.statusCode() == 200;
        } catch (IOException e) {
            LockSupport.parkNanos(20_000_000); // it is down
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            onTheirWay.decrementAndGet();
        }
    }

    @Test
    void losesNothingThatItAcknowledgedAndKeepsItOnce() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (GatewayProcess gateway = new GatewayProcess(folder, ACME)) {
            gateway.start();
            List<Thread> senders = new ArrayList<>();
            try {
                for (int i = 1; i <= 4; i++) {
                    String sender = "press-" + i;
                    senders.add(Thread.ofVirtual().start(() -> send(gateway, sender)));
                }
                for (int kill = 0; kill < KILLS; kill++) {
                    int before = acknowledged.size();
                    long wait = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(2500));
                    while (acknowledged.size() < before + 10 || System.nanoTime() < wait) {
                        LockSupport.parkNanos(5_000_000);
                    }
                    hurried = true;
                    long soon = System.nanoTime() + HURRY_NANOS;
                    while (onTheirWay.get() == 0 || System.nanoTime() < soon) {
                        Thread.onSpinWait();
                    }
                    gateway.kill();
                    hurried = false;
                    gateway.start();
                }
                int before = acknowledged.size();
                while (acknowledged.size() < before + 10) {
                    LockSupport.parkNanos(5_000_000);
                }
            } finally {
                stop(senders);
            }
            check(gateway, seed);
            assertThat(gateway.stop()).isIn(0, 143);
            gateway.start();
            check(gateway, seed);
        }
    }

    private void stop(List<Thread> senders) throws InterruptedException {
        done = true;
        for (Thread sender : senders) {
            sender.join();
        }
    }

    private void check(GatewayProcess gateway, long seed) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        List<String> found = found(gateway); // durable in the journal first, then stored and seen
        while (found.size() < acknowledged.size() && System.nanoTime() < end) {
            LockSupport.parkNanos(50_000_000);
            found = found(gateway);
        }
        for (Map.Entry<String, byte[]> envelope : acknowledged.entrySet()) {
            HttpResponse<byte[]> stored = gateway.send(gateway.request("/envelopes/" + envelope.getKey()));
            assertThat(stored.statusCode())
                    .as("seed %d, %s", seed, envelope.getKey())
                    .isEqualTo(200);
            assertThat(stored.body()).isEqualTo(envelope.getValue());
        }
        Set<String> distinct = new HashSet<>(found);
        assertThat(distinct).as("seed %d", seed).hasSameSizeAs(found).containsAll(acknowledged.keySet());
        for (JsonNode sender : gateway.json(gateway.request("/senders"))) {
            assertThat(sender.get("findings").size())
                    .as("seed %d, %s", seed, sender)
                    .isZero();
            assertThat(sender.get("gaps").size())
                    .as("seed %d, %s", seed, sender)
                    .isZero();
            assertThat(sender.get("envelopes").asLong())
                    .isEqualTo(sender.get("highestSequence").asLong());
        }
    }

    private List<String> found(GatewayProcess gateway) throws Exception {
        return gateway.search(ACME.search("common", folder.resolve("trapdoors"))).stream()
                .map(hit -> hit.get("envelope").asString())
                .toList();
    }
}
