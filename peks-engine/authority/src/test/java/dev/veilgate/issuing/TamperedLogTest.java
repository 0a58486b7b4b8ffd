package dev.veilgate.issuing;

import static dev.veilgate.issuing.LogSamples.FINGERPRINT;
import static dev.veilgate.issuing.LogSamples.RANDOM;
import static dev.veilgate.issuing.LogSamples.draft;
import static dev.veilgate.issuing.LogSamples.drafts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.veilgate.encoding.CborSequence;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.random.TestSeed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever alters the exported log is found out, and the entry named; the untouched log has no finding. */
class TamperedLogTest {
    private static final TestSeed SEED = TestSeed.of(TamperedLogTest.class);
    private static final int ENTRIES = 25;

    @TempDir
    private Path temporary;

    /** Header, entries 1 to 10, head, 11 to 20, head, 21 to 25, head. */
    private List<byte[]> items;

    private List<SignedTreeHead> heads;

    @BeforeEach
    void makeLog() throws Exception {
        try (IssuingLog log = LogSamples.open(
                temporary.resolve("issuing"), new HeadPolicy(10, Duration.ofDays(1)), new LogSamples.SetClock())) {
            log.head(); // of nothing, so that age asks for none
            for (int i = 1; i <= ENTRIES; i++) {
                log.append(draft(i));
            }
            items = new ArrayList<>();
            heads = new ArrayList<>();
            CborSequence all =
                    new CborSequence("log", new ByteArrayInputStream(LogSamples.export(log)), LogEntry.MAX_BYTES);
            for (Optional<byte[]> item = all.next(); item.isPresent(); item = all.next()) {
                items.add(item.get());
                if (items.size() > 1 && item.get()[1] >> 5 == 3) {
                    heads.add(SignedTreeHead.decode(item.get()));
                }
            }
        }
        assertThat(heads.stream().map(h -> h.head().size())).containsExactly(0L, 10L, 20L, 25L);
        items.remove(1); // the head of nothing
        heads.removeFirst();
    }

    /** Where an entry is among the items. */
    private static int at(int number) {
        return number + (number > 20 ? 2 : number > 10 ? 1 : 0);
    }

    private LogEntry entry(int number) throws Exception {
        return LogEntry.decode(items.get(at(number)));
    }

