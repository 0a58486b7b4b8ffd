package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** New files that are given the inode of one that is gone, and begin as it did: they are told apart by when they were made. */
class ReusedInodeTest {
    /** As long as a log is written on after its rotation, of which these tests have none. */
    private static final Duration LINGER = Duration.ofMillis(1);

    @TempDir
    Path folder;

    private Path log;
    private final Recorder sink = new Recorder();
    private FileSource source;
    private final List<String> written = new ArrayList<>();
    /** The clock of the source, in nanoseconds. */
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void begin() {
        log = folder.resolve("svc.log");
        source = open();
    }

    @AfterEach
    void end() {
        source.close();
    }

    private FileSource open() {
        FileSource.Options options =
                new FileSource.Options(List.of(folder + "/*.log*"), List.of("*.gz"), false, 4096, LINGER, 100);
        return new FileSource(new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get);
    }

    private void drain() throws Exception {
        for (int quiet = 0; quiet < 6; ) {
            if (source.poll(sink)) {
                quiet = 0;
            } else {
                quiet++;
                nanos.addAndGet(Duration.ofSeconds(1).toNanos()); // a scan is due
                Thread.sleep(1);
            }
        }
        sink.settle();
    }

    private void stop() {
        source.close();
        sink.open.clear();
    }

    private void start() throws Exception {
        sink.positions = Positions.decode(sink.saved);
        source = open();
    }

    private void write(String line) throws IOException {
        Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        written.add(line);
    }

    /** What the service says whenever it starts. */
    private void writeBeginning(int bytes) throws IOException {
        write("service has begun".repeat(1 + bytes / 17).substring(0, Math.max(bytes, 17)));
    }

    private void writeLines(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            write("line " + written.size());
        }
    }

    private long inode() {
        return FileId.status(log).orElseThrow().id().inode();
    }

    private void compress(String name) throws IOException {
        Path archive = folder.resolve(name);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            Files.copy(log, out);
        }
        Files.setLastModifiedTime(archive, Files.getLastModifiedTime(log));
        Files.delete(log);
    }

    /** Makes the log anew; the file system gives it an inode that is free. */
    private void makeWithInode(long inode) throws IOException {
        List<Path> others = new ArrayList<>();
        Files.createFile(log);
        for (int i = 0; i < 10_000 && inode() != inode; i++) {
            Path other = Files.createDirectories(folder.resolve("held")).resolve("" + i);
            Files.move(log, other);
            others.add(other);
            Files.createFile(log);
        }
        assertThat(inode()).isEqualTo(inode);
        for (Path other : others) {
            Files.delete(other);
        }
    }

    private void allOnce() {
        assertThat(sink.sealed).containsExactlyElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).isEmpty();
    }

    /** The file was empty when the agent stopped. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aLogOfWhichNothingWasReadIsReadInWhatWasCompressed(int rotations) throws Exception {
        drain();
        Files.createFile(log);
        drain();
        stop();
        Thread.sleep(20); // longer than a late writer takes
        for (int i = 0; i < rotations; i++) {
            writeBeginning(17);
            writeLines(5);
            long inode = inode();
            compress("svc.log." + (rotations - i) + ".gz");
            makeWithInode(inode);
        }
        writeBeginning(17);
        writeLines(2);
        start();
        drain();
        writeLines(2);
        drain();
        allOnce();
    }

    /** From fewer bytes than tell one log from the next to more than are kept to know a file by. */
    @ParameterizedTest
    @ValueSource(ints = {17, 300, 700, 3000})
    void aLogOfWhichTheBeginningWasReadIsReadOnInWhatWasCompressed(int bytes) throws Exception {
        drain();
        writeBeginning(bytes);
        drain();
        stop();
        Thread.sleep(20);
        for (int i = 0; i < 2; i++) {
            if (i > 0) {
                writeBeginning(bytes);
            }
            writeLines(5);
            long inode = inode();
            compress("svc.log." + (2 - i) + ".gz");
            makeWithInode(inode);
        }
        writeBeginning(bytes);
        writeLines(2);
        start();
        drain();
        writeLines(2);
        drain();
        allOnce();
    }

    /** It is not taken for the old one with more lines. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNewLogThatBeginsWithAllOfTheLastIsReadWhole(boolean stopped) throws Exception {
        drain();
        writeBeginning(17);
        writeLines(5);
        List<String> first = List.copyOf(written);
        drain();
        long inode = inode();
        Path rotated = folder.resolve("svc.log.1");
        Files.move(log, rotated);
        drain();
        if (stopped) {
            stop();
        }
        Files.delete(rotated);
        makeWithInode(inode);
        for (String line : first) {
            write(line);
        }
        writeLines(2);
        if (stopped) {
            start();
        }
        drain();
        assertThat(sink.sealed).containsExactlyElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).containsOnly(log.toString()); // or somebody has edited it
    }

    /** An agent of before did not note when files were made. */
    @Test
    void positionsWithoutABirthGoOn() throws Exception {
        drain();
        writeLines(5);
        drain();
        Files.move(log, folder.resolve("svc.log.1"));
        writeLines(3);
        drain();
        stop();
        Positions old = new Positions();
        Positions.decode(sink.saved)
                .files()
                .values()
                .forEach(
                        at -> old.put(at.in(new FileId(at.id().device(), at.id().inode(), 0))));
        old.beginFiles();
        sink.saved = old.encode();
        writeLines(2);
        start();
        drain();
        writeLines(1);
        drain();
        allOnce();
        assertThat(sink.positions.files().keySet()).noneMatch(FileId::isOfUnknownAge);
    }

    /** Whether the first of them is the end of the log before, written late, nobody can know. */
    @Test
    void whatWasWrittenWhenAnUnreadLogHadJustBeenMadeIsReadAndSaidToBePerhapsRepeated() throws Exception {
        source.close();
        FileSource.Options options =
                new FileSource.Options(List.of(log.toString()), List.of(), false, 4096, Duration.ofMinutes(1), 100);
        source = new FileSource(new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get);
        drain();
        Files.createFile(log);
        drain();
        stop();
        writeLines(3);
        long inode = inode();
        compress("svc.log.1.gz");
        makeWithInode(inode);
        sink.positions = Positions.decode(sink.saved);
        source = new FileSource(new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get);
        drain();
        assertThat(sink.sealed).containsExactlyElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).containsExactly(folder.resolve("svc.log.1.gz").toString());
    }
}
