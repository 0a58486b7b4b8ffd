package dev.veilgate.benchmarks;

import dev.veilgate.archive.NewDocument;
import dev.veilgate.archive.source.DocumentFiles;
import dev.veilgate.archive.source.FileForm;
import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.MemoryBlobs;
import dev.veilgate.sse.MemoryManifests;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.segments.ArchivedDocument;
import dev.veilgate.sse.segments.HeadMemory;
import dev.veilgate.sse.segments.Question;
import dev.veilgate.sse.segments.SegmentArchive;
import dev.veilgate.sse.segments.SegmentLayout;
import dev.veilgate.sse.segments.SegmentPart;
import dev.veilgate.sse.segments.WordCounts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

/**
 * Searches that the server of a share can name, which sees the pages that are read of an archive of one segment in
 * place, and knows all documents, or every second one with its place. Writes {@code co-access.csv}. 10,000 searches are
 * drawn by Zipf's law of the 3,000 words that most documents have; each is a process of its own, so that nothing is
 * kept. A search is named if its word is the only one that fits the pages best. Who counts how often pages are read
 * knows the law as well.
 */
public final class CoAccessFigures {
    private static final int WORDS = 3_000;
    private static final int SEARCHES = 10_000;
    private static final int SHOWN = 20;
    private static final int PAGE_BYTES = 8_192;
    private static final int TAG_BYTES = 16;
    private static final int HEAD_BYTES = 40;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SseTable table = new SseTable(
            "data",
            "documents",
            "words",
            "dictionary_pages",
            "searched_words",
            "searches",
            "known",
            "seen",
            "named_searches",
            "named_words");

    private CoAccessFigures() {}

