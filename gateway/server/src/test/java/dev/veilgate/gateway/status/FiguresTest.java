package dev.veilgate.gateway.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.figures.Counts;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.status.FigureStore.Measured;
import dev.veilgate.gateway.status.FigureStore.Point;
import dev.veilgate.gateway.status.FigureStore.Sample;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.testing.PostgresServer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Figures that outlive the process, each tenant's its own. */
class FiguresTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    /** A clock that is also put back. */
    private static final class SetClock extends Clock {
        Instant now = NOON;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    private final SetClock clock = new SetClock();
    private final Database database = TestDatabase.create();
    private final FigureCounts counts = new FigureCounts();
    private final Map<String, Levels> levels = new HashMap<>(Map.of(
            "acme",
            Levels.ofTenant(7L, 0L),
            "other",
            Levels.ofTenant(1L, 5L),
            FigureStore.MACHINE,
            Levels.ofMachine(100, 9_000)));
    private FigureRecorder recorder = recorder(database, "one");

    private FigureRecorder recorder(Database of, String gateway) {
        return new FigureRecorder(counts, () -> Map.copyOf(levels), new FigureStore(of, gateway), clock);
    }

    private void passMinutes(int minutes) {
        for (int i = 0; i < minutes; i++) {
            recorder.tick();
            clock.now = clock.now.plusSeconds(60);
            recorder.tick();
        }
    }

    private List<Point> points(String tenant, Step step, int count) {
        return new FigureStore(database, "one").points(tenant, step, count, clock.now);
    }

    private long rows() {
        return database.jdbc()
                .sql("SELECT COUNT(*) FROM figure")
                .query(Long.class)
                .single();
    }

    private static long lines(List<Point> points) {
        return points.stream().mapToLong(point -> point.counts().lines()).sum();
    }

    private void storeLines(String tenant, long lines) {
        counts.stored(Map.of(tenant, new Counts(lines, 0, 0, 0, 0)));
    }

    @Test
    void eachMinuteHasWhatHappenedInIt() {
        recorder.tick();
        storeLines("acme", 3);
        counts.search("acme");
        passMinutes(1);
        counts.delivery("acme", true);
        counts.delivery("acme", false);
        passMinutes(1);
        assertThat(points("acme", Step.MINUTE, 60))
                .extracting(Point::begins, Point::counts)
                .containsExactly(
                        tuple(NOON, new Counts(3, 0, 1, 0, 0)), tuple(NOON.plusSeconds(60), new Counts(0, 0, 0, 1, 1)));
        assertThat(points("acme", Step.HOUR, 24)).singleElement().satisfies(hour -> {
            assertThat(hour.counts()).isEqualTo(new Counts(3, 0, 1, 1, 1));
            assertThat(hour.minutes()).isEqualTo(2);
        });
        assertThat(points("acme", Step.DAY, 31))
                .singleElement()
                .satisfies(day -> assertThat(day.begins()).isEqualTo(Instant.parse("2026-11-30T00:00:00Z")));
    }

    @Test
    void aTenantSeesItsOwnFiguresAndThoseOfTheMachineThatItWasToldBefore() {
        storeLines("other", 1_000);
        passMinutes(1);
        assertThat(points("acme", Step.MINUTE, 60)).singleElement().satisfies(point -> {
            assertThat(point.counts()).isEqualTo(Counts.NONE);
            assertThat(point.levels()).isEqualTo(new Levels(7L, 0L, 100L, 9_000L));
        });
        assertThat(points("nobody", Step.MINUTE, 60)).isEmpty();
    }

    @Test
    void levelsOfAnHourAreItsWorstAndWhatIsStoredAtItsEnd() {
        passMinutes(1);
        levels.put("acme", Levels.ofTenant(6L, 4L));
        levels.put(FigureStore.MACHINE, Levels.ofMachine(5, 8_000));
        passMinutes(1);
        levels.put("acme", Levels.ofTenant(null, null));
        levels.put(FigureStore.MACHINE, Levels.ofMachine(0, 9_500));
        passMinutes(1);
        assertThat(points("acme", Step.HOUR, 1))
                .extracting(Point::levels)
                .containsExactly(new Levels(6L, 4L, 100L, 8_000L));
        assertThat(points("acme", Step.MINUTE, 60).getLast().levels())
                .as("what was not measured is not zero")
                .isEqualTo(new Levels(null, null, 0L, 9_500L));
    }

    @Test
    void timeWithoutAGatewayIsAGapAndNotZero() {
        storeLines("acme", 1);
        passMinutes(1);
        recorder.finish();
        clock.now = clock.now.plus(Duration.ofMinutes(20));
        recorder = recorder(database, "one"); // started again
        storeLines("acme", 2);
        passMinutes(1);
        assertThat(points("acme", Step.MINUTE, 60))
                .extracting(Point::begins)
                .containsExactly(NOON, NOON.plusSeconds(60), NOON.plusSeconds(21 * 60));
        assertThat(points("acme", Step.HOUR, 1)).singleElement().satisfies(hour -> {
            assertThat(hour.counts().lines()).isEqualTo(3);
            assertThat(hour.minutes()).isEqualTo(3);
        });
    }

    @Test
    void aStopWritesTheMinuteThatHasBegunAndTheNextStartGoesOnWithIt() {
        recorder.tick();
        storeLines("acme", 2);
        recorder.finish();
        recorder = recorder(database, "one");
        recorder.tick();
        storeLines("acme", 5);
        recorder.finish();
        assertThat(points("acme", Step.MINUTE, 60)).singleElement().satisfies(minute -> {
            assertThat(minute.counts().lines()).isEqualTo(7);
            assertThat(minute.minutes()).isOne();
        });
    }

    @Test
    void aClockThatIsPutBackAddsToTheMinutesThatAreThereAndLosesNothing() {
        for (int i = 0; i < 10; i++) {
            storeLines("acme", 1);
            passMinutes(1);
        }
        clock.now = clock.now.minus(Duration.ofMinutes(5));
        for (int i = 0; i < 10; i++) {
            storeLines("acme", 1);
            passMinutes(1);
        }
        List<Point> minutes = points("acme", Step.MINUTE, 60);
        assertThat(lines(minutes)).isEqualTo(20);
        assertThat(minutes).extracting(Point::minutes).containsOnly(1);
        assertThat(lines(points("acme", Step.HOUR, 1))).isEqualTo(20);
    }

    @Test
    void aClockThatIsWrongForAWhileDeletesNoMoreThanItWritesAndItsRowsGoFirst() {
        passMinutes(120);
        Instant right = clock.now;
        for (Instant wrong : List.of(right.plus(Duration.ofDays(9_000)), Instant.parse("1970-01-01T00:00:00Z"))) {
            clock.now = wrong;
            recorder = recorder(database, "one");
            passMinutes(20);
            clock.now = right;
            recorder = recorder(database, "one");
            assertThat(points("acme", Step.MINUTE, 120)).hasSizeGreaterThanOrEqualTo(120 - 20 - 1);
            passMinutes(60);
            right = clock.now;
            assertThat(points("acme", Step.MINUTE, 60)).hasSizeGreaterThanOrEqualTo(59);
        }
        passMinutes(60);
        assertThat(points("acme", Step.MINUTE, 120)).hasSizeGreaterThanOrEqualTo(119);
    }

    @Test
    void rowsAreLimitedForEachTenant() {
        FigureStore store = new FigureStore(database, "one");
        Measured nothing = new Measured(Counts.NONE, Levels.ofTenant(1L, 0L));
        for (int hour = 0; hour < 1_000; hour++) {
            Instant at = NOON.plus(Duration.ofHours(hour));
            store.add(List.of(new Sample(at, Map.of("acme", nothing))), at);
        }
        assertThat(rows()).isEqualTo(120 + 960 + 43);
        clock.now = NOON.plus(Duration.ofHours(999));
        assertThat(points("acme", Step.HOUR, 960)).hasSize(960);
    }

    @Test
    void sixtyTenantsTakeARowEachAndNoMore() {
        for (int i = 0; i < 60; i++) {
            levels.put("tenant-" + i, Levels.ofTenant((long) i, 0L));
        }
        passMinutes(130);
        int tenants = levels.size();
        assertThat(rows()).isEqualTo(tenants * (120L + 3 + 1));
        assertThat(points("tenant-59", Step.MINUTE, 120))
                .extracting(point -> point.levels().envelopes())
                .containsOnly(59L);
    }

    @Test
    void gatewaysOfADatabaseAreSummedUpAndEachTellsItsOwnDisk() {
        FigureStore one = new FigureStore(database, "one");
        FigureStore two = new FigureStore(database, "two");
        Counts few = new Counts(2, 1, 0, 0, 0);
        one.add(List.of(sample(NOON, few, Levels.ofTenant(10L, 3L), Levels.ofMachine(1, 50))), NOON);
        two.add(List.of(sample(NOON, few, Levels.ofTenant(20L, 3L), Levels.ofMachine(9, 7))), NOON);
        Point point = one.points("acme", Step.MINUTE, 1, NOON).getFirst();
        assertThat(point.counts()).isEqualTo(few.plus(few));
        assertThat(point.levels()).isEqualTo(new Levels(30L, 3L, 1L, 50L));
    }

    private static Sample sample(Instant at, Counts counts, Levels ofTenant, Levels ofMachine) {
        return new Sample(
                at,
                Map.of(
                        "acme",
                        new Measured(counts, ofTenant),
                        FigureStore.MACHINE,
                        new Measured(Counts.NONE, ofMachine)));
    }

    @Test
    void whatTheDatabaseDoesNotTakeIsWrittenWhenItIsBack() {
        database.jdbc().sql("ALTER TABLE figure RENAME TO away").update();
        for (int i = 0; i < FigureRecorder.MAX_UNWRITTEN + 5; i++) {
            storeLines("acme", 1);
            passMinutes(1);
        }
        database.jdbc().sql("ALTER TABLE away RENAME TO figure").update();
        storeLines("acme", 1);
        passMinutes(1);
        assertThat(lines(points("acme", Step.MINUTE, 120)))
                .as("the last minutes, and no more memory than for them")
                .isEqualTo(119);
        assertThat(lines(points("acme", Step.DAY, 1))).isEqualTo(FigureRecorder.MAX_UNWRITTEN);
    }

    @Test
    void postgresKeepsTheSame() throws Exception {
        try (PostgresServer server = new PostgresServer()) {
            Database shared = TestDatabase.create(server);
            FigureStore store = new FigureStore(shared, "one");
            for (int minute = 0; minute < 125; minute++) {
                Instant at = NOON.plusSeconds(60L * minute);
                Levels none = Levels.ofTenant(minute == 124 ? null : 4L, null);
                store.add(List.of(sample(at, new Counts(1, 0, 0, 0, 0), none, Levels.ofMachine(minute, minute))), at);
            }
            Instant now = NOON.plusSeconds(60 * 124);
            assertThat(store.points("acme", Step.MINUTE, 120, now)).hasSize(120);
            Point day = store.points("acme", Step.DAY, 1, now).getFirst();
            assertThat(day).isEqualTo(new Point(day.begins(), 125, new Counts(125, 0, 0, 0, 0), day.levels()));
            assertThat(day.levels()).isEqualTo(new Levels(4L, null, 124L, 0L));
        }
    }

    @Test
    void storedLinesAndMailsAreCountedOnceTheirTransactionIsCommitted() throws Exception {
        FigureStage stage = new FigureStage(counts);
        Envelope lines = Envelope.decode(TestTenant.of("acme")
                .sender("press-1", Clock.systemUTC())
                .seal("pump", "valve")
                .bytes());
        List<Applied> batch = List.of(
                applied(lines, null),
                applied(lines, new byte[] {1}),
                new Applied(Optional.empty(), new byte[] {1}, "", List.of()));
        assertThatThrownBy(() -> database.transactions().executeWithoutResult(_ -> {
                    stage.apply(batch);
                    throw new IllegalStateException("the commit fails");
                }))
                .hasMessage("the commit fails");
        assertThat(counts.take()).isEmpty();
        database.transactions().executeWithoutResult(_ -> stage.apply(batch));
        assertThat(counts.take()).containsExactly(Map.entry("acme", new Counts(lines.recordCount(), 1, 0, 0, 0)));
        assertThat(counts.take()).isEmpty();
    }

    private static Applied applied(Envelope envelope, byte @Nullable [] message) {
        List<Optional<StoredBlock>> none = Collections.nCopies(envelope.index().size(), Optional.empty());
        return new Applied(Optional.of(new Arrival(envelope, none, null, NOON)), message, "", List.of());
    }

    @Test
    void theInterfaceGivesATenantsTokenThatTenantAlone() {
        passMinutes(2);
        Tenants tenants = TestTenant.tenants(TestTenant.of("acme"), TestTenant.of("other"));
        FigureController controller = new FigureController(new FigureStore(database, "one"), tenants, clock);
        Principal acme = principal("acme", Right.STATUS);
        FigureController.Series series = controller.figures(acme, "acme", "minute", 60);
        assertThat(series.points()).hasSize(2);
        assertThat(series.to()).isEqualTo(NOON.plusSeconds(180));
        assertThat(Duration.between(series.from(), series.to())).isEqualTo(Duration.ofHours(1));
        assertThatThrownBy(() -> controller.figures(acme, "other", "minute", 60))
                .isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> controller.figures(principal("acme", Right.SEARCH), "acme", "minute", 60))
                .isInstanceOf(ProblemException.class);
        for (int count : new int[] {0, -1, 121, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> controller.figures(acme, "acme", "minute", count))
                    .hasMessageContaining("count must be 1 to 120");
        }
        assertThatThrownBy(() -> controller.figures(acme, "acme", "second", 1)).hasMessageContaining("step must be");
    }

    private static Principal principal(String tenant, Right right) {
        return new Principal(Principal.Kind.TOKEN, "console", tenant, Set.of(right), Set.of());
    }
}
