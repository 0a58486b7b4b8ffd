package dev.veilgate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.broker.TenantTopics;
import dev.veilgate.gateway.broker.TopicPublisher;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.deliver.OutboundMail;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.ingest.OutdatedBlocks;
import dev.veilgate.gateway.memory.HeapTurns;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.TestStores;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.PostgresServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** From an arrival to what routes do with it: a real store, a real database, a real web server. */
class RoutingTest {
    enum Kind {
        H2,
        POSTGRESQL
    }

    private static final TestTenant ACME = TestTenant.of("acme");
    private static final JsonMapper JSON = new JsonMapper();
    private static PostgresServer postgres;

    private final TestClock clock = new TestClock();
    /** Of senders and searches: stands still, so that they have one epoch on the last day of a month too. */
    private final Clock sealing = Clock.fixed(clock.instant(), ZoneOffset.UTC);

    private final TestTenant.Sender press = ACME.sender("press-1", sealing);
    private final List<OutboundMail> mails = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final List<ActionWorker> workers = new ArrayList<>();
    private volatile int answer = 200;
    private HttpServer web;
    private EnvelopeStore store;
    private long position;

    @TempDir
    private Path folder;

    private record Request(String path, Map<String, List<String>> headers, byte[] body) {
        String header(String name) {
            return headers.entrySet().stream()
                    .filter(each -> each.getKey().equalsIgnoreCase(name))
                    .map(each -> each.getValue().getFirst())
                    .findFirst()
                    .orElse("");
        }
    }

    /** A gateway's part in routing; several may share a database. */
    private final class Gateway {
        final Database database;
        final RouteStore routes;
        final ActionQueue queue;
        final RouteStage stage;
        final ActionWorker worker;
        final FigureCounts figures = new FigureCounts();

        Gateway(Database database, TopicPublisher topics, String... settings) {
            this.database = database;
            Map<String, String> values = new HashMap<>(Map.of("webhook.allow-private", "true"));
            for (int i = 0; i < settings.length; i += 2) {
                values.put(settings[i], settings[i + 1]);
            }
            RouteSettings bound =
                    new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("", RouteSettings.class);
            routes = new RouteStore(database, Arrivals.SCHEMES, clock);
            queue = new ActionQueue(database, store, clock);
            stage = new RouteStage(
                    routes,
                    queue,
                    new OutdatedBlocks(Instant.EPOCH, Optional.empty(), Instant.EPOCH, Arrivals.SCHEMES),
                    new SimpleMeterRegistry());
            GatewaySettings gateway =
                    new GatewaySettings(folder, "mail.acme.example", folder.resolve("access"), List.of());
            worker = new ActionWorker(
                    queue,
                    routes,
                    List.of(
                            new ForwardPerformer(
                                    database,
                                    store,
                                    mails::add,
                                    queue,
                                    clock,
                                    gateway,
                                    bound,
                                    new HeapTurns(HeapTurns.of(512 << 20), Duration.ofMinutes(2), clock)),
                            new TopicPerformer(topics, new TenantTopics("acme", () -> Set.of("acme")), queue, JSON),
                            new WebhookPerformer(queue, JSON, clock, bound)),
                    bound,
                    clock,
                    new SimpleMeterRegistry(),
                    figures);
        }

        Gateway start() {
            worker.start();
            workers.add(worker);
            return this;
        }

        Route install(String name, RouteAction.Kind kind, String target, String... words) throws Exception {
            SearchRequest search = SearchRequest.allOf("acme", List.of(ACME.term(TestTenant.SCOPE, sealing, words)));
            return routes.put(
                    name,
                    PreparedSearch.of(search, Arrivals.SCHEMES),
                    new RouteAction(kind, target),
                    Route.FIRST_RULES,
                    "secret",
                    5);
        }

        void apply(Arrival... arrivals) throws IOException {
            store.add(List.of(arrivals), ++position);
            List<Applied> batch = Arrays.stream(arrivals)
                    .map(arrival -> new Applied(Optional.of(arrival), null, "", List.of()))
                    .toList();
            new TransactionTemplate(database.transactions().getTransactionManager())
                    .executeWithoutResult(status -> stage.apply(batch));
        }

        ActionQueue.Counts counts(Route route) {
            return queue.counts("acme").getOrDefault(route.id(), ActionQueue.Counts.NONE);
        }
    }

