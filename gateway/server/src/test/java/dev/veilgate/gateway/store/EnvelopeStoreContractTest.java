package dev.veilgate.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.veilgate.application.TestClock;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.ingest.ForgedMail;
import dev.veilgate.gateway.store.EnvelopeStore.Holdings;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store keeps to. */
abstract class EnvelopeStoreContractTest {
    private static final long SEED = Long.getLong("veilgate.seed", 1);
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final TestTenant GLOBEX = TestTenant.of("globex");
    private static final String[] WORDS = {"urgent", "overheat", "valve", "pump", "ok"};
    private static final List<String> SCOPES = List.of("plant-7", "plant-8");

    private final SplittableRandom random = new SplittableRandom(SEED);
    final TestClock clock = new TestClock();
    EnvelopeStore store;
    private final Map<String, TestTenant.Sender> senders = new HashMap<>();

    /** A new, empty store. */
    abstract EnvelopeStore open() throws Exception;

    /** The store as another process finds it after this one was killed; the given one is not used any more. */
    abstract EnvelopeStore afterCrash(EnvelopeStore killed) throws Exception;

    @BeforeEach
    void start() throws Exception {
        store = open();
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
    }

    final Arrival lines(TestTenant tenant, String scope, String... lines) {
        String name = "press-" + (1 + random.nextInt(3));
        TestTenant.Sender sender =
                senders.computeIfAbsent(tenant.keys().tenant() + name, key -> tenant.sender(name, clock));
        return Arrivals.of(sender.sealFor(scope, lines).bytes(), clock.instant());
    }

