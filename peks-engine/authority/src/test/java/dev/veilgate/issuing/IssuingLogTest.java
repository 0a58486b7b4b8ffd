package dev.veilgate.issuing;

import static dev.veilgate.issuing.LogSamples.AUTHORITY;
import static dev.veilgate.issuing.LogSamples.FINGERPRINT;
import static dev.veilgate.issuing.LogSamples.KEEPER;
import static dev.veilgate.issuing.LogSamples.NOW;
import static dev.veilgate.issuing.LogSamples.RANDOM;
import static dev.veilgate.issuing.LogSamples.SELDOM;
import static dev.veilgate.issuing.LogSamples.draft;
import static dev.veilgate.issuing.LogSamples.drafts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.KemSecretKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is written comes back, in order, proven and sealed; when heads are signed; several threads. */
class IssuingLogTest {
    @TempDir
    private Path temporary;

    private final LogSamples.SetClock clock = new LogSamples.SetClock();

    private Path folder() {
        return temporary.resolve("issuing");
    }

    private IssuingLog open() throws IOException {
        return open(SELDOM);
    }

    private IssuingLog open(HeadPolicy policy) throws IOException {
        return LogSamples.open(folder(), policy, clock);
    }

    private static List<Long> numbers(List<LogEntry> entries) {
        return entries.stream().map(LogEntry::number).toList();
    }

    @Test
    void entriesComeBackAfterReopening() throws Exception {
        try (IssuingLog log = open()) {
            assertThat(log.size()).isZero();
            assertThat(log.append(LogDraft.of(EntryKind.REQUESTED, "ada").with("scope", "plant-7")))
                    .isEqualTo(1);
            clock.pass(Duration.ofSeconds(3));
            assertThat(log.append(drafts(5))).isEqualTo(2);
            assertThat(log.size()).isEqualTo(6);
        }
        try (IssuingLog log = open()) {
            assertThat(log.size()).isEqualTo(6);
            LogEntry first = log.entry(1).orElseThrow();
            assertThat(first.kind()).isEqualTo(EntryKind.REQUESTED);
            assertThat(first.actor()).isEqualTo("ada");
            assertThat(first.time()).isEqualTo(NOW);
            assertThat(first.details()).containsOnlyKeys("scope").containsEntry("scope", "plant-7");
            assertThat(first.sealed()).isEmpty();
            LogEntry second = log.entry(2).orElseThrow();
            assertThat(second.previous()).isEqualTo(first.digest());
            assertThat(second.time()).isEqualTo(NOW.plusSeconds(3));
            assertThat(second.details()).containsEntry(DetailName.TRAPDOOR, "%064x".formatted(1));
            assertThat(log.entry(7)).isEmpty();
            assertThat(log.entry(0)).isEmpty();
            assertThat(log.append(draft(9))).isEqualTo(7);
        }
    }

    @Test
    void readsNewestFirstInPages() throws Exception {
        try (IssuingLog log = open()) {
            log.append(drafts(25));
            List<Long> seen = new ArrayList<>();
            long before = Long.MAX_VALUE;
            for (List<LogEntry> page = log.newestFirst(before, 10);
                    !page.isEmpty();
                    page = log.newestFirst(before, 10)) {
                seen.addAll(numbers(page));
                before = page.getLast().number();
            }
            assertThat(seen)
                    .isEqualTo(
                            LongStream.rangeClosed(1, 25).mapToObj(i -> 26 - i).toList());
            assertThat(log.newestFirst(5, 2).stream().map(LogEntry::number)).containsExactly(4L, 3L);
            assertThat(log.newestFirst(1, 2)).isEmpty();
        }
    }

