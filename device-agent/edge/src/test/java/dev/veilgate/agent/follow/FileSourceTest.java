package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Following files through what happens to logs, with stops in between. */
class FileSourceTest {
    private static final int MAX_RECORD = 4096;

    @TempDir
    Path folder;

    private Path log;
    private Recorder sink;
    private FileSource source;
    private String pattern;
    /** The clock of the source, in nanoseconds; tests move it on. */
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void begin() {
        log = folder.resolve("app.log");
        pattern = log.toString();
        sink = new Recorder();
        source = open(false, Duration.ZERO);
    }

    @AfterEach
    void end() {
        source.close();
    }

    private FileSource open(boolean fromEnd, Duration linger) {
        FileSource.Options options = new FileSource.Options(
                List.of(pattern), List.of("*.gz"), fromEnd, MAX_RECORD, linger, 100, Recorder.RULE);
        return new FileSource(
                new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get, System::nanoTime);
    }

    /** As after a crash: what was read and not sealed is read again. */
    private void restart() throws Exception {
        source.close();
        sink.open.clear();
        sink.positions = Positions.decode(sink.saved);
        source = open(false, Duration.ZERO);
    }

    private void drain() throws Exception {
        for (int quiet = 0; quiet < 4; ) {
            if (source.poll(sink)) {
                quiet = 0;
            } else {
                quiet++;
                if (quiet == 2) {
                    nanos.addAndGet(Duration.ofHours(1).toNanos()); // a scan is due
                }
            }
        }
        sink.settle();
    }

