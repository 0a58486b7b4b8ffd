package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that container runtimes cut into parts, in files that are followed, rotated and read again after a stop. */
class CutLinesTest {
    private static final int MAX_RECORD = 4096;

    private static final Duration LINGER = Duration.ofMillis(200);

    @TempDir
    Path folder;

    private final Recorder sink = new Recorder();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger most = new AtomicInteger(1 << 20);
    private Path log;
    private FileSource source;
    private int number;

    @BeforeEach
    void begin() throws Exception {
        log = folder.resolve("0.log");
        write("first line of the file");
        source = open();
        read();
        sink.sealed.clear();
    }

    @AfterEach
    void end() {
        source.close();
    }

    private FileSource open() {
        FileSource.Options options = new FileSource.Options(
                List.of(folder + "/*.log"), List.of(), false, MAX_RECORD, LINGER, 100, Recorder.RULE);
        return new FileSource(
                new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get, System::nanoTime, most::get);
    }

    /** As after kill -9: what was not sealed is read again. */
    private void restart() throws Exception {
        source.close();
        sink.open.clear();
        sink.positions = Positions.decode(sink.saved);
        source = open();
    }

    /** Reads what there is, and seals what came of it; in less time than a part waits. */
    private void read() throws Exception {
        for (int quiet = 0; quiet < 4; ) {
            quiet = source.poll(sink) ? 0 : quiet + 1;
            nanos.addAndGet(Duration.ofMillis(250).toNanos() / (quiet + 1));
        }
        sink.settle();
    }

    private void waitLong() throws Exception {
        nanos.addAndGet(Joining.PATIENCE.toNanos());
        read();
    }

    private void write(String... lines) throws IOException {
        append(log, lines);
    }

