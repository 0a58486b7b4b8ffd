package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import com.sun.net.httpserver.HttpHandler;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.ByteArrayInputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Envelopes that a gateway does not find are drawn and tested: what it hides is caught as often as is said. */
@TestPropertySource(properties = {TestConsole.RECHECKED + "=" + RecheckTest.DRAWN, "veilgate.recheck.retention=90d"})
class RecheckTest extends ScriptedGateway {
    static final int DRAWN = 3;

    private static final String SENDER = "press-rechecked";
    private static final String SCOPE = "plant-rechecked";
    private static final int HIGHEST = 12;
    private static final int RUNS = 1_000;

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private JsonMapper json;

    @Autowired
    private Searches searches;

    @Autowired
    private Rechecks rechecks;

    @Autowired
    private JdbcClient jdbc;

    private final SigningKey device = newSender(SENDER);

    @BeforeEach
    void registerSender() throws Exception {
        for (String table : List.of("chain_seen", "chain_mark", "chain_alarm", "chain_alarm_request")) {
            jdbc.sql("DELETE FROM " + table).update();
        }
        register(device);
    }

    @AfterEach
    void removeSender() throws Exception {
        custody.change(keys -> keys.removeSender(SENDER));
        StubGateway.resetSenders();
    }

    /** Claim of the gateway about a chain. */
    private static String claim(String sender, long highest, String gaps) {
        return "{\"sender\": \"" + sender + "\", \"envelopes\": 9, \"highestSequence\": " + highest + ", \"gaps\": ["
                + gaps + "], \"forks\": 0, \"findings\": [], \"lastSealed\": \"2026-11-22T10:00:00Z\","
                + " \"lastArrived\": \"2026-11-22T10:00:01Z\", \"silentSince\": null}";
    }

    private static void claims(long highest, String gaps) {
        StubGateway.SENDERS.set("[" + claim(SENDER, highest, gaps) + "]");
    }

    /** Twelve envelopes, of which so many match first, and then there are signs of life. */
    private byte[][] chain(int matching) throws Exception {
        List<String> lines = new ArrayList<>(Collections.nCopies(matching, "press overheated"));
        lines.addAll(Collections.nCopies(HIGHEST - matching, ""));
        return chain(device, Collections.nCopies(HIGHEST, SCOPE), lines).toArray(byte[][]::new);
    }

    private SearchJob job(String path) {
        return searches.find(user, UUID.fromString(path.substring(path.lastIndexOf('/') + 1)));
    }

    /** The search, once its recheck is over. */
    private SearchJob rechecked(String... more) throws Exception {
        clock().advance(Duration.ofSeconds(1)); // it stands still, and what is sealed now was not there before
        String path = start(query("overheated", SCOPE, more));
        await(
                path,
                state -> state.has("recheck")
                        && !Set.of("waiting", "running")
                                .contains(state.get("recheck").get("state").asString()));
        return job(path);
    }

    private RecheckState again(SearchJob job) {
        rechecks.run(job, () -> false);
        return state(job);
    }

    private static RecheckState state(SearchJob job) {
        RecheckState state = Objects.requireNonNull(job.state().recheck());
        assertThat(state.reason()).as(state.state()).isNull();
        return state;
    }

    private JsonNode alarms() throws Exception {
        return json.readTree(http.perform(get("/api/senders/alarms").with(login("scripted-keeper", "keeper")))
                        .andReturn()
                        .getResponse()
                        .getContentAsString())
                .get("alarms");
    }

    private Map<Long, String> alarms(String kind) throws Exception {
        Map<Long, String> reasons = new HashMap<>();
        for (JsonNode alarm : alarms()) {
            if (alarm.get("kind").asString().equals(kind)) {
                reasons.put(alarm.get("number").asLong(), alarm.get("reason").asString());
            }
        }
        return reasons;
    }

