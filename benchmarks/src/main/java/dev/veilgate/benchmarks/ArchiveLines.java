package dev.veilgate.benchmarks;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of {@link LogGenerator} in files of 10,000 each, and words of them by how many lines have them. Of the words
 * one in sixteen is looked at, drawn by its hash.
 *
 * @param folder   of the files
 * @param lines    in all
 * @param rawBytes of all, with their ends
 * @param asks     questions by kind
 */
record ArchiveLines(Path folder, int lines, long rawBytes, List<Ask> asks) {
    private static final int LINES_OF_FILE = 10_000;
    private static final int OF_A_KIND = 12;
    private static final int LOOKED_AT = 16;
    private static final int FEWEST_OF_PREFIX = 90;
    private static final int MOST_OF_PREFIX = 120;
    private static final Pattern NUMBERED = Pattern.compile("(?<![a-z0-9])[a-z]{2,12}\\d{2,4}(?![a-z0-9])");
    private static final Pattern WORD = Pattern.compile("(?<![a-z0-9])[a-z][a-z0-9]{2,29}(?![a-z0-9])");

    /**
     * A question.
     *
     * @param kind   how many lines answer, or what is asked
     * @param word   a word, or the beginning of words
     * @param prefix whether it is a beginning
     */
    record Ask(String kind, String word, boolean prefix) {
        /** As people type it. */
        String query() {
            return prefix ? word + "*" : word;
        }
    }

    static ArchiveLines make(Path folder, int lines) throws IOException {
        Files.createDirectories(folder);
        LogGenerator generator = new LogGenerator(0);
        SortedMap<String, Integer> counts = new TreeMap<>();
        SortedMap<String, Set<String>> numbered = new TreeMap<>();
        long bytes = 0;
        int written = 0;
        for (int file = 0; written < lines; file++) {
            int end = Math.min(lines, written + LINES_OF_FILE);
            Path path = folder.resolve(String.format(Locale.ROOT, "%05d.log", file));
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16)) {
                while (written < end) {
                    for (byte[] line : generator.next()) {
                        if (written < end) {
                            out.write(line);
                            out.write('\n');
                            bytes += line.length + 1;
                            written++;
                            count(line, counts, numbered);
                        }
                    }
                }
            }
        }
        return new ArchiveLines(folder, lines, bytes, asks(counts, numbered));
    }

    private static void count(byte[] line, SortedMap<String, Integer> counts, SortedMap<String, Set<String>> numbered) {
        String text = new String(line, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        WORD.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(word -> word.hashCode() % LOOKED_AT == 0)
                .distinct()
                .forEach(word -> counts.merge(word, 1, Integer::sum));
        Matcher host = NUMBERED.matcher(text);
        while (host.find()) {
            String word = host.group();
            int digits = 0;
            while (!Character.isDigit(word.charAt(digits))) {
                digits++;
            }
            numbered.computeIfAbsent(word.substring(0, digits + 2), _ -> new HashSet<>())
                    .add(word);
        }
    }

    private static List<Ask> asks(SortedMap<String, Integer> counts, SortedMap<String, Set<String>> numbered) {
        List<Ask> asks = new ArrayList<>();
        for (int i = 0; i < OF_A_KIND; i++) {
            asks.add(new Ask("no line", "neverwritten" + i, false));
        }
        add(asks, "one line", counts, 1, 1);
        add(asks, "10 to 100 lines", counts, 10, 100);
        add(asks, "500 to 1000 lines", counts, 500, 1_000);
        counts.entrySet().stream()
                .sorted(Comparator.comparingInt(each -> -each.getValue()))
                .limit(3)
                .forEach(each -> asks.add(new Ask("most lines", each.getKey(), false)));
        numbered.entrySet().stream()
                .filter(each -> each.getValue().size() >= FEWEST_OF_PREFIX
                        && each.getValue().size() <= MOST_OF_PREFIX)
                .limit(OF_A_KIND)
                .forEach(each -> asks.add(new Ask("beginning of 100 words", each.getKey(), true)));
        return asks;
    }

    private static void add(List<Ask> asks, String kind, SortedMap<String, Integer> counts, int least, int most) {
        List<String> words = new ArrayList<>();
        counts.forEach((word, lines) -> {
            if (lines >= least && lines <= most) {
                words.add(word);
            }
        });
        SplittableRandom random = new SplittableRandom(words.size());
        for (int i = 0; i < OF_A_KIND && !words.isEmpty(); i++) {
            asks.add(new Ask(kind, words.remove(random.nextInt(words.size())), false));
        }
    }
}
