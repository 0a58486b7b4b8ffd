package dev.veilgate.benchmarks;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.Expression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A filled store for measurements, made once and kept in a folder: the store itself, {@code terms.csv} with trapdoors
 * of words by how many records have them, and
 * {@code raw-bytes} of the records. The tenant's secret keys are forgotten.
 */
final class StoreData implements AutoCloseable {
    static final IndexSchemes SCHEMES = IndexSchemes.load();

    private static final String SCOPE = "plant-7";
    private static final int SEALING_THREADS = 2;
    private static final int TERMS_OF_A_KIND = 12;

    /**
     * A trapdoor.
     *
     * @param kind    of its word: how often it is
     * @param records that it finds
     */
    record Term(String kind, int records, ScopedTrapdoor trapdoor) {}

    /**
     * A sealed message.
     *
     * @param rawBytes of its records
     * @param words    in how many of its records each is
     */
    private record Message(Arrival arrival, int records, long rawBytes, Map<Keyword, Integer> words) {}

    /** Seals one message after another. */
    private interface Source {
        Message next() throws Exception;
    }

    private final TenantKeys keys;
    private final PublicBundle bundle;
    private final Clock clock = Clock.systemUTC();
    private final SecureRandom random = new SecureRandom();
    private final Map<Keyword, Integer> words = new HashMap<>();

    private StoreData() throws Exception {
        Instant now = clock.instant();
        byte[] profile = ExtractorProfile.defaults().encode();
        keys = TenantKeys.generate("bench", EpochPolicy.MONTHLY, profile, random, now);
        bundle = PublicBundle.verify(
                keys.nextBundle(now, Duration.ofDays(30)), keys.authority().fingerprint(), now);
    }

    @Override
    public void close() {
        keys.close();
    }

    static Path store(Path folder) {
        return folder.resolve("store");
    }

    static long rawBytes(Path folder) throws IOException {
        return Long.parseLong(Files.readString(folder.resolve("raw-bytes")).strip());
    }

