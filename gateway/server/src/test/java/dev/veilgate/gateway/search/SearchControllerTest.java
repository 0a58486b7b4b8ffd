package dev.veilgate.gateway.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.ingest.Visibility;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.StoreSettings;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Primary;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Searches as a client sees them, over a real server and store. */
class SearchControllerTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final TestClock CLOCK = new TestClock();

    /** Of what is stored and looked for; the other goes on by hours, on the last day of a month into another epoch. */
    private static final Clock SEALING = Clock.fixed(CLOCK.instant(), ZoneOffset.UTC);

    private static final String SEARCHES = "/v1/tenants/acme/searches";
    private static final JsonMapper JSON = new JsonMapper();

    /** Searches take a permit each before they begin, or are cancelled while they wait for it. */
    private static final Semaphore GATE = new Semaphore(0);

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext gateway;
    private static int port;
    private static EnvelopeStore store;
    private static SearchJobs jobs;

    private final HttpClient client = HttpClient.newHttpClient();

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
    @EnableConfigurationProperties({GatewaySettings.class, StoreSettings.class, SearchSettings.class})
    @ComponentScan(
            basePackages = {"dev.veilgate.gateway.http", "dev.veilgate.gateway.search", "dev.veilgate.gateway.store"},
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = ".*(EnvelopeController|Test.*)"))
    static class Gateway {
        @Bean
        Clock clock() {
            return CLOCK;
        }

        @Bean
        TaskScheduler taskScheduler() {
            return new ThreadPoolTaskScheduler();
        }

        @Bean
        FigureCounts figureCounts() {
            return new FigureCounts();
        }

        @Bean
        IndexSchemes indexSchemes() {
            return Arrivals.SCHEMES;
        }

        @Bean
        Visibility visibility() {
            return (tenant, most) -> true; // what is searched here is stored before
        }

        @Bean
        Tenants tenants() {
            return TestTenant.tenants(ACME, TestTenant.of("globex"));
        }

        @Bean
        Access access() {
            Map<String, Principal> tokens = Map.of(
                    "auditor", token("auditor", Set.of(Right.SEARCH), Set.of()),
                    "other", token("other", Set.of(Right.SEARCH), Set.of()),
                    "narrow", token("narrow", Set.of(Right.SEARCH), Set.of("plant-7")),
                    "ingest", token("ingest", Set.of(Right.INGEST), Set.of()));
            return new Access() {
                @Override
                public Optional<Principal> token(String secret) {
                    return Optional.ofNullable(tokens.get(secret));
                }

                @Override
                public Optional<Principal> device(String name, String password) {
                    return Optional.empty();
                }

                @Override
                public Optional<Principal> mailUser(String name, String password) {
                    return Optional.empty();
                }
            };
        }

        private static Principal token(String name, Set<Right> rights, Set<String> scopes) {
            return new Principal(Principal.Kind.TOKEN, name, "acme", rights, scopes);
        }

        @Bean
        @Primary
        EnvelopeStore gated(@Qualifier("envelopeStore") EnvelopeStore real) {
            return (EnvelopeStore) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {EnvelopeStore.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("search")) {
                            BooleanSupplier cancelled = (BooleanSupplier) arguments[2];
                            while (!GATE.tryAcquire(2, TimeUnit.MILLISECONDS) && !cancelled.getAsBoolean()) {}
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @BeforeAll
    static void start() {
        gateway = new SpringApplicationBuilder(Gateway.class)
                .run(
                        "--server.port=0",
                        "--veilgate.data-dir=" + folder,
                        "--veilgate.search.max-request=64KB",
                        "--veilgate.search.jobs-per-tenant=8");
        port = gateway.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        store = gateway.getBean(EnvelopeStore.class);
        jobs = gateway.getBean(SearchJobs.class);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @BeforeEach
    void fill() throws IOException {
        GATE.release(1000);
        TestTenant.Sender sender = ACME.sender("press-1", SEALING);
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            byte[] envelope = sender.sealFor(i % 2 == 0 ? "plant-7" : "plant-8", "ok", i < 8 ? "urgent" : "ok")
                    .bytes();
            arrivals.add(Arrivals.of(envelope, CLOCK.instant()));
        }
        if (store.holdings().isEmpty()) {
            store.add(arrivals, 1);
            store.refresh();
        }
    }

    @AfterEach
    void end() {
        GATE.drainPermits();
        jobs.stop();
        CLOCK.advance(Duration.ofHours(2));
        GATE.release(1000);
        await(() -> {
            jobs.purge();
            return jobs.count() == 0;
        });
        GATE.drainPermits();
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private SearchRequest request(String... scopes) {
        return SearchRequest.allOf(
                "acme",
                List.of(Arrays.stream(scopes)
                        .flatMap(scope -> ACME.term(scope, SEALING, "urgent").stream())
                        .toList()));
    }

    private HttpRequest.Builder http(String path, String token) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> post(SearchRequest request, String token) {
        return send(http(SEARCHES, token)
                .header("Content-Type", SearchRequest.MEDIA_TYPE)
                .POST(BodyPublishers.ofByteArray(request.encode())));
    }

    /** The path of a new search. */
    private String start(SearchRequest request) {
        HttpResponse<String> started = post(request, "auditor");
        assertThat(started.statusCode()).isEqualTo(201);
        String location = started.headers().firstValue("Location").orElseThrow();
        assertThat(location)
                .isEqualTo(
                        SEARCHES + "/" + JSON.readTree(started.body()).get("id").asString());
        return location;
    }

    private JsonNode json(String path) {
        HttpResponse<String> response = send(http(path, "auditor"));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private record Event(String name, String id, JsonNode data) {}

    private List<Event> events(String search, int after) {
        HttpResponse<String> stream =
                send(http(search + "/events", "auditor").header("Last-Event-ID", Integer.toString(after)));
        assertThat(stream.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        List<Event> events = new ArrayList<>();
        for (String event : stream.body().split("\n\n")) {
            if (!event.startsWith(":")) {
                Map<String, String> fields = new java.util.HashMap<>();
                event.lines().forEach(line -> fields.put(line.split(": ", 2)[0], line.split(": ", 2)[1]));
                events.add(new Event(
                        fields.get("event"), fields.getOrDefault("id", ""), JSON.readTree(fields.get("data"))));
            }
        }
        return events;
    }

    private String outcome(String search) {
        return json(search).get("outcome").asString();
    }

    @Test
    void streamsHitsAndTheEndAndGoesOnBehindTheLastHit() {
        String search = start(request("plant-7", "plant-8"));
        List<Event> events = events(search, 0);
        List<Event> hits =
                events.stream().filter(event -> event.name.equals("hit")).toList();
        assertThat(hits.stream().map(Event::id)).containsExactly("1", "2", "3", "4", "5", "6", "7", "8");
        assertThat(hits.stream().map(hit -> hit.data.get("envelope").asString()))
                .doesNotHaveDuplicates();
        JsonNode first = hits.getFirst().data;
        assertThat(first.get("sender").asString()).isEqualTo("press-1");
        assertThat(first.get("records").toString()).isEqualTo("[1]");
        assertThat(first.get("detached").asBoolean()).isFalse();
        assertThat(first.get("sequence").asLong()).isBetween(1L, 8L);
        assertThat(first.get("first").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        Event end = events.getLast();
        assertThat(end.name).isEqualTo("end");
        assertThat(end.data.get("outcome").asString()).isEqualTo("complete");
        assertThat(end.data.get("hits").asLong()).isEqualTo(8);
        assertThat(end.data.get("envelopes").asLong()).isEqualTo(12);
        assertThat(end.data.get("envelopesDone").asLong()).isEqualTo(12);
        assertThat(end.data.has("millis")).isTrue();
        assertThat(end.data.get("notAsked").toString()).isEqualTo("{\"targets\":[],\"more\":0}");
        assertThat(events(search, 6).stream()
                        .filter(event -> event.name.equals("hit"))
                        .map(Event::id))
                .containsExactly("7", "8");
    }

    @Test
    void pagesAndExportsTheSameHits() {
        String search = start(request("plant-7", "plant-8"));
        String all = send(http(search + "/export", "auditor")).body();
        List<String> lines = all.lines().toList();
        assertThat(lines).hasSize(8);
        List<String> paged = new ArrayList<>();
        JsonNode page;
        do {
            page = json(search + "/hits?limit=3&after=" + paged.size());
            page.get("hits").forEach(hit -> paged.add(hit.toString()));
            assertThat(page.get("last").asLong()).isEqualTo(paged.size());
        } while (!page.get("end").asBoolean());
        assertThat(paged).isEqualTo(lines);
        assertThat(json(search + "/hits?after=8").get("hits").isEmpty()).isTrue();
    }

    @Test
    void aRunningSearchIsCancelledAndItsStreamEnds() throws Exception {
        GATE.drainPermits();
        String search = start(request("plant-7"));
        assertThat(outcome(search)).isEqualTo("running");
        assertThat(json(search + "/hits").get("end").asBoolean()).isFalse();
        var stream = client.sendAsync(http(search + "/events", "auditor").build(), BodyHandlers.ofString());
        assertThat(send(http(search, "auditor").DELETE()).statusCode()).isEqualTo(204);
        assertThat(stream.get(60, TimeUnit.SECONDS).body()).contains("\"outcome\":\"cancelled\"");
        assertThat(outcome(search)).isEqualTo("cancelled");
        assertThat(send(http(search + "/export", "auditor")).statusCode()).isEqualTo(409);
        assertThat(send(http(search, "auditor").DELETE()).statusCode()).isEqualTo(204);
        assertThat(send(http(search, "auditor")).statusCode()).isEqualTo(404);
        assertThat(jobs.count()).isZero();
    }

    @Test
    void aClientThatGoesAwayDoesNotStopTheSearch() throws Exception {
        GATE.drainPermits();
        String search = start(request("plant-7", "plant-8"));
        try (HttpClient gone = HttpClient.newHttpClient()) {
            var stream = gone.send(http(search + "/events", "auditor").build(), BodyHandlers.ofInputStream());
            stream.body().close();
            gone.shutdownNow();
        }
        GATE.release(1);
        await(() -> outcome(search).equals("complete"));
        assertThat(events(search, 0).getLast().data.get("hits").asLong()).isEqualTo(8);
    }

    @Test
    void nobodyElseSeesIt() {
        String search = start(request("plant-7"));
        for (String what : List.of("", "/events", "/hits", "/export")) {
            assertThat(send(http(search + what, "other")).statusCode()).isEqualTo(404);
        }
        assertThat(send(http(search, "other").DELETE()).statusCode()).isEqualTo(404);
        assertThat(send(http(search, "nobody")).statusCode()).isEqualTo(401);
        assertThat(send(http(search, "ingest")).statusCode()).isEqualTo(403);
        assertThat(send(http(search.replace("acme", "globex"), "auditor")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void searchesOnlyScopesThatTheTokenMaySee() {
        assertThat(post(request("plant-7"), "narrow").statusCode()).isEqualTo(201);
        HttpResponse<String> refused = post(request("plant-7", "plant-8"), "narrow");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        assertThat(refused.body()).doesNotContain("plant-8");
    }

    @Test
    void aGrantThatIsThereMustHold() {
        SearchRequest wanted = request("plant-7");
        var later = CLOCK.instant().plusSeconds(600).truncatedTo(ChronoUnit.SECONDS);
        SearchRequest granted = ACME.keys().granted(wanted, "auditor", later);
        assertThat(post(granted, "auditor").statusCode()).isEqualTo(201);
        SearchRequest expired = ACME.keys().granted(wanted, "auditor", later.minusSeconds(1200));
        assertThat(post(expired, "auditor").statusCode()).isEqualTo(403);
        SearchRequest forged = TestTenant.of("globex").keys().granted(wanted, "auditor", later);
        assertThat(post(forged, "auditor").statusCode()).isEqualTo(403);
        SearchRequest other = request("plant-8").with(granted.grant().orElseThrow());
        assertThat(post(other, "auditor").statusCode()).isEqualTo(403);
    }

    @Test
    void refusesWhatIsNoSearch() {
        HttpRequest.Builder garbage = http(SEARCHES, "auditor").header("Content-Type", SearchRequest.MEDIA_TYPE);
        assertThat(send(garbage.POST(BodyPublishers.ofByteArray(new byte[20]))).statusCode())
                .isEqualTo(400);
        assertThat(send(garbage.POST(BodyPublishers.ofByteArray(new byte[65_537])))
                        .statusCode())
                .isEqualTo(413);
        SearchRequest ofOther = SearchRequest.allOf("globex", request("plant-7").terms());
        assertThat(post(ofOther, "auditor").statusCode()).isEqualTo(400);
        String search = start(request("plant-7"));
        for (String bad : List.of("/hits?limit=0", "/hits?limit=1001", "/hits?after=-1", "/hits?after=x")) {
            assertThat(send(http(search + bad, "auditor")).statusCode()).isEqualTo(400);
        }
        assertThat(send(http(SEARCHES + "/not-an-id", "auditor")).statusCode()).isEqualTo(400);
    }

    @Test
    void endedOnesMakeRoomAndRunningOnesDoNot() {
        List<String> ended = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            String search = start(request("plant-7"));
            ended.add(search);
            await(() -> outcome(search).equals("complete"));
            CLOCK.advance(Duration.ofSeconds(1));
        }
        assertThat(send(http(ended.get(0), "auditor")).statusCode()).isEqualTo(404);
        assertThat(send(http(ended.get(1), "auditor")).statusCode()).isEqualTo(200);
        GATE.drainPermits();
        for (int i = 0; i < 8; i++) {
            start(request("plant-7"));
        }
        assertThat(post(request("plant-7"), "auditor").statusCode()).isEqualTo(429);
    }

    @Test
    void anAbandonedSearchIsCancelledAndRemoved() {
        GATE.drainPermits();
        String abandoned = start(request("plant-7"));
        CLOCK.advance(Duration.ofMinutes(20));
        String watched = start(request("plant-7"));
        CLOCK.advance(Duration.ofMinutes(20));
        assertThat(outcome(watched)).isEqualTo("running");
        await(() -> {
            jobs.purge();
            return jobs.count() == 1;
        });
        assertThat(send(http(abandoned, "auditor")).statusCode()).isEqualTo(404);
        assertThat(outcome(watched)).isEqualTo("running");
    }
}