    @Test
    void aGatewayThatHidesHitsIsCaughtAsOftenAsComputed() throws Exception {
        byte[][] chain = chain(4);
        serve(chain);
        claims(HIGHEST, "");
        find(2, false);
        SearchJob job = rechecked();
        assertThat(state(job).numbers()).as("all but two").isEqualTo(10);
        assertThat(state(job).odds()).containsExactly(new HiddenOdds(1, 0.3));
        int runs = 0;
        int oneOfTwo = 0;
        int both = 0;
        for (; runs < RUNS; runs++) {
            RecheckState state = again(job);
            assertThat(state.state()).isEqualTo(RecheckState.DONE);
            assertThat(state.tested()).isEqualTo(DRAWN);
            assertThat(state.notTested()).isEmpty();
            oneOfTwo += state.caught() > 0 ? 1 : 0;
            both += state.caught() == 2 ? 1 : 0;
        }
        double computed = HiddenOdds.probability(10, DRAWN, 2);
        assertThat(computed).isCloseTo(8.0 / 15, within(1e-5));
        double deviation = Math.sqrt(RUNS * computed * (1 - computed));
        assertThat((double) oneOfTwo).isBetween(RUNS * computed - 4.5 * deviation, RUNS * computed + 4.5 * deviation);
        assertThat(both).as("8 of 120 draws have both").isBetween(67 - 36, 67 + 36);
        assertThat(job.state().incomplete())
                .extracting(Incompleteness.Reason::code)
                .as("if the last run caught one, the result is not complete")
                .satisfies(codes -> assertThat(codes.contains("hits-hidden"))
                        .isEqualTo(state(job).caught() > 0));
        assertThat(alarms("hidden").keySet()).containsExactlyInAnyOrder(3L, 4L);
        for (JsonNode alarm : alarms()) {
            provesThatItWasHidden(alarm, chain);
        }
    }

