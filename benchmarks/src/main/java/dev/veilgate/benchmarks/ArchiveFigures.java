package dev.veilgate.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.veilgate.archive.Answer;
import dev.veilgate.archive.Archive;
import dev.veilgate.archive.DevicePlaces;
import dev.veilgate.archive.DocumentAdder;
import dev.veilgate.archive.NewDocument;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.archive.source.DocumentFiles;
import dev.veilgate.archive.source.FileForm;
import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.gateway.store.EnvelopeStore;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The archive of segments on lines of logs and on mails, by turns with plain Lucene, ripgrep (if it is installed) and a
 * search of the same kind of lines by PEKS. Writes {@code archive-indexing.csv}, {@code archive-parts.csv}, {@code
 * archive-searches.csv} and, with real data, {@code archive-mails.csv}. All in one process, but for ripgrep.
 */
public final class ArchiveFigures {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP_LINES = 300_000;
    private static final int TURNS = 5;
    private static final int MOST_ADDITIONS = 3;
    private static final int SHOWN = 20;
    private static final String ARCHIVE = "archive";
    private static final String PEKS = "PEKS";
    private static final int FEW_MAILS = 40;

    private final Path work;
    private final Path output;
    private final int turns;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final DevicePlaces device;
    private final SseTable indexing = new SseTable(
            "system",
            "lines",
            "turn",
            "raw_bytes",
            "seconds",
            "lines_a_second",
            "processor_seconds",
            "index_bytes",
            "written_bytes");
    private final SseTable parts = new SseTable("lines", "part", "bytes", "of_raw");
    private final SseTable searches = new SseTable(
            "system", "lines", "ask", "questions", "hits_mean", "first_ms", "median_ms", "slowest_ms", "allocated_kb");

    private ArchiveFigures(Path work, Path output, int turns) {
        this.work = work;
        this.output = output;
        this.turns = turns;
        this.device = new DevicePlaces(work.resolve("keys"), work.resolve("states"));
    }

