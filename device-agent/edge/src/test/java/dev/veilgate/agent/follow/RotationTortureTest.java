package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logs whose names resemble each other, rotated in every way while they are written and read: by renaming, by copying
 * and cutting, with numbers and with dates; compressed, replaced by a copy that goes
 * on, on a disk that gets another number; with an agent that stops and starts. Every line is numbered: none may be
 * missing, none may come twice, unless it is said.
 *
 * <p>A hundred cycles by {@code -Dveilgate.seed}; more by {@code -Dveilgate.rotations}. {@code -Dveilgate.results}
 * names a folder for {@code rotations.csv}, a line for each run.
 */
@Timeout(1800)
class RotationTortureTest {
    private static final long SEED = Long.getLong("veilgate.seed", 1);
    private static final int CYCLES = Integer.getInteger("veilgate.rotations", 100);
    private static final Duration LINGER = Duration.ofMillis(20);
    private static final String[] NAMES = {
        "svc.log", "svc-1.log", "svc.2.log", "svc_3.log", "error_20261125.log", "error.log"
    };

    @TempDir
    Path folder;

    /** One log and its writer. */
    private final class Log {
        private final Path path;
        private final boolean likeEnds;
        private int lines;
        private int rotated;
        private final List<String> written = new ArrayList<>();

        Log(String name, boolean likeEnds) {
            this.path = folder.resolve(name);
            this.likeEnds = likeEnds;
        }

        void append(int count) throws IOException {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < count; i++) {
                String line = path.getFileName() + " " + "%07d".formatted(lines++)
                        + (likeEnds ? ", \"label\": \"" + "same".repeat(80) + "\"}" : " went well");
                text.append(line).append('\n');
                written.add(line);
            }
            Files.writeString(path, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }

        /** As logrotate does with numbers; the oldest is kept. */
        private Path shifted() throws IOException {
            for (int number = rotated; number >= 1; number--) {
                Path from = path.resolveSibling(path.getFileName() + "." + number);
                Path compressed = path.resolveSibling(path.getFileName() + "." + number + ".gz");
                if (Files.exists(from)) {
                    Files.move(from, path.resolveSibling(path.getFileName() + "." + (number + 1)));
                } else if (Files.exists(compressed)) {
                    Files.move(compressed, path.resolveSibling(path.getFileName() + "." + (number + 1) + ".gz"));
                }
            }
            rotated++;
            return path.resolveSibling(path.getFileName() + ".1");
        }

        void rename(boolean dated) throws IOException {
            if (Files.exists(path)) {
                Files.move(
                        path,
                        dated ? path.resolveSibling(path.getFileName() + "-20261125-" + (100_000 + lines)) : shifted());
            }
        }

        void copyAndCut() throws IOException {
            if (Files.exists(path)) {
                Files.copy(path, shifted());
                try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            }
        }

        /**
         * The second newest of those with numbers, as delaycompress does, if it was looked at before: none comes,
         * goes and is compressed between two looks.
         */
        void compress(Set<String> read) throws IOException {
            Path file = path.resolveSibling(path.getFileName() + ".2");
            if (Files.exists(file)
                    && Files.size(file) > 0
                    && read.contains(Files.readAllLines(file).getFirst())) {
                Path compressed = path.resolveSibling(path.getFileName() + ".2.gz");
                try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
                    Files.copy(file, out);
                }
                Files.setLastModifiedTime(compressed, Files.getLastModifiedTime(file));
                Files.delete(file);
            }
        }