    /**
     * Measures.
     *
     * @param args the output folder; how many lines of logs are made, in place of the real data: 32,000 if that is
     *             missing and this is left out
     */
    public static void main(String[] args) throws Exception {
        Path output = Files.createDirectories(Path.of(args[0]));
        String data = System.getProperty("veilgate.data");
        CoAccessFigures figures = new CoAccessFigures();
        if (data != null && args.length == 1) {
            figures.measure("mails", read(files(Path.of(data, "mail"), "")));
            figures.measure("lines of logs", read(files(Path.of(data, "loghub"), ".log")));
        } else {
            Path made = Files.createTempDirectory("co-access");
            int lines = args.length > 1 ? Integer.parseInt(args[1]) : 32_000;
            figures.measure(
                    "made lines of logs",
                    read(files(ArchiveLines.make(made, lines).folder(), ".log")));
            for (Path file : files(made, "")) {
                Files.delete(file);
            }
            Files.delete(made);
        }
        Files.write(output.resolve("co-access.csv"), figures.table.lines());
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        figures.table.lines().forEach(out::println);
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(end))
                    .sorted()
                    .toList();
        }
    }

    private static List<ArchivedDocument> read(List<Path> files) throws IOException {
        List<ArchivedDocument> documents = new ArrayList<>();
        DocumentWords words = new DocumentWords();
        try (DocumentFiles reader = DocumentFiles.open()) {
            for (Path file : files) {
                reader.read(file, FileForm.BY_NAME, new DocumentFiles.Sink() {
                    @Override
                    public void document(NewDocument document) throws IOException {
                        document.words().read(words.clear());
                        WordCounts counts = words.counts();
                        byte[] digest = new byte[ArchivedDocument.DIGEST_BYTES];
                        RANDOM.nextBytes(digest);
                        documents.add(new ArchivedDocument(document.name(), digest, document.place(), counts));
                    }

                    @Override
                    public void endOfFile(String name, long count, BooleanSupplier asRead) {}

                    @Override
                    public void gone(String name, BooleanSupplier asRead) {}

                    @Override
                    public void unreadable(String name, String why) {
                        throw new IllegalStateException(name + ": " + why);
                    }
                });
            }
        }
        return documents;
    }

    /**
     * Pages that a search read.
     *
     * @param dictionary the page of the dictionary
     * @param firstList  the first page of the list; -1 if it stands in the dictionary
     * @param listPages  how many pages of the list
     * @param documents  pages of the documents that are shown
     */
    private record Seen(int dictionary, int firstList, int listPages, BitSet documents) {}

    /** An archive whose server keeps what is read. */
    private static final class Watched implements BlobStore {
        private final MemoryBlobs blobs = new MemoryBlobs();
        private final MemoryManifests manifests = new MemoryManifests();
        private final ArchiveKey key = ArchiveKey.random(RANDOM);
        private final byte[] id = new byte[16];
        private final List<long[]> reads = new ArrayList<>();
        private final SegmentLayout layout;

        Watched(List<ArchivedDocument> documents) throws IOException {
            try (SegmentArchive archive =
                    SegmentArchive.create(this, manifests, key, id, HeadMemory.inMemory(), RANDOM)) {
                archive.add(documents);
                layout = archive.state().segments().getFirst().entry().layout();
            }
        }

        int pages(SegmentPart part) {
            return (int) ((layout.bytesOf(part) + PAGE_BYTES - 1) / PAGE_BYTES);
        }

        /** The pages that a device reads that has nothing but the key. */
        Seen search(String word) throws IOException {
            try (SegmentArchive archive =
                    SegmentArchive.open(this, manifests, key, id, HeadMemory.inMemory(), RANDOM)) {
                reads.clear();
                archive.search(new Question.Word(Keyword.text("text", word)), SHOWN, false);
            }
            BitSet dictionary = read(SegmentPart.DICTIONARY);
            BitSet lists = read(SegmentPart.LISTS);
            return new Seen(
                    dictionary.nextSetBit(0), lists.nextSetBit(0), lists.cardinality(), read(SegmentPart.DOCUMENTS));
        }

        /** Numbers of the pages of a part that were read: where it begins follows from the sizes of the parts. */
        private BitSet read(SegmentPart part) {
            long place = HEAD_BYTES;
            for (SegmentPart before : SegmentPart.values()) {
                if (before == part) {
                    break;
                }
                place += layout.bytesOf(before) + (long) TAG_BYTES * pages(before);
            }
            long end = place + layout.bytesOf(part) + (long) TAG_BYTES * pages(part);
            BitSet pages = new BitSet();
            for (long[] read : reads) {
                if (read[0] >= place && read[0] < end) {
                    int first = (int) ((read[0] - place) / (PAGE_BYTES + TAG_BYTES));
                    int last = (int) ((read[0] + read[1] - 1 - place) / (PAGE_BYTES + TAG_BYTES));
                    pages.set(first, last + 1);
                }
            }
            return pages;
        }

        @Override
        public void put(BlobName name, Message.Body object) throws IOException, MalformedEncodingException {
            blobs.put(name, object);
        }

        @Override
        public OptionalLong length(BlobName name) {
            return blobs.length(name);
        }

        @Override
        public byte[] read(BlobName name, long from, int length) throws IOException {
            reads.add(new long[] {from, length});
            return blobs.read(name, from, length);
        }

        @Override
        public List<BlobName> list() {
            return blobs.list();
        }

        @Override
        public void remove(BlobName name) {
            blobs.remove(name);
        }

        @Override
        public void close() {}
    }

    /** The words of texts that most documents have, the commonest first. */
    private static List<String> commonest(List<ArchivedDocument> documents) {
        Map<String, Integer> counts = new HashMap<>();
        for (ArchivedDocument document : documents) {
            for (Keyword word : document.words().toMap().keySet()) {
                if (word.field().equals("text") && !word.isInterval()) {
                    counts.merge(word.value(), 1, Integer::sum);
                }
            }
        }
        return counts.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Integer>>comparingInt(each -> -each.getValue())
                        .thenComparing(Map.Entry::getKey))
                .limit(WORDS)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void measure(String data, List<ArchivedDocument> documents) throws IOException {
        List<String> words = commonest(documents);
        int[] searches = searches(words.size());
        Watched whole = new Watched(documents);
        List<ArchivedDocument> second = new ArrayList<>();
        for (int i = 0; i < documents.size(); i += 2) {
            second.add(documents.get(i));
        }
        Watched half = new Watched(second);
        List<Seen> seen = new ArrayList<>();
        List<Seen> ofHalf = new ArrayList<>();
        for (String word : words) {
            seen.add(whole.search(word));
            ofHalf.add(half.search(word));
        }
        int[] usual = usual(words, commonest(second));
        for (Sight sight : Sight.values()) {
            ToDoubleBiFunction<Integer, Integer> same =
                    (word, search) -> sight.same(seen.get(word), seen.get(search)) ? 0 : Double.NEGATIVE_INFINITY;
            Guess guess = new Guess(whole, half, sight);
            ToDoubleBiFunction<Integer, Integer> like =
                    (word, search) -> guess.score(ofHalf.get(word), seen.get(search));
            if (sight == Sight.FREQUENCY) {
                int[] often = often(seen, searches);
                same = with(same, often, usual(words, words));
                like = with(like, often, usual);
            }
            add(data, documents, whole, "all", sight, searches, named(words.size(), same));
            add(data, documents, whole, "half", sight, searches, named(words.size(), like));
        }
    }

    /** For each word the number of searches that read the very same pages as a search for it. */
    private static int[] often(List<Seen> seen, int[] searches) {
        Map<Seen, Integer> all = new HashMap<>();
        for (int word = 0; word < searches.length; word++) {
            all.merge(seen.get(word), searches[word], Integer::sum);
        }
        return seen.stream().mapToInt(each -> all.getOrDefault(each, 0)).toArray();
    }

    /** Ranks of words by how many documents are known to have them: so often they are thought to be searched for. */
    private static int[] usual(List<String> words, List<String> ranked) {
        Map<String, Integer> ranks = new HashMap<>();
        for (String word : ranked) {
            ranks.put(word, ranks.size() + 1);
        }
        return words.stream().mapToInt(word -> ranks.getOrDefault(word, WORDS)).toArray();
    }

    /** A score that also tells how well the number of searches fits the word's rank: its root varies by a half. */
    private static ToDoubleBiFunction<Integer, Integer> with(
            ToDoubleBiFunction<Integer, Integer> score, int[] often, int[] ranks) {
        double sum = weights(ranks.length);
        return (word, search) -> {
            double off = Math.sqrt(often[search]) - Math.sqrt(SEARCHES / (ranks[word] * sum));
            return score.applyAsDouble(word, search) - 2 * off * off;
        };
    }

    private static double weights(int words) {
        double sum = 0;
        for (int rank = 1; rank <= words; rank++) {
            sum += 1.0 / rank;
        }
        return sum;
    }

    private void add(
            String data,
            List<ArchivedDocument> documents,
            Watched whole,
            String known,
            Sight sight,
            int[] searches,
            BitSet named) {
        long hits = 0;
        for (int word = 0; word < searches.length; word++) {
            hits += named.get(word) ? searches[word] : 0;
        }
        table.add(
                data,
                documents.size(),
                whole.layout.words(),
                whole.pages(SegmentPart.DICTIONARY),
                searches.length,
                SEARCHES,
                known,
                sight.text,
                (double) hits / SEARCHES,
                (double) named.cardinality() / searches.length);
    }

    /** Draws which word is searched for, each in proportion to one over its rank. */
    private static int[] searches(int words) {
        double sum = weights(words);
        int[] searches = new int[words];
        SplittableRandom random = new SplittableRandom(words);
        for (int i = 0; i < SEARCHES; i++) {
            double left = random.nextDouble(sum);
            int word = 0;
            while (word < words - 1 && left >= 1.0 / (word + 1)) {
                left -= 1.0 / ++word;
            }
            searches[word]++;
        }
        return searches;
    }

    /** Words that are the only one of the best score for what is seen of them, and rightly so. */
    private static BitSet named(int words, ToDoubleBiFunction<Integer, Integer> score) {
        BitSet named = new BitSet();
        for (int word = 0; word < words; word++) {
            double own = score.applyAsDouble(word, word);
            boolean best = own > Double.NEGATIVE_INFINITY;
            for (int other = 0; other < words && best; other++) {
                best = other == word || score.applyAsDouble(other, word) < own;
            }
            named.set(word, best);
        }
        return named;
    }

    /** Parts of what is seen that are used. */
    private enum Sight {
        DICTIONARY("the page of the dictionary"),
        LISTS("and the pages of the list"),
        DOCUMENTS("and those of documents that are shown"),
        FREQUENCY("and how often they are read");

        final String text;

        Sight(String text) {
            this.text = text;
        }

        boolean same(Seen one, Seen other) {
            return one.dictionary == other.dictionary
                    && (this == DICTIONARY || one.firstList == other.firstList && one.listPages == other.listPages)
                    && (compareTo(DOCUMENTS) < 0 || one.documents.equals(other.documents));
        }
    }

    /**
     * A score of how well pages fit a word of which the pages in an archive of half the documents are known: places are
     * thought to grow with the archive, and the documents of the half to be shown if they are as new as others.
     */
    private static final class Guess {
        private final double dictionary;
        private final double lists;
        private final double documents;
        private final Sight sight;
        private final int listPages;
        private final int dictionaryPages;

        Guess(Watched whole, Watched half, Sight sight) {
            this.sight = sight;
            dictionaryPages = whole.pages(SegmentPart.DICTIONARY);
            listPages = whole.pages(SegmentPart.LISTS);
            dictionary = (double) dictionaryPages / half.pages(SegmentPart.DICTIONARY);
            lists = (double) listPages / Math.max(1, half.pages(SegmentPart.LISTS));
            documents = (double) whole.pages(SegmentPart.DOCUMENTS) / half.pages(SegmentPart.DOCUMENTS);
        }

        double score(Seen known, Seen seen) {
            if (known.documents.isEmpty()) {
                return Double.NEGATIVE_INFINITY; // not in the half that is known
            }
            double score = -off((known.dictionary + 0.5) * dictionary, seen.dictionary + 0.5, dictionaryPages);
            if (sight != Sight.DICTIONARY) {
                if (known.firstList >= 0 && seen.firstList >= 0) {
                    score -= off((known.firstList + 0.5) * lists, seen.firstList + 0.5, listPages);
                    score -= off(known.listPages * 2.0 - 1, seen.listPages, 10 * seen.listPages);
                } else if (known.firstList >= 0) {
                    score -= 10;
                }
            }
            if (sight.compareTo(Sight.DOCUMENTS) >= 0) {
                int oldest = seen.documents.nextSetBit(0);
                for (int page = known.documents.nextSetBit(0); page >= 0; page = known.documents.nextSetBit(page + 1)) {
                    int first = (int) (page * documents) - 1;
                    int last = (int) ((page + 1) * documents) + 1;
                    int there = seen.documents.nextSetBit(Math.max(0, first));
                    if (first > oldest && (there < 0 || there > last)) {
                        score -= 5;
                    }
                }
                for (int page = oldest; page >= 0; page = seen.documents.nextSetBit(page + 1)) {
                    int first = Math.max(0, (int) ((page - 1) / documents) - 1);
                    int there = known.documents.nextSetBit(first);
                    score += there >= 0 && there <= (page + 1) / documents + 1 ? 1 : 0;
                }
            }
            return score;
        }

        private static double off(double thought, double seen, int pages) {
            double usual = Math.max(1, pages / 100.0);
            return (thought - seen) * (thought - seen) / (usual * usual);
        }
    }
}