    private void provesThatItWasHidden(JsonNode alarm, byte[][] chain) throws Exception {
        byte[] zip = http.perform(get("/api/senders/alarms/" + alarm.get("id").asString() + "/evidence")
                        .with(login("scripted-keeper", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        Map<String, byte[]> files = new HashMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), in.readAllBytes());
            }
        }
        byte[] envelope = files.get("envelope.cbor");
        assertThat(envelope).isEqualTo(chain[alarm.get("number").asInt() - 1]);
        Envelope signed = Envelope.decode(envelope);
        assertThat(signed.signedBy(device.publicKey())).isTrue();
        SearchRequest request = SearchRequest.decode(files.get("request.cbor"));
        assertThat(request.encode()).isEqualTo(asked().getFirst().encode());
        IndexSchemes schemes = IndexSchemes.load();
        assertThat(PreparedSearch.of(request, schemes)
                        .match(signed, IndexAdmission.trust(signed, schemes))
                        .isEmpty())
                .isFalse();
    }

    @Test
    void aGatewayThatHidesNothingIsNeverCaught() throws Exception {
        serve(chain(4));
        claims(HIGHEST, "");
        find(4, false);
        SearchJob job = rechecked();
        for (int i = 0; i < 100; i++) {
            RecheckState state = again(job);
            assertThat(state.numbers()).isEqualTo(8);
            assertThat(state.tested()).isEqualTo(DRAWN);
            assertThat(state.caught()).isZero();
        }
        assertThat(alarms()).isEmpty();
        assertThat(job.state().incomplete())
                .extracting(Incompleteness.Reason::code)
                .doesNotContain("hits-hidden");
    }

    /** Ways of a gateway not to give an envelope that it hides. */
    private enum Excuse {
        MISSING("not-given"),
        DELETED("not-given"),
        BROKEN("no-answer"),
        FORGED("not-signed");

        private final String reason;

        Excuse(String reason) {
            this.reason = reason;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsHiddenAndThenRefusedIsNeverTestedAndIsAnAlarm(Excuse excuse) throws Exception {
        byte[][] chain = chain(4);
        serve(chain);
        claims(HIGHEST, "");
        find(2, false);
        SearchJob job = rechecked();
        jdbc.sql("DELETE FROM chain_alarm").update();
        refuse(excuse, chain);
        Set<Long> named = new TreeSet<>();
        for (int i = 0; i < 60; i++) {
            RecheckState state = again(job);
            assertThat(state.caught()).isZero();
            assertThat(state.tested() + state.notTested().size()).isEqualTo(DRAWN);
            assertThat(state.odds()).containsExactly(new HiddenOdds(1, state.tested() / 10.0));
            for (RecheckState.NotTested one : state.notTested()) {
                assertThat(one.reason()).isEqualTo(excuse.reason);
                named.add(one.number());
            }
        }
        assertThat(named).containsExactlyInAnyOrder(3L, 4L);
        assertThat(alarms("missing")).isEqualTo(Map.of(3L, excuse.reason, 4L, excuse.reason));
        assertThat(alarms("hidden")).isEmpty();
    }

    private void refuse(Excuse excuse, byte[][] chain) throws Exception {
        HttpHandler whole = StubGateway.SEARCHING.get();
        Set<String> hidden = Set.of(id(chain[2]).toString(), id(chain[3]).toString());
        switch (excuse) {
            case MISSING ->
                serve(Stream.of(chain)
                        .filter(each -> each != chain[2] && each != chain[3])
                        .toArray(byte[][]::new));
            case DELETED, BROKEN ->
                StubGateway.SEARCHING.set(exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    if (hidden.contains(path.substring(path.lastIndexOf('/') + 1))) {
                        exchange.sendResponseHeaders(excuse == Excuse.DELETED ? 404 : 500, -1);
                        exchange.close();
                    } else {
                        whole.handle(exchange);
                    }
                });
            case FORGED -> {
                byte[][] other = chain.clone();
                byte[][] strangers = chain(
                                newSender(SENDER), Collections.nCopies(4, SCOPE), Collections.nCopies(4, "nothing"))
                        .toArray(byte[][]::new);
                other[2] = strangers[2];
                other[3] = strangers[3];
                serve(other);
            }
        }
    }

    @Test
    void aGatewayThatGoesAwayMeanwhileIsNoAlarm() throws Exception {
        byte[][] chain = chain(4);
        serve(chain);
        claims(HIGHEST, "");
        find(4, false);
        SearchJob job = rechecked();
        HttpHandler whole = StubGateway.SEARCHING.get();
        for (int last = 0; last < 12; last++) {
            AtomicInteger answers = new AtomicInteger(last);
            StubGateway.SEARCHING.set(exchange -> {
                if (answers.getAndDecrement() > 0) {
                    whole.handle(exchange);
                } else {
                    exchange.sendResponseHeaders(500, -1);
                    exchange.close();
                }
            });
            rechecks.run(job, () -> false);
            RecheckState state = Objects.requireNonNull(job.state().recheck());
            assertThat(state.tested() + state.notTested().size()).isLessThanOrEqualTo(DRAWN);
            assertThat(alarms("missing")).as("after %d answers", last).isEmpty();
        }
    }

    @Test
    void aChainThatIsShortenedBelowWhatWasSeenIsAnAlarm() throws Exception {
        byte[][] chain = chain(0);
        serve(chain);
        claims(HIGHEST, "");
        find(0, false);
        assertThat(state(rechecked()).numbers()).isEqualTo(HIGHEST);
        assertThat(alarms()).isEmpty();
        serve(Arrays.copyOf(chain, 5));
        claims(5, "");
        SearchJob job = rechecked();
        assertThat(state(job).numbers()).as("what was seen counts on").isEqualTo(HIGHEST);
        assertThat(alarms("shortened")).isEqualTo(Map.of(5L, "ends-below"));
        for (int i = 0; i < 60; i++) {
            RecheckState state = again(job);
            assertThat(state.tested() + state.notTested().size()).isEqualTo(DRAWN);
            assertThat(state.notTested()).allMatch(one -> one.number() > 5);
        }
        assertThat(alarms("missing").keySet()).containsExactlyInAnyOrder(6L, 7L, 8L, 9L, 10L, 11L, 12L);
    }

    @Test
    void aSenderThatTheGatewayDoesNotNameAnyMoreIsAnAlarm() throws Exception {
        serve(chain(0));
        claims(HIGHEST, "");
        find(0, false);
        rechecked();
        serve();
        StubGateway.SENDERS.set("[]");
        SearchJob job = rechecked();
        assertThat(alarms("shortened")).isEqualTo(Map.of(0L, "ends-below"));
        assertThat(state(job).tested()).isZero();
        assertThat(state(job).notTested()).hasSize(DRAWN);
    }

    @Test
    void whatIsOlderThanRetentionIsNotTestedAndNoAlarm() throws Exception {
        byte[][] chain = chain(0);
        String from = "\"from\": \"" + now().minus(Duration.ofDays(2)) + "\"";
        clock().advance(Duration.ofDays(100));
        serve(Arrays.copyOfRange(chain, 3, HIGHEST));
        claims(HIGHEST, "");
        find(0, false);
        SearchJob job = rechecked(from);
        Set<Long> named = new TreeSet<>();
        for (int i = 0; i < 60; i++) {
            for (RecheckState.NotTested one : again(job).notTested()) {
                assertThat(one.reason()).isEqualTo("retention");
                named.add(one.number());
            }
        }
        assertThat(named).containsExactly(1L, 2L, 3L);
        assertThat(alarms()).isEmpty();
    }

    @Test
    void whatArrivesAfterASearchBeganIsNotHidden() throws Exception {
        serve(chain(4));
        claims(HIGHEST, "{\"from\": 3, \"to\": 4}"); // and then they arrive
        find(2, false);
        SearchJob job = rechecked();
        Set<Long> late = new TreeSet<>();
        for (int i = 0; i < 60; i++) {
            RecheckState state = again(job);
            assertThat(state.caught()).isZero();
            for (RecheckState.NotTested one : state.notTested()) {
                assertThat(one.reason()).isEqualTo("late");
                late.add(one.number());
            }
        }
        assertThat(late).containsExactly(3L, 4L);
        assertThat(alarms()).isEmpty();
    }

    @Test
    void numbersThatWereSealedAtOtherTimesDoNotCount() throws Exception {
        byte[][] first = chain(0);
        clock().advance(Duration.ofHours(1));
        String from = "\"from\": \"" + now() + "\"";
        List<byte[]> all = new ArrayList<>(Arrays.asList(first));
        ChainPosition position = new ChainPosition(
                HIGHEST + 1, Envelope.decode(first[HIGHEST - 1]).digest());
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), device, clock(), new SecureRandom())) {
            for (int i = 0; i < 5; i++) {
                var next = sealer.seal(DeviceSample.draft(SCOPE, now(), List.of(), List.of()), position);
                all.add(next.bytes());
                position = next.next();
            }
        }
        serve(all.toArray(byte[][]::new));
        claims(HIGHEST + 5, "");
        find(0, false);
        RecheckState state = state(rechecked(from));
        assertThat(state.numbers()).isEqualTo(5);
        assertThat(state.unsure()).isZero();
        assertThat(state.tested()).isEqualTo(DRAWN);
    }

    @Test
    void aSenderThatClaimsVeryManyNumbersThinsOutNobodyElses() throws Exception {
        String hostile = "press-hostile";
        SigningKey other = newSender(hostile);
        register(other);
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), other, clock(), new SecureRandom())) {
            List<byte[]> all = new ArrayList<>(Arrays.asList(chain(0)));
            all.add(sealer.seal(
                            DeviceSample.draft(SCOPE, now(), List.of(), List.of()),
                            new ChainPosition(1L << 62, new byte[32]))
                    .bytes());
            serve(all.toArray(byte[][]::new));
            StubGateway.SENDERS.set("[" + claim(SENDER, HIGHEST, "") + ", " + claim(hostile, 1L << 62, "") + "]");
            find(0, false);
            RecheckState state = state(rechecked());
            assertThat(state.numbers()).isEqualTo(HIGHEST);
            assertThat(state.tested()).isEqualTo(DRAWN);
            assertThat(state.unchecked()).contains(hostile).doesNotContain(SENDER);
        } finally {
            custody.change(keys -> keys.removeSender(hostile));
        }
    }

    @Test
    void theChainOfAReplacedKeyIsNotThatOfItsSuccessor() throws Exception {
        serve(chain(0));
        claims(HIGHEST, "");
        find(0, false);
        assertThat(state(rechecked()).numbers()).isEqualTo(HIGHEST);
        register(newSender(SENDER));
        RecheckState state = state(rechecked());
        assertThat(state.numbers()).isZero();
        assertThat(state.unchecked()).contains(SENDER);
        assertThat(alarms()).isEmpty();
    }

    @Test
    void whatASearchDoesNotAskOfIsNotDrawn() throws Exception {
        serve(chain(4));
        claims(HIGHEST, "");
        find(0, false);
        RecheckState state = state(rechecked("\"senders\": [\"somebody-else\"]"));
        assertThat(state.numbers()).isZero();
        assertThat(state.unchecked()).doesNotContain(SENDER);
        String mails = start(query("overheated", SCOPE).replace("\"mail\": false", "\"mail\": true"));
        awaitEnd(mails);
        JsonNode off =
                await(mails, one -> one.get("recheck").get("state").asString().equals("off"));
        assertThat(off.get("recheck").get("reason").asString()).isEqualTo("mail has no chain");
    }

    @Test
    void aSearchThatIsRemovedIsNotRechecked() throws Exception {
        serve(chain(4));
        claims(HIGHEST, "");
        find(2, false);
        SearchJob job = rechecked();
        job.forget();
        RecheckState state = again(job);
        assertThat(state.tested()).isZero();
        assertThat(state.notTested()).isEmpty();
    }
}