        /** By a copy with the same bytes, as an editor or rsync puts it in its place. */
        void replace() throws IOException {
            if (Files.exists(path) && Files.size(path) >= 1000) {
                Path copy = path.resolveSibling("." + path.getFileName() + ".tmp");
                Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
                Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private final Recorder sink = new Recorder();
    private FileSource source;
    private final AtomicLong later = new AtomicLong();
    private List<Log> logs;
    private final List<String> steps = Collections.synchronizedList(new ArrayList<>());
    private int starts = 1;
    private long begun;

    private FileSource open() {
        FileSource.Options options = new FileSource.Options(
                List.of(folder + "/*.log*"), List.of("*.gz"), false, 4096, LINGER, 1000, Recorder.RULE);
        return new FileSource(
                new Lane("s", "text/plain", "auto"),
                options,
                sink.positions,
                () -> System.nanoTime() + later.get(),
                System::nanoTime);
    }

    private void restart(Random random) throws Exception {
        steps.add("restart; " + names());
        source.close();
        sink.open.clear();
        sink.positions = Positions.decode(sink.saved);
        int change = random.nextInt(4);
        if (change
                < 2) { // mounted again, or the positions are those of an agent that did not note when files were made
            long more = change == 0 ? random.nextInt(1000) - 500 : 0;
            Positions moved = new Positions();
            for (FilePosition at : sink.positions.files().values()) {
                boolean gone = at.id().isOfGone()
                        || sink.positions.withInode(at.id().inode()).size() > 1;
                FileId other = new FileId(
                        at.id().device() + more,
                        at.id().inode(),
                        change == 0 ? at.id().birth() : 0);
                moved.put(gone ? at : at.in(other));
            }
            moved.putCursor("files", "begun");
            sink.positions = moved;
        }
        source = open();
        starts++;
    }

    private String names() throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName()
                                    + FileId.status(path)
                                            .map(is -> " " + is.id().inode() + ":" + is.size())
                                            .orElse(""))
                            .toList()
                    + "; saved "
                    + Positions.decode(sink.saved).files().values().stream()
                            .map(at -> Path.of(at.path()).getFileName() + " "
                                    + at.id().inode() + ":" + at.offset() + (at.done() ? " done" : ""))
                            .toList();
        }
    }

    /** To the end of all files; scans are due at once. */
    private void drain() throws Exception {
        long end = System.nanoTime() + LINGER.toNanos();
        for (int quiet = 0; quiet < 6 || System.nanoTime() < end; ) {
            if (source.poll(sink)) {
                quiet = 0;
            } else {
                quiet++;
                later.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        }
        sink.settle();
    }

    private void writeSome(Log log, Random random, boolean inTurns) throws Exception {
        log.append(1 + random.nextInt(8));
        int step = random.nextInt(10);
        steps.add(log.path.getFileName() + " to line " + log.lines + ", step " + step);
        switch (step) {
            case 0, 1 -> log.rename(false);
            case 2 -> log.rename(true);
            case 3, 4 -> log.copyAndCut();
            case 5 -> log.compress(inTurns ? Set.copyOf(sink.sealed) : Set.of());
            case 6 -> {
                if (inTurns) { // somebody's edit: looked at before the next change of names
                    drain();
                    log.replace();
                    drain();
                }
            }
            default -> {}
        }
        log.append(1 + random.nextInt(4));
    }

    private Random begin() {
        System.out.println("RotationTortureTest: -Dveilgate.seed=" + SEED);
        begun = System.nanoTime();
        return new Random(SEED);
    }

    private void report(String how) throws IOException {
        String folder = System.getProperty("veilgate.results", "");
        if (folder.isEmpty()) {
            return;
        }
        Path file = Path.of(folder).resolve("rotations.csv");
        if (!Files.exists(file)) {
            Files.writeString(file, "how,seed,cycles,lines,starts,missing,twice,said_lost,said_repeated,seconds\n");
        }
        Map<String, Integer> wrong = wrong();
        int lines = logs.stream().mapToInt(log -> log.written.size()).sum();
        double seconds = (System.nanoTime() - begun) / 1e9;
        String row = String.join(
                ",",
                List.of(
                        how,
                        "" + SEED,
                        "" + CYCLES,
                        "" + lines,
                        "" + starts,
                        "" + wrong.values().stream().filter(times -> times == 0).count(),
                        "" + wrong.values().stream().filter(times -> times > 1).count(),
                        "" + sink.losses.size(),
                        "" + sink.repeated.size(),
                        "" + Math.round(10 * seconds) / 10.0));
        Files.writeString(file, row + "\n", StandardOpenOption.APPEND);
    }

    /** Lines and how often they were read, without those that were read once. */
    private Map<String, Integer> wrong() {
        Map<String, Integer> found = new HashMap<>();
        sink.sealed.forEach(line -> found.merge(line, 1, Integer::sum));
        Map<String, Integer> wrong = new TreeMap<>();
        for (Log log : logs) {
            log.written.forEach(line -> {
                int times = found.getOrDefault(line, 0);
                if (times != 1) {
                    wrong.put(line, times);
                }
            });
        }
        return wrong;
    }

    private void check(String how) {
        Map<String, Integer> wrong = wrong();
        if (!wrong.isEmpty() || !sink.losses.isEmpty()) {
            System.out.println(String.join("\n", steps));
        }
        assertThat(wrong)
                .as(
                        "%s of seed %d, lines and how often they were read; losses %s, repeated %s",
                        how, SEED, sink.losses, sink.repeated)
                .isEmpty();
    }

    /** The agent looks between any two steps of the writers, or after many. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inTurns(boolean likeEnds) throws Exception {
        Random random = begin();
        logs = Arrays.stream(NAMES).map(name -> new Log(name, likeEnds)).toList();
        source = open();
        source.poll(sink); // the first start
        sink.settle();
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            writeSome(logs.get(random.nextInt(logs.size())), random, true);
            for (int polls = random.nextInt(6); polls > 0; polls--) {
                source.poll(sink);
            }
            if (random.nextInt(3) == 0) {
                sink.settle();
            }
            if (random.nextInt(10) == 0) {
                restart(random);
            }
            if (random.nextInt(20) == 0) {
                drain();
                check("cycle " + cycle);
            }
        }
        drain();
        source.close();
        report(likeEnds ? "in turns; lines that end alike" : "in turns");
        check("end");
        assertThat(sink.losses).isEmpty();
        assertThat(sink.repeated).isEmpty();
    }

    /** As it is: writers do not wait. */
    @Test
    void atTheSameTime() throws Exception {
        Random random = begin();
        logs = Arrays.stream(NAMES).map(name -> new Log(name, false)).toList();
        source = open();
        source.poll(sink);
        sink.settle();
        AtomicInteger cycles = new AtomicInteger();
        CompletableFuture<?> writer = CompletableFuture.runAsync(
                () -> {
                    Random ofWriter = new Random(SEED);
                    try {
                        while (cycles.getAndIncrement() < CYCLES) {
                            writeSome(logs.get(ofWriter.nextInt(logs.size())), ofWriter, false);
                            LockSupport.parkNanos(ofWriter.nextInt(4_000_000));
                        }
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                task -> Thread.ofPlatform().start(task));
        while (!writer.isDone()) {
            source.poll(sink);
            if (random.nextInt(20) == 0) {
                sink.settle();
            }
            if (random.nextInt(400) == 0) {
                restart(random);
            }
        }
        writer.join();
        drain();
        source.close();
        report("at the same time");
        check("end");
    }
}
