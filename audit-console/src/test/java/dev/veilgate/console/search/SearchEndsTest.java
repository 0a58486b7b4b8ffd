package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.ClosedLog;
import dev.veilgate.console.custody.Custody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** How a search ends that does not end by itself, and what of it can be seen then. */
class SearchEndsTest extends ScriptedGateway {
    private static final String SCOPE = "plant-ends";

    @Autowired
    private Custody custody;

    @Autowired
    private AuditLog log;

    @Autowired
    private TestClock clock;

    @BeforeEach
    void haveThreeLines() throws Exception {
        List<byte[]> chain = chain(
                newSender("press-ends"),
                List.of(SCOPE, SCOPE, SCOPE),
                List.of("one overheated", "two overheated", "three overheated"));
        serve(chain.toArray(byte[][]::new));
    }

    @Test
    void atItsLimit() throws Exception {
        find(3, false);
        String search = start(query("overheated", SCOPE, "\"limit\": 1"));
        assertThat(awaitEnd(search).get("state").asString()).isEqualTo("limited");
        JsonNode rows = rows(search);
        assertThat(rows.get("total").asInt()).isEqualTo(1);
        assertThat(rows.get("rows").get(0).get("text").asString()).isEqualTo("one overheated");
    }

    @Test
    void withItsLastEnvelopeIfItsLimitIsAsLarge() throws Exception {
        find(3, false);
        String search = start(query("overheated", SCOPE, "\"limit\": 4"));
        assertThat(awaitEnd(search).get("state").asString()).isEqualTo("complete");
        assertThat(rows(search).get("total").asInt()).isEqualTo(3);
    }

    @Test
    void stoppedItKeepsItsRows() throws Exception {
        find(2, true);
        String search = start(query("overheated", SCOPE));
        assertThat(await(search, state -> state.get("rows").asInt() == 2)
                        .get("state")
                        .asString())
                .isEqualTo("running");
        assertThat(send(search + "/stop", "").getStatus()).isEqualTo(204);
        assertThat(awaitEnd(search).get("state").asString()).isEqualTo("stopped");
        JsonNode rows = rows(search);
        assertThat(rows.get("total").asInt()).isEqualTo(2);
        assertThat(rows.get("rows").get(1).get("text").asString()).isEqualTo("two overheated");
        assertThat(logged("decryption")).isNotEmpty();
    }

    @Test
    void showsNothingThatTheLogDoesNotTellOf() throws Exception {
        find(2, false);
        beforeHits(() -> ClosedLog.close(log));
        try {
            String search = start(query("overheated", SCOPE));
            JsonNode state = awaitEnd(search);
            assertThat(state.get("state").asString()).isEqualTo("failed");
            assertThat(state.get("problem").asString()).contains("the issuing log cannot be written");
            assertThat(state.get("rows").asInt()).isZero();
            assertThat(rows(search).get("rows").size()).isZero();
            assertThat(send(search + "/rows/0").getStatus()).isEqualTo(404);
        } finally {
            openLog();
        }
        assertThat(logged("grant")).hasSize(1);
        assertThat(logged("decryption")).isEmpty();
    }

    @Test
    void howFastOneWasIsAFigureOfTheStatus() throws Exception {
        find(1, false);
        beforeHits(() -> clock.advance(Duration.ofSeconds(8)));
        awaitEnd(start(query("overheated", SCOPE)));
        JsonNode status = await( // it is noted behind the end
                "/api/status", "operator", state -> scan(state) == 1.0 / 8);
        assertThat(status.get("reachable").asBoolean()).isTrue();
    }

    private static double scan(JsonNode status) {
        for (JsonNode figure : status.get("figures")) {
            if (figure.get("name").asString().equals("scan")) {
                return figure.get("value").asDouble();
            }
        }
        return 0;
    }

    @AfterEach
    void openLog() throws Exception {
        custody.lock();
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
    }
}