    /**
     * Measures.
     *
     * @param args the folder for what is made, which is removed; the output folder; how many lines of the smaller and
     *             of the larger archive, 1,000,000 and 10,000,000 if they are left out; with them all is done less
     *             often
     */
    public static void main(String[] args) throws Exception {
        if (args.length != 2 && args.length != 4) {
            throw new IllegalArgumentException("arguments: WORK-FOLDER OUTPUT-FOLDER [LINES MORE-LINES]");
        }
        Path work = Path.of(args[0]).toAbsolutePath();
        Path own = Files.createDirectories(work).resolve("archive-lines");
        remove(own);
        ArchiveFigures figures = new ArchiveFigures(
                Files.createDirectories(own), Files.createDirectories(Path.of(args[1])), args.length == 4 ? 1 : TURNS);
        int lines = args.length == 4 ? Integer.parseInt(args[2]) : 1_000_000;
        int more = args.length == 4 ? Integer.parseInt(args[3]) : 10_000_000;
        figures.warmUp(Math.min(lines, WARM_UP_LINES));
        figures.compare(lines, work);
        figures.alone(more);
        figures.mails();
        remove(own);
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            List<Path> all;
            try (Stream<Path> found = Files.walk(folder)) {
                all = found.toList();
            }
            for (Path each : all.reversed()) {
                Files.delete(each);
            }
        }
    }

    private void warmUp(int lines) throws Exception {
        ArchiveLines data = ArchiveLines.make(work.resolve("warm-up"), lines);
        add(List.of(data.folder()), work.resolve("warm-up-archive"));
        LuceneLines.index(work.resolve("warm-up-lucene"), data.folder());
    }

    private void add(List<Path> from, Path archive) throws Exception {
        SegmentFolder.create(archive, device, RANDOM);
        try (Archive opened = SegmentFolder.open(archive, device, RANDOM);
                DocumentFiles files = DocumentFiles.open();
                DocumentAdder adder = new DocumentAdder(opened, opened.usualBatch(), new Quiet())) {
            for (Path each : from) {
                files.read(each, FileForm.BY_NAME, sink(adder));
            }
            adder.flush();
            opened.maintain();
        }
    }

    /** Refuses that something is refused. */
    private static final class Quiet implements DocumentAdder.Listener {
        @Override
        public void refused(String name, String why) {
            throw new IllegalStateException(name + ": " + why);
        }
    }

    private static DocumentFiles.Sink sink(@Nullable DocumentAdder adder) {
        DocumentWords words = new DocumentWords();
        return new DocumentFiles.Sink() {
            @Override
            public void document(NewDocument document) throws IOException {
                if (adder != null) {
                    adder.add(document);
                } else {
                    document.words().read(words.clear());
                    Sample.sink = words.counts();
                }
            }

            @Override
            public void endOfFile(String file, long count, BooleanSupplier asRead) throws IOException {
                if (adder != null) {
                    adder.endOfFile(file, count, asRead);
                }
            }

            @Override
            public void gone(String name, BooleanSupplier asRead) {}

            @Override
            public void unreadable(String name, String why) {
                throw new IllegalStateException(name + ": " + why);
            }
        };
    }

    /** Work that is timed. */
    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    /**
     * An addition of all lines.
     *
     * @param named   bytes of what the newest state names
     * @param written bytes that were written, with what was merged since
     */
    private record Addition(double seconds, double processor, long named, long written) {}

    private Addition index(String system, Path index, Work work) throws Exception {
        remove(index);
        long processor = SYSTEM.getProcessCpuTime();
        long start = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - start) / 1e9;
        double used = (SYSTEM.getProcessCpuTime() - processor) / 1e9;
        long written = bytes(index);
        long named = written;
        if (system.equals(ARCHIVE)) {
            try (SegmentFolder opened = SegmentFolder.open(index, device, RANDOM)) {
                named = opened.sizes().bytes();
            }
        }
        return new Addition(seconds, used, named, written);
    }

    private void add(ArchiveLines data, String system, String turn, Addition each) throws IOException {
        double rate = data.lines() / each.seconds;
        indexing.add(
                system,
                data.lines(),
                turn,
                data.rawBytes(),
                each.seconds,
                rate,
                each.processor,
                each.named,
                each.written);
        write("archive-indexing.csv", indexing);
    }

    /** The turn that took the median time. */
    private void addMedian(ArchiveLines data, String system, List<Addition> all) throws IOException {
        List<Addition> sorted = all.stream()
                .sorted(Comparator.comparingDouble(Addition::seconds))
                .toList();
        add(data, system, "median", sorted.get(sorted.size() / 2));
    }

    private void addParts(ArchiveLines data, SegmentFolder archive) throws IOException {
        archive.sizes()
                .parts()
                .forEach((part, bytes) -> parts.add(data.lines(), part, bytes, (double) bytes / data.rawBytes()));
        write("archive-parts.csv", parts);
    }

    /** Bytes of all files: of an archive also of those that no state names any more, which are there for days. */
    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            long sum = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sum += Files.size(file);
            }
            return sum;
        }
    }

    private void write(String name, SseTable table) throws IOException {
        Files.write(output.resolve(name), table.lines());
        out.println(name + ": " + table.lines().getLast());
    }

    /** A system that searches. */
    @FunctionalInterface
    private interface Searcher {
        /** Searches; how many lines answer. */
        long search(ArchiveLines.Ask ask) throws Exception;
    }

    private void compare(int lines, Path kept) throws Exception {
        ArchiveLines data = ArchiveLines.make(work.resolve("lines-" + lines), lines);
        Path archive = work.resolve("archive-" + lines);
        Path lucene = work.resolve("lucene-" + lines);
        List<Addition> ofArchive = new ArrayList<>();
        List<Addition> ofLucene = new ArrayList<>();
        for (int turn = 1; turn <= Math.min(turns, MOST_ADDITIONS); turn++) {
            ofArchive.add(index(ARCHIVE, archive, () -> add(List.of(data.folder()), archive)));
            add(data, ARCHIVE, Integer.toString(turn), ofArchive.getLast());
            ofLucene.add(index("Lucene", lucene, () -> LuceneLines.index(lucene, data.folder())));
            add(data, "Lucene", Integer.toString(turn), ofLucene.getLast());
        }
        addMedian(data, ARCHIVE, ofArchive);
        addMedian(data, "Lucene", ofLucene);
        List<StoreData.Term> terms = StoreData.terms(StoreData.logs(kept, lines));
        try (SegmentFolder opened = SegmentFolder.open(archive, device, RANDOM);
                LuceneLines index = LuceneLines.open(lucene);
                EnvelopeStore store = StoreFigures.open(StoreData.logs(kept, lines))) {
            addParts(data, opened);
            Map<String, Searcher> systems = new LinkedHashMap<>();
            systems.put(ARCHIVE, ask -> search(opened, ask, SHOWN));
            systems.put("archive: numbers alone", ask -> search(opened, ask, 0));
            systems.put("archive: the best", ask -> best(opened, ask));
            systems.put("Lucene", index::search);
            ripgrep(systems, data);
            systems.put(
                    PEKS, ask -> StoreFigures.search(store, term(terms, ask)).records());
            measure(data, systems);
        }
    }

    private void alone(int lines) throws Exception {
        ArchiveLines data = ArchiveLines.make(work.resolve("lines-" + lines), lines);
        Path archive = work.resolve("archive-" + lines);
        addMedian(data, ARCHIVE, List.of(index(ARCHIVE, archive, () -> add(List.of(data.folder()), archive))));
        try (SegmentFolder opened = SegmentFolder.open(archive, device, RANDOM)) {
            addParts(data, opened);
            Map<String, Searcher> systems = new LinkedHashMap<>();
            systems.put(ARCHIVE, ask -> search(opened, ask, SHOWN));
            systems.put("archive: numbers alone", ask -> search(opened, ask, 0));
            ripgrep(systems, data);
            measure(data, systems);
        }
    }

    private static long search(SegmentFolder archive, ArchiveLines.Ask ask, int most) throws IOException {
        Answer answer = archive.search(ask.query(), most, false);
        Sample.sink = answer;
        return answer.count();
    }

    private static long best(SegmentFolder archive, ArchiveLines.Ask ask) throws IOException {
        Answer answer = archive.search(ask.query(), SHOWN, true);
        Sample.sink = answer;
        return answer.count();
    }

    /** The trapdoor of a word of the same kind; for what has none, that of a word that is nowhere. */
    private static StoreData.Term term(List<StoreData.Term> terms, ArchiveLines.Ask ask) {
        String kind = switch (ask.kind()) {
            case "one line" -> "rare";
            case "10 to 100 lines" -> "some";
            case "500 to 1000 lines" -> "common";
            case "most lines" -> "frequent";
            default -> "absent";
        };
        List<StoreData.Term> those =
                terms.stream().filter(term -> term.kind().equals(kind)).toList();
        if (those.isEmpty()) {
            those = terms.stream().filter(term -> term.kind().equals("absent")).toList();
        }
        return those.get(Math.floorMod(ask.word().hashCode(), those.size()));
    }

    private static void ripgrep(Map<String, Searcher> systems, ArchiveLines data) throws Exception {
        try {
            new ProcessBuilder("rg", "--version").start().waitFor();
        } catch (IOException e) {
            System.err.println("no ripgrep (rg) here: it is left out");
            return;
        }
        systems.put("ripgrep", ask -> {
            String pattern = "\\b" + ask.word() + (ask.prefix() ? "" : "\\b");
            Process process = new ProcessBuilder(
                            "rg", "-i", "-c", pattern, data.folder().toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            long count = 0;
            try (var counts = process.inputReader()) {
                for (String line = counts.readLine(); line != null; line = counts.readLine()) {
                    count += Long.parseLong(line.substring(line.lastIndexOf(':') + 1));
                }
            }
            process.waitFor();
            return count;
        });
    }

    private void measure(ArchiveLines data, Map<String, Searcher> systems) throws Exception {
        Map<String, Map<String, Times>> all = new LinkedHashMap<>();
        for (int turn = 0; turn <= turns; turn++) {
            for (ArchiveLines.Ask ask : data.asks()) {
                for (Map.Entry<String, Searcher> system : systems.entrySet()) {
                    if (ask.prefix() && system.getKey().equals(PEKS)) {
                        continue; // it has words alone
                    }
                    Times times = all.computeIfAbsent(system.getKey(), _ -> new LinkedHashMap<>())
                            .computeIfAbsent(ask.kind(), _ -> new Times());
                    times.take(system.getValue(), ask, turn == 0);
                }
            }
        }
        all.forEach((system, kinds) -> kinds.forEach((kind, times) -> times.add(searches, system, data.lines(), kind)));
        write("archive-searches.csv", searches);
    }

    /** Times of one kind of question at one system. */
    private static final class Times {
        private final List<Long> first = new ArrayList<>();
        private final List<Long> again = new ArrayList<>();
        private long hits;
        private long allocated;

        void take(Searcher system, ArchiveLines.Ask ask, boolean isFirst) throws Exception {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            long found = system.search(ask);
            long nanos = System.nanoTime() - start;
            if (isFirst) {
                hits += found;
                first.add(nanos);
            } else {
                allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
                again.add(nanos);
            }
        }

        void add(SseTable table, String system, int lines, String kind) {
            table.add(
                    system,
                    lines,
                    kind,
                    first.size(),
                    hits / first.size(),
                    median(first),
                    median(again),
                    again.stream().mapToLong(nanos -> nanos).max().orElse(0) / 1e6,
                    allocated / again.size() / 1_000);
        }

        private static double median(List<Long> nanos) {
            return nanos.stream().sorted().toList().get(nanos.size() / 2) / 1e6;
        }
    }

    /** Processor time of a mail: read and extracted alone, and added, with all merges. */
    private void mails() throws Exception {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            return;
        }
        List<Path> mails = new ArrayList<>();
        for (String folder : List.of("mail", "newsgroups")) { // articles are in the form of mails
            try (Stream<Path> all = Files.walk(Path.of(data, folder))) {
                all.filter(Files::isRegularFile)
                        .filter(file -> !Path.of(data, "newsgroups").equals(file.getParent()))
                        .sorted()
                        .limit(turns == TURNS ? Long.MAX_VALUE : FEW_MAILS)
                        .forEach(mails::add);
            }
        }
        SseTable table = new SseTable("mails", "turn", "extraction_ms", "addition_ms", "beyond_extraction_ms");
        List<Double> extractions = new ArrayList<>();
        List<Double> beyond = new ArrayList<>();
        for (int turn = 0; turn <= turns; turn++) {
            long start = SYSTEM.getProcessCpuTime();
            extract(mails);
            long extracted = SYSTEM.getProcessCpuTime();
            add(mails, work.resolve("mails-" + turn));
            long added = SYSTEM.getProcessCpuTime();
            if (turn > 0) { // the first warms up
                double extraction = (extracted - start) / 1e6 / mails.size();
                double addition = (added - extracted) / 1e6 / mails.size();
                table.add(mails.size(), turn, extraction, addition, addition - extraction);
                extractions.add(extraction);
                beyond.add(addition - extraction);
            }
        }
        table.add(mails.size(), "median", median(extractions), median(extractions) + median(beyond), median(beyond));
        write("archive-mails.csv", table);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static void extract(List<Path> mails) throws IOException {
        try (DocumentFiles files = DocumentFiles.open()) {
            for (Path mail : mails) {
                files.read(mail, FileForm.BY_NAME, sink(null));
            }
        }
    }
}