    static List<Term> terms(Path folder) throws IOException, MalformedEncodingException {
        List<Term> terms = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("terms.csv"))) {
            String[] cells = line.split(",");
            byte[] trapdoor = HexFormat.of().parseHex(cells[2]);
            terms.add(new Term(cells[0], Integer.parseInt(cells[1]), ScopedTrapdoor.decode(trapdoor)));
        }
        return terms;
    }

    /** The lines of {@link EdgeLog} as they are, each log sealed by a device of its own. */
    static Path realLogs(Path data) throws Exception {
        return made(data.resolve("real-logs"), EdgeLog.LINES, (self, thread) -> self.lines(realBatches(thread)));
    }

    private static Iterator<List<byte[]>> realBatches(int thread) throws IOException {
        List<List<byte[]>> batches = new ArrayList<>();
        for (EdgeLog log : EdgeLog.readAll()) {
            batches.addAll(log.batches());
        }
        return thread == 0 ? batches.iterator() : List.<List<byte[]>>of().iterator();
    }

    /** Log lines of {@link LogGenerator} in envelopes of up to 256. */
    static Path logs(Path data, int lines) throws Exception {
        return made(data.resolve("logs-" + lines), lines, (self, thread) -> self.lines(new LogGenerator(thread)));
    }

    /** Mails of about 150 words, each with 6 kB beside its index. */
    static Path mails(Path data, int mails) throws Exception {
        return made(data.resolve("mails-" + mails), mails, (self, thread) -> self.new Mails(thread));
    }

    private interface Sources {
        Source of(StoreData self, int thread) throws Exception;
    }

    private static Path made(Path folder, int records, Sources sources) throws Exception {
        if (Files.notExists(folder.resolve("terms.csv"))) {
            try (StoreData self = new StoreData()) {
                self.fill(folder, records, sources);
            }
        }
        return folder;
    }

    private void fill(Path folder, int wanted, Sources sources) throws Exception {
        BlockingQueue<Message> queue = new ArrayBlockingQueue<>(64);
        long rawBytes = 0;
        try (EnvelopeStore store = EnvelopeStore.embedded(store(folder), SCHEMES, 0, 1);
                ExecutorService threads = Executors.newFixedThreadPool(SEALING_THREADS)) {
            for (int i = 0; i < SEALING_THREADS; i++) {
                Source source = sources.of(this, i);
                threads.submit(() -> seal(source, queue));
            }
            int stored = 0;
            for (long position = 1; stored < wanted; position++) {
                Message next = queue.take();
                store.add(List.of(next.arrival), position);
                stored += next.records;
                rawBytes += next.rawBytes;
                next.words.forEach((word, records) -> words.merge(word, records, Integer::sum));
                if (position % 100 == 0) {
                    store.refresh(); // segments as they come where envelopes arrive all the time
                }
            }
            threads.shutdownNow();
            store.commit();
        }
        Files.writeString(folder.resolve("raw-bytes"), Long.toString(rawBytes));
        Files.write(folder.resolve("terms.csv"), chosenTerms());
    }

    private static Void seal(Source source, BlockingQueue<Message> queue) throws Exception {
        while (true) {
            queue.put(source.next());
        }
    }

    private Source lines(Iterator<List<byte[]>> batches) throws Exception {
        LogExtractor extractor = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO);
        SigningKey identity = SigningKey.generate("press-" + random.nextInt(1000), random);
        LogSealing sealing = new LogSealing(new LogSealing.Sender(bundle, identity));
        return () -> {
            List<byte[]> lines = batches.next();
            Map<Keyword, Integer> in = new HashMap<>();
            for (byte[] line : lines) {
                Set<Keyword> different =
                        new LinkedHashSet<>(extractor.extract(line).keywords());
                different.forEach(word -> in.merge(word, 1, Integer::sum));
            }
            long bytes = lines.stream().mapToLong(line -> line.length + 1).sum();
            return new Message(arrival(sealing.seal(lines).bytes(), null), lines.size(), bytes, in);
        };
    }

    /** Words by Zipf out of many, so that a common one is in most mails and most are in few. */
    private final class Mails implements Source {
        private static final int DIFFERENT = 500_000;
        private static final int CONTENT_BYTES = 6000;

        private final SplittableRandom draw;
        private final EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, clock, random);

        Mails(int thread) {
            this.draw = new SplittableRandom(thread);
        }

        @Override
        public Message next() throws Exception {
            Map<Keyword, Integer> in = new HashMap<>();
            int wanted = 50 + draw.nextInt(200);
            while (in.size() < wanted) {
                in.put(Keyword.text("word", "w" + (int) Math.pow(DIFFERENT, draw.nextDouble())), 1);
            }
            List<Posting> postings =
                    in.keySet().stream().map(word -> Posting.of(word, 0)).toList();
            byte[] content = new byte[CONTENT_BYTES];
            draw.nextBytes(content);
            byte[] envelope = sealer.sealDetached(draft(), postings, new byte[32], new byte[32], ChainPosition.first())
                    .bytes();
            return new Message(arrival(envelope, content), 1, CONTENT_BYTES, in);
        }

        private EnvelopeDraft draft() {
            Instant now = clock.instant();
            return new EnvelopeDraft(
                    SCOPE, epoch(), now, now, "application/pkcs7-mime", List.of(), List.of(), List.of(), 0);
        }
    }

    private String epoch() {
        return bundle.epochAt(clock.instant()).orElseThrow().name();
    }

    /** As ingestion hands it over. */
    @SuppressWarnings("NullAway") // it does not read from a class file that the content of an arrival may be null
    static Arrival arrival(byte[] bytes, byte @Nullable [] content) throws MalformedEncodingException {
        Envelope envelope = Envelope.decode(bytes);
        List<Optional<StoredBlock>> blocks = new ArrayList<>();
        for (IndexBlock block : envelope.index()) {
            blocks.add(Optional.of(SCHEMES.byId(block.scheme()).storedForm(block, envelope.context())));
        }
        return new Arrival(envelope, blocks, content, Instant.now());
    }

    private List<String> chosenTerms() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 2 * TERMS_OF_A_KIND; i++) {
            String kind = i < TERMS_OF_A_KIND ? "warm-up" : "absent";
            lines.add(line(kind, Keyword.text("word", "never-sealed-" + i), 0));
        }
        addChosen(lines, "rare", 1, 1);
        addChosen(lines, "some", 10, 100);
        addChosen(lines, "common", 1000, 5000);
        addChosen(lines, "frequent", 20_000, Integer.MAX_VALUE);
        return lines;
    }

    private void addChosen(List<String> lines, String kind, int least, int most) throws Exception {
        List<Keyword> candidates = words.entrySet().stream()
                .filter(word -> word.getValue() >= least && word.getValue() <= most)
                .map(Map.Entry::getKey)
                .toList();
        Collection<Keyword> chosen = new LinkedHashSet<>();
        for (int i = 0; i < 10 * TERMS_OF_A_KIND && chosen.size() < TERMS_OF_A_KIND && !candidates.isEmpty(); i++) {
            chosen.add(candidates.get(random.nextInt(candidates.size())));
        }
        for (Keyword word : chosen) {
            lines.add(line(kind, word, Objects.requireNonNull(words.get(word))));
        }
    }

    private String line(String kind, Keyword word, int records) throws Exception {
        ScopedTrapdoor trapdoor = keys.request(
                        SCOPE,
                        List.of(epoch()),
                        List.of(List.of(word)),
                        new Expression.Term(0),
                        new Corpus.MemoryStore())
                .terms()
                .getFirst()
                .getFirst();
        return kind + "," + records + "," + HexFormat.of().formatHex(trapdoor.encode());
    }
}