    @Test
    void everyEntryIsProvenByAHead() throws Exception {
        try (IssuingLog log = open()) {
            log.append(drafts(20));
            SignedTreeHead older = log.head();
            log.append(drafts(17));
            SignedTreeHead newer = log.head();
            assertThat(older.isSignedBy(FINGERPRINT)).isTrue();
            assertThat(older.head().size()).isEqualTo(20);
            for (long number = 1; number <= 37; number++) {
                assertThat(log.proveInclusion(number, newer).holds(FINGERPRINT)).isTrue();
            }
            ConsistencyProof grown = log.proveConsistency(older, newer);
            assertThat(ConsistencyProof.decode(grown.encode())).isEqualTo(grown);
            assertThat(grown.holds(FINGERPRINT)).isTrue();
            assertThat(grown.holds(LogSamples.STRANGER.publicKey().fingerprint()))
                    .isFalse();
            InclusionProof in = log.proveInclusion(20, older);
            assertThat(InclusionProof.decode(in.encode())).isEqualTo(in);
            assertThat(in.holds(LogSamples.STRANGER.publicKey().fingerprint())).isFalse();
            assertThat(new InclusionProof(log.entry(19).orElseThrow(), older, in.path()).holds(FINGERPRINT))
                    .isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> log.proveInclusion(21, older));
            assertThatIllegalArgumentException().isThrownBy(() -> log.proveConsistency(newer, older));
            try (IssuingLog other = LogSamples.open(temporary.resolve("other"))) {
                other.append(draft(99));
                SignedTreeHead foreign = other.head();
                assertThatIllegalArgumentException().isThrownBy(() -> log.proveInclusion(1, foreign));
            }
        }
    }

    @Test
    void headsAreSignedAfterSomeEntriesSomeTimeAndAtTheEnd() throws Exception {
        try (IssuingLog log = open(new HeadPolicy(10, Duration.ofMinutes(15)))) {
            log.append(draft(1)); // the first of all
            assertThat(headsIn(LogSamples.export(log))).containsExactly(1L);
            log.append(drafts(9));
            log.append(drafts(1));
            log.append(drafts(4));
            clock.pass(Duration.ofMinutes(15));
            log.append(draft(1));
            log.headIfDue();
            log.append(draft(1));
        }
        try (IssuingLog log = open()) {
            assertThat(headsIn(LogSamples.export(log))).containsExactly(1L, 11L, 16L, 17L);
            assertThat(log.head()).isEqualTo(log.head());
        }
    }

    private static List<Long> headsIn(byte[] export) throws Exception {
        List<Long> sizes = new ArrayList<>();
        var items = new dev.veilgate.encoding.CborSequence("log", new java.io.ByteArrayInputStream(export), 1 << 20);
        items.next();
        for (var item = items.next(); item.isPresent(); item = items.next()) {
            if (item.get()[1] >> 5 == 3) { // begins with a text
                sizes.add(SignedTreeHead.decode(item.get()).head().size());
            }
        }
        return sizes;
    }

    @Test
    void timeNeverRunsBackwards() throws Exception {
        try (IssuingLog log = open()) {
            log.append(draft(1));
            clock.set(NOW.minusSeconds(100));
            log.append(draft(2));
            assertThat(log.entry(2).orElseThrow().time()).isEqualTo(NOW);
        }
        try (IssuingLog log = open()) {
            log.append(draft(3));
            assertThat(log.entry(3).orElseThrow().time()).isEqualTo(NOW);
        }
    }

    @Test
    void onlyTheHolderOfTheKeyReadsWhatIsSealed() throws Exception {
        SortedMap<String, String> word = new TreeMap<>(Map.of("keyword", "password"));
        try (IssuingLog log = open();
                KemSecretKey other = KemSecretKey.generate(RANDOM)) {
            log.append(draft(1).sealed(KEEPER.publicKey(), "keyword", "password"));
            log.append(draft(1).sealed(KEEPER.publicKey(), "keyword", "password"));
            LogEntry entry = log.entry(1).orElseThrow();
            LogEntry second = log.entry(2).orElseThrow();
            assertThat(entry.unseal(log.authority(), KEEPER)).hasValue(word);
            assertThat(entry.unseal(log.authority(), other)).isEmpty();
            assertThat(entry.unseal(LogSamples.STRANGER.publicKey(), KEEPER)).isEmpty();
            assertThat(second.sealed()).isNotEqualTo(entry.sealed());
            LogEntry moved = new LogEntry(
                    2,
                    second.previous(),
                    second.time(),
                    second.kind(),
                    second.actor(),
                    second.details(),
                    entry.sealed());
            assertThat(moved.unseal(log.authority(), KEEPER)).isEmpty();
            assertThat(new String(Files.readAllBytes(folder().resolve(EntryFile.NAME)), StandardCharsets.ISO_8859_1))
                    .contains("plant-7")
                    .doesNotContain("password");
        }
    }

    @Test
    void anEntryHoldsSeveralSealedDetails() throws Exception {
        try (IssuingLog log = open();
                KemSecretKey other = KemSecretKey.generate(RANDOM)) {
            LogDraft one = draft(1).sealed(KEEPER.publicKey(), "query", "a=b AND c");
            int room = one.sealedRoom("keyword");
            LogDraft two = one.sealed(KEEPER.publicKey(), "keyword", "x".repeat(room));
            log.append(two);
            assertThat(log.entry(1).orElseThrow().unseal(log.authority(), KEEPER))
                    .hasValue(new TreeMap<>(Map.of("query", "a=b AND c", "keyword", "x".repeat(room))));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> one.sealed(KEEPER.publicKey(), "keyword", "x".repeat(room + 3)));
            assertThatIllegalArgumentException().isThrownBy(() -> one.sealed(other.publicKey(), "keyword", "x"));
            assertThatIllegalArgumentException().isThrownBy(() -> one.sealed(KEEPER.publicKey(), "Key", "x"));
        }
    }

    /** The first versions of the console sealed one detail as name=value. */
    @Test
    void whatFirstVersionsSealedIsRead() throws Exception {
        try (IssuingLog log = open()) {
            log.append(draft(1));
            LogEntry plain = log.entry(1).orElseThrow();
            assertThat(old(log, plain, "query=level:error AND x=y").unseal(log.authority(), KEEPER))
                    .hasValue(new TreeMap<>(Map.of("query", "level:error AND x=y")));
            assertThat(old(log, plain, "no such thing").unseal(log.authority(), KEEPER))
                    .isEmpty();
        }
    }

    private static LogEntry old(IssuingLog log, LogEntry entry, String text) {
        byte[] sealed = LogEntry.seal(
                KEEPER.publicKey(), log.authority(), entry.number(), text.getBytes(StandardCharsets.UTF_8), RANDOM);
        return new LogEntry(
                entry.number(), entry.previous(), entry.time(), entry.kind(), entry.actor(), entry.details(), sealed);
    }

    /** "fan" and "door" cannot be told apart by how long they are. */
    @Test
    void theLengthOfAShortWordDoesNotShow() throws Exception {
        try (IssuingLog log = open()) {
            for (String word : List.of("a", "bb", "twenty-one characters")) {
                log.append(draft(1).sealed(KEEPER.publicKey(), "keyword", word));
            }
            assertThat(log.newestFirst(4, 3).stream()
                            .map(e -> e.sealed().length)
                            .distinct())
                    .hasSize(1);
        }
    }

    @Test
    void whatIsTooLongIsRefusedAndNothingWritten() throws Exception {
        assertThatIllegalArgumentException().isThrownBy(() -> LogDraft.of(EntryKind.LOGIN, ""));
        assertThatIllegalArgumentException().isThrownBy(() -> LogDraft.of(EntryKind.LOGIN, "x".repeat(256)));
        assertThatIllegalArgumentException().isThrownBy(() -> draft(1).with("Scope", "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> draft(1).with("reason", "x".repeat(4097)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> draft(1).sealed(KEEPER.publicKey(), "keyword", "x".repeat(8192)));
        LogDraft huge = LogDraft.of(EntryKind.REFUSED, "ada");
        for (int i = 0; i < 17; i++) {
            huge = huge.with("d" + i, "x".repeat(4096));
        }
        LogDraft tooLarge = huge;
        try (IssuingLog log = open()) {
            log.append(draft(1));
            assertThatIllegalArgumentException().isThrownBy(() -> log.append(List.of(draft(2), tooLarge)));
            assertThatIllegalArgumentException().isThrownBy(() -> log.append(List.of()));
            assertThat(log.append(draft(2))).isEqualTo(2);
        }
        try (IssuingLog log = open()) {
            assertThat(log.size()).isEqualTo(2);
        }
    }

    @Test
    void oneInstanceAFolder() throws Exception {
        try (IssuingLog log = open()) {
            log.append(draft(1));
            assertThatThrownBy(this::open)
                    .isInstanceOfSatisfying(
                            IssuingLogException.class,
                            e -> assertThat(e.problem()).isEqualTo(LogProblem.IN_USE));
            log.append(draft(2));
        }
        open().close();
    }

    @Test
    void aClosedLogDoesNothing() throws Exception {
        IssuingLog log = open();
        log.append(draft(1));
        log.close();
        assertThatThrownBy(() -> log.append(draft(2))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> log.entry(1)).isInstanceOf(IOException.class);
        log.close();
        try (IssuingLog next = open()) {
            log.close();
            assertThatThrownBy(this::open).isInstanceOf(IssuingLogException.class);
            assertThat(next.size()).isEqualTo(1);
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void onlyTheOwnerCanReadIt() throws Exception {
        try (IssuingLog log = open()) {
            log.append(draft(1));
        }
        try (Stream<Path> all = Files.walk(folder())) {
            for (Path path : all.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as(path.toString())
                        .endsWith("------");
            }
        }
    }

    /** Writers, readers and provers at once, some of them interrupted. */
    @Test
    void severalThreadsShareIt() throws Exception {
        Set<Long> numbers = new TreeSet<>();
        try (IssuingLog log = open(new HeadPolicy(7, Duration.ofDays(1)));
                ExecutorService pool = Executors.newFixedThreadPool(6)) {
            List<Future<List<Long>>> writers = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                writers.add(pool.submit(() -> write(log)));
            }
            Callable<Void> reading = () -> {
                while (log.size() < 4 * 30 * 3) {
                    SignedTreeHead head = log.head();
                    if (head.head().size() > 0) {
                        assertThat(log.proveInclusion(head.head().size(), head).holds(FINGERPRINT))
                                .isTrue();
                    }
                    Thread.currentThread().interrupt();
                    assertThat(numbers(log.newestFirst(Long.MAX_VALUE, 5)))
                            .isSortedAccordingTo((a, b) -> Long.compare(b, a));
                    Thread.interrupted();
                }
                return null;
            };
            List<Future<Void>> readers = List.of(pool.submit(reading), pool.submit(reading));
            for (Future<List<Long>> writer : writers) {
                numbers.addAll(writer.get());
            }
            for (Future<Void> reader : readers) {
                reader.get();
            }
            assertThat(log.size()).isEqualTo(360);
            LogVerifier verifier = new LogVerifier(AUTHORITY.publicKey().fingerprint());
            verifier.read(new java.io.ByteArrayInputStream(LogSamples.export(log)));
            assertThat(verifier.findings()).isEmpty();
        }
        assertThat(numbers).hasSize(120);
    }

    private static List<Long> write(IssuingLog log) throws IOException {
        List<Long> firsts = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            firsts.add(log.append(drafts(3)));
        }
        return firsts;
    }
}
