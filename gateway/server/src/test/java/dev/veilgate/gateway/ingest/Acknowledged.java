package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.chain.ChainStages;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.deliver.OutboundQueues;
import dev.veilgate.gateway.route.RouteStages;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Sends mails, and a sender's chain of envelopes that a route finds; notes what was acknowledged, and looks for every bit of it. */
final class Acknowledged implements AutoCloseable {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final int MESSAGE_BYTES = 4_000;

    private final TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
    private final List<String> mails = new CopyOnWriteArrayList<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final List<SealedEnvelope> envelopes = new CopyOnWriteArrayList<>();
    private final List<Thread> running = new ArrayList<>();
    private volatile boolean stopping;

    static TestTenant tenant() {
        return ACME;
    }

    /** All that a gateway has. */
    static List<ArrivalStage> stages(Database database) throws Exception {
        return List.of(
                ChainStages.of(database),
                RouteStages.finding(database, ACME, "overheated"),
                new MailStage(
                        database, OutboundQueues.of(database), (tenant, id) -> Optional.empty(), Clock.systemUTC()));
    }

    int count() {
        return mails.size() + envelopes.size();
    }

    /** Sends on two threads until {@link #stop}. */
    void start(IngestionLab lab) {
        stopping = false;
        for (Runnable each : List.<Runnable>of(() -> sendMails(lab), () -> sendEnvelopes(lab))) {
            running.add(Thread.ofPlatform().start(each));
        }
    }

    void stop() throws InterruptedException {
        stopping = true;
        for (Thread each : running) {
            each.join();
        }
        running.clear();
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendMails(IngestionLab lab) {
        Random random = new Random(13);
        for (int i = 0; !stopping; i++) {
            byte[] noise = new byte[MESSAGE_BYTES];
            random.nextBytes(noise);
            String text =
                    "Subject: x\r\n\r\n" + new String(noise, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "");
            String from = "m" + i + "@example.org";
            byte[] message = (text + "\r\n").getBytes(StandardCharsets.US_ASCII);
            if (IngestionLab.refusal(lab.mail(from, List.of("ada@example.org"), message)) == null) {
                mails.add(from);
            } else {
                refused.add(from);
                pause();
            }
        }
    }

    /** As an agent does: one after the other, again until it is taken. */
    private void sendEnvelopes(IngestionLab lab) {
        for (int i = 0; !stopping; i++) {
            SealedEnvelope sealed = press.seal("pump " + i + " overheated");
            while (IngestionLab.refusal(lab.envelope(sealed.bytes())) != null) {
                if (stopping) {
                    return;
                }
                pause();
            }
            envelopes.add(sealed);
        }
    }

    /** Before it is tried again. */
    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }

    /**
     * Fails unless each is where it should be, and once. A mail that was refused because nobody could know that it is durable may be there too: it was written, and is read back when the database is
     * older. Who sends it again sends it twice, as SMTP has it.
     */
    void requireAll(IngestionLab lab, Database database) throws Exception {
        JdbcClient jdbc = database.jdbc();
        List<String> stored = jdbc.sql("SELECT reverse_path FROM outbound_mail")
                .query(String.class)
                .list();
        assertThat(stored).as("mails").doesNotHaveDuplicates().containsAll(mails);
        Set<String> more = new HashSet<>(stored);
        mails.forEach(more::remove);
        assertThat(refused).as("mails that were not acknowledged").containsAll(more);
        for (SealedEnvelope sealed : envelopes) {
            assertThat(lab.store
                            .find("acme", sealed.id())
                            .orElseThrow()
                            .envelope()
                            .bytes())
                    .isEqualTo(sealed.bytes());
        }
        assertThat(jdbc.sql("SELECT envelope FROM route_action")
                        .query(java.util.UUID.class)
                        .list())
                .as("found by the route")
                .containsExactlyInAnyOrderElementsOf(
                        envelopes.stream().map(SealedEnvelope::id).toList());
        long sent = envelopes.size();
        assertThat(jdbc.sql("SELECT envelopes, contiguous, highest FROM chain")
                        .query((row, n) -> List.of(row.getLong(1), row.getLong(2), row.getLong(3)))
                        .list())
                .as("the chain")
                .containsExactly(List.of(sent, sent, sent));
        for (String none : List.of("chain_link", "chain_finding")) {
            assertThat(jdbc.sql("SELECT COUNT(*) FROM " + none)
                            .query(Long.class)
                            .single())
                    .as(none)
                    .isZero();
        }
    }
}