    private void write(Path file, String text) throws IOException {
        Files.write(
                file, text.getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void cut(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    private Path rotated(int n) {
        return log.resolveSibling("app.log." + n);
    }

    @Test
    void keepsCarriageReturnsAndBinaryAndEmptyLines() throws Exception {
        write(log, "a\r\n\n\u0000\u00ff\u0001b\nlast\n");
        drain();
        assertThat(sink.sealed).containsExactly("a\r", "", "\u0000\u00ff\u0001b", "last");
    }

    @Test
    void waitsForTheEndOfALine() throws Exception {
        write(log, "one\ntw");
        drain();
        assertThat(sink.sealed).containsExactly("one");
        restart();
        write(log, "o\n");
        drain();
        assertThat(sink.sealed).containsExactly("one", "two");
    }

    @Test
    void finishHandsOverTheLineWithoutEnd() throws Exception {
        write(log, "one\ntwo");
        drain();
        source.finish(sink);
        assertThat(sink.sealed).containsExactly("one", "two");
        assertThat(sink.parts.getLast()).endsWith(".1"); // no line feed followed
        restart();
        drain();
        source.finish(sink);
        assertThat(sink.sealed).containsExactly("one", "two");
    }

    @Test
    void followsARenamedFileToItsEndAndThenTheNewOne() throws Exception {
        write(log, "1\n");
        drain();
        write(log, "2\n3");
        Files.move(log, rotated(1));
        write(log, "4\n");
        drain();
        assertThat(sink.sealed).contains("1", "2", "3", "4").hasSize(4);
        assertThat(sink.sealed.indexOf("2")).isLessThan(sink.sealed.indexOf("4"));
        assertThat(sink.sources).containsExactly(log.toString());
    }

    @Test
    void findsSeveralRotationsWhileItWasAway() throws Exception {
        write(log, "1\n2\n");
        drain();
        source.close();
        write(log, "3\n");
        pause();
        Files.move(log, rotated(3));
        write(log, "4\n");
        pause();
        Files.move(log, rotated(2));
        write(log, "5\n");
        pause();
        Files.move(log, rotated(1));
        write(log, "6\n");
        restart();
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4", "5", "6");
        restart();
        drain();
        assertThat(sink.sealed).hasSize(6);
        assertThat(sink.sources).containsExactly(log.toString());
    }

    /**
     * File systems stamp with a clock of some milliseconds: what is rotated twice within one tick is told apart by
     * its names.
     */
    @Test
    void findsTheOrderOfRotationsWithinOneTick() throws Exception {
        write(log, "1\n");
        drain();
        source.close();
        FileTime tick = FileTime.from(Instant.parse("2026-11-21T12:00:00Z"));
        for (int number = 12; number >= 1; number--) {
            write(log, number + " " + "x".repeat(number % 3) + "\n");
            Files.setLastModifiedTime(log, tick);
            Files.move(log, rotated(number));
        }
        write(log, "last\n");
        restart();
        drain();
        List<String> expected = new ArrayList<>(List.of("1"));
        for (int number = 12; number >= 1; number--) {
            expected.add(number + " " + "x".repeat(number % 3));
        }
        expected.add("last");
        assertThat(sink.sealed).containsExactlyElementsOf(expected);
    }

    @Test
    void findsTheOrderOfDatesWithinOneTick() throws Exception {
        write(log, "1\n");
        drain();
        source.close();
        FileTime tick = FileTime.from(Instant.parse("2026-11-21T12:00:00Z"));
        for (String date : List.of("-20261119", "-20261120", "-20261121-1201", "-20261121-1202")) {
            write(log, date + "\n");
            Files.setLastModifiedTime(log, tick);
            Files.move(log, log.resolveSibling("app.log" + date));
        }
        restart();
        drain();
        assertThat(sink.sealed).containsExactly("1", "-20261119", "-20261120", "-20261121-1201", "-20261121-1202");
    }

    @Test
    void doesNotReadWhatWasRotatedAwayBeforeTheFirstStart() throws Exception {
        write(rotated(1), "old\n");
        pause();
        write(log, "1\n");
        drain();
        pause();
        Files.move(rotated(1), rotated(2));
        Files.move(log, rotated(1));
        write(log, "2\n");
        drain();
        assertThat(sink.sealed).containsExactly("1", "2");
    }

    @Test
    void goesOnInTheCopyWhenTheLogIsCut() throws Exception {
        write(log, "1\n2\n");
        drain();
        write(log, "3\n4\n");
        Files.copy(log, rotated(1));
        cut(log);
        write(log, "5\n");
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4", "5");
        assertThat(sink.lost).isZero();
        write(log, "6\n");
        Files.move(rotated(1), rotated(2));
        Files.copy(log, rotated(1));
        cut(log);
        drain();
        write(log, "7\n");
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4", "5", "6", "7");
        assertThat(sink.sources).containsExactly(log.toString());
    }

    @Test
    void goesOnInTheCopyAfterARestart() throws Exception {
        write(log, "1\n2\n");
        drain();
        source.close();
        write(log, "3\n");
        Files.copy(log, rotated(1));
        cut(log);
        write(log, "4 is longer than what was there before\n");
        restart();
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4 is longer than what was there before");
        assertThat(sink.sources).containsExactly(log.toString());
    }

    @Test
    void noticesThatALogWasCutAndWrittenAgain() throws Exception {
        write(log, "1\n2\n");
        drain();
        cut(log);
        pause();
        write(log, "3\n4\n5\n6\n");
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4", "5", "6");
    }

    @Test
    void reportsBytesThatAreCertainlyLost() throws Exception {
        write(log, "1\nhalf of a line");
        drain();
        cut(log);
        drain();
        assertThat(sink.sealed).containsExactly("1");
        assertThat(sink.lost).isEqualTo("half of a line".length());
    }

    @Test
    void doesNotReadTheCopyTwiceWhenThePatternMatchesIt() throws Exception {
        pattern = log + "*";
        source.close();
        source = open(false, Duration.ZERO);
        write(log, "1\n2\n");
        drain();
        Files.copy(log, rotated(1));
        drain();
        assertThat(sink.sealed).containsExactly("1", "2");
        write(log, "3\n");
        Files.copy(log, rotated(1), StandardCopyOption.REPLACE_EXISTING);
        cut(log);
        write(log, "4\n");
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4");
        pause();
        Files.move(rotated(1), rotated(2));
        Files.move(log, rotated(1));
        write(log, "5\n");
        drain();
        restart();
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void followsFilesThatAppearAndThoseThatAreMadeAgain() throws Exception {
        pattern = folder + "/*.log";
        source.close();
        source = open(false, Duration.ZERO);
        drain();
        write(folder.resolve("b.log"), "b1\n");
        write(folder.resolve("c.log.gz"), "no\n");
        drain();
        Files.delete(folder.resolve("b.log"));
        drain();
        write(folder.resolve("b.log"), "b2\n");
        drain();
        assertThat(sink.sealed).containsExactly("b1", "b2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host-%d.log", "host-%d", "%d.log"})
    void readsFilesWhoseNumbersBeginAlike(String name) throws Exception {
        pattern = folder + "/*";
        source.close();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            write(folder.resolve(name.formatted(i)), "of " + i + "\n");
            expected.add("of " + i);
        }
        FileSource.Options options = new FileSource.Options(
                List.of(pattern), List.of(), false, MAX_RECORD, Duration.ZERO, 1000, Recorder.RULE);
        source = new FileSource(
                new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get, System::nanoTime);
        drain();
        assertThat(sink.sealed).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void beginsAtTheEndIfAsked() throws Exception {
        write(log, "old\nolder\npar");
        source.close();
        source = open(true, Duration.ZERO);
        drain();
        write(log, "t\nnew\n");
        drain();
        assertThat(sink.sealed).containsExactly("part", "new");
    }

    @Test
    void cutsALongLineIntoPartsThatMakeItAgain() throws Exception {
        StringBuilder line = new StringBuilder();
        Random random = new Random(1);
        while (line.length() < 10 * 1024 * 1024) {
            line.append(random.nextInt(1000) == 0 ? ' ' : (char) ('a' + random.nextInt(26)));
        }
        write(log, "before\n" + line + "\nafter\n");
        drain();
        assertThat(sink.sealed.getFirst()).isEqualTo("before");
        assertThat(sink.sealed.getLast()).isEqualTo("after");
        List<String> parts = sink.sealed.subList(1, sink.sealed.size() - 1);
        assertThat(String.join("", parts)).isEqualTo(line.toString());
        assertThat(parts).allMatch(part -> part.length() <= MAX_RECORD);
        String name = sink.parts.get(1).split("\\.")[0];
        assertThat(sink.parts.get(1)).isEqualTo(name + ".1");
        assertThat(sink.parts.get(2)).isEqualTo(name + ".2");
        assertThat(sink.parts.get(parts.size())).endsWith(".end");
    }

    @Test
    void goesOnInsideALongLine() throws Exception {
        String line = "y".repeat(3 * MAX_RECORD);
        write(log, line);
        drain();
        restart();
        write(log, "z\n");
        drain();
        assertThat(String.join("", sink.sealed)).isEqualTo(line + "z");
        assertThat(sink.parts.getLast()).isEqualTo(sink.parts.getFirst().replace(".1", ".4") + ".end");
    }

    @Test
    void readsWhatALateWriterAddsToARenamedFile() throws Exception {
        source.close();
        source = open(false, Duration.ofSeconds(30));
        write(log, "1\n");
        drain();
        Files.move(log, rotated(1));
        write(log, "3\n");
        drain();
        write(rotated(1), "2\n");
        drain();
        assertThat(sink.sealed).containsExactly("1", "3", "2");
        assertThat(sink.sources).containsExactly(log.toString());
    }

    @Test
    void readsWhatALateWriterAddsToAFileThatWasRenamedWhileItWasEmpty() throws Exception {
        source.close();
        source = open(false, Duration.ofSeconds(30));
        write(log, "");
        drain();
        Files.move(log, rotated(1));
        write(log, "2\n");
        drain();
        write(rotated(1), "1\n"); // no name in the folder changes
        drain();
        assertThat(sink.sealed).containsExactly("2", "1");
    }

    /** A file system that is mounted late, or for a while away. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goesOnWhereItWasWhenTheFolderComesBack(boolean restarted) throws Exception {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        Path away = folder.resolve("away");
        log = mounted.resolve("app.log");
        pattern = log.toString();
        source.close();
        source = open(false, Duration.ZERO);
        write(log, "1\n");
        drain();
        Files.move(log, rotated(1));
        write(log, "2\n");
        drain();
        Files.move(mounted, away);
        if (restarted) {
            restart();
        }
        drain();
        write(away.resolve("app.log"), "3\n");
        Files.move(away, mounted);
        drain();
        write(log, "4\n");
        drain();
        assertThat(sink.sealed).containsExactly("1", "2", "3", "4");
        Files.move(log, rotated(2));
        write(log, "5\n");
        drain();
        assertThat(sink.sealed).hasSize(5).endsWith("5");
    }

    @Test
    void randomRotationsWithRestartsLoseAndRepeatNothing() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("FileSourceTest: -Dveilgate.seed=" + seed);
        Random random = new Random(seed);
        boolean copies = random.nextBoolean(); // a log is rotated in one way
        List<String> written = new ArrayList<>(List.of("line 0"));
        write(log, "line 0\n");
        drain(); // a start before anything was sealed is the first, and leaves alone what was rotated away
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(6)) {
                case 0 -> rotate(copies);
                case 1 -> restart();
                case 2 -> {
                    source.poll(sink);
                    sink.settle();
                }
                case 3 -> source.poll(sink); // and not sealed
                default -> {
                    int lines = random.nextInt(5);
                    for (int i = 0; i < lines; i++) {
                        String line = "line " + written.size() + " " + "v".repeat(random.nextInt(200));
                        write(log, line + "\n");
                        written.add(line);
                    }
                    pause();
                }
            }
        }
        write(log, "line " + written.size() + "\n"); // one that came and went unseen is read before the next one
        written.add("line " + written.size());
        drain();
        assertThat(numbers(sink.sealed)).isEqualTo(numbers(written));
        assertThat(sink.sources).containsExactly(log.toString());
    }

    /** The numbers of lines, as runs, which an error shows better. */
    private static String numbers(List<String> lines) {
        StringBuilder runs = new StringBuilder();
        int last = -2;
        for (String line : lines) {
            int number = Integer.parseInt(line.split(" ")[1]);
            if (number != last + 1) {
                runs.append(last < 0 ? "" : "-" + last + " ").append(number);
            }
            last = number;
        }
        return runs + "-" + last;
    }

    private void rotate(boolean copy) throws IOException {
        for (int i = 200; i >= 1; i--) {
            if (Files.exists(rotated(i))) {
                Files.move(rotated(i), rotated(i + 1));
            }
        }
        if (!Files.exists(log)) {
            return;
        }
        if (copy) {
            Files.copy(log, rotated(1));
            cut(log);
        } else {
            Files.move(log, rotated(1));
        }
    }

    /** So that files have different times: those of a file system are coarse. */
    private static void pause() {
        try {
            Thread.sleep(12);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
