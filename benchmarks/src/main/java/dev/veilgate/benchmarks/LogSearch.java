package dev.veilgate.benchmarks;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruIndexScheme;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Seals the words of a log in batches of 256 lines, searches one word by its trapdoor over the sealed blocks alone, and
 * says what it found, how fast, and whether a plain scan of the log finds the same lines.
 *
 * <pre>  benchmarks/search-log [FILE [WORD]]</pre>
 *
 * Words are what is between characters other than letters, digits, '.', '_' and '-', in lower case. Without a file it
 * makes a log of its own. This is a way to try the engine, not the product's keyword extractor.
 */
public final class LogSearch {
    private static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");
    private static final int MAX_WORD_CHARACTERS = 200;

    private final NtruPeks peks = NtruPeks.withDefaults();
    private final KeyPair keys = peks.keyGen();
    private final NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
    private final Corpus.MemoryStore trapdoors = new Corpus.MemoryStore();
    private final List<StoredBlock> blocks = new ArrayList<>();
    /** The line that is the first record of a block's message. */
    private final List<Integer> firstLines = new ArrayList<>();

    private long keywords;
    private long bytes;

    /** @param args nothing, a file, or a file and a word */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (args.length > 2 || args.length > 0 && args[0].startsWith("-")) {
            out.println("usage: benchmarks/search-log [FILE [WORD]]");
            System.exit(args[0].equals("--help") || args[0].equals("-h") ? 0 : 2);
        }
        if (args.length > 0 && !Files.isReadable(Path.of(args[0]))) {
            System.err.println("search-log: cannot read " + args[0]);
            System.exit(2);
        }
        List<String> lines = args.length > 0 ? read(Path.of(args[0])) : sampleLog(20_000);
        String word = args.length > 1 ? args[1].toLowerCase(Locale.ROOT) : "overheat";
        if (wordsOf(word).size() != 1) {
            System.err.println("search-log: give one word of letters, digits, '.', '_' and '-'");
            System.exit(2);
        }
        out.printf("%,d lines%s%n", lines.size(), args.length > 0 ? " of " + args[0] : " of a sample log");
        long start = System.nanoTime();
        LogSearch search = new LogSearch();
        out.printf("keys made in %,d ms (N2048_Q29)%n", millisSince(start));
        start = System.nanoTime();
        search.seal(lines);
        out.printf(
                "sealed %,d keywords into %,d blocks, %,d bytes, in %,d ms%n",
                search.keywords, search.blocks.size(), search.bytes, millisSince(start));
        search.searchAndReport(lines, word, out);
    }

    private void searchAndReport(List<String> lines, String word, PrintStream out) throws IOException {
        PreparedTrapdoor trapdoor = trapdoor(word);
        long start = System.nanoTime();
        Set<Integer> found = search(trapdoor);
        double firstMicros = (System.nanoTime() - start) / 1e3;
        double warmMicros = warmMicros(trapdoor);
        out.printf(
                Locale.ROOT,
                "searched \"%s\": %,d lines; %.1f ms the first time, %.3f ms when warm (%.2f us a block)%n",
                word,
                found.size(),
                firstMicros / 1e3,
                warmMicros / 1e3,
                warmMicros / Math.max(1, blocks.size()));
        found.stream().limit(5).forEach(line -> out.println("  " + (line + 1) + ": " + lines.get(line)));
        if (found.size() > 5) {
            out.println("  ...");
        }
        boolean same = found.equals(plainScan(lines, word));
        out.println(same ? "a plain scan finds the same lines" : "A PLAIN SCAN FINDS OTHER LINES");
        if (!same) {
            System.exit(1);
        }
    }

    /** The median of some searches after half a second of them, as in a gateway that runs for days. */
    private double warmMicros(PreparedTrapdoor trapdoor) {
        List<Long> nanos = new ArrayList<>();
        long end = System.nanoTime() + 500_000_000;
        do {
            long start = System.nanoTime();
            search(trapdoor);
            nanos.add(System.nanoTime() - start);
        } while (System.nanoTime() < end);
        List<Long> late = nanos.subList(nanos.size() / 2, nanos.size());
        return late.stream().sorted().toList().get(late.size() / 2) / 1e3;
    }

    /** Seals the words of the lines, 256 lines a message. */
    void seal(List<String> lines) {
        NtruIndexSealer sealer = new NtruIndexSealer(keys.publicKey(), new SecureRandom());
        for (int first = 0; first < lines.size(); first += RecordSet.MAX_RECORDS) {
            List<String> batch = lines.subList(first, Math.min(first + RecordSet.MAX_RECORDS, lines.size()));
            Map<String, List<Integer>> occurrences = new LinkedHashMap<>();
            for (int record = 0; record < batch.size(); record++) {
                for (String word : wordsOf(batch.get(record))) {
                    occurrences.computeIfAbsent(word, w -> new ArrayList<>()).add(record);
                }
            }
            List<Posting> postings = occurrences.entrySet().stream()
                    .map(e -> Posting.of(
                            Keyword.text("word", e.getKey()),
                            e.getValue().stream().mapToInt(i -> i).toArray()))
                    .toList();
            MessageContext message = new MessageContext("agent", UUID.randomUUID(), new byte[32]);
            keywords += postings.size();
            for (IndexBlock block : sealer.seal(DOMAIN, message, batch.size(), postings)) {
                bytes += block.encode().length;
                blocks.add(admit(block, message));
                firstLines.add(first);
            }
        }
    }

    private StoredBlock admit(IndexBlock block, MessageContext message) {
        try {
            return scheme.storedForm(block, message);
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("an honest block was refused", e);
        }
    }

    /** The lines that contain a word, by its trapdoor. */
    Set<Integer> search(String word) throws IOException {
        return search(trapdoor(word));
    }

    private Set<Integer> search(PreparedTrapdoor trapdoor) {
        Set<Integer> lines = new TreeSet<>();
        for (int i = 0; i < blocks.size(); i++) {
            int firstLine = firstLines.get(i);
            for (SlotMatch match : scheme.match(trapdoor, blocks.get(i))) {
                match.records().ordinals().forEach(record -> lines.add(firstLine + record));
            }
        }
        return lines;
    }

    private PreparedTrapdoor trapdoor(String word) throws IOException {
        try {
            return scheme.prepare(peks.trapdoor(keys.secretKey(), DOMAIN, Keyword.text("word", word), trapdoors));
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("an honest trapdoor was refused", e);
        }
    }

    static Set<Integer> plainScan(List<String> lines, String word) {
        Set<Integer> found = new TreeSet<>();
        for (int i = 0; i < lines.size(); i++) {
            if (wordsOf(lines.get(i)).contains(word)) {
                found.add(i);
            }
        }
        return found;
    }

    static Set<String> wordsOf(String line) {
        return Stream.of(line.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}._-]+"))
                .filter(word -> !word.isEmpty() && word.length() <= MAX_WORD_CHARACTERS)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Bytes that are not UTF-8 become replacement characters: logs hold anything. */
    static List<String> read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    /** A log of a plant's presses, the same at every call; some lines tell of an overheat. */
    static List<String> sampleLog(int count) {
        String[] units = {"press", "oven", "crane", "belt", "pump"};
        String[] events = {"cycle complete", "door opened", "door closed", "operator login", "pressure nominal"};
        List<String> lines = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int mix = i * 0x9E3779B9 >>> 7;
            String event = mix % 997 == 0 ? "overheat, stopping" : events[mix % events.length];
            lines.add(String.format(
                    Locale.ROOT,
                    "2026-11-21T%02d:%02d:%02d %s-%d level=%s batch=%d %s",
                    i / 3600 % 24,
                    i / 60 % 60,
                    i % 60,
                    units[mix / 7 % units.length],
                    mix / 31 % 12,
                    mix % 997 == 0 ? "error" : "info",
                    i / 40,
                    event));
        }
        return lines;
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }
}
