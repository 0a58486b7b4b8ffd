package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.Capabilities.Exactness;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that adds and searches in files is killed at random moments: all that it was acknowledged is there. */
final class KilledProcessTest {
    private static final int ROUNDS = 3;
    private static final Pattern LINE = Pattern.compile("(adding|added) (\\w+) (\\d+) \\.");

    @TempDir
    private Path folder;

    private final Map<String, TreeSet<DocumentId>> added = new HashMap<>();
    private final Map<String, Long> begun = new HashMap<>();

    @Test
    void nothingAcknowledgedIsLostByKill9() throws Exception {
        SplittableRandom random = TestSeed.of(getClass()).random("kills");
        List<SseScheme> schemes = SseSchemes.all();
        for (int round = 0; round < ROUNDS; round++) {
            kill(1000L * round, random.nextInt(20, 120));
            for (SseScheme scheme : schemes) {
                check(scheme);
            }
        }
        assertThat(added.values().stream().mapToInt(TreeSet::size).min().orElse(0))
                .as("documents of each scheme")
                .isGreaterThan(1);
    }

    private void kill(long first, int lines) throws Exception {
        Process process = JavaProcess.start(KilledProcess.class, folder, first);
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("ready");
            int read = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                note(line);
                if (++read == lines) { // it is somewhere behind that
                    process.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(process.waitFor()).isEqualTo(JavaProcess.KILLED);
    }

    private void note(String line) {
        Matcher words = LINE.matcher(line);
        if (!words.matches()) {
            return; // cut off
        }
        long id = Long.parseLong(words.group(3));
        if (words.group(1).equals("adding")) {
            begun.put(words.group(2), id);
        } else {
            begun.remove(words.group(2));
            added.computeIfAbsent(words.group(2), _ -> new TreeSet<>()).add(new DocumentId(id));
        }
    }

    private void check(SseScheme scheme) throws Exception {
        TreeSet<DocumentId> expected = added.computeIfAbsent(scheme.id(), _ -> new TreeSet<>());
        try (KilledProcess.Sides sides = new KilledProcess.Sides(scheme, folder)) {
            Long again = begun.remove(scheme.id());
            if (again != null) {
                sides.add(again);
                expected.add(new DocumentId(again));
            }
            List<DocumentId> found = sides.search(KilledProcess.ALL).ids();
            Exactness exactness =
                    scheme.capabilities(Parameters.standard(scheme)).exactness();
            if (exactness == Exactness.EXACT) {
                assertThat(found).as(scheme.id()).containsExactlyElementsOf(expected);
            } else if (exactness == Exactness.FALSE_HITS) {
                assertThat(found).as(scheme.id()).containsAll(expected);
            } else {
                assertThat(expected).as(scheme.id()).containsAll(found);
            }
        }
    }
}
