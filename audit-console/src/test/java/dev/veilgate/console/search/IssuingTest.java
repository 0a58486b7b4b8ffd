package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.ClosedLog;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.custody.Slice;
import dev.veilgate.query.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Trapdoors of a search are issued behind the answer, a slice at a time, and each is in the log before any leaves. */
class IssuingTest extends ScriptedGateway {
    private static final String MANY_EPOCHS = "\"from\": \"2021-01-01T00:00:00Z\"";

    @Autowired
    private Custody custody;

    @Autowired
    private AuditLog log;

    @Autowired
    private Searches searches;

    @Value("${veilgate.keys.folder}")
    private Path keyFolder;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void openKeys() throws Exception {
        threads.shutdownNow();
        custody.lock(); // an unwritable log is opened with them
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
    }

    /** Four slices and more. */
    private static String large(String scope) {
        return query("overheated OR pump OR valve OR press", scope, MANY_EPOCHS);
    }

    /** Who has the keys when the first trapdoors have been issued, and no more than one slice. */
    private KeysInTurns keptAfterTheFirstSlice() throws InterruptedException {
        return new KeysInTurns(custody, searches, user, state -> state.issued() > 0);
    }

    private String startBeside(KeysInTurns keys, String body) throws Exception {
        Future<String> answer = threads.submit(() -> start(body));
        assertThat(keys.areKept()).as("it was seen while it was issuing").isTrue();
        return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Whoever waited for the keys had them before. */
    private void awaitTurn() throws Exception {
        custody.use(keys -> true);
    }

    private static Set<String> digests(List<JsonNode> trapdoors) {
        return trapdoors.stream().map(entry -> detail(entry, "trapdoor")).collect(Collectors.toSet());
    }

    @Test
    void theAnswerDoesNotWaitForThem() throws Exception {
        serve(seal("plant-issuing", "press overheated"));
        String search;
        int total;
        try (KeysInTurns keys = keptAfterTheFirstSlice()) {
            search = startBeside(keys, large("plant-issuing"));
            JsonNode state = read(search);
            assertThat(state.get("state").asString()).isEqualTo("issuing");
            total = state.get("trapdoors").asInt();
            assertThat(total).isGreaterThan(3 * Slice.MOST);
            assertThat(state.get("issued").asInt()).isBetween(1, Slice.MOST);
            assertThat(state.has("issueMillis")).isFalse();
            assertThat(state.get("leakage").get(0).asString()).startsWith("It gets " + total + " trapdoors");
            assertThat(asked()).isEmpty();
        }
        JsonNode state = awaitEnd(search);
        assertThat(state.get("state").asString()).isEqualTo("complete");
        assertThat(state.get("issued").asInt()).isEqualTo(total);
        assertThat(state.has("issueMillis")).isTrue();
        assertThat(rows(search).get("total").asInt()).isEqualTo(1);
    }

    @Test
    void othersHaveTheKeysInBetween() throws Exception {
        serve(seal("plant-between", "press overheated"));
        try (KeysInTurns keys =
                new KeysInTurns(custody, searches, user, state -> state.issued() == state.trapdoors())) {
            startBeside(keys, large("plant-between"));
            List<Integer> issued = keys.issued();
            for (int i = 1; i < issued.size(); i++) {
                assertThat(issued.get(i) - issued.get(i - 1)).as("%s", issued).isBetween(0, Slice.MOST);
            }
            assertThat(new HashSet<>(issued)).hasSizeGreaterThan(3);
        }
    }

    @Test
    void whatTheGatewayGetsIsInTheLogAndNothingElse() throws Exception {
        serve(seal("plant-logged", "press overheated"));
        JsonNode state = awaitEnd(start(query("overheated OR pump", "plant-logged", MANY_EPOCHS)));
        assertThat(asked()).hasSize(1);
        SearchRequest request = asked().getFirst();
        List<JsonNode> trapdoors = logged("trapdoor");
        Set<String> digests = request.digests().stream().map(Object::toString).collect(Collectors.toSet());
        assertThat(trapdoors)
                .as("one for each")
                .hasSameSizeAs(digests)
                .hasSize(state.get("issued").asInt());
        assertThat(digests(trapdoors)).isEqualTo(digests);
        List<JsonNode> grants = logged("grant");
        assertThat(grants).hasSize(1);
        JsonNode grant = grants.getFirst();
        assertThat(detail(grant, "count")).isEqualTo(String.valueOf(digests.size()));
        assertThat(grant.get("number").asLong())
                .isGreaterThan(trapdoors.getLast().get("number").asLong());
        assertThat(request.grant().orElseThrow().logIndex())
                .isEqualTo(grant.get("number").asLong());
    }

    /** Follows the end of a search. */
    private static JsonNode withoutRecheck(JsonNode state) {
        return ((ObjectNode) state).without("recheck");
    }

    @Test
    void isStopped() throws Exception {
        serve(seal("plant-stopped", "press overheated"));
        try (KeysInTurns keys = keptAfterTheFirstSlice()) {
            String search = startBeside(keys, large("plant-stopped"));
            assertThat(send(search + "/stop", "").getStatus()).isEqualTo(204);
            JsonNode state = read(search);
            assertThat(state.get("state").asString()).isEqualTo("stopped");
            assertThat(state.get("leakage").toString()).contains("It learned nothing");
            assertThat(send(search + "/rows").getStatus()).isEqualTo(200);
            keys.letGo();
            awaitTurn();
            assertThat(withoutRecheck(read(search))).isEqualTo(withoutRecheck(state));
            assertThat(logged("trapdoor")).hasSize(state.get("issued").asInt());
        }
        assertThat(logged("grant")).isEmpty();
        assertThat(asked()).isEmpty();
    }

    @Test
    void theKeysAreLockedMeanwhile() throws Exception {
        serve(seal("plant-locked", "press overheated"));
        SearchJob job;
        try (KeysInTurns keys = keptAfterTheFirstSlice()) {
            startBeside(keys, large("plant-locked"));
            job = searches.of(user).getFirst();
            Future<?> locked = threads.submit(() -> {
                custody.lock();
                return true;
            });
            keys.letGo();
            locked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(job.state().state()).isEqualTo(SearchJob.STOPPED);
        assertThat(job.state().issued()).isLessThan(job.state().trapdoors());
        assertThat(searches.of(user)).isEmpty();
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        awaitTurn();
        assertThat(logged("trapdoor")).hasSize(job.state().issued());
        assertThat(asked()).isEmpty();
    }

    @Test
    void failsIfTheLogCannotBeWritten() throws Exception {
        serve(seal("plant-log", "press overheated"));
        String search;
        try (KeysInTurns keys = keptAfterTheFirstSlice()) {
            search = startBeside(keys, large("plant-log"));
            ClosedLog.close(log);
        }
        JsonNode state = awaitEnd(search);
        assertThat(state.get("state").asString()).isEqualTo("failed");
        assertThat(state.get("problem").asString()).contains("the issuing log cannot be written");
        assertThat(state.get("issued").asInt())
                .isEqualTo(Math.min(state.get("issued").asInt(), Slice.MOST));
        assertThat(asked()).isEmpty();
    }

    @Test
    void failsIfATrapdoorIsDamaged() throws Exception {
        serve(seal("plant-damaged", "press overheated"));
        Set<Path> before = trapdoors();
        assertThat(awaitEnd(start(query("overheated", "plant-damaged")))
                        .get("state")
                        .asString())
                .isEqualTo("complete");
        List<Path> made = new ArrayList<>(trapdoors());
        made.removeAll(before);
        Path damaged = made.getFirst();
        byte[] whole = Files.readAllBytes(damaged);
        try {
            Files.write(damaged, new byte[] {1, 2, 3});
            JsonNode state = awaitEnd(start(query("overheated", "plant-damaged")));
            assertThat(state.get("state").asString()).isEqualTo("failed");
            assertThat(state.get("problem").asString())
                    .startsWith("its trapdoors cannot be issued")
                    .doesNotContain(damaged.getFileName().toString());
        } finally {
            Files.write(damaged, whole);
        }
        assertThat(asked()).hasSize(1);
        assertThat(logged("grant")).hasSize(1);
    }

    private Set<Path> trapdoors() throws Exception {
        try (Stream<Path> files = Files.walk(keyFolder.resolve("trapdoors"))) {
            return files.filter(Files::isRegularFile).collect(Collectors.toSet());
        }
    }

    @Test
    void whatIsKnownBeforeIsTheAnswer() throws Exception {
        String words = IntStream.range(0, 20).mapToObj(i -> "pump" + i).collect(Collectors.joining(" OR "));
        MockHttpServletResponse tooMany =
                send("/api/searches", query(words, "plant-many", "\"from\": \"1970-01-01T00:00:00Z\""));
        assertThat(tooMany.getStatus()).isEqualTo(400);
        assertThat(tooMany.getContentAsString()).contains("and at most 8192 are allowed");
        MockHttpServletResponse tooEarly =
                send("/api/searches", query("pump", "plant-many", "\"from\": \"1969-12-31T00:00:00Z\""));
        assertThat(tooEarly.getStatus()).isEqualTo(400);
        assertThat(tooEarly.getContentAsString()).contains("from and to must not be before 1970");
        custody.lock();
        assertThat(send("/api/searches", large("plant-many")).getStatus()).isEqualTo(423);
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        assertThat(searches.of(user)).isEmpty();
        assertThat(logged("trapdoor")).isEmpty();
    }

    @Test
    void whoHasAttributesReadsByKeysForThem() throws Exception {
        haveAttributes("role:auditor, site:plant-7");
        serve(seal("plant-keys", "press overheated"));
        awaitEnd(start(query("overheated", "plant-keys", MANY_EPOCHS)));
        List<JsonNode> keys = logged("attribute-key");
        assertThat(keys).as("one entry for all epochs").hasSize(1);
        assertThat(detail(keys.getFirst(), "reader")).isEqualTo(user.id());
        assertThat(detail(keys.getFirst(), "label"))
                .isEqualTo(new Label.OfAttributes(AttributeSet.parse("role:auditor, site:plant-7")).toString());
        assertThat(detail(keys.getFirst(), "epochs")).startsWith("2021-01 2021-02 ");
        assertThat(keys.getFirst().get("number").asLong())
                .isGreaterThan(logged("grant").getFirst().get("number").asLong())
                .isLessThan(logged("decryption").getFirst().get("number").asLong());
    }

    @Test
    void whoHasNoneGetsNoKey() throws Exception {
        serve(seal("plant-keys", "press overheated"));
        awaitEnd(start(query("overheated", "plant-keys")));
        assertThat(logged("grant")).hasSize(1);
        assertThat(logged("attribute-key")).isEmpty();
    }
}