    @BeforeEach
    void start() throws IOException {
        store = TestStores.open(folder.resolve("store"));
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/", this::handle);
        web.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        int code = answer; // before the test hears of the call
        requests.add(new Request(
                exchange.getRequestURI().toString(),
                Map.copyOf(exchange.getRequestHeaders()),
                exchange.getRequestBody().readAllBytes()));
        if (code == 302) {
            exchange.getResponseHeaders().add("Location", url("/elsewhere"));
        }
        exchange.sendResponseHeaders(code, -1);
        exchange.close();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + web.getAddress().getPort() + path;
    }

    @AfterEach
    void stop() throws IOException {
        workers.forEach(ActionWorker::stop);
        web.stop(0);
        store.close();
    }

    @AfterAll
    static void stopPostgres() {
        if (postgres != null) {
            postgres.close();
        }
    }

    private static Database database(Kind kind) throws IOException {
        if (kind == Kind.H2) {
            return TestDatabase.create();
        }
        if (postgres == null) {
            postgres = new PostgresServer();
        }
        return TestDatabase.create(postgres);
    }

    private static TopicPublisher noBroker() {
        return (topic, payload, properties) -> CompletableFuture.failedFuture(new IOException("no broker"));
    }

    private Arrival arrival(String... lines) {
        return Arrivals.of(press.seal(lines).bytes(), clock.instant());
    }

    /**
     * The next call; time passes until it comes, though not so fast that the lease of one that is under way on a slow
     * machine ends.
     */
    private Request next() throws InterruptedException {
        for (int i = 0; i < 400; i++) {
            Request request = requests.poll(300, TimeUnit.MILLISECONDS);
            if (request != null) {
                return request;
            }
            clock.advance(Duration.ofSeconds(1));
        }
        throw new AssertionError("no call came");
    }

    /** As {@link #await}, while time passes as in {@link #next}. */
    private void awaitInTime(String what, BooleanSupplier condition) {
        AtomicLong moves = new AtomicLong(System.nanoTime());
        await(what, () -> {
            if (System.nanoTime() - moves.get() > TimeUnit.MILLISECONDS.toNanos(300)) {
                clock.advance(Duration.ofSeconds(1));
                moves.set(System.nanoTime());
            }
            return condition.getAsBoolean();
        });
    }

    private static void await(String what, BooleanSupplier condition) {
        await(what, 120, condition);
    }

