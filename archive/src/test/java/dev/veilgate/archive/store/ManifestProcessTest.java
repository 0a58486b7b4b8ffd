package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.archive.store.ManifestProcess.Kind;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ManifestStore;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that write manifests at once, and such as are killed: what one was told is so. */
final class ManifestProcessTest {
    private static final int PROCESSES = 4;
    private static final int KILLS = 4;
    private static final int NUMBERS = Integer.getInteger("veilgate.numbers", 150);
    private static final Pattern GIVEN = Pattern.compile("given (\\d+) \\.");

    @TempDir
    private Path folder;

    /** A process is killed again and again at random moments, others go on. */
    @ParameterizedTest
    @EnumSource
    void givesEachNumberToOneOfManyProcesses(Kind kind) throws Exception {
        SplittableRandom random = TestSeed.of(getClass()).random("kills " + kind);
        Map<Long, String> given = new HashMap<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Map<Long, String>>> running = new ArrayList<>();
            for (int i = 1; i < PROCESSES; i++) {
                String writer = "writer" + i;
                running.add(threads.submit(() -> race(kind, writer, Integer.MAX_VALUE)));
            }
            for (int i = 0; i < KILLS; i++) {
                given.putAll(race(kind, "killed" + i, random.nextInt(1, 20)));
            }
            for (Future<Map<Long, String>> process : running) {
                process.get()
                        .forEach((number, writer) -> assertThat(given.put(number, writer))
                                .as("number %d", number)
                                .isNull());
            }
        }
        ManifestStore store = kind.open(folder);
        assertThat(store.newest()).isEqualTo(NUMBERS);
        for (long number = 1; number <= NUMBERS; number++) {
            String there = new String(store.read(number).orElseThrow(), StandardCharsets.UTF_8);
            assertThat(there).endsWith(" " + number);
            if (!there.startsWith("killed") || given.containsKey(number)) { // killed before it could say so
                assertThat(there).isEqualTo(given.get(number) + " " + number);
            }
        }
    }

    /** Numbers that a process says it was given, until it is killed after some of them. */
    private Map<Long, String> race(Kind kind, String writer, int lines) throws Exception {
        Map<Long, String> given = new HashMap<>();
        Process process = JavaProcess.start(ManifestProcess.class, kind, folder, writer, NUMBERS);
        boolean ended = false;
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Matcher words = GIVEN.matcher(line);
                ended = line.equals("end");
                if (words.matches()) {
                    given.put(Long.parseLong(words.group(1)), writer);
                    if (given.size() == lines) {
                        process.toHandle().destroyForcibly();
                    }
                }
            }
        }
        assertThat(process.waitFor()).isEqualTo(ended ? 0 : JavaProcess.KILLED);
        return given;
    }

    @ParameterizedTest
    @EnumSource
    void survivesAKillBetweenAnyTwoSteps(Kind kind) throws Exception {
        List<StoppedWork.Stop> stops = StoppedWork.kill(folder, ManifestProcess.class, kind, folder, "stop");
        assertThat(stops)
                .extracting(StoppedWork.Stop::step)
                .contains("CREATE", "WRITE", "FORCE_FILE", "FORCE", "DELETE", "RENAME", "END");
        for (StoppedWork.Stop stop : stops) {
            check(kind.open(stop.folder()), stop.told().equals("true"));
        }
    }

    /** Behind it the number is whole or free, and others go on. */
    private static void check(ManifestStore store, boolean told) throws Exception {
        byte[] second = ManifestProcess.bytes(ManifestProcess.SECOND);
        long newest = store.newest();
        assertThat(newest).isBetween(told ? 2L : 1L, 2L);
        if (newest == 2) {
            assertThat(store.read(2)).hasValue(second);
        }
        String first = new String(store.read(1).orElseThrow(), StandardCharsets.UTF_8);
        assertThat(first).isIn("head and body", "head");
        assertThat(store.create(2, second)).isTrue();
        assertThat(store.create(3, ManifestProcess.bytes("third"))).isTrue();
        store.shorten(1, ManifestProcess.bytes("head and body"), ManifestProcess.bytes("head"));
        assertThat(store.read(1)).hasValue(ManifestProcess.bytes("head"));
    }
}
