package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Searching sealed logs by trapdoor finds the lines that a plain scan finds: no more, no fewer. */
class LogSearchTest {
    @Test
    void findsWhatAPlainScanFindsInASampleLog() throws Exception {
        check("sample", LogSearch.sampleLog(3_000));
    }

    /** Real logs, from the folder that -Dveilgate.data names; without it the sample above is all there is. */
    @Test
    void findsWhatAPlainScanFindsInRealLogs() throws Exception {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            System.out.println("LogSearchTest: no -Dveilgate.data, sample log only");
            return;
        }
        List<Path> logs;
        try (Stream<Path> files = Files.walk(Path.of(data, "loghub"))) {
            logs = files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
        assertThat(logs).as("logs under " + data).hasSizeGreaterThanOrEqualTo(16);
        for (Path log : logs) {
            check(log.getFileName().toString(), everyFourth(LogSearch.read(log)));
        }
    }

    /** Lines from begin to end of a log, of which many are of one kind. */
    private static List<String> everyFourth(List<String> lines) {
        return IntStream.range(0, lines.size())
                .filter(i -> i % 4 == 0)
                .mapToObj(lines::get)
                .toList();
    }

    /** The rarest, some middling and the most frequent words, and one that is nowhere. */
    private static void check(String name, List<String> lines) throws IOException {
        LogSearch search = new LogSearch();
        search.seal(lines);
        Map<String, Set<Integer>> expected = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            for (String word : LogSearch.wordsOf(lines.get(i))) {
                expected.computeIfAbsent(word, w -> new TreeSet<>()).add(i);
            }
        }
        List<String> byFrequency = new ArrayList<>(expected.keySet());
        byFrequency.sort((x, y) ->
                Integer.compare(expected.get(x).size(), expected.get(y).size()));
        for (int i = 0; i < 24; i++) {
            String word = byFrequency.get((int) ((long) i * (byFrequency.size() - 1) / 23));
            assertThat(search.search(word)).as("lines of a word of " + name).isEqualTo(expected.get(word));
        }
        assertThat(search.search("no-such-word-anywhere")).isEmpty();
    }
}