    private static void await(String what, long seconds, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain for %s", what).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void notesOnceWhatARouteFindsFromItsInstallationToItsRemoval(Kind kind) throws Exception {
        Gateway one = new Gateway(database(kind), noBroker());
        Gateway other = new Gateway(one.database, noBroker());
        Arrival before = arrival("urgent before");
        one.apply(before);
        Route urgent = one.install("urgent", RouteAction.Kind.TOPIC, "alerts/urgent", "urgent");
        Arrival found = arrival("calm", "urgent press", "urgent again");
        other.apply(found, arrival("calm"));
        other.apply(found); // again, as after a crash or from another recipient's server
        assertThat(one.counts(urgent)).isEqualTo(new ActionQueue.Counts(1, 0, 0, found.arrived(), found.arrived()));

        Route replaced = other.install("urgent", RouteAction.Kind.TOPIC, "alerts/urgent", "calm");
        assertThat(replaced.id()).isEqualTo(urgent.id());
        one.apply(arrival("urgent no more"), arrival("calm"));
        assertThat(one.counts(urgent).waiting()).isEqualTo(2);

        ActionQueue.Taken first = one.queue.take(1, List.of()).getFirst();
        assertThat(first.notice().envelope()).isEqualTo(found.envelope().id());
        assertThat(first.notice().sender()).isEqualTo("press-1");
        assertThat(first.notice().arrived()).isEqualTo(found.arrived());
        assertThat(first.notice().records().ordinals()).containsExactly(1, 2);

        assertThat(other.routes.delete("acme", "urgent")).isTrue();
        assertThat(other.routes.delete("acme", "urgent")).isFalse();
        one.apply(arrival("calm"));
        assertThat(one.queue.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void gatewaysTakeEachActionOnceAndAgainAfterALease(Kind kind) throws Exception {
        Gateway one = new Gateway(database(kind), noBroker());
        Gateway other = new Gateway(one.database, noBroker());
        one.install("urgent", RouteAction.Kind.TOPIC, "alerts/urgent", "urgent");
        for (int i = 0; i < 20; i++) {
            one.apply(arrival("urgent"));
        }
        List<ActionQueue.Taken> taken = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Gateway gateway : List.of(one, other, one, other)) {
            threads.add(Thread.startVirtualThread(() -> {
                for (int i = 0; i < 20; i++) {
                    taken.addAll(gateway.queue.take(3, List.of()));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(taken).hasSize(20).doesNotHaveDuplicates();
        clock.advance(ActionQueue.LEASE);
        List<ActionQueue.Taken> again = one.queue.take(100, List.of());
        assertThat(again).hasSize(20).allMatch(each -> each.attempts() == 1);
        assertThat(one.queue.take(100, List.of())).isEmpty();

        one.queue.done(again.getFirst());
        one.queue.giveUp(again.get(1));
        clock.advance(ActionQueue.LEASE);
        assertThat(one.queue.take(100, List.of(again.getFirst().route()))).isEmpty();
        assertThat(one.queue.take(100, List.of())).hasSize(18);
        clock.advance(ActionQueue.REMEMBERED.plus(Duration.ofMinutes(1)));
        one.queue.forget();
        assertThat(one.queue.counts("acme").values()).singleElement().satisfies(counts -> {
            assertThat(counts.waiting()).isEqualTo(18);
            assertThat(counts.done() + counts.givenUp()).isZero();
        });
    }

    @Test
    void limitsTheRoutesOfATenant() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker());
        for (int i = 0; i < 5; i++) {
            gateway.install("route-" + i, RouteAction.Kind.TOPIC, "alerts/x", "urgent");
        }
        assertThatThrownBy(() -> gateway.install("one-more", RouteAction.Kind.TOPIC, "alerts/x", "urgent"))
                .isInstanceOf(RouteStore.TooManyRoutesException.class);
        gateway.install("route-0", RouteAction.Kind.TOPIC, "alerts/y", "urgent");
        assertThat(gateway.routes.list("acme")).hasSize(5);
    }

    @Test
    void callsAWebhookSignedUntilItSucceedsAndNeverAgain() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker()).start();
        Route route = gateway.install("urgent", RouteAction.Kind.WEBHOOK, url("/hook?x=1"), "urgent");
        answer = 500;
        Arrival arrival = arrival("calm", "urgent");
        gateway.apply(arrival);
        Request failed = next();
        answer = 302; // is no success either, and is not followed
        next();
        answer = 204;
        Request done = next();
        await("the mark", () -> gateway.counts(route).done() == 1);

        assertThat(done.path()).isEqualTo("/hook?x=1");
        assertThat(done.header("Veilgate-Delivery"))
                .isEqualTo(route.id() + "/" + arrival.envelope().id() + "/"
                        + EnvelopeName.of(arrival.envelope()).digest())
                .isEqualTo(failed.header("Veilgate-Delivery"));
        String signature = done.header("Veilgate-Signature");
        long seconds = Long.parseLong(signature.substring(2, signature.indexOf(',')));
        assertThat(clock.instant().getEpochSecond() - seconds).isBetween(0L, 60L);
        assertThat(signature)
                .isEqualTo("t=" + seconds + ",v1=" + WebhookPerformer.signature("secret", seconds, done.body()));
        assertThat((Object) JSON.readValue(done.body(), Map.class))
                .isEqualTo(Map.of(
                        "route",
                        "urgent",
                        "tenant",
                        "acme",
                        "envelope",
                        arrival.envelope().id().toString(),
                        "digest",
                        EnvelopeName.of(arrival.envelope()).digest(),
                        "sender",
                        "press-1",
                        "records",
                        List.of(1),
                        "arrived",
                        arrival.arrived().toString()));
        gateway.apply(arrival);
        clock.advance(Duration.ofHours(2));
        Arrival next = arrival("urgent");
        gateway.apply(next);
        Request following = next();
        assertThat(following.header("Veilgate-Delivery"))
                .contains(next.envelope().id().toString());
        assertThat(requests).isEmpty();
    }

    @Test
    void refusesPrivateAddressesAtTheMomentOfTheConnection() throws Exception {
        Gateway gateway =
                new Gateway(database(Kind.H2), noBroker(), "webhook.allow-private", "false", "give-up", "1h").start();
        Route literal = gateway.install("literal", RouteAction.Kind.WEBHOOK, url("/"), "urgent");
        Route named = gateway.install(
                "named",
                RouteAction.Kind.WEBHOOK,
                "http://localhost:" + web.getAddress().getPort() + "/",
                "urgent");
        gateway.apply(arrival("urgent"));
        clock.advance(Duration.ofHours(1));
        awaitInTime(
                "both to be given up",
                () -> gateway.counts(literal).givenUp() + gateway.counts(named).givenUp() == 2);
        assertThat(requests).isEmpty();
        for (String address : List.of(
                "127.0.0.1",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "0.0.0.0",
                "198.18.0.1",
                "192.0.0.8",
                "255.255.255.255",
                "224.0.0.1",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd12::1",
                "::ffff:10.0.0.1",
                "64:ff9b::a00:1",
                "2002:a00:1::",
                "2001::1",
                "ff02::1")) {
            assertThat(PublicAddresses.isPublic(InetAddress.getByName(address)))
                    .as(address)
                    .isFalse();
        }
        for (String address : List.of("192.0.2.1", "8.8.8.8", "2001:db8::1", "2a00:1450:4001::1")) {
            assertThat(PublicAddresses.isPublic(InetAddress.getByName(address)))
                    .as(address)
                    .isTrue();
        }
    }

    @Test
    void aTargetThatNeverAnswersHoldsNoOtherUp() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker(), "webhook.timeout", "45s").start();
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            gateway.install(
                    "silent", RouteAction.Kind.WEBHOOK, "http://127.0.0.1:" + silent.getLocalPort() + "/", "urgent");
            for (int i = 0; i < 20; i++) {
                gateway.apply(arrival("urgent"));
            }
            Route good = gateway.install("good", RouteAction.Kind.WEBHOOK, url("/"), "calm");
            gateway.apply(arrival("calm"));
            await("the other", 40, () -> gateway.counts(good).done() == 1); // before the calls of the other time out
        }
    }

    @Test
    void publishesANoticeWhenTheBrokerIsBack() throws Exception {
        List<String> published = new CopyOnWriteArrayList<>();
        AtomicBoolean away = new AtomicBoolean(true);
        Gateway gateway = new Gateway(database(Kind.H2), (topic, payload, properties) -> {
                    if (away.getAndSet(false)) {
                        return CompletableFuture.failedFuture(new IOException("away"));
                    }
                    published.add(topic + " " + new String(payload, StandardCharsets.UTF_8));
                    return CompletableFuture.completedFuture(null);
                })
                .start();
        Route route = gateway.install("urgent", RouteAction.Kind.TOPIC, "alerts/urgent", "urgent");
        gateway.apply(arrival("urgent"));
        await("the first attempt", () -> !away.get());
        awaitInTime("the second", () -> gateway.counts(route).done() == 1);
        assertThat(published)
                .singleElement()
                .asString()
                .startsWith("alerts/urgent {")
                .contains("\"urgent\"");
    }

    /** Each has failed so often that its own next attempt is an hour away; the clock does not go on by itself. */
    private void failFor(Gateway gateway, int actions) {
        for (int attempt = 1; attempt <= 13; attempt++) {
            int expected = attempt;
            await(expected + " attempts", () -> {
                gateway.queue.wake(); // which else looks every half a second for what is due
                return attempted(gateway, expected) == actions && underWay(gateway) == 0;
            });
            if (attempt < 13) {
                clock.advance(Duration.ofHours(1));
            }
        }
    }

    private static long attempted(Gateway gateway, int times) {
        return gateway.database
                .jdbc()
                .sql("SELECT COUNT(*) FROM route_action WHERE attempts >= ?")
                .param(times)
                .query(Long.class)
                .single();
    }

    /** Those that are taken, for the time of a lease, and not written back. */
    private long underWay(Gateway gateway) {
        return gateway.database
                .jdbc()
                .sql("SELECT COUNT(*) FROM route_action WHERE state = 'waiting' AND due = ?")
                .param(clock.instant().plus(ActionQueue.LEASE).atOffset(ZoneOffset.UTC))
                .query(Long.class)
                .single();
    }

    private List<String> deliveries() {
        return requests.stream()
                .map(request -> request.header("Veilgate-Delivery"))
                .toList();
    }

    private void restartWeb(int port) throws IOException {
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        web.createContext("/", this::handle);
        web.start();
    }

    @ParameterizedTest
    @EnumSource
    void allThatWaitedForAWebServerGoesWhenItAnswersAnyGateway(Kind kind) throws Exception {
        int actions = 30;
        Gateway one = new Gateway(database(kind), noBroker(), "give-up", "30d").start();
        int port = web.getAddress().getPort();
        web.stop(0);
        Route route = one.install("urgent", RouteAction.Kind.WEBHOOK, url("/urgent"), "urgent");
        Route other = one.install("other", RouteAction.Kind.WEBHOOK, url("/other"), "calm");
        for (int i = 0; i < actions; i++) {
            one.apply(arrival("urgent " + i));
        }
        failFor(one, actions);
        one.worker.stop();
        restartWeb(port);
        Gateway two = new Gateway(one.database, noBroker(), "give-up", "30d").start(); // or the first, started again
        two.apply(arrival("calm"));
        await(
                "all",
                60,
                () -> two.counts(route).done() == actions && two.counts(other).done() == 1);
        assertThat(deliveries()).hasSize(actions + 1).doesNotHaveDuplicates();
    }

    @Test
    void aBrokerThatIsAwayIsLookedForAndAllThatWaitedForItGoes() throws Exception {
        int actions = 30;
        AtomicBoolean away = new AtomicBoolean(true);
        List<String> published = new CopyOnWriteArrayList<>();
        Gateway gateway = new Gateway(
                        database(Kind.H2),
                        (topic, payload, properties) -> {
                            if (away.get()) {
                                return CompletableFuture.failedFuture(new IOException("away"));
                            }
                            published.add(topic);
                            return CompletableFuture.completedFuture(null);
                        },
                        "give-up",
                        "30d")
                .start();
        Route route = gateway.install("urgent", RouteAction.Kind.TOPIC, "alerts/urgent", "urgent");
        for (int i = 0; i < actions; i++) {
            gateway.apply(arrival("urgent " + i));
        }
        failFor(gateway, actions);
        away.set(false);
        clock.advance(Duration.ofSeconds(3)); // the next pause of each is of an hour
        await("all", 60, () -> gateway.counts(route).done() == actions);
        assertThat(published).hasSize(actions);
    }

    @Test
    void whatAWebServerRefusesForNowWaitsItsOwnPause() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker()).start();
        Route refused = gateway.install("urgent", RouteAction.Kind.WEBHOOK, url("/urgent"), "urgent");
        Route taken = gateway.install("other", RouteAction.Kind.WEBHOOK, url("/other"), "calm");
        answer = 503;
        for (int i = 0; i < 10; i++) {
            gateway.apply(arrival("urgent " + i));
        }
        await("refused", () -> attempted(gateway, 1) == 10 && underWay(gateway) == 0);
        answer = 200;
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            gateway.apply(arrival("calm " + i));
            await("another", () -> gateway.counts(taken).done() == expected);
        }
        assertThat(requests).hasSize(15);
        assertThat(gateway.counts(refused).waiting()).isEqualTo(10);
        clock.advance(Duration.ofSeconds(3));
        await("in their time", () -> gateway.counts(refused).done() == 10);
    }

    @Test
    void forwardsLogRecordsSealedAsAnAttachment() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker()).start();
        Route route = gateway.install("urgent", RouteAction.Kind.FORWARD, "ops@example.org", "urgent");
        Arrival arrival = arrival("urgent one", "calm", "urgent two");
        gateway.apply(arrival);
        await("the mail", () -> gateway.counts(route).done() == 1);
        OutboundMail mail = mails.getFirst();
        assertThat(mails).hasSize(1);
        assertThat(mail.reversePath()).isEmpty();
        assertThat(mail.recipients()).containsExactly("ops@example.org");
        String text = new String(mail.message(), StandardCharsets.US_ASCII);
        assertThat(text)
                .contains("Subject: Route urgent: 2 records\r\n", "From: veilgate@mail.acme.example\r\n")
                .doesNotContainPattern("[^\r]\n")
                .endsWith("--\r\n");
        String attachment = text.substring(text.lastIndexOf(".vge\"\r\n\r\n") + 9, text.lastIndexOf("\r\n--veilgate"));
        assertThat(Base64.getMimeDecoder().decode(attachment))
                .isEqualTo(arrival.envelope().bytes());
    }

    @Test
    void forwardsASealedMailAsItWasDelivered() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker()).start();
        Route route = gateway.install("urgent", RouteAction.Kind.FORWARD, "pager@example.org", "urgent");
        Arrival mail = Arrivals.mail(ACME, sealing, List.of(TestTenant.SCOPE), "urgent");
        gateway.apply(mail);
        await("the mail", () -> gateway.counts(route).done() == 1);
        String text = new String(mails.getFirst().message(), StandardCharsets.US_ASCII);
        assertThat(text)
                .startsWith("Resent-Date: ")
                .contains("Resent-To: pager@example.org\r\n")
                .endsWith(new String(mail.content(), StandardCharsets.US_ASCII));
    }

    @Test
    void forwardsTheMailThatWasFoundThoughAnotherHasItsId() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker()).start();
        Arrival mail = Arrivals.mail(ACME, sealing, List.of(TestTenant.SCOPE), "urgent");
        Route route = gateway.install("urgent", RouteAction.Kind.FORWARD, "pager@example.org", "urgent");
        gateway.apply(Arrivals.altered(mail, 0, clock.instant()));
        gateway.apply(mail);
        await("the mail", () -> gateway.counts(route).done() == 1);
        assertThat(new String(mails.getFirst().message(), StandardCharsets.US_ASCII))
                .endsWith(new String(mail.content(), StandardCharsets.US_ASCII));
        assertThat(mails).hasSize(1);
    }

    /** A row of an earlier version has no digest: it speaks of the one envelope of the id that there was. */
    @Test
    void whatAnEarlierVersionNotedIsDoneOnce() throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker());
        Route route = gateway.install("urgent", RouteAction.Kind.FORWARD, "pager@example.org", "urgent");
        Arrival mail = Arrivals.mail(ACME, sealing, List.of(TestTenant.SCOPE), "urgent");
        gateway.apply(mail);
        gateway.database.jdbc().sql("UPDATE route_action SET digest = ''").update();
        gateway.apply(mail);
        assertThat(gateway.counts(route).waiting()).isOne();
        gateway.start();
        await("the mail", () -> gateway.counts(route).done() == 1);
        gateway.apply(mail);
        assertThat(gateway.counts(route)).isEqualTo(new ActionQueue.Counts(0, 1, 0, mail.arrived(), null));
        assertThat(mails).hasSize(1);
    }

    /** By its answer, or its program's, whoever gets it would tell a stranger that a route found the mail. */
    @ParameterizedTest
    @CsvSource({"replace, 1", "drop, 0", "keep, 1"})
    void aForwardedMailAsksNobodyToWriteToAStranger(String replyTo, int fields) throws Exception {
        Gateway gateway = new Gateway(database(Kind.H2), noBroker(), "reply-to", replyTo).start();
        Route route = gateway.install("urgent", RouteAction.Kind.FORWARD, "pager@example.org", "urgent");
        Arrival mail = Arrivals.mail(ACME, sealing, List.of(TestTenant.SCOPE), "urgent");
        String rest = "From: eve@elsewhere.example\r\nX-Other: reply-to:\r\n eve@spy.example\r\n";
        String asking = "Reply-To: eve@spy.example\r\nREPLY-TO :\r\n  eve@spy.example\r\n"
                + "Disposition-Notification-To: eve@spy.example\r\nReturn-Receipt-To: eve@spy.example\r\n"
                + "Mail-Followup-To: eve@spy.example\r\n";
        String body = "\r\nReply-To: eve@spy.example in the body\r\n";
        byte[] content = (asking + rest + asking + body).getBytes(StandardCharsets.US_ASCII);
        gateway.apply(new Arrival(mail.envelope(), mail.blocks(), content, mail.arrived()));
        await("the mail", () -> gateway.counts(route).done() == 1);
        String text = new String(mails.getFirst().message(), StandardCharsets.US_ASCII);
        String header = text.substring(0, text.indexOf("\r\n\r\n") + 2);
        assertThat(text).endsWith(rest + (replyTo.equals("keep") ? asking : "") + body);
        if (replyTo.equals("keep")) {
            assertThat(text).endsWith(new String(content, StandardCharsets.US_ASCII));
        } else {
            assertThat(header.replace(rest, ""))
                    .doesNotContain("eve@spy.example")
                    .doesNotContainIgnoringCase("receipt");
            assertThat(header.split("\r\nReply-To: ", -1)).hasSize(1 + fields);
        }
        assertThat(header.contains("\r\nReply-To: veilgate@mail.acme.example\r\n"))
                .isEqualTo(replyTo.equals("replace"));
    }
}