    private static byte[] joined(List<byte[]> items) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        items.forEach(out::writeBytes);
        return out.toByteArray();
    }

    private static List<LogVerifier.Finding> verify(byte[] log, SignedTreeHead... kept) {
        LogVerifier verifier = new LogVerifier(FINGERPRINT);
        for (SignedTreeHead head : kept) {
            verifier.expect("kept", head);
        }
        try {
            verifier.read(new ByteArrayInputStream(log));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return verifier.findings();
    }

    private List<LogVerifier.Finding> verify(SignedTreeHead... kept) {
        return verify(joined(items), kept);
    }

    private static void assertFound(List<LogVerifier.Finding> findings, LogProblem problem, long first, long last) {
        assertThat(findings)
                .anySatisfy(f ->
                        assertThat(List.of(f.problem(), f.first(), f.last())).isEqualTo(List.of(problem, first, last)));
    }

    /** Entries that name each other again from one on, as somebody without the key can make them. */
    private void rewriteFrom(int number) throws Exception {
        for (int i = Math.max(2, number); i <= ENTRIES; i++) {
            LogEntry e = entry(i);
            items.set(
                    at(i),
                    new LogEntry(i, entry(i - 1).digest(), e.time(), e.kind(), e.actor(), e.details(), e.sealed())
                            .encode());
        }
    }

    private void replace(int number, String actor) throws Exception {
        LogEntry e = entry(number);
        items.set(
                at(number),
                new LogEntry(e.number(), e.previous(), e.time(), e.kind(), actor, e.details(), e.sealed()).encode());
    }

    @Test
    void theLogAsItIsHasNoFinding() {
        assertThat(verify()).isEmpty();
        assertThat(verify(heads.toArray(new SignedTreeHead[0]))).isEmpty();
    }

    @Test
    void anAlteredEntryIsNamed() throws Exception {
        for (int number = 1; number <= ENTRIES; number++) {
            makeFresh();
            replace(number, "eve");
            List<LogVerifier.Finding> findings = verify();
            if (number < ENTRIES) {
                assertFound(findings, LogProblem.ALTERED, number, number);
            }
            long first = number <= 10 ? 1 : number <= 20 ? 11 : 21;
            assertThat(findings).anySatisfy(f -> {
                assertThat(f.problem()).isEqualTo(LogProblem.REWRITTEN);
                assertThat(f.first()).isEqualTo(first);
            });
        }
    }

    private List<byte[]> fresh = List.of();

    private void makeFresh() {
        if (fresh.isEmpty()) {
            fresh = List.copyOf(items);
        }
        items = new ArrayList<>(fresh);
    }

    @Test
    void anyBitOfTheExportCounts() {
        byte[] log = joined(items);
        SplittableRandom random = SEED.random("bits");
        for (int round = 0; round < 400; round++) {
            byte[] bad = log.clone();
            int bit = random.nextInt(8 * log.length);
            bad[bit >> 3] ^= (byte) (1 << (bit & 7));
            assertThat(verify(bad)).as("bit " + bit).isNotEmpty();
        }
    }

    @Test
    void aDeletedEntryIsNamed() {
        for (int number = 1; number <= ENTRIES; number++) {
            makeFresh();
            items.remove(at(number));
            assertFound(verify(), LogProblem.MISSING, number, number);
        }
    }

    @Test
    void swappedEntriesAreNamed() {
        for (int number = 1; number < ENTRIES; number++) {
            if (number == 10 || number == 20) {
                continue;
            }
            makeFresh();
            java.util.Collections.swap(items, at(number), at(number + 1));
            assertFound(verify(), LogProblem.OUT_OF_ORDER, number, number);
        }
    }

    @Test
    void aRepeatedEntryIsNamed() {
        items.add(at(7), items.get(at(7)));
        assertFound(verify(), LogProblem.OUT_OF_ORDER, 7, 7);
    }

    /** Without the key: the chain is whole again, the heads are not his to sign. */
    @Test
    void aRewrittenChainDoesNotMatchTheHeads() throws Exception {
        replace(13, "eve");
        rewriteFrom(14);
        List<LogVerifier.Finding> findings = verify();
        assertThat(findings).hasSize(1);
        assertFound(findings, LogProblem.REWRITTEN, 11, 25);
    }

    @Test
    void aCutTailShowsByAHeadThatWasKept() {
        byte[] cut = joined(items.subList(0, at(20) + 2)); // as it was when head 20 was signed
        assertThat(verify(cut)).isEmpty();
        assertFound(verify(cut, heads.get(2)), LogProblem.MISSING, 21, 25);
        byte[] unsigned = joined(items.subList(0, at(20) + 1));
        assertFound(verify(unsigned), LogProblem.UNSIGNED, 11, 20);
        for (int length = 0; length < joined(items).length; length += 97) {
            assertThat(verify(Arrays.copyOf(joined(items), length), heads.get(2)))
                    .isNotEmpty();
        }
    }

    @Test
    void anEntryThatWasAddedIsNotSigned() throws Exception {
        LogEntry last = entry(ENTRIES);
        items.add(new LogEntry(26, last.digest(), last.time(), EntryKind.APPROVED, "eve", last.details(), new byte[0])
                .encode());
        assertThat(verify())
                .containsExactly(new LogVerifier.Finding(LogProblem.UNSIGNED, 26, 26, "no signed head covers them"));
    }

    @Test
    void entriesOfAnotherLogAreForeign() throws Exception {
        try (SigningKey other = SigningKey.generate("acme", RANDOM);
                IssuingLog log = IssuingLog.open(
                        temporary.resolve("other"), other, LogSamples.SELDOM, new LogSamples.SetClock(), RANDOM)) {
            log.append(drafts(3));
            assertFound(verify(LogSamples.export(log)), LogProblem.FOREIGN, 0, 0);
            for (int number = 1; number <= 3; number++) {
                items.set(at(number), log.entry(number).orElseThrow().encode());
            }
            List<LogVerifier.Finding> findings = verify();
            assertFound(findings, LogProblem.FOREIGN, 1, 1);
            assertFound(findings, LogProblem.ALTERED, 3, 3);
            items.set(at(10) + 1, log.head().encode());
            assertThat(verify()).anySatisfy(f -> assertThat(f.problem()).isEqualTo(LogProblem.BAD_HEAD));
            assertThat(verify(log.head()))
                    .anySatisfy(f -> assertThat(f.problem()).isEqualTo(LogProblem.BAD_HEAD));
        }
    }

    /** With the key: the rewritten log is whole and signed, but not what was signed before. */
    @Test
    void theAuthorityItselfCannotTakeBackAHead() throws Exception {
        try (IssuingLog forged = LogSamples.open(temporary.resolve("forged"))) {
            for (int i = 1; i <= ENTRIES; i++) {
                forged.append(i == 13 ? LogDraft.of(EntryKind.TRAPDOOR, "eve") : draft(i));
            }
            byte[] export = LogSamples.export(forged);
            assertThat(verify(export)).isEmpty();
            assertThat(verify(export, heads.get(0))).isEmpty(); // it was changed behind entry 10
            assertFound(verify(export, heads.get(1)), LogProblem.REWRITTEN, 2, 20);
            assertThat(verify(export, heads.get(2)))
                    .anySatisfy(f -> assertThat(f.problem()).isEqualTo(LogProblem.FORKED));
            byte[] cut = joined(items.subList(0, at(20) + 2)); // has no head of 25 itself
            assertThat(verify(cut, forged.head(), heads.get(2)))
                    .anySatisfy(f -> assertThat(f.problem()).isEqualTo(LogProblem.FORKED));
            assertThat(verify(cut, heads.get(2), heads.get(2)))
                    .noneSatisfy(f -> assertThat(f.problem()).isEqualTo(LogProblem.FORKED));
        }
    }

    @Test
    void aHeadIsOfItsSignersTenant() throws Exception {
        TreeHead head = heads.getFirst().head();
        TreeHead others = new TreeHead("other", head.size(), head.root(), head.time());
        assertThat(SignedTreeHead.sign(head, LogSamples.AUTHORITY).isSignedBy(FINGERPRINT))
                .isTrue();
        assertThat(SignedTreeHead.sign(others, LogSamples.AUTHORITY).isSignedBy(FINGERPRINT))
                .isFalse();
    }

    @Test
    void nothingIsNoLog() {
        assertThat(verify(new byte[0])).hasSize(1);
        assertFound(verify(items.getFirst()), LogProblem.UNSIGNED, 0, 0);
    }

    @Test
    void aHeadStandsWhereItBelongs() {
        byte[] head = items.remove(at(10) + 1);
        items.add(at(5), head);
        assertFound(verify(), LogProblem.MISSING, 5, 10);
        makeFreshWith(head, 15);
        assertThat(verify()).anySatisfy(f -> assertThat(f.problem()).isEqualTo(LogProblem.MISPLACED_HEAD));
    }

    private void makeFreshWith(byte[] head, int before) {
        items.removeIf(item -> Arrays.equals(item, head));
        items.add(before, head);
    }

    /** Neither check alone is enough: the chain says nothing of its last entry, and without heads there is only the chain. */
    @Test
    void chainAndHeadsEachFindWhatTheOtherCannot() throws Exception {
        replace(ENTRIES, "eve");
        assertThat(verify()).extracting(LogVerifier.Finding::problem).containsOnly(LogProblem.REWRITTEN);
        replace(22, "eve");
        items.removeIf(item -> heads.stream().anyMatch(head -> Arrays.equals(head.encode(), item)));
        assertThat(verify())
                .extracting(LogVerifier.Finding::problem)
                .containsExactly(LogProblem.ALTERED, LogProblem.UNSIGNED);
    }

    private IssuingLogException opening(Path folder) {
        return catchThrowableOfType(
                IssuingLogException.class, () -> LogSamples.open(folder).close());
    }

    private Path stored(int entries) throws IOException {
        Path folder = Files.createTempDirectory(temporary, "stored");
        try (IssuingLog log =
                LogSamples.open(folder, new HeadPolicy(10, Duration.ofDays(1)), new LogSamples.SetClock())) {
            for (int i = 1; i <= entries; i++) {
                log.append(draft(i));
            }
        }
        return folder;
    }

    @Test
    void damageOnDiskIsNamedWhenItIsRead() throws Exception {
        Path folder = stored(25);
        Path file = folder.resolve(EntryFile.NAME);
        byte[] good = Files.readAllBytes(file);
        byte[] bad = good.clone();
        bad[good.length / 2] ^= 1;
        Files.write(file, bad);
        try (IssuingLog log = LogSamples.open(folder)) {
            int damaged = 0;
            for (int number = 1; number <= 25; number++) {
                long asked = number;
                IssuingLogException e = catchThrowableOfType(IssuingLogException.class, () -> log.entry(asked));
                if (e != null) {
                    damaged++;
                    assertThat(e.number()).isEqualTo(number);
                    assertThat(e.problem()).isEqualTo(LogProblem.DAMAGED);
                }
            }
            assertThat(damaged).isEqualTo(1);
        }
    }

    @Test
    void aTruncatedFileIsRefusedAndTheFirstMissingEntryNamed() throws Exception {
        Path folder = stored(25);
        Path file = folder.resolve(EntryFile.NAME);
        byte[] good = Files.readAllBytes(file);
        for (int keep : new int[] {good.length - 1, good.length - 200, good.length / 2}) {
            Files.write(file, Arrays.copyOf(good, keep));
            IssuingLogException e = opening(folder);
            assertThat(e.problem()).isIn(LogProblem.DAMAGED, LogProblem.MISSING);
            assertThat(e.number()).isBetween(1L, 25L);
            assertThat(opening(folder).number()).isEqualTo(e.number()); // and trying again changes nothing
        }
        Files.write(file, good);
        LogSamples.open(folder).close();
    }

    @Test
    void anotherAuthoritysLogIsRefused() throws Exception {
        Path folder = stored(3);
        assertThatThrownBy(() -> IssuingLog.open(
                        folder, LogSamples.STRANGER, LogSamples.SELDOM, new LogSamples.SetClock(), RANDOM))
                .isInstanceOfSatisfying(
                        IssuingLogException.class, e -> assertThat(e.problem()).isEqualTo(LogProblem.FOREIGN));
    }

    /** Frames and chain made whole again, index taken away: the signed head is left. */
    @Test
    void aRewrittenFileIsRefused() throws Exception {
        Path folder = stored(25);
        Path other = Files.createTempDirectory(temporary, "rewritten");
        try (IssuingLog log = LogSamples.open(other)) {
            for (int i = 1; i <= 25; i++) {
                log.append(i == 4 ? LogDraft.of(EntryKind.TRAPDOOR, "eve") : draft(i));
            }
        }
        Files.copy(
                other.resolve(EntryFile.NAME),
                folder.resolve(EntryFile.NAME),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(opening(folder).problem()).isEqualTo(LogProblem.REWRITTEN);
        Files.delete(folder.resolve(IndexFile.NAME));
        assertThat(opening(folder).problem()).isEqualTo(LogProblem.REWRITTEN);
        Files.delete(folder.resolve(EntryFile.NAME));
        assertThat(opening(folder).problem()).isEqualTo(LogProblem.MISSING);
    }

    @Test
    void theIndexIsMadeAgain() throws Exception {
        Path folder = stored(25);
        Path index = folder.resolve(IndexFile.NAME);
        byte[] good = Files.readAllBytes(index);
        byte[] rotten = good.clone();
        rotten[IndexFile.RECORD_BYTES * 3 + 20] ^= 1;
        byte[] elsewhere = good.clone();
        elsewhere[IndexFile.RECORD_BYTES * 25 - 33] ^= 1;
        for (byte[] bad : List.of(new byte[0], Arrays.copyOf(good, 500), rotten, elsewhere, new byte[good.length])) {
            Files.write(index, bad);
            try (IssuingLog log = LogSamples.open(folder)) {
                assertThat(log.size()).isEqualTo(25);
                assertThat(log.newestFirst(26, 25)).hasSize(25);
            }
            assertThat(Files.readAllBytes(index)).isEqualTo(good);
        }
    }

    /** The files as a crash leaves them: a head of entry 1, and entries behind it that no head covers. */
    private Path crashed(int entries) throws IOException {
        Path folder = Files.createTempDirectory(temporary, "running");
        Path image = Files.createTempDirectory(temporary, "crashed");
        try (IssuingLog log = LogSamples.open(folder)) {
            for (int i = 1; i <= entries; i++) {
                log.append(draft(i));
            }
            for (String name : List.of(EntryFile.NAME, HeadFile.NAME, IndexFile.NAME)) {
                Files.copy(folder.resolve(name), image.resolve(name));
            }
        }
        return image;
    }

    @Test
    void anAcknowledgedEntryIsNeverTakenForATornOne() throws Exception {
        Path folder = crashed(9);
        Path file = folder.resolve(EntryFile.NAME);
        byte[] good = Files.readAllBytes(file);
        byte[] flipped = good.clone();
        flipped[good.length - 5] ^= 1;
        for (byte[] bad :
                List.of(flipped, Arrays.copyOf(good, good.length - 1), Arrays.copyOf(good, good.length - 400))) {
            Files.write(file, bad);
            IssuingLogException e = opening(folder);
            assertThat(e.problem()).isIn(LogProblem.DAMAGED, LogProblem.MISSING);
            assertThat(e.number()).isBetween(6L, 9L);
            assertThat(Files.readAllBytes(file)).isEqualTo(bad);
        }
        Files.write(file, good);
        try (IssuingLog log = LogSamples.open(folder)) {
            assertThat(log.size()).isEqualTo(9);
            assertThat(verify(LogSamples.export(log))).isEmpty();
        }
    }

    /** The index is not forced to disk with every entry: after a loss of power its last records may be nothing. */
    @Test
    void recordsThatLossOfPowerLeftUnwrittenAreMadeAgain() throws Exception {
        Path folder = crashed(9);
        Path index = folder.resolve(IndexFile.NAME);
        byte[] good = Files.readAllBytes(index);
        byte[] unwritten = good.clone();
        Arrays.fill(unwritten, 6 * IndexFile.RECORD_BYTES, unwritten.length, (byte) 0);
        Files.write(index, unwritten);
        LogSamples.open(folder).close();
        assertThat(Files.readAllBytes(index)).isEqualTo(good);
    }

    /** An entry of the same length and its checksum put over an old one that nobody reads when the log is opened. */
    @Test
    void anOldEntryThatWasReplacedIsNamedWhenItIsRead() throws Exception {
        Path folder = stored(25);
        Path file = folder.resolve(EntryFile.NAME);
        byte[] bytes = Files.readAllBytes(file);
        LogEntry old;
        long offset;
        try (IndexFile index = IndexFile.open(folder.resolve(IndexFile.NAME));
                IssuingLog log = LogSamples.open(folder)) {
            old = log.entry(4).orElseThrow();
            offset = index.place(3).offset();
        }
        byte[] frame = EntryFile.frame(
                new LogEntry(4, old.previous(), old.time(), old.kind(), "eve", old.details(), old.sealed()).encode());
        System.arraycopy(frame, 0, bytes, (int) offset, frame.length);
        Files.write(file, bytes);
        try (IssuingLog log = LogSamples.open(folder)) {
            IssuingLogException e = catchThrowableOfType(IssuingLogException.class, () -> log.entry(4));
            assertThat(e.problem()).isEqualTo(LogProblem.ALTERED);
            assertThat(e.number()).isEqualTo(4);
            assertThat(log.newestFirst(4, 3)).hasSize(3);
            assertThatThrownBy(() -> LogSamples.export(log)).isInstanceOf(IssuingLogException.class);
        }
    }

    /** Frames and chain made whole again; no head speaks of it yet, but the index does. */
    @Test
    void anEntryThatNoHeadCoversIsHeldAgainstTheIndex() throws Exception {
        Path folder = crashed(9);
        Path other = Files.createTempDirectory(temporary, "rewritten");
        try (IssuingLog log = LogSamples.open(other)) {
            for (int i = 1; i <= 9; i++) {
                log.append(i == 4 ? LogDraft.of(EntryKind.TRAPDOOR, "eve") : draft(i));
            }
        }
        Files.copy(
                other.resolve(EntryFile.NAME),
                folder.resolve(EntryFile.NAME),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        IssuingLogException e = opening(folder);
        assertThat(e.problem()).isEqualTo(LogProblem.ALTERED);
        assertThat(e.number()).isEqualTo(4);
    }

    /** Nobody was told of it, so it is cut off; the log says so itself. */
    @Test
    void theBeginningOfAnEntryAtTheEndIsCutOff() throws Exception {
        Path folder = stored(3);
        Path file = folder.resolve(EntryFile.NAME);
        byte[] good = Files.readAllBytes(file);
        byte[] torn = Arrays.copyOf(good, good.length + 50);
        torn[good.length + 3] = 100;
        Files.write(file, torn);
        try (IssuingLog log = LogSamples.open(folder)) {
            assertThat(log.size()).isEqualTo(4);
            LogEntry repaired = log.entry(4).orElseThrow();
            assertThat(repaired.kind()).isEqualTo(EntryKind.REPAIRED);
            assertThat(repaired.details()).containsEntry(DetailName.COUNT, "50 bytes");
            assertThat(verify(LogSamples.export(log))).isEmpty();
        }
    }

    @Test
    void theBeginningOfAHeadAtTheEndIsCutOff() throws Exception {
        Path folder = stored(3);
        Path file = folder.resolve(HeadFile.NAME);
        byte[] good = Files.readAllBytes(file);
        for (byte[] bad : List.of(
                Arrays.copyOf(good, good.length - 1),
                Arrays.copyOf(good, good.length + 700),
                Arrays.copyOf(good, 10))) {
            Files.write(file, bad);
            try (IssuingLog log = LogSamples.open(folder)) {
                assertThat(verify(LogSamples.export(log))).isEmpty();
            }
        }
    }
}
