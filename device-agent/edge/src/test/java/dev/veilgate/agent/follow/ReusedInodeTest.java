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
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * New files that are given the inode of one that is gone, and begin as it did: they are told apart by when they were
 * made.
 */
class ReusedInodeTest {
    /** Beside this module's classes: where other tests make files all the time, one of them may be given the inode. */
    @TempDir(factory = BesideClasses.class)
    Path folder;

    private Path log;
    private RestartableSource source;
    private Recorder sink;
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void begin() {
        log = folder.resolve("svc.log");
        source = new RestartableSource(RestartableSource.following(folder + "/*.log*", "*.gz"));
        sink = source.sink;
    }

    @AfterEach
    void end() {
        source.close();
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

    private FileId id() {
        return FileId.status(log).orElseThrow().id();
    }

    private void compress(String name) throws IOException {
        Path archive = folder.resolve(name);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            Files.copy(log, out);
        }
        Files.setLastModifiedTime(archive, Files.getLastModifiedTime(log));
        Files.delete(log);
    }

    /**
     * Makes the log anew with the inode of one that is gone; the file system gives away what is free, which another
     * program may have for a while, and its clock may stand still for some milliseconds.
     */
    private void makeWithInode(FileId gone) throws IOException {
        Files.createFile(log);
        for (int round = 0; round < 60 && id().inode() != gone.inode(); round++) {
            LockSupport.parkNanos(round * 20_000_000L);
            takeInodes(gone);
        }
        assertThat(id().inode()).isEqualTo(gone.inode());
        assertThat(gone.isOfUnknownAge()).isFalse();
        while (id().equals(gone)) {
            Files.delete(log);
            Files.createFile(log);
        }
    }

    /** Makes logs anew until one has the inode, or thousands have not; what has another is held meanwhile. */
    private void takeInodes(FileId gone) throws IOException {
        List<Path> others = new ArrayList<>();
        Path held = Files.createDirectories(folder.resolve("held"));
        for (int i = 0; i < 5_000 && id().inode() != gone.inode(); i++) {
            Path other = held.resolve("" + i);
            Files.move(log, other);
            others.add(other);
            Files.createFile(log);
        }
        for (Path other : others) {
            Files.delete(other);
        }
    }

    /** The new log has the inode of the one that was compressed. */
    private void compressAndMake(String name) throws IOException {
        FileId gone = id();
        compress(name);
        makeWithInode(gone);
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
        source.drain();
        Files.createFile(log);
        source.drain();
        source.stop();
        for (int i = 0; i < rotations; i++) {
            writeBeginning(17);
            writeLines(5);
            compressAndMake("svc.log." + (rotations - i) + ".gz");
        }
        writeBeginning(17);
        writeLines(2);
        source.start();
        source.drain();
        writeLines(2);
        source.drain();
        allOnce();
    }

    /** From fewer bytes than tell one log from the next to more than are kept to know a file by. */
    @ParameterizedTest
    @ValueSource(ints = {17, 300, 700, 3000})
    void aLogOfWhichTheBeginningWasReadIsReadOnInWhatWasCompressed(int bytes) throws Exception {
        source.drain();
        writeBeginning(bytes);
        source.drain();
        source.stop();
        for (int i = 0; i < 2; i++) {
            if (i > 0) {
                writeBeginning(bytes);
            }
            writeLines(5);
            compressAndMake("svc.log." + (2 - i) + ".gz");
        }
        writeBeginning(bytes);
        writeLines(2);
        source.start();
        source.drain();
        writeLines(2);
        source.drain();
        allOnce();
    }

    /** It is not taken for the old one with more lines. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNewLogThatBeginsWithAllOfTheLastIsReadWhole(boolean stopped) throws Exception {
        source.drain();
        writeBeginning(17);
        writeLines(5);
        List<String> first = List.copyOf(written);
        source.drain();
        FileId gone = id();
        Path rotated = folder.resolve("svc.log.1");
        Files.move(log, rotated);
        source.drain();
        if (stopped) {
            source.stop();
        }
        Files.delete(rotated);
        makeWithInode(gone);
        for (String line : first) {
            write(line);
        }
        writeLines(2);
        if (stopped) {
            source.start();
        }
        source.drain();
        assertThat(sink.sealed).containsExactlyElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).containsOnly(log.toString()); // or somebody has edited it
    }

    /** An agent of before did not note when files were made. */
    @Test
    void positionsWithoutABirthGoOn() throws Exception {
        source.drain();
        writeLines(5);
        source.drain();
        Files.move(log, folder.resolve("svc.log.1"));
        writeLines(3);
        source.drain();
        source.stop();
        Positions old = new Positions();
        Positions.decode(sink.saved)
                .files()
                .values()
                .forEach(
                        at -> old.put(at.in(new FileId(at.id().device(), at.id().inode(), 0))));
        old.beginFiles();
        sink.saved = old.encode();
        writeLines(2);
        source.start();
        source.drain();
        writeLines(1);
        source.drain();
        allOnce();
        assertThat(sink.positions.files().keySet()).noneMatch(FileId::isOfUnknownAge);
    }

    /**
     * An agent that notes when it looked knows that this is not the end of the log before; one of before did not note
     * it.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasWrittenWhenAnUnreadLogHadJustBeenMadeIsReadAndIfNeedBeSaidToBePerhapsRepeated(boolean noted)
            throws Exception {
        source.reopen(new FileSource.Options(
                List.of(log.toString()), List.of(), false, 4096, Duration.ofMinutes(1), 100, Recorder.RULE));
        source.drain();
        Files.createFile(log);
        source.drain();
        source.stop();
        if (!noted) {
            Positions old = new Positions();
            Positions.decode(sink.saved).files().values().forEach(old::put);
            old.beginFiles();
            sink.saved = old.encode();
        }
        writeLines(3);
        compressAndMake("svc.log.1.gz");
        source.start();
        source.drain();
        assertThat(sink.sealed).containsExactlyElementsOf(written);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated)
                .isEqualTo(
                        noted
                                ? List.of()
                                : List.of(folder.resolve("svc.log.1.gz").toString()));
    }

    /** Makes a folder in which nobody else makes files. */
    private static final class BesideClasses implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext of, ExtensionContext test) throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target").toAbsolutePath()), "inode");
        }
    }
}
