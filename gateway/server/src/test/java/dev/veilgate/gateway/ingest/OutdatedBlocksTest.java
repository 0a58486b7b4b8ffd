package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.TestStores;
import dev.veilgate.peks.ForgedIndexBlock;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/**
 * The end of taking envelopes with index blocks that could be forged: what the store held decides, not when somebody
 * started the gateway.
 */
class OutdatedBlocksTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    /** Not before the tenant's keys are made. */
    private static final Instant START = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);

    private static final Duration MONTH = Duration.ofDays(30);
    private static final String SINCE = "index-form-3-since";
    private static final String NEWEST = "index-form-2-newest";

    private final TestTenant.Sender press = ACME.sender("press-1", at(START));
    private final TestTenant.Sender before = ACME.liar("press-2", at(START), ACME, ForgedIndexBlock::unshifted);

    @TempDir
    private Path folder;

    private EnvelopeStore store;
    private long position;

    @BeforeEach
    void open() throws IOException {
        store = TestStores.open(folder.resolve("store"));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private static Clock at(Instant now) {
        return Clock.fixed(now, ZoneOffset.UTC);
    }

    private OutdatedBlocks startedAt(Instant now) throws IOException {
        return startedAt(now, MONTH);
    }

    private OutdatedBlocks startedAt(Instant now, Duration taken) throws IOException {
        return OutdatedBlocks.of(folder, store, taken, IndexSchemes.load(), at(now));
    }

    private SealedEnvelope arrives(TestTenant.Sender sender, Instant when) throws Exception {
        SealedEnvelope sealed = sender.seal("pump");
        store.add(List.of(Arrivals.of(sealed.bytes(), when)), ++position);
        store.commit();
        store.refresh();
        return sealed;
    }

    @Test
    void aNewGatewayTakesNone() throws Exception {
        OutdatedBlocks blocks = startedAt(START);
        assertThat(blocks.until()).isEmpty();
        assertThat(blocks.areTaken(START)).isFalse();
        arrives(press, START.plusSeconds(1));
        assertThat(startedAt(START.plusSeconds(2)).until()).isEmpty();
    }

    @Test
    void countsFromTheNewestOfThoseThatTheStoreHeldAtTheFirstStart() throws Exception {
        Instant newest = START.minus(Duration.ofDays(3));
        arrives(before, START.minus(Duration.ofDays(40)));
        arrives(before, newest);
        arrives(press, START.minus(Duration.ofDays(1)));
        OutdatedBlocks blocks = startedAt(START);
        Instant end = newest.plus(MONTH);
        assertThat(blocks.until()).hasValue(end);
        assertThat(blocks.areTaken(end.minusMillis(1))).isTrue();
        assertThat(blocks.areTaken(end)).isFalse();
        assertThat(startedAt(START, Duration.ZERO).areTaken(newest)).isFalse();
    }

    /** Or whoever sends one in time would have the next one taken too. */
    @Test
    void whatIsTakenSinceDoesNotMoveTheEnd() throws Exception {
        arrives(before, START.minusSeconds(1));
        Instant end = START.minusSeconds(1).plus(MONTH);
        assertThat(startedAt(START).until()).hasValue(end);
        arrives(before, end.minusSeconds(1));
        assertThat(startedAt(end.minusMillis(1)).until()).hasValue(end);
        Files.delete(folder.resolve(NEWEST));
        assertThat(startedAt(end.minusMillis(1)).until()).hasValue(end);
    }

    /** A gateway that ran a version before this one has the time of its first start, and no more. */
    @Test
    void aGatewayOfTheVersionBeforeCountsFromWhatItHeldThen() throws Exception {
        Files.writeString(folder.resolve(SINCE), START.toString());
        arrives(before, START.plusSeconds(5));
        assertThat(startedAt(START.plus(Duration.ofDays(2))).until()).isEmpty();
        Files.delete(folder.resolve(NEWEST));
        arrives(before, START.minusSeconds(5));
        assertThat(startedAt(START.plus(Duration.ofDays(2))).until())
                .hasValue(START.minusSeconds(5).plus(MONTH));
    }

    @Test
    void aRestoredFolderOfBeforeTheUpdateEndsWhenItsEnvelopesSaySo() throws Exception {
        Instant newest = START.minusSeconds(1);
        arrives(before, newest);
        store.close();
        Path backup = folder.resolve("backup");
        FileSystemUtils.copyRecursively(folder.resolve("store"), backup);
        open();
        assertThat(startedAt(START).areTaken(START)).isTrue();

        store.close();
        for (String name : new String[] {SINCE, NEWEST}) {
            Files.delete(folder.resolve(name));
        }
        FileSystemUtils.deleteRecursively(folder.resolve("store"));
        Files.move(backup, folder.resolve("store"));
        open();
        Instant later = START.plus(Duration.ofDays(200));
        OutdatedBlocks restored = startedAt(later);
        assertThat(restored.until()).hasValue(newest.plus(MONTH));
        assertThat(restored.areTaken(later)).isFalse();
    }

    @Test
    void theEndStaysWhenRetentionHasDeletedWhatItCountsFrom() throws Exception {
        SealedEnvelope sealed = arrives(before, START.minusSeconds(1));
        assertThat(startedAt(START).areTaken(START)).isTrue();
        store.delete("acme", List.of(Arrivals.name(sealed.bytes())));
        assertThat(startedAt(START.plusSeconds(1)).areTaken(START)).isTrue();
        Files.delete(folder.resolve(NEWEST));
        assertThat(startedAt(START.plusSeconds(1)).until()).isEmpty();
    }

    @Test
    void aClockThatIsSetBackDoesNotTakeThemAgain() throws Exception {
        arrives(before, START.minusSeconds(1));
        OutdatedBlocks blocks = startedAt(START);
        assertThat(blocks.areTaken(START)).isTrue();
        assertThat(blocks.areTaken(START.plus(MONTH))).isFalse();
        assertThat(blocks.areTaken(START)).isFalse();
        arrives(press, START.plus(MONTH));
        assertThat(startedAt(START).areTaken(START))
                .as("after a start, by what is stored")
                .isFalse();
    }

    /** A clock was years ahead: what came then is not counted from. */
    @Test
    void arrivalsOfTheFutureDoNotMoveTheEnd() throws Exception {
        arrives(before, START.minusSeconds(1));
        arrives(before, START.plus(Duration.ofDays(4000)));
        assertThat(startedAt(START).until()).hasValue(START.minusSeconds(1).plus(MONTH));
        Files.writeString(folder.resolve(NEWEST), "2036-01-01T00:00:00Z");
        assertThat(startedAt(START).until()).hasValue(START.plus(MONTH));
    }

    @ParameterizedTest
    @CsvSource({
        SINCE + ",''",
        SINCE + ",yesterday",
        SINCE + ",2026-12-01",
        SINCE + ",none",
        SINCE + ",+1000000000-12-31T23:59:59Z",
        NEWEST + ",''",
        NEWEST + ",2026-12-01",
        NEWEST + ",+1000000000-12-31T23:59:59Z"
    })
    void doesNotStartWithoutATimeThatItCanCountFrom(String file, String text) throws Exception {
        startedAt(START);
        Files.writeString(folder.resolve(file), text);
        assertThatThrownBy(() -> startedAt(START))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file);
    }

    @Test
    void doesNotStartWithAFolderInPlaceOfTheTime() throws Exception {
        Files.createDirectory(folder.resolve(SINCE));
        assertThatThrownBy(() -> startedAt(START)).isInstanceOf(IOException.class);
    }

    /** A time that no calendar has would fail at each arrival instead. */
    @Test
    void isForAHundredYearsAtMost() {
        assertThat(settings(Duration.ofDays(36_500)).outdatedFor()).isEqualTo(Duration.ofDays(36_500));
        for (Duration wrong : new Duration[] {Duration.ofDays(36_501), Duration.ofDays(400_000_000_000L)}) {
            assertThatThrownBy(() -> settings(wrong)).hasMessageContaining("outdated-for");
        }
        assertThatThrownBy(() -> settings(Duration.ofSeconds(-1))).hasMessageContaining("outdated-for");
    }

    private static IngestSettings settings(Duration outdatedFor) {
        return new IngestSettings(
                DataSize.ofMegabytes(1),
                4,
                Duration.ofHours(1),
                10,
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                Duration.ofMinutes(5),
                outdatedFor);
    }
}
