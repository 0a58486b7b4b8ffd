package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are written on under names of rotation, cut, replaced, compressed, or on a disk that was mounted again: no line is lost and none comes twice, or it is said. */
class LiveFilesTest {
    @TempDir
    Path folder;

    private Path log;
    private String pattern;
    private Recorder sink;
    private RestartableSource source;
    private int lines;
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void begin() {
        log = folder.resolve("svc.log");
        pattern = folder + "/*.log*";
        source = new RestartableSource(RestartableSource.following(pattern, "*.gz"));
        sink = source.sink;
    }

    @AfterEach
    void end() {
        source.close();
    }

    private void openWith(String other) {
        pattern = other;
        source.reopen(RestartableSource.following(pattern, "*.gz"));
    }

    private void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        written.add(line);
    }

    private void append(Path file, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            append(file, "line " + lines++ + " of a service");
        }
    }

    private static void cut(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    private void allOnce() {
        assertThat(sink.sealed).containsExactlyInAnyOrderElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"svc-1.log", "svc1.log", "svc.2.log", "svc_3.log", "svc.log.1", "svc_20261125.log", "svc.log.old"
            })
    void aFileThatGrowsIsReadToItsEndWhateverItsNameResembles(String name) throws Exception {
        append(log, 3);
        source.drain();
        Path other = folder.resolve(name);
        for (int round = 0; round < 5; round++) {
            append(other, 3);
            append(log, 2);
            source.drain();
            append(other, 1);
            source.drain();
            assertThat(sink.sealed).containsExactlyInAnyOrderElementsOf(written);
        }
        source.stop();
        append(other, 4);
        source.start();
        source.drain();
        append(other, 4);
        source.drain();
        allOnce();
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aFileThatGrowsIsReadIfItWasThereFirst(boolean alone, boolean restarted) throws Exception {
        if (alone) {
            openWith(log.toString()); // the other's name is not asked for: what is in it at first is not read
        }
        Path other = folder.resolve("svc-1.log");
        if (!alone) {
            append(other, 3);
        } else {
            Files.writeString(other, "before the first start\n");
        }
        append(log, 3);
        source.drain();
        if (restarted) {
            source.stop();
            source.start();
        }
        for (int round = 0; round < 3; round++) {
            append(other, 2);
            append(log, 2);
            source.drain();
        }
        allOnce();
    }

    @Test
    void aRotatedFileOfALateWriterIsReadThoughNoNameChanges() throws Exception {
        openWith(log.toString());
        append(log, 3);
        source.drain();
        Path rotated = Files.move(log, folder.resolve("svc.log.1"));
        append(log, 1);
        source.drain();
        for (int i = 0; i < 4; i++) {
            append(rotated, 1);
            source.drain();
        }
        allOnce();
    }

    @ParameterizedTest
    @CsvSource({"svc.log.1, false", "svc.log.1, true", "svc-20261125.log, false", "svc-20261125.log, true"})
    void aNewLogThatIsRotatedBeforeItIsSeenIsReadWhole(String rotated, boolean matched) throws Exception {
        if (!matched) {
            openWith(log.toString());
        }
        source.drain(); // the first start
        append(log, 22);
        Files.move(log, folder.resolve(rotated));
        append(log, 3);
        source.drain();
        allOnce();
        source.stop();
        Path second = folder.resolve("svc.log.2");
        Files.move(log, second);
        append(log, 5);
        source.start();
        source.drain();
        allOnce();
    }

    @Test
    void aNewLogThatIsCopiedAndCutBeforeItIsSeenIsReadWhole() throws Exception {
        openWith(log.toString());
        source.drain();
        append(log, 22);
        Files.copy(log, folder.resolve("svc.log.1"));
        cut(log);
        append(log, 3);
        source.drain();
        allOnce();
    }

    @Test
    void anAgentThatFoundNoLogAtItsFirstStartPassesOverNothingAtItsSecond() throws Exception {
        source.drain();
        source.stop();
        append(log, 3);
        Files.move(log, folder.resolve("svc.log.1"));
        append(log, 3);
        source.start();
        source.drain();
        allOnce();
    }

    /** Lines that are alike from the two hundredth byte on, and equally long. */
    @ParameterizedTest
    @CsvSource({"300, false", "300, true", "1500, false", "1500, true", "3900, false"})
    void aCutIsSeenThoughAllLinesEndAlike(int common, boolean matched) throws Exception {
        if (!matched) {
            openWith(log.toString());
        }
        String end = "x".repeat(common);
        for (int rotation = 0; rotation < 6; rotation++) {
            for (int i = 0; i < 5; i++) {
                append(log, "%08d %s".formatted(lines++, end));
                if (i % 2 == 0) {
                    source.drain();
                }
            }
            Files.copy(log, folder.resolve("svc.log.1"), StandardCopyOption.REPLACE_EXISTING);
            cut(log);
            for (int i = 0; i < 5; i++) {
                append(log, "%08d %s".formatted(lines++, end));
            }
            source.drain();
        }
        allOnce();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filesAreKnownThoughTheirDeviceHasAnotherNumber(boolean matched) throws Exception {
        if (!matched) {
            openWith(log.toString());
        }
        for (int i = 3; i >= 1; i--) {
            append(log, 10);
            source.drain();
            for (int older = 3; older >= 1; older--) {
                if (Files.exists(folder.resolve("svc.log." + older))) {
                    Files.move(folder.resolve("svc.log." + older), folder.resolve("svc.log." + (older + 1)));
                }
            }
            Files.move(log, folder.resolve("svc.log.1"));
            append(log, 10);
            source.drain();
        }
        source.stop();
        Positions before = Positions.decode(sink.saved);
        Positions after = new Positions();
        before.files()
                .values()
                .forEach(at -> after.put(at.in(new FileId(
                        at.id().device() + 77, at.id().inode(), at.id().birth()))));
        after.putCursor("files", "begun");
        sink.saved = after.encode();
        append(log, 2);
        source.start();
        source.drain();
        append(log, 2);
        append(folder.resolve("svc.log.1"), 2);
        source.drain();
        allOnce();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasCompressedBeforeItWasReadToItsEndIsRead(boolean several) throws Exception {
        openWith(log.toString());
        append(log, 60);
        source.drain();
        source.stop();
        append(log, 7);
        compress(Files.move(log, folder.resolve("svc.log.1")), folder.resolve("svc.log.3.gz"));
        if (several) {
            append(log, 9);
            Files.setLastModifiedTime(log, FileTime.from(Instant.now().plusSeconds(60)));
            compress(Files.move(log, folder.resolve("svc.log.1")), folder.resolve("svc.log.2.gz"));
        }
        append(log, 3);
        source.start();
        source.drain();
        allOnce();
        source.stop();
        source.start();
        source.drain();
        allOnce();
    }

    @ParameterizedTest
    @CsvSource({"svc.log.1, svc.log.2.gz", "svc.log.1, svc.log.1.gz", "svc-20261124.log, svc-20261124.log.gz"})
    void whatIsFollowedUnderARotatedNameIsReadOnWhereItWasCompressed(String rotated, String compressed)
            throws Exception {
        append(log, 5);
        Path file = folder.resolve(rotated);
        append(file, 6);
        source.drain();
        source.stop();
        append(file, 4); // its writer was late
        append(log, 2);
        compress(file, folder.resolve(compressed));
        source.start();
        source.drain();
        allOnce();
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).isEmpty();
    }

    /** It is no rotated file of the log: that it comes again must be said. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theCompressedFileOfAnotherProgramIsNotReadAgainInSilence(boolean matched) throws Exception {
        openWith(matched ? pattern : log.toString());
        append(log, 5);
        source.drain();
        Path other = folder.resolve("svc-1.log");
        Files.writeString(other, "other 1\nother 2\n");
        source.drain();
        compress(other, folder.resolve("svc-1.log.gz"));
        source.drain();
        assertThat(sink.sealed).containsOnlyOnce("other 1", "other 2");
        source.stop();
        append(log, 4);
        Files.setLastModifiedTime(
                folder.resolve("svc-1.log.gz"), FileTime.from(Instant.now().plusSeconds(60))); // it wrote later
        awaitTickBehind(folder.resolve("svc-1.log.gz"));
        compress(Files.move(log, folder.resolve("svc.log.1")), folder.resolve("svc.log.1.gz"));
        append(log, 2);
        source.start();
        source.drain();
        assertThat(sink.sealed).containsOnlyOnceElementsOf(written);
        boolean again = sink.sealed.stream().filter("other 1"::equals).count() > 1;
        assertThat(!again || !sink.repeated.isEmpty()).isTrue();
    }

    @Test
    void theCopyOfALogIsNotReadAgainThoughTheFileOfItsNameWasFollowed() throws Exception {
        append(log, 5);
        append(folder.resolve("svc.log.1"), 6);
        source.drain();
        source.stop();
        append(log, 3);
        Files.move(folder.resolve("svc.log.1"), folder.resolve("svc.log.2"));
        Files.copy(log, folder.resolve("svc.log.1"));
        cut(log);
        append(log, 1);
        source.start();
        source.drain();
        allOnce();
        assertThat(sink.losses).isEmpty();
    }

    /** An agent that was away for months: more files than it may have open at a time. What it gives up is said. */
    @Test
    void ofHundredsOfCompressedFilesTheOldestAreReadAndTheOthersReported() throws Exception {
        openWith(log.toString());
        append(log, 3);
        source.drain();
        source.stop();
        append(log, 1);
        int files = 250;
        for (int i = 0; i < files; i++) {
            Files.setLastModifiedTime(log, FileTime.from(Instant.now().plusSeconds(i)));
            compress(Files.move(log, folder.resolve("svc.log.1")), folder.resolve("svc.log-%04d.gz".formatted(i)));
            append(log, 1);
        }
        source.start();
        source.drain();
        assertThat(sink.sealed).doesNotHaveDuplicates();
        long missing =
                written.stream().filter(line -> !sink.sealed.contains(line)).count();
        assertThat(missing).isEqualTo(49); // the file that was followed is one, and there are 200 behind it
        assertThat(sink.losses).hasSize(49).allSatisfy(loss -> assertThat(loss).startsWith("missing-file "));
    }

    /** Until the file system's clock, which goes in steps, is past a file's last change of name. */
    private void awaitTickBehind(Path file) throws IOException {
        FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
        Path now = folder.resolve("clock");
        do {
            Files.writeString(now, "tick");
        } while (changed.compareTo((FileTime) Files.getAttribute(now, "unix:ctime")) >= 0);
        Files.delete(now);
    }

    private static void compress(Path file, Path to) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to))) {
            Files.copy(file, out);
        }
        Files.setLastModifiedTime(to, Files.getLastModifiedTime(file));
        Files.delete(file);
    }

    @Test
    void aFileThatIsGoneBeforeItWasReadToItsEndIsReportedAsLost() throws Exception {
        openWith(log.toString());
        append(log, 6);
        source.drain();
        source.stop();
        Files.delete(log);
        Files.writeString(log, "another one\n");
        source.start();
        source.drain();
        assertThat(sink.losses).containsExactly("missing-file " + log);
    }

    @ParameterizedTest
    @CsvSource({"false, 35", "true, 35", "false, 2000", "true, 2000"})
    void aFileThatIsReplacedByOneWithTheSameBeginningIsReadOn(boolean stopped, int count) throws Exception {
        openWith(log.toString());
        append(log, count);
        source.drain();
        if (stopped) {
            source.stop();
        }
        for (int round = 0; round < 3; round++) {
            Path copy = folder.resolve(".svc.log.tmp");
            Files.copy(log, copy);
            append(copy, 5);
            Files.move(copy, log, StandardCopyOption.ATOMIC_MOVE);
            if (stopped) {
                source.start();
            }
            source.drain();
            append(log, 1);
            source.drain();
            if (stopped) {
                source.stop();
            }
        }
        if (stopped) {
            source.start();
        }
        assertThat(sink.sealed).isEqualTo(written);
        assertThat(sink.losses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 200})
    void aFileThatIsReplacedWhileTheAgentIsAwayIsReadOn(int count) throws Exception {
        append(log, count);
        append(log, "label ".repeat(60));
        source.drain();
        source.stop();
        append(log, 3);
        append(folder.resolve("svc-1.log"), 3);
        Path copy = folder.resolve(".svc.log.tmp");
        Files.copy(log, copy);
        Files.move(copy, log, StandardCopyOption.ATOMIC_MOVE);
        append(log, 3);
        source.start();
        source.drain();
        allOnce();
    }

    /** A new log that begins with what its program says at each start looks like a copy that an editor made. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNewLogThatBeginsAsTheLastOneIsReadWholeAndThatIsSaid(boolean stopped) throws Exception {
        String banner = "service 4.2 of the plant, on host press-1, begins with its settings of /etc/service.conf";
        append(log, banner);
        source.drain();
        if (stopped) {
            source.stop();
        }
        Files.delete(log);
        Files.writeString(folder.resolve("other"), "keeps the number of the file\n");
        append(log, banner);
        append(log, 1);
        if (stopped) {
            source.start();
        }
        source.drain();
        assertThat(sink.sealed).containsExactlyInAnyOrderElementsOf(written);
        assertThat(sink.repeated).isNotEmpty();
    }

    @Test
    void aFileThatIsReplacedByAnEditedOneIsReadAgainAndThatIsSaid() throws Exception {
        openWith(log.toString());
        append(log, 40);
        source.drain();
        List<String> edited = new ArrayList<>(Files.readAllLines(log));
        edited.remove(5);
        Path copy = folder.resolve(".sedXYZ");
        Files.writeString(copy, String.join("\n", edited) + "\n");
        Files.move(copy, log, StandardCopyOption.ATOMIC_MOVE);
        append(log, 2);
        source.drain();
        assertThat(sink.sealed).containsAll(written);
        assertThat(sink.repeated).containsExactly(log.toString());
    }

    /** A table whose first line alone is the same. */
    @Test
    void aNewTableIsReadWholeThoughItsFirstLineIsTheSame() throws Exception {
        openWith(log.toString());
        String header = IntStream.range(0, 40).mapToObj(i -> "column" + i).reduce("time", (a, b) -> a + "," + b);
        for (int day = 0; day < 4; day++) {
            append(log, header);
            append(log, 5);
            source.drain();
            Files.delete(log);
        }
        source.drain();
        assertThat(sink.sealed).isEqualTo(written);
        assertThat(sink.repeated).isEmpty();
    }

    /** A file that is not ours to read, beside one that it may be a copy of. */
    @Test
    void aFileThatCannotBeComparedIsLookedAtAgain() throws Exception {
        append(log, 3);
        AtomicBoolean denied = new AtomicBoolean(true);
        PathFollower.Shared shared = sink.shared((path, status, target) -> {
            if (denied.get()) {
                throw new AccessDeniedException(path.toString());
            }
            return FilePosition.start(path.toString(), status.id());
        });
        try (PathFollower follower = new PathFollower(log, shared)) {
            follower.begin(sink);
            follower.poll(sink);
            denied.set(false);
            follower.poll(sink);
            follower.poll(sink);
        }
        sink.settle();
        allOnce();
    }

    @Test
    void whatIsSaidAsTextIsByteForByte() throws Exception {
        Files.write(log, "é\n".getBytes(StandardCharsets.UTF_8));
        source.drain();
        assertThat(sink.sealed)
                .containsExactly(new String("é".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    }

    /** A copy that is being made is empty at first, so an empty file beside a log waits; what it is renamed to is looked for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEmptyFileThatIsFilledAndRenamedBeforeItIsReadIsReadWhole(boolean later) throws Exception {
        openWith(folder + "/*.log");
        append(log, 3);
        if (later) {
            source.drain();
        }
        Path other = Files.createFile(folder.resolve("svc-2.log"));
        source.drain();
        append(other, 5);
        Files.move(other, folder.resolve("svc-2.log.1"));
        source.drain();
        allOnce();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1300})
    void aFileThatIsWrittenAgainWithChangesIsSaidToBePerhapsRepeated(int changed) throws Exception {
        append(log, 100);
        source.drain();
        byte[] edited = Files.readAllBytes(log);
        edited[changed] ^= 1;
        Files.write(log, edited, StandardOpenOption.TRUNCATE_EXISTING);
        append(log, 1);
        source.drain();
        assertThat(sink.sealed).hasSize(201);
        assertThat(sink.repeated).containsExactly(log.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"one|one,two", "one,two,three|one,two,three,four", "one,two,three|one,2,three"})
    void aSmallFileThatIsReplacedByOneWithItsLinesIsSaidToBePerhapsRepeated(String lines) throws Exception {
        String[] both = lines.split("\\|");
        Files.writeString(log, both[0].replace(',', '\n') + '\n');
        source.drain();
        Path next = Files.writeString(folder.resolve("next"), both[1].replace(',', '\n') + '\n');
        Files.move(next, log, StandardCopyOption.REPLACE_EXISTING);
        source.drain();
        assertThat(sink.sealed).hasSize(both[0].split(",").length + both[1].split(",").length);
        assertThat(sink.repeated).containsExactly(log.toString());
    }

    @Test
    void ofSeveralCompressedFilesThatBeginWithAllThatWasReadItIsSaidThatSomeMayBeLost() throws Exception {
        openWith(log.toString());
        append(log, 1);
        String begin = Files.readString(log);
        source.drain();
        source.stop();
        append(log, 3);
        List<Path> held = new ArrayList<>();
        for (int i = 2; i >= 1; i--) {
            byte[] content = Files.readAllBytes(log);
            Path archive = folder.resolve("svc.log." + i + ".gz");
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
                out.write(content);
            }
            Files.setLastModifiedTime(archive, FileTime.from(Instant.now().minusSeconds(60L * i)));
            held.add(Files.move(log, folder.resolve("elsewhere" + i))); // its inode is not given again
            Files.writeString(log, begin);
            append(log, 2);
        }
        assertThat(held).hasSize(2);
        source.start();
        source.drain();
        assertThat(sink.losses).containsExactly("missing-file " + log);
    }
}