    private static void append(Path file, String... lines) throws IOException {
        Files.writeString(
                file,
                String.join("\n", lines) + (lines.length == 0 ? "" : "\n"),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private Path rotated() {
        return log.resolveSibling("0.log.1");
    }

    private static String docker(String stream, String text) {
        return "{\"log\":\"" + text + "\",\"stream\":\"" + stream + "\",\"time\":\"2026-11-28T10:00:00Z\"}";
    }

    private static String cri(String stream, String tag, String text) {
        return "2026-11-28T10:00:00Z " + stream + ' ' + tag + ' ' + text;
    }

    private String part(String stream) {
        return cri(stream, "P", "part " + number++);
    }

    private String end(String stream) {
        return cri(stream, "F", "end " + number++);
    }

    private static String joined(String... lines) {
        return String.join("\n", lines);
    }

    @Test
    void partsOfDockerAreOneRecord() throws Exception {
        String[] lines = {
            docker("stdout", "2026-11-28 10:00:00 ERR"), docker("stdout", "OR user=bo"), docker("stdout", "b\\n")
        };
        write(lines[0]);
        read();
        assertThat(sink.sealed).isEmpty();
        write(lines[1]);
        read();
        write(lines[2], "of another format");
        read();
        assertThat(sink.sealed).containsExactly(joined(lines), "of another format");
        assertThat(sink.parts)
                .as("they are no parts of a line that is too long")
                .containsOnly("");
    }

    @Test
    void partsOfTwoStreamsAreJoinedApart() throws Exception {
        String[] out = {part("stdout"), part("stdout"), end("stdout")};
        String[] err = {part("stderr"), end("stderr")};
        write("plain", out[0], err[0], out[1], "in between", err[1], out[2], "behind");
        read();
        assertThat(sink.sealed).containsExactly("plain", "in between", joined(err), joined(out), "behind");
    }

    /** Wherever the agent is killed, whatever was sealed before, each line is in one record, and records are whole. */
    @Test
    void afterARestartNothingIsLostAndNothingReadTwice() throws Exception {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            String[] out = {part("stdout"), part("stdout"), end("stdout")};
            String[] err = {part("stderr"), part("stderr"), end("stderr")};
            List<String> written = new ArrayList<>();
            int nextOut = 0;
            int nextErr = 0;
            while (nextOut + nextErr < out.length + err.length) {
                boolean isOut = nextErr == err.length || nextOut < out.length && random.nextBoolean();
                written.add(isOut ? out[nextOut++] : err[nextErr++]);
                if (random.nextInt(3) == 0) {
                    written.add("line " + number++);
                }
            }
            sink.sealed.clear();
            for (String line : written) {
                write(line);
                if (random.nextInt(3) == 0) {
                    read();
                }
                if (random.nextInt(3) == 0) {
                    restart();
                }
            }
            read();
            List<String> expected = new ArrayList<>(
                    written.stream().filter(line -> line.startsWith("line ")).toList());
            expected.add(joined(out));
            expected.add(joined(err));
            assertThat(sink.sealed).as("round " + round).containsExactlyInAnyOrderElementsOf(expected);
            restart();
            read();
            assertThat(sink.sealed).as("again, round " + round).hasSameSizeAs(expected);
        }
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void aPartWhoseEndDoesNotComeIsSealedAsItIs() throws Exception {
        String[] lines = {part("stdout"), part("stdout"), end("stdout")};
        write(lines[0], lines[1]);
        read();
        assertThat(sink.sealed).isEmpty();
        waitLong();
        assertThat(sink.sealed).containsExactly(joined(lines[0], lines[1]));
        restart();
        write(lines[2]);
        read();
        assertThat(sink.sealed).containsExactly(joined(lines[0], lines[1]), lines[2]);
    }

    /** An agent that could not read for a while finds the end with the first look. */
    @Test
    void timeInWhichNobodyReadIsNoTimeOfWaiting() throws Exception {
        String[] lines = {part("stdout"), end("stdout")};
        write(lines[0]);
        read();
        write(lines[1]);
        waitLong();
        assertThat(sink.sealed).containsExactly(joined(lines));
    }

    @Test
    void aFileThatIsRenamedIsJoinedToItsEnd() throws Exception {
        String[] lines = {part("stdout"), end("stdout"), part("stderr")};
        write(lines[0]);
        read();
        Files.move(log, rotated());
        write("of the next file");
        append(rotated(), lines[1], lines[2]);
        read();
        assertThat(sink.sealed).contains(joined(lines[0], lines[1]), "of the next file");
        Thread.sleep(LINGER);
        read();
        assertThat(sink.sealed).as("its end is read").contains(lines[2]).hasSize(3);
        restart();
        read();
        assertThat(sink.sealed).hasSize(3);
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void aCutFileGoesOnInItsCopy() throws Exception {
        String[] lines = {part("stdout"), part("stderr"), end("stderr"), end("stdout")};
        write(lines[0], lines[1]);
        read();
        Files.copy(log, rotated());
        append(rotated(), lines[2], lines[3]);
        cut();
        write("of the next file, which is not as long as the one before, but has a line");
        read();
        assertThat(sink.sealed)
                .contains(joined(lines[0], lines[3]), joined(lines[1], lines[2]))
                .hasSize(3);
        assertThat(sink.losses).isEmpty();
    }

    private void cut() throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    @Test
    void whatWaitedInAFileThatWasCutIsReportedAsLost() throws Exception {
        String part = part("stdout");
        write(part);
        read();
        cut();
        read();
        assertThat(sink.sealed).isEmpty();
        assertThat(sink.losses).containsExactly("truncated-file " + log);
        assertThat(sink.lost).isEqualTo(part.length() + 1);
    }

    @Test
    void aCompressedFileGoesOnAtTheFirstPart() throws Exception {
        String[] lines = {part("stdout"), part("stderr"), end("stderr"), "x".repeat(3000), end("stdout")};
        write(lines[0], lines[1], lines[2], lines[3]);
        read();
        assertThat(sink.sealed).containsExactly(joined(lines[1], lines[2]), lines[3]);
        source.close();
        write(lines[4]);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("0.log.1.gz")))) {
            Files.copy(log, out);
        }
        Files.delete(log);
        restart();
        read();
        assertThat(sink.sealed).containsExactly(joined(lines[1], lines[2]), lines[3], joined(lines[0], lines[4]));
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void anEndlessLineIsSealedInPieces() throws Exception {
        String part = cri("stdout", "P", "z".repeat(1000));
        for (int i = 0; i < 100; i++) {
            write(part);
        }
        read();
        assertThat(sink.sealed).hasSize(33).containsOnly(joined(part, part, part));
        sink.sealed.clear();
        waitLong();
        assertThat(sink.sealed).containsExactly(part);
        String empty = cri("stderr", "P", "");
        for (int i = 0; i < 300; i++) {
            write(empty);
        }
        sink.sealed.clear();
        most.set(100);
        read();
        assertThat(sink.sealed).allMatch(record -> record.length() <= 100);
    }

    @Test
    void aPartAtTheBeginningOfAFileIsJoined() throws Exception {
        String[] lines = {part("stdout"), part("stderr"), end("stdout"), end("stderr")};
        append(folder.resolve("1.log"), lines);
        read();
        assertThat(sink.sealed).containsExactly(joined(lines[0], lines[2]), joined(lines[1], lines[3]));
        assertThat(sink.positions.files().values()).allMatch(at -> at.ahead().isEmpty());
    }

    /** Nothing is known of a file by which it could be found again before its first line is sealed. */
    @Test
    void aPartAtTheBeginningOfAFileDoesNotWaitForOneBehindALine() throws Exception {
        String[] lines = {part("stdout"), "another", end("stdout")};
        append(folder.resolve("1.log"), lines);
        read();
        assertThat(sink.sealed).containsExactlyInAnyOrder(lines);
        restart();
        read();
        assertThat(sink.sealed).hasSize(3);
    }

    @Test
    void byOtherRulesEachLineIsARecord() throws Exception {
        String[] lines = {part("stdout"), end("stdout"), part("stderr"), end("stderr")};
        most.set(0);
        write(lines);
        read();
        assertThat(sink.sealed).containsExactly(lines);
    }

    /** A part that waits when the rules change is handed over at once. */
    @Test
    void rulesMayChangeWhileAPartWaits() throws Exception {
        String[] lines = {part("stdout"), end("stdout"), part("stdout"), end("stdout")};
        write(lines[0]);
        read();
        most.set(0);
        read();
        assertThat(sink.sealed).containsExactly(lines[0]);
        write(lines[1], lines[2]);
        read();
        most.set(1 << 20);
        write(lines[3]);
        read();
        assertThat(sink.sealed).containsExactly(lines);
    }

    /** A record that is sealed line by line leaves no line out and none twice, wherever that ends. */
    @Test
    void aJoinedRecordCanBeTakenApart() throws Exception {
        for (int sealed = 0; sealed <= 3; sealed++) {
            String[] lines = {part("stdout"), part("stderr"), "between", end("stderr"), part("stdout"), end("stdout")};
            write(lines);
            while (source.poll(sink)) {
                // all of it
            }
            List<ReadRecord> apart = new ArrayList<>();
            sink.open.forEach(record -> apart.addAll(record.origin().apart(record)));
            assertThat(apart).noneMatch(record -> record.origin().isOfSeveral());
            assertThat(apart.stream().map(record -> new String(record.bytes(), StandardCharsets.UTF_8)))
                    .containsExactly("between", lines[1], lines[3], lines[0], lines[4], lines[5]);
            sink.sealed.clear();
            List<ReadRecord> first = apart.subList(0, 2 * sealed);
            sink.open.clear();
            sink.open.addAll(first);
            sink.settle();
            restart();
            read();
            List<String> single = new ArrayList<>();
            sink.sealed.forEach(record -> single.addAll(List.of(record.split("\n"))));
            assertThat(single).as("of " + sealed).containsExactlyInAnyOrder(lines);
        }
    }

    @Test
    void whatWaitsInAFileThatHasItsNameIsLeftToTheNextStart() throws Exception {
        String[] lines = {part("stdout"), end("stdout")};
        write(lines[0]);
        read();
        source.stop(sink);
        sink.settle();
        assertThat(sink.sealed).isEmpty();
        restart();
        write(lines[1]);
        read();
        assertThat(sink.sealed).containsExactly(joined(lines));
    }

    @Test
    void whatWaitsInAFileThatIsGoneIsSealedBeforeAStop() throws Exception {
        String part = part("stdout");
        write(part);
        read();
        Files.delete(log);
        read();
        source.stop(sink);
        sink.settle();
        assertThat(sink.sealed).containsExactly(part);
    }

    @Test
    void onceAllIsReadNothingWaits() throws Exception {
        String[] lines = {part("stdout"), part("stderr"), "cut of"};
        write(lines[0], lines[1]);
        Files.writeString(log, lines[2], StandardOpenOption.APPEND);
        source.finish(sink);
        assertThat(sink.sealed).containsExactly(lines);
        restart();
        source.finish(sink);
        assertThat(sink.sealed).hasSize(3);
    }

    /** Places are kept of what waits, and no bytes; and not of endlessly many lines. */
    @Test
    void thousandsOfFilesWithPartsTakeLittleMemory() throws Exception {
        Joining joining = new Joining(most::get, nanos::get);
        List<WaitingParts> files = new ArrayList<>();
        byte[] line = new byte[1 << 14];
        long before = used();
        IntStream.range(0, 5000).forEach(i -> files.add(new WaitingParts(joining)));
        int held = 0;
        for (int i = 0; i < 100; i++) {
            for (WaitingParts file : files) {
                for (int stream = 0; stream < 2 && joining.hasRoom(); stream++) {
                    file.add(stream, (long) i * line.length, line, Digest.of(line, 0, i + 1));
                    held++;
                }
            }
        }
        long took = used() - before;
        System.out.println(held + " lines wait in " + files.size() + " files: " + took + " bytes");
        assertThat(held).isEqualTo(Joining.MOST_WAITING);
        assertThat(took).isLessThan(8 << 20);
        files.forEach(WaitingParts::clear);
        assertThat(joining.waiting()).isZero();
    }

    private static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
            Runtime java = Runtime.getRuntime();
            least = Math.min(least, java.totalMemory() - java.freeMemory());
        }
        return least;
    }
}
