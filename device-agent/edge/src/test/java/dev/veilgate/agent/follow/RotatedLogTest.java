package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A log that is rotated at any moment of its reading, by renaming it or by copying it and cutting it, and a reader
 * that stops and goes on.
 */
class RotatedLogTest {
    private static final int ROTATIONS = Integer.getInteger("veilgate.rotations", 1500);
    /** Older copies are deleted; the writer waits until they are read. */
    private static final int KEPT = 6;

    @TempDir
    Path folder;

    private final Recorder sink = new Recorder();

    private FileSource source(Path log) {
        FileSource.Options options = new FileSource.Options(
                List.of(log.toString()), List.of(), false, 4096, Duration.ZERO, 100, Recorder.RULE);
        return new FileSource(new Lane("s", "text/plain", "auto"), options, sink.positions);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isReadOnceAndInOrder(boolean copy) throws Exception {
        Path log = folder.resolve("app.log");
        AtomicBoolean ended = new AtomicBoolean();
        List<Integer> unread = new ArrayList<>();
        FileSource source = source(log);
        try {
            append(log, "0");
            source.poll(sink);
            sink.settle();
            CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> write(log, copy, ended, unread));
            long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
            for (int poll = 1; System.nanoTime() < until; poll++) {
                boolean last = writer.isDone();
                boolean some = source.poll(sink);
                sink.settle();
                synchronized (unread) {
                    unread.removeIf(end -> sink.sealed.size() > end);
                }
                if (last && !some && sink.sealed.size() >= writer.join()) {
                    break;
                }
                if (poll % 100 == 0) {
                    source.close();
                    sink.positions = Positions.decode(sink.saved);
                    source = source(log);
                }
            }
            ended.set(true);
            source.poll(sink);
            sink.settle();
            assertThat(outOfOrder(sink.sealed)).isEmpty();
            assertThat(sink.sealed).hasSize(writer.join());
        } finally {
            ended.set(true);
            source.close();
        }
    }

    private static String outOfOrder(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).equals(Integer.toString(i))) {
                return lines.size() + " lines; line " + i + " and what is around it: "
                        + lines.subList(Math.max(0, i - 10), Math.min(lines.size(), i + 20));
            }
        }
        return "";
    }

    /** @return how many lines were written */
    private int write(Path log, boolean copy, AtomicBoolean ended, List<Integer> unread) {
        int next = 1;
        try {
            for (int rotation = 0; rotation < ROTATIONS && !ended.get(); rotation++) {
                int lines = 1 + rotation % 7;
                for (int i = 0; i < lines; i++) {
                    append(log, Integer.toString(next++));
                }
                Thread.sleep(0, 1000 * (rotation * 37 % 900)); // at any moment between two looks
                boolean behind;
                synchronized (unread) {
                    behind = unread.size() >= KEPT - 1;
                    if (!behind) {
                        unread.add(next - 1);
                    }
                }
                if (!behind) {
                    rotate(log, copy);
                }
            }
            return next;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void append(Path log, String line) throws IOException {
        Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void rotate(Path log, boolean copy) throws IOException {
        for (int i = KEPT; i >= 1; i--) {
            Path from = log.resolveSibling("app.log." + i);
            if (Files.exists(from)) {
                Files.move(from, log.resolveSibling("app.log." + (i + 1)), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (copy) {
            Files.copy(log, log.resolveSibling("app.log.1"), StandardCopyOption.REPLACE_EXISTING);
            cut(log);
        } else {
            Files.move(log, log.resolveSibling("app.log.1"), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void cut(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    /**
     * A file system's clock has ticks: a log that is cut in the tick of its last writing has the same time before and
     * after.
     */
    @Test
    void isReadOnceIfItIsCutWithinATick() throws Exception {
        Path log = folder.resolve("app.log");
        FileTime tick = FileTime.from(Instant.now().minusSeconds(60));
        try (FileSource source = source(log)) {
            append(log, "1");
            append(log, "2");
            Files.setLastModifiedTime(log, tick);
            while (source.poll(sink)) {
                sink.settle();
            }
            Files.copy(log, folder.resolve("app.log.1"));
            cut(log);
            Files.setLastModifiedTime(log, tick);
            for (int i = 0; i < 5; i++) {
                source.poll(sink);
            }
            append(log, "3");
            for (int i = 0; i < 5; i++) {
                source.poll(sink);
            }
            sink.settle();
            assertThat(sink.sealed).containsExactly("1", "2", "3");
        }
    }

    @Test
    void nothingIsSaidOfACopyOnceTheLogIsCut() throws Exception {
        Path log = folder.resolve("app.log");
        Path copy = folder.resolve("app.log.1");
        append(log, "1");
        FileId.Status status = FileId.status(log).orElseThrow();
        Lane lane = new Lane("s", "text/plain", "auto");
        try (FollowedFile file =
                FollowedFile.open(Recorder.files(), log, lane, FilePosition.start(log.toString(), status.id()))) {
            assertThat(file).isNotNull();
            file.read(new LineReader(4096), sink);
            Files.copy(log, copy);
            FileId.Status copied = FileId.status(copy).orElseThrow();
            assertThat(file.looksLike(Recorder.files(), copy, copied)).isTrue();
            cut(log);
            assertThatThrownBy(() -> file.looksLike(Recorder.files(), copy, copied))
                    .isInstanceOf(IOException.class);
            append(log, "another, longer than the first");
            assertThatThrownBy(() -> file.looksLike(Recorder.files(), copy, copied))
                    .isInstanceOf(IOException.class);
        }
    }

    /** What it says is its largest size is of the bytes that were read. */
    @Test
    void aFileThatIsCutAndWrittenAgainBetweenTheLooksAtItsSizeAndItsBytesIsReadOnce() throws Exception {
        Path log = folder.resolve("app.log");
        append(log, "1 is longer than what is written once it is cut");
        FileId.Status status = FileId.status(log).orElseThrow();
        LineReader reader = new LineReader(4096) {
            private boolean first = true;

            @Override
            long read(FileChannel file, long from, long to, TextForm form, Lines lines)
                    throws IOException, InterruptedException {
                if (first) {
                    first = false;
                    cut(log);
                    append(log, "2");
                }
                return super.read(file, from, to, form, lines);
            }
        };
        Lane lane = new Lane("s", "text/plain", "auto");
        try (FollowedFile file =
                FollowedFile.open(Recorder.files(), log, lane, FilePosition.start(log.toString(), status.id()))) {
            assertThat(file).isNotNull();
            assertThat(file.read(reader, sink)).isEqualTo(FollowedFile.Read.CUT);
            assertThat(file.read(reader, sink)).isEqualTo(FollowedFile.Read.SOME);
            assertThat(file.wasTruncated()).isFalse();
            sink.settle();
            assertThat(sink.sealed).containsExactly("2");
        }
    }
}