    private Arrival randomLines(TestTenant tenant) {
        clock.advance(Duration.ofSeconds(1));
        String[] lines = new String[1 + random.nextInt(5)];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = WORDS[random.nextInt(WORDS.length)] + " " + WORDS[random.nextInt(WORDS.length)] + " x" + i;
        }
        return lines(tenant, SCOPES.get(random.nextInt(SCOPES.size())), lines);
    }

    final SearchRequest request(TestTenant tenant, String scope, String... allOf) {
        return SearchRequest.allOf(
                tenant.keys().tenant(),
                Arrays.stream(allOf)
                        .map(word -> tenant.term(scope, clock, word))
                        .toList());
    }

    final Found search(SearchRequest request) throws Exception {
        Found found = new Found();
        SearchProgress last = store.search(PreparedSearch.of(request, Arrivals.SCHEMES), found, () -> false);
        assertThat(found.last).isEqualTo(last);
        assertThat(last.envelopesDone()).isEqualTo(last.envelopes());
        assertThat(last.hits()).isEqualTo(found.hits.size());
        return found;
    }

    private static Map<UUID, RecordSet> plain(SearchRequest request, List<Arrival> stored) throws Exception {
        PreparedSearch search = PreparedSearch.of(request, Arrivals.SCHEMES);
        Map<UUID, RecordSet> found = new HashMap<>();
        for (Arrival arrival : stored) {
            RecordSet records =
                    search.match(arrival.envelope(), IndexAdmission.trust(arrival.envelope(), Arrivals.SCHEMES));
            if (!records.isEmpty()) {
                found.put(arrival.envelope().id(), records);
            }
        }
        return found;
    }

    static byte @Nullable [] content(StoredEnvelope stored) throws IOException {
        StoredContent content = stored.content();
        if (content == null) {
            return null;
        }
        byte[] bytes = content.open().readAllBytes();
        assertThat(content.bytes()).isEqualTo(bytes.length);
        return bytes;
    }

    private void assertStored(Arrival arrival) throws IOException {
        Envelope envelope = arrival.envelope();
        EnvelopeName name = EnvelopeName.of(envelope);
        assertThat(store.contains(envelope.tenant(), name)).isTrue();
        assertThat(store.named(envelope.tenant(), envelope.id())).hasValue(name);
        StoredEnvelope found = store.find(envelope.tenant(), name).orElseThrow();
        assertThat(found.envelope().bytes()).isEqualTo(envelope.bytes());
        assertThat(content(found)).isEqualTo(arrival.content());
        assertThat(found.arrived()).isEqualTo(arrival.arrived());
    }

    @Test
    void givesBackByteForByteWhatItTookVisibleOrNotAndAfterACrash() throws Exception {
        List<Arrival> all = List.of(
                lines(ACME, "plant-7", "urgent valve", "ok"),
                Arrivals.mail(ACME, clock, SCOPES, "urgent"),
                Arrivals.ofSchemeFromTomorrow(ACME, clock, "pump"),
                Arrivals.heartbeat(ACME, clock));
        store.add(all, 10);
        for (Arrival arrival : all) {
            assertStored(arrival);
        }
        store.refresh();
        for (Arrival arrival : all) {
            assertStored(arrival);
        }
        store.commit();
        store = afterCrash(store);
        for (Arrival arrival : all) {
            assertStored(arrival);
        }
        assertThat(store.find("acme", UUID.randomUUID())).isEmpty();
        assertThat(store.named("acme", UUID.randomUUID())).isEmpty();
    }

    @Test
    void searchesFindWhatTestOfEachEnvelopeFinds() throws Exception {
        List<Arrival> stored = new ArrayList<>();
        for (int batch = 0; batch < 4; batch++) {
            List<Arrival> arrivals = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                arrivals.add(randomLines(i % 4 == 0 ? GLOBEX : ACME));
            }
            arrivals.add(Arrivals.mail(ACME, clock, SCOPES, "urgent", "pump"));
            arrivals.add(Arrivals.ofSchemeFromTomorrow(ACME, clock, "valve"));
            store.add(arrivals, batch);
            stored.addAll(arrivals);
            store.refresh();
        }
        int hits = 0;
        for (int i = 0; i < 30; i++) {
            SearchRequest request = randomRequest(i % 5 == 0 ? GLOBEX : ACME, stored);
            Found found = search(request);
            assertThat(found.records()).as("seed %d", SEED).isEqualTo(plain(request, stored));
            hits += found.hits.size();
        }
        assertThat(hits).isPositive();
    }

    private SearchRequest randomRequest(TestTenant tenant, List<Arrival> stored) {
        SearchRequest words = request(
                tenant,
                SCOPES.get(random.nextInt(SCOPES.size())),
                WORDS[random.nextInt(WORDS.length)],
                WORDS[random.nextInt(WORDS.length)]);
        Expression first = new Expression.Term(0);
        Expression second = new Expression.Term(1);
        Expression expression = switch (random.nextInt(3)) {
            case 0 -> new Expression.And(List.of(first, second));
            case 1 -> new Expression.Or(List.of(first, second));
            default -> new Expression.And(List.of(second, new Expression.Not(first)));
        };
        Instant time = stored.get(random.nextInt(stored.size())).envelope().first();
        Filter filter = switch (random.nextInt(4)) {
            case 0 -> new Filter(Optional.of(time), Optional.empty(), Set.of());
            case 1 -> new Filter(Optional.empty(), Optional.of(time), Set.of("press-1", ""));
            default -> Filter.NONE;
        };
        return new SearchRequest(words.tenant(), words.terms(), expression, filter, Optional.empty());
    }

    @Test
    void hitsSayWhatClearMetadataSays() throws Exception {
        Arrival lines = lines(ACME, "plant-7", "ok", "urgent");
        Arrival mail = Arrivals.mail(ACME, clock, SCOPES, "urgent");
        store.add(List.of(lines, mail), 1);
        store.refresh();
        Found found = search(request(ACME, "plant-7", "urgent"));
        assertThat(found.hits.values())
                .containsExactlyInAnyOrder(hit(lines, RecordSet.of(1)), hit(mail, RecordSet.of(0)));
    }

    private List<UUID> expired(String tenant, Instant before, Predicate<String> scope, int limit) throws IOException {
        return store.expired(tenant, before, scope, name -> false, limit).stream()
                .map(expired -> expired.name().id())
                .toList();
    }

    private static SearchHit hit(Arrival arrival, RecordSet records) {
        Envelope envelope = arrival.envelope();
        return new SearchHit(
                envelope.id(),
                EnvelopeName.of(envelope).digest(),
                envelope.sender(),
                envelope.sequence(),
                envelope.first(),
                envelope.last(),
                envelope.detachedDigest().isPresent(),
                records);
    }

    @Test
    void holdsEachEnvelopeOnceHoweverOftenItIsGiven() throws Exception {
        Arrival first = lines(ACME, "plant-7", "urgent");
        Arrival second = lines(ACME, "plant-7", "urgent");
        store.add(List.of(first, first), 10);
        store.add(List.of(first), 10);
        store.refresh();
        store.add(List.of(first, second), 20);
        store.commit();
        store.add(List.of(second), 20);
        store.refresh();
        assertThat(search(request(ACME, "plant-7", "urgent")).hits).hasSize(2);
        assertThat(store.holdings()).containsOnly(Map.entry("acme", new Holdings(2, 2, 2)));
    }

    @Test
    void afterACrashItSaysFromWhereToGiveEverythingAgain() throws Exception {
        assertThat(store.position()).isZero();
        Arrival durable = lines(ACME, "plant-7", "urgent");
        Arrival lost = lines(ACME, "plant-7", "urgent");
        store.add(List.of(durable), 100);
        assertThat(store.position()).isZero();
        store.commit();
        assertThat(store.position()).isEqualTo(100);
        store.add(List.of(lost), 200);
        store.refresh();
        store = afterCrash(store);
        assertThat(store.position()).isEqualTo(100);
        store.add(List.of(lost), 200);
        store.refresh();
        assertThat(search(request(ACME, "plant-7", "urgent")).hits)
                .containsOnlyKeys(durable.envelope().id(), lost.envelope().id());
        store.commit();
        store = afterCrash(store);
        assertThat(store.position()).isEqualTo(200);
        assertStored(lost);
    }

    @Test
    void tenantsAreNeverMixed() throws Exception {
        Arrival own = lines(ACME, "plant-7", "urgent");
        Arrival other = lines(GLOBEX, "plant-7", "urgent");
        store.add(List.of(own, other), 1);
        store.refresh();
        assertThat(search(request(ACME, "plant-7", "urgent")).hits)
                .containsOnlyKeys(own.envelope().id());
        assertThat(store.find("globex", own.envelope().id())).isEmpty();
        assertThat(store.contains("globex", name(own))).isFalse();
        store.delete("globex", List.of(name(own)));
        assertStored(own);
        SearchRequest acme = request(ACME, "plant-7", "urgent");
        assertThat(search(SearchRequest.allOf("globex", acme.terms())).hits).isEmpty();
        assertThat(expired("acme", clock.instant().plusMillis(1), scope -> true, 10))
                .containsExactly(own.envelope().id());
    }

    @Test
    void whatIsDeletedIsGoneForGood() throws Exception {
        Arrival kept = lines(ACME, "plant-7", "urgent");
        Arrival deleted = lines(ACME, "plant-7", "urgent");
        Arrival unseen = lines(ACME, "plant-7", "urgent");
        store.add(List.of(kept, deleted), 10);
        store.refresh();
        assertThat(search(request(ACME, "plant-7", "urgent")).hits).hasSize(2);
        store.add(List.of(unseen), 20);
        store.delete("acme", List.of(name(deleted), name(unseen)));
        store.commit();
        store.refresh();
        assertThat(search(request(ACME, "plant-7", "urgent")).hits)
                .containsOnlyKeys(kept.envelope().id());
        store = afterCrash(store);
        assertThat(store.find("acme", deleted.envelope().id())).isEmpty();
        assertThat(store.contains("acme", name(unseen))).isFalse();
        assertThat(store.holdings()).containsOnly(Map.entry("acme", new Holdings(1, 1, 1)));
    }

    @Test
    void besideAPlaceAreTheNearestOfItsSender() throws Exception {
        List<Arrival> chain = new ArrayList<>();
        TestTenant.Sender press = ACME.register("press-9", clock);
        for (int i = 0; i < 7; i++) {
            clock.advance(Duration.ofSeconds(1));
            String scope = i == 3 ? "plant-8" : "plant-7";
            chain.add(Arrivals.of(press.sealFor(scope, "line " + i).bytes(), clock.instant()));
            store.add(List.of(chain.get(i), randomLines(ACME), randomLines(GLOBEX)), i + 1);
            if (i % 3 == 0) {
                store.refresh(); // several segments
            }
        }
        store.refresh();
        long middle = chain.get(4).envelope().sequence();
        assertThat(beside(middle, false, scope -> true, 2)).containsExactly(id(chain, 3), id(chain, 2));
        assertThat(beside(middle, true, scope -> true, 9)).containsExactly(id(chain, 5), id(chain, 6));
        assertThat(beside(middle, false, "plant-7"::equals, 2)).containsExactly(id(chain, 2), id(chain, 1));
        store.delete("acme", List.of(name(chain.get(2))));
        store.commit();
        store.refresh();
        assertThat(beside(middle, false, "plant-7"::equals, 1)).containsExactly(id(chain, 1));
        assertThat(store.beside("globex", "press-9", middle, false, scope -> true, 9))
                .isEmpty();
        assertThat(beside(Long.MAX_VALUE, true, scope -> true, 9)).isEmpty();
    }

    @Test
    void mailIsDrawnEvenlyAndNoneTwice() throws Exception {
        List<Arrival> mails = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            List<String> scopes = i == 3 ? List.of("plant-8") : SCOPES;
            mails.add(Arrivals.mail(ACME, clock, scopes, "urgent"));
            store.add(List.of(mails.get(i), randomLines(ACME), Arrivals.mail(GLOBEX, clock, SCOPES, "urgent")), i + 1);
            if (i % 3 == 0) {
                store.refresh(); // several segments
            }
        }
        store.delete("acme", List.of(name(mails.get(5))));
        store.commit();
        store.refresh();
        Set<UUID> here = new HashSet<>(IntStream.range(0, 7)
                .filter(i -> i != 5)
                .mapToObj(i -> id(mails, i))
                .toList());
        assertThat(drawn(_ -> true, 100, random)).containsExactlyInAnyOrderElementsOf(here);
        here.remove(id(mails, 3));
        assertThat(drawn("plant-7"::equals, 100, random)).containsExactlyInAnyOrderElementsOf(here);
        assertThat(timesOfFive(random))
                .as("1,200 each, and 27 more or less")
                .hasSize(5)
                .allMatch(n -> n > 1_030 && n < 1_370);
        assertThat(timesOfFive(() -> 0)).as("without chance").contains(3_000);
    }

    /** How often each of five mails is among two, which are drawn 3,000 times. */
    private List<Integer> timesOfFive(RandomGenerator chance) throws IOException {
        Map<UUID, Integer> times = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            List<UUID> two = drawn("plant-7"::equals, 2, chance);
            assertThat(two).hasSize(2).doesNotHaveDuplicates();
            two.forEach(id -> times.merge(id, 1, Integer::sum));
        }
        return List.copyOf(times.values());
    }

    private List<UUID> drawn(Predicate<String> scope, int most, RandomGenerator chance) throws IOException {
        return store.drawn("acme", "", scope, most, chance).stream()
                .map(EnvelopeStore.Placed::id)
                .toList();
    }

    static EnvelopeName name(Arrival arrival) {
        return EnvelopeName.of(arrival.envelope());
    }

    private static UUID id(List<Arrival> chain, int i) {
        return chain.get(i).envelope().id();
    }

    private List<UUID> beside(long place, boolean later, Predicate<String> scope, int limit) throws IOException {
        return store.beside("acme", "press-9", place, later, scope, limit).stream()
                .map(EnvelopeStore.Placed::id)
                .toList();
    }

    private void assertKept(Arrival arrival) throws IOException {
        StoredEnvelope found = store.find("acme", name(arrival)).orElseThrow();
        assertThat(found.envelope().bytes()).isEqualTo(arrival.envelope().bytes());
        assertThat(content(found)).isEqualTo(arrival.content());
        assertThat(store.contains("acme", name(arrival))).isTrue();
    }

    @Test
    void keepsSeveralEnvelopesOfAnIdEachOnce() throws Exception {
        Arrival genuine = Arrivals.mail(ACME, clock, SCOPES, "urgent");
        Arrival before = Arrivals.altered(genuine, 0, clock.instant());
        Arrival after = Arrivals.altered(genuine, 1, clock.instant());
        List<Arrival> all = List.of(before, genuine, after);
        UUID id = genuine.envelope().id();
        store.add(List.of(before), 1);
        assertThat(store.named("acme", id)).hasValue(name(before));
        assertThat(store.isShared("acme", id)).isFalse();
        store.add(List.of(genuine, before), 2);
        for (int step = 0; step < 4; step++) {
            if (step == 1) {
                store.refresh();
                store.add(List.of(after), 3);
            }
            if (step == 2) {
                store.add(all, 4);
                store.refresh();
            }
            if (step == 3) {
                store.commit();
                store = afterCrash(store);
            }
            for (Arrival arrival : step == 0 ? all.subList(0, 2) : all) {
                assertKept(arrival);
            }
            assertThat(store.named("acme", id)).isEmpty();
            assertThat(store.find("acme", id)).isEmpty();
            assertThat(store.isShared("acme", id)).isTrue();
            assertThat(store.isShared("globex", id)).isFalse();
        }
        assertThat(store.holdings().get("acme").envelopes()).isEqualTo(3);
        assertThat(store.names("acme", null, 10).names())
                .containsExactlyInAnyOrder(name(before), name(genuine), name(after));
        assertThat(search(request(ACME, "plant-7", "urgent")).hits)
                .containsOnly(Map.entry(id, hit(genuine, RecordSet.of(0))));
        store.delete("acme", List.of(name(before), name(after)));
        assertThat(store.contains("acme", name(before))).isFalse();
        assertThat(store.find("acme", name(after))).isEmpty();
        assertStored(genuine);
        assertThat(store.isShared("acme", id)).isFalse();
        assertThat(search(request(ACME, "plant-7", "urgent")).hits).hasSize(1);
    }

    /** A mail with random bytes beside it. */
    Arrival withContent(int bytes) throws Exception {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        Arrival mail = Arrivals.mail(ACME, clock, SCOPES, "urgent");
        return Arrivals.of(mail.envelope().bytes(), content, clock.instant());
    }

    @Test
    void aLargeContentIsReadInPiecesUntilItIsDeleted() throws Exception {
        List<Arrival> mails = List.of(withContent(3_500_001), withContent(2 << 20), withContent(1), withContent(0));
        store.add(mails, 1);
        for (Arrival mail : mails) {
            assertStored(mail);
        }
        store.refresh();
        store.add(List.of(lines(ACME, "plant-7", "urgent")), 2);
        store.commit();
        store.refresh();
        for (Arrival mail : mails) {
            assertStored(mail);
        }
        store = afterCrash(store);
        assertThat(search(request(ACME, "plant-7", "urgent")).hits).hasSize(mails.size() + 1);
        for (Arrival mail : mails) {
            assertStored(mail);
        }
        StoredContent content =
                store.find("acme", name(mails.getFirst())).orElseThrow().content();
        InputStream begun = content.open();
        assertThat(begun.read()).isGreaterThanOrEqualTo(0);
        store.delete("acme", List.of(name(mails.getFirst())));
        assertThatIOException().isThrownBy(begun::readAllBytes).withMessageContaining("deleted");
        assertThat(store.find("acme", name(mails.getFirst()))).isEmpty();
        assertStored(mails.get(1));
    }

    @Test
    void theIdAloneMeansTheSignedEnvelope() throws Exception {
        Arrival signed = lines(ACME, "plant-7", "urgent");
        UUID id = signed.envelope().id();
        Arrival mail = Arrivals.mail(ACME, clock, SCOPES, "urgent");
        Arrival unsigned =
                Arrivals.of(ForgedMail.envelopeWithId(mail.envelope().bytes(), id), mail.content(), clock.instant());
        store.add(List.of(unsigned), 1);
        store.refresh();
        assertThat(store.named("acme", id)).hasValue(name(unsigned));
        assertThat(store.signed("acme", signed.envelope().sender(), id)).isEmpty();
        store.add(List.of(signed), 2);
        for (int step = 0; step < 2; step++) {
            assertThat(store.named("acme", id)).hasValue(name(signed));
            assertThat(store.signed("acme", signed.envelope().sender(), id)).containsExactly(name(signed));
            assertThat(store.signed("acme", "press-4", id)).isEmpty();
            assertKept(unsigned);
            assertStored(signed);
            store.refresh();
        }
        store.delete("acme", List.of(name(signed)));
        assertStored(unsigned);
    }

    @Test
    void expiredAreThoseAllOfWhoseScopesAreOldestFirst() throws Exception {
        Arrival seven = lines(ACME, "plant-7", "ok");
        clock.advance(Duration.ofMinutes(1));
        Arrival both = Arrivals.mail(ACME, clock, SCOPES, "ok");
        clock.advance(Duration.ofMinutes(1));
        Arrival none = Arrivals.heartbeat(ACME, clock);
        clock.advance(Duration.ofMinutes(1));
        Arrival late = lines(ACME, "plant-7", "ok");
        store.add(List.of(late, none), 1);
        store.refresh();
        store.add(List.of(both, seven), 2);
        store.refresh();
        Instant before = late.arrived();
        assertThat(expired("acme", before, scope -> true, 10))
                .containsExactly(
                        seven.envelope().id(),
                        both.envelope().id(),
                        none.envelope().id());
        assertThat(expired("acme", before, scope -> true, 2))
                .containsExactly(seven.envelope().id(), both.envelope().id());
        assertThat(expired("acme", before, "plant-7"::equals, 10))
                .containsExactly(seven.envelope().id());
        EnvelopeStore.Expired expired = store.expired("acme", before, "plant-7"::equals, name -> false, 1)
                .getFirst();
        assertThat(expired.sender()).isEqualTo(seven.envelope().sender());
        assertThat(expired.sequence()).isEqualTo(seven.envelope().sequence());
        assertThat(expired.name()).isEqualTo(name(seven));
        assertThat(expired("acme", before, ""::equals, 10))
                .containsExactly(none.envelope().id());
    }

    @Test
    void aCancelledSearchEndsEarly() throws Exception {
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            arrivals.add(lines(ACME, "plant-7", "urgent"));
        }
        store.add(arrivals, 1);
        store.refresh();
        AtomicInteger asked = new AtomicInteger();
        Found found = new Found();
        SearchProgress last = store.search(
                PreparedSearch.of(request(ACME, "plant-7", "urgent"), Arrivals.SCHEMES),
                found,
                () -> asked.incrementAndGet() > 10);
        assertThat(last.envelopes()).isEqualTo(50);
        assertThat(last.blocksTested()).isLessThan(50);
        assertThat(found.last).isEqualTo(last);
        assertThat(found.hits).hasSizeLessThan(50);
        assertThat(found.unasked).as("it did not go through all").isNull();
    }

    /** Another epoch of the scope that is searched, and no other scope and no other tenant. */
    @Test
    void namesWhatIsInTheRangeOfASearchAndWasNotAsked() throws Exception {
        Instant before = clock.instant();
        TestTenant.Sender sender = ACME.sender("press-4", clock);
        List<Arrival> arrivals = new ArrayList<>();
        for (String scope : SCOPES) {
            arrivals.add(Arrivals.of(sender.sealFor(scope, "urgent").bytes(), before));
        }
        arrivals.add(lines(GLOBEX, "plant-7", "urgent"));
        String first = ACME.epoch(clock);
        clock.advance(Duration.ofDays(40));
        arrivals.add(Arrivals.of(sender.sealFor("plant-7", "urgent").bytes(), clock.instant()));
        store.add(arrivals, 1);
        store.refresh();
        SearchRequest request = request(ACME, "plant-7", "urgent");
        assertThat(search(request).unasked)
                .singleElement()
                .satisfies(target ->
                        assertThat(target.scope() + " " + target.epoch()).isEqualTo("plant-7 " + first));
        Filter late = new Filter(Optional.of(before.plusSeconds(1)), Optional.empty(), Set.of());
        assertThat(search(request.with(late)).unasked).as("out of the range").isEmpty();
        store.delete("acme", List.of(name(arrivals.getFirst())));
        assertThat(search(request).unasked).as("deleted").isEmpty();
    }

    @Test
    void aRepeatedSearchFindsWhatIsThereNowAndTestsWhatIsNew() throws Exception {
        List<Arrival> stored = new ArrayList<>();
        SearchRequest request = request(ACME, "plant-7", "urgent");
        SearchRequest late =
                request.with(new Filter(Optional.of(clock.instant().plusSeconds(60)), Optional.empty(), Set.of()));
        for (int round = 1; round <= 3; round++) {
            List<Arrival> arrivals = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                arrivals.add(randomLines(ACME));
            }
            store.add(arrivals, round);
            stored.addAll(arrivals);
            store.refresh();
            assertFindsByTest(request, late, stored);
            List<Arrival> gone = List.copyOf(stored.subList(0, 10));
            store.delete(
                    "acme", gone.stream().map(EnvelopeStoreContractTest::name).toList());
            stored.removeAll(gone);
            assertFindsByTest(request, late, stored);
        }
    }

    /** Searches twice: the second time what the first one learnt suffices. */
    private void assertFindsByTest(SearchRequest request, SearchRequest late, List<Arrival> stored) throws Exception {
        for (SearchRequest each : List.of(late, request, late, request)) {
            assertThat(search(each).records()).isEqualTo(plain(each, stored));
        }
        SearchProgress again = search(request).last;
        long inScope = stored.stream()
                .filter(arrival -> arrival.envelope().index().getFirst().scope().equals("plant-7"))
                .count();
        assertThat(again.envelopes()).isEqualTo(inScope);
        assertThat(again.blocksTested()).isZero();
        assertThat(again.blocksRemembered()).isEqualTo(inScope); // of one block each
        assertThat(search(late).last.blocksTested()).isZero();
        assertThat(search(late).last.blocksRemembered()).isLessThanOrEqualTo(inScope);
    }

    @Test
    void countsTheEnvelopesOfTheScopesThatAreSearched() throws Exception {
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            arrivals.add(lines(ACME, i % 3 == 0 ? "plant-7" : "plant-8", "urgent"));
        }
        store.add(arrivals, 1);
        store.refresh();
        SearchProgress last = store.search(
                PreparedSearch.of(request(ACME, "plant-7", "urgent"), Arrivals.SCHEMES), new Found(), () -> false);
        assertThat(last.envelopes()).isEqualTo(10);
        assertThat(last.envelopesDone()).isEqualTo(10);
        assertThat(last.hits()).isEqualTo(10);
    }

    @Test
    void saysHowManyThereAreBeforeItLooksAtThem() throws Exception {
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            arrivals.add(lines(ACME, "plant-7", "urgent"));
        }
        store.add(arrivals, 1);
        store.refresh();
        List<SearchProgress> told = new ArrayList<>();
        store.search(
                PreparedSearch.of(request(ACME, "plant-7", "urgent"), Arrivals.SCHEMES),
                new SearchSink() {
                    @Override
                    public void hit(SearchHit hit) {}

                    @Override
                    public void progress(SearchProgress now) {
                        told.add(now);
                    }
                },
                () -> false);
        assertThat(told.getFirst()).isEqualTo(new SearchProgress(20, 0, 0, 0, 0, 0));
        assertThat(told.getLast().envelopesDone()).isEqualTo(20);
    }

    /** While one thread writes, searches and reads see whole batches only, each envelope once. */
    @Test
    void isReadByManyWhileItIsWritten() throws Exception {
        PreparedSearch search = PreparedSearch.of(request(ACME, "plant-7", "urgent"), Arrivals.SCHEMES);
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            arrivals.add(lines(ACME, "plant-7", "urgent", "ok"));
        }
        AtomicInteger visible = new AtomicInteger();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> reading = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                Callable<Void> task = () -> {
                    int seen = 0;
                    while (seen < arrivals.size()) {
                        int before = visible.get();
                        Found found = new Found();
                        store.search(search, found, () -> false);
                        seen = found.hits.size();
                        assertThat(seen)
                                .isGreaterThanOrEqualTo(before)
                                .satisfies(n -> assertThat(n % 4).isZero());
                        for (UUID id : found.hits.keySet()) {
                            assertThat(store.find("acme", id)).isPresent();
                        }
                    }
                    return null;
                };
                reading.add(readers.submit(task));
            }
            for (int i = 0; i < arrivals.size(); i += 4) {
                store.add(arrivals.subList(i, i + 4), i);
                store.refresh();
                visible.set(i + 4);
                if (i % 8 == 0) {
                    store.commit();
                }
            }
            for (Future<?> reader : reading) {
                reader.get();
            }
        }
    }
}
