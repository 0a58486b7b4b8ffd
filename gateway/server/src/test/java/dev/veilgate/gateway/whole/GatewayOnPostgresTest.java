package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.PostgresServer;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The gateway with its operational state in PostgreSQL. */
class GatewayOnPostgresTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    @TempDir
    Path folder;

    @Test
    void takesSearchesAndFollowsChainsThroughAnAbsenceOfTheDatabase() throws Exception {
        try (PostgresServer postgres = new PostgresServer();
                GatewayProcess gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.database.url=" + postgres.newDatabase(),
                        "veilgate.database.user=" + postgres.user(),
                        "veilgate.chain.gap-window=0s")) {
            gateway.start();
            TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
            List<SealedEnvelope> sealed = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                sealed.add(press.seal("common line-" + i));
            }
            for (int i : new int[] {0, 1, 3}) {
                assertThat(gateway.submit(sealed.get(i).bytes()).statusCode()).isEqualTo(201);
            }
            awaitEnvelopes(gateway, 3);
            assertThat(sender(gateway).get("gaps").size()).isEqualTo(1);

            postgres.stop();
            assertThat(gateway.submit(sealed.get(2).bytes()).statusCode()).isEqualTo(201); // durable all the same
            postgres.start();
            awaitEnvelopes(gateway, 4);
            assertThat(sender(gateway).get("gaps").size()).isZero();
            SearchRequest search = ACME.search("common", folder.resolve("trapdoors"));
            await().until(() -> gateway.search(search).size() == 4); // searches see it a moment after the chain does

            HttpRequest.Builder hold = gateway.request("/holds")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"scope\":\"plant-7\",\"reason\":\"case 7\"}"));
            assertThat(gateway.send(hold).statusCode()).isEqualTo(201);
            assertThat(new String(gateway.send(gateway.request("/holds")).body(), StandardCharsets.UTF_8))
                    .contains("case 7");
            gateway.kill();
            gateway.start();
            assertThat(sender(gateway).get("envelopes").asLong()).isEqualTo(4);
            assertThat(sender(gateway).get("findings").size()).isZero();
        }
    }

    private static JsonNode sender(GatewayProcess gateway) throws Exception {
        return gateway.json(gateway.request("/senders")).get(0);
    }

    private static void awaitEnvelopes(GatewayProcess gateway, long count) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < end) {
            JsonNode senders = gateway.json(gateway.request("/senders"));
            if (senders.size() == 1
                    && senders.get(0).has("envelopes")
                    && senders.get(0).get("envelopes").asLong() == count) {
                return;
            }
            LockSupport.parkNanos(50_000_000);
        }
        throw new AssertionError("the chain has not " + count + " envelopes");
    }
}
