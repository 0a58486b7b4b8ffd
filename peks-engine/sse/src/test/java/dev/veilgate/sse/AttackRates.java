package dev.veilgate.sse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Results of attacks, kept in {@code sse-attacks.csv} of the folder that {@code -Dveilgate.results} names, if any. */
public final class AttackRates {
    private AttackRates() {}

    /**
     * Keeps one.
     *
     * @param recovered so many
     * @param of        that there were to recover
     */
    public static void store(String scheme, String attack, long recovered, long of) throws IOException {
        String folder = System.getProperty("veilgate.results", "");
        if (folder.isEmpty()) {
            return;
        }
        Path file = Path.of(folder).resolve("sse-attacks.csv");
        synchronized (AttackRates.class) {
            if (!Files.exists(file)) {
                Files.writeString(file, "scheme,attack,recovered,of\n");
            }
            Files.writeString(
                    file, scheme + "," + attack + "," + recovered + "," + of + "\n", StandardOpenOption.APPEND);
        }
    }

    /**
     * How many of the commonest are named by their rank among what is known to occur elsewhere.
     *
     * @param seen  how often each unknown was seen
     * @param known how often each word occurs elsewhere
     * @param truth the word of each unknown
     */
    public static <T> int namedByRank(
            Map<T, Integer> seen, Map<String, Integer> known, Map<T, String> truth, int commonest) {
        List<T> unknown = ranked(seen);
        List<String> guesses = ranked(known);
        int right = 0;
        for (int i = 0; i < commonest; i++) {
            right += guesses.get(i).equals(truth.get(unknown.get(i))) ? 1 : 0;
        }
        return right;
    }

    private static <T> List<T> ranked(Map<T, Integer> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
