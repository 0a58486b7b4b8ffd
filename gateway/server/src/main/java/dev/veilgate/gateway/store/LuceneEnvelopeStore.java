package dev.veilgate.gateway.store;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.index.AnswerCache;
import dev.veilgate.index.HeldTargets;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Envelopes in a Lucene index ({@link EnvelopeDocuments}).
 *
 * <p>A write that fails (a full disk) closes Lucene's writer and takes with it what was not committed. So arrivals since the last commit are kept, which comes at the latest
 * after {@link #MAX_UNCOMMITTED_BYTES}; the next call opens a new writer, adds them again, and goes on. Until then searches see what they saw before.
 */
final class LuceneEnvelopeStore implements EnvelopeStore {
    private static final Logger LOG = LoggerFactory.getLogger(LuceneEnvelopeStore.class);

    private static final long MAX_UNCOMMITTED_BYTES = 32 << 20;

    private final Directory directory;
    private final IndexSchemes schemes;
    private final AnswerCache answers;
    private final SegmentPlans plans = new SegmentPlans();
    private final HeldTargets held = new HeldTargets();
    private final int searchThreads;
    private final ExecutorService threads;
    /** Added, and not yet visible in the searcher: by key, as the index has them. */
    private final NavigableMap<BytesRef, Arrival> fresh = new ConcurrentSkipListMap<>();

    private final List<Arrival> uncommitted = new ArrayList<>();
    private long uncommittedBytes;
    private IndexWriter writer;
    private volatile SearcherManager searchers;
    private volatile long position;
    private long end;
    private volatile @Nullable String trouble;

    /**
     * Opens what is in the directory, or begins there.
     *
     * @param directory     closed with this
     * @param answerBytes   of memory for what searches found out
     * @param searchThreads that run Test, for all searches together
     */
    LuceneEnvelopeStore(Directory directory, IndexSchemes schemes, long answerBytes, int searchThreads)
            throws IOException {
        this.directory = directory;
        this.schemes = schemes;
        this.answers = new AnswerCache(answerBytes);
        this.searchThreads = searchThreads;
        this.writer = StoreIndex.openWriter(directory);
        this.searchers = StoreIndex.searchers(writer);
        this.position = StoreIndex.committedPosition(writer);
        this.end = position;
        this.threads = Executors.newFixedThreadPool(
                searchThreads, Thread.ofPlatform().daemon().name("search-", 1).factory());
    }

    /** What keeps the store from writing, for people; empty if nothing does. */
    Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public synchronized void add(List<Arrival> arrivals, long next) throws IOException {
        write(() -> {
            for (Arrival arrival : arrivals) {
                BytesRef key = EnvelopeKey.of(arrival.envelope());
                if (!fresh.containsKey(key) && !inSearcher(searcher -> isStored(searcher, arrival))) {
                    writer.addDocuments(EnvelopeDocuments.of(arrival, schemes));
                    remember(key, arrival);
                }
            }
            end = next;
            if (uncommittedBytes > MAX_UNCOMMITTED_BYTES) {
                commitAll();
                searchers.maybeRefreshBlocking(); // what is kept for reading until then may be as large
                fresh.clear();
            }
        });
    }

    private void remember(BytesRef key, Arrival arrival) {
        fresh.put(key, arrival);
        uncommitted.add(arrival);
        uncommittedBytes += size(arrival);
    }

    private static long size(Arrival arrival) {
        byte[] content = arrival.content();
        return (long) arrival.envelope().size() + (content == null ? 0 : content.length);
    }

    private static boolean isStored(IndexSearcher searcher, Arrival arrival) throws IOException {
        Envelope envelope = arrival.envelope();
        return StoredDocuments.find(searcher, EnvelopeKey.of(envelope)).isPresent()
                || StoredDocuments.before(searcher, envelope.tenant(), EnvelopeName.of(envelope))
                        .isPresent();
    }

    @Override
    public synchronized void commit() throws IOException {
        write(this::commitAll);
    }

    private void commitAll() throws IOException {
        StoreIndex.commit(writer, end);
        position = end;
        uncommitted.clear();
        uncommittedBytes = 0;
    }

    @Override
    public synchronized void refresh() throws IOException {
        write(() -> {
            searchers.maybeRefreshBlocking();
            fresh.clear();
        });
    }

    /** Committed at once: what is kept for a writer that must be opened again are additions only. */
    @Override
    public synchronized void delete(String tenant, List<EnvelopeName> names) throws IOException {
        write(() -> {
            for (EnvelopeName name : names) {
                for (BytesRef key : EnvelopeKey.of(tenant, name)) {
                    writer.deleteDocuments(new Term(EnvelopeDocuments.KEY, key));
                }
                if (inSearcher(searcher ->
                        StoredDocuments.before(searcher, tenant, name).isPresent())) {
                    writer.deleteDocuments(new Term(EnvelopeDocuments.KEY, EnvelopeKey.before(tenant, name.id())));
                }
            }
            commitAll();
            searchers.maybeRefreshBlocking();
            fresh.clear();
        });
    }

    private interface Write {
        void run() throws IOException;
    }

    /** What fails is reported as an IOException; a writer that closed itself is opened again before the next write. */
    private void write(Write action) throws IOException {
        try {
            if (!writer.isOpen()) {
                reopen();
            }
            action.run();
            trouble = null;
        } catch (AlreadyClosedException e) {
            Throwable cause = writer.getTragicException();
            throw failed(cause == null ? e : cause);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private IOException failed(Throwable cause) {
        trouble = "writing fails: " + cause.getMessage();
        return new IOException("the store cannot be written now: " + cause.getMessage(), cause);
    }

    private void reopen() throws IOException {
        IndexWriter next = StoreIndex.openWriter(directory);
        try {
            SearcherManager after = StoreIndex.searchers(next);
            IndexSearcher committed = after.acquire();
            try {
                for (Arrival arrival : uncommitted) {
                    if (!isStored(committed, arrival)) {
                        next.addDocuments(EnvelopeDocuments.of(arrival, schemes));
                    }
                }
            } finally {
                after.release(committed);
            }
            after.maybeRefreshBlocking();
            SearcherManager before = searchers;
            searchers = after;
            writer = next;
            position = StoreIndex.committedPosition(next);
            before.close();
        } catch (IOException | RuntimeException e) {
            next.rollback();
            throw e;
        }
        LOG.info("the store is written to again; {} envelopes were not committed yet", uncommitted.size());
    }

    private interface Reading<T> {
        T of(IndexSearcher searcher) throws IOException;
    }

    private <T> T inSearcher(Reading<T> reading) throws IOException {
        while (true) {
            SearcherManager manager = searchers;
            IndexSearcher searcher;
            try {
                searcher = manager.acquire();
            } catch (AlreadyClosedException e) {
                if (manager == searchers) {
                    throw new IOException("the store is closed", e);
                }
                continue; // opened again meanwhile
            }
            try {
                return reading.of(searcher);
            } finally {
                manager.release(searcher);
            }
        }
    }

    /** Those of {@link #fresh} whose keys begin so. */
    private SortedMap<BytesRef, Arrival> fresh(BytesRef prefix, int limit) {
        SortedMap<BytesRef, Arrival> found = new TreeMap<>();
        for (Map.Entry<BytesRef, Arrival> each : fresh.tailMap(prefix).entrySet()) {
            if (found.size() >= limit || !StringHelper.startsWith(each.getKey(), prefix)) {
                break;
            }
            found.put(each.getKey(), each.getValue());
        }
        return found;
    }

    private @Nullable Arrival fresh(String tenant, EnvelopeName name) {
        return EnvelopeKey.of(tenant, name).stream()
                .map(fresh::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The first so many keys that begin so, visible to searches or not; not the prefix itself. */
    private SortedSet<BytesRef> keys(BytesRef prefix, int limit) throws IOException {
        SortedSet<BytesRef> keys = new TreeSet<>(fresh(prefix, limit).keySet());
        keys.addAll(inSearcher(searcher -> StoreReports.keys(searcher, prefix, prefix, limit)));
        return keys;
    }

    @Override
    public List<EnvelopeName> signed(String tenant, String sender, UUID id) throws IOException {
        BytesRef prefix = EnvelopeKey.signed(tenant, id);
        SortedSet<EnvelopeName> names = new TreeSet<>(Comparator.comparing(EnvelopeName::digest));
        for (Arrival arrival : fresh(prefix, Integer.MAX_VALUE).values()) {
            if (arrival.envelope().sender().equals(sender)) {
                names.add(EnvelopeName.of(arrival.envelope()));
            }
        }
        return inSearcher(searcher -> {
            List<BytesRef> keys = new ArrayList<>(StoreReports.keys(searcher, prefix, prefix, Integer.MAX_VALUE));
            keys.add(EnvelopeKey.before(tenant, id));
            for (BytesRef key : keys) {
                Optional<StoredDocuments> found = StoredDocuments.find(searcher, key);
                if (found.isPresent() && found.get().sender().equals(sender)) {
                    names.add(found.get().name());
                }
            }
            return List.copyOf(names);
        });
    }

    /** What an earlier version stored of an id. */
    private record Before(EnvelopeName name, boolean signed) {}

    @Override
    public Optional<EnvelopeName> named(String tenant, UUID id) throws IOException {
        Optional<Before> before = inSearcher(searcher -> {
            Optional<StoredDocuments> found = StoredDocuments.find(searcher, EnvelopeKey.before(tenant, id));
            return found.isPresent()
                    ? Optional.of(
                            new Before(found.get().name(), !found.get().sender().isEmpty()))
                    : Optional.empty();
        });
        boolean isBeforeSigned = before.isPresent() && before.get().signed;
        SortedSet<BytesRef> signed = keys(EnvelopeKey.signed(tenant, id), 2);
        if (signed.size() + (isBeforeSigned ? 1 : 0) > 1) {
            return Optional.empty();
        }
        if (!signed.isEmpty()) {
            return EnvelopeKey.name(signed.getFirst());
        }
        if (before.isPresent()) {
            return Optional.of(before.get().name);
        }
        SortedSet<BytesRef> unsigned = keys(EnvelopeKey.unsigned(tenant, id), 2);
        return unsigned.size() == 1 ? EnvelopeKey.name(unsigned.getFirst()) : Optional.empty();
    }

    @Override
    public boolean isShared(String tenant, UUID id) throws IOException {
        BytesRef before = EnvelopeKey.before(tenant, id);
        int others = keys(before, 2).size();
        boolean isBefore =
                inSearcher(searcher -> StoredDocuments.find(searcher, before).isPresent());
        return others + (isBefore ? 1 : 0) > 1;
    }

    @Override
    public boolean contains(String tenant, EnvelopeName name) throws IOException {
        return fresh(tenant, name) != null
                || inSearcher(
                        searcher -> StoredDocuments.find(searcher, tenant, name).isPresent());
    }

    @Override
    public Optional<StoredEnvelope> find(String tenant, EnvelopeName name) throws IOException {
        Arrival arrival = fresh(tenant, name);
        if (arrival != null) {
            byte[] content = arrival.content();
            return Optional.of(new StoredEnvelope(
                    arrival.envelope(), content == null ? null : StoredContent.of(content), arrival.arrived()));
        }
        return inSearcher(searcher -> {
            Optional<StoredDocuments> found = StoredDocuments.find(searcher, tenant, name);
            return found.isPresent()
                    ? Optional.of(found.get().read(schemes, number -> piece(tenant, name, number)))
                    : Optional.empty();
        });
    }

    private byte[] piece(String tenant, EnvelopeName name, int number) throws IOException {
        return inSearcher(searcher -> StoredDocuments.find(searcher, tenant, name)
                .orElseThrow(() -> new IOException("the envelope was deleted"))
                .piece(number));
    }

    @Override
    public SearchProgress search(PreparedSearch search, SearchSink sink, BooleanSupplier cancelled) throws IOException {
        return inSearcher(searcher -> {
            SearchProgress last =
                    new StoreSearch(searcher, search, answers, plans, threads, searchThreads, sink, cancelled).run();
            if (!cancelled.getAsBoolean()) {
                sink.unasked(held.unasked(searcher, search, EnvelopeDocuments.admitted(search.request())));
            }
            return last;
        });
    }

    @Override
    public List<Expired> expired(
            String tenant, Instant before, Predicate<String> scope, Predicate<EnvelopeName> kept, int limit)
            throws IOException {
        return inSearcher(searcher -> StoreReports.expired(searcher, tenant, before, scope, kept, limit));
    }

    @Override
    public List<Placed> beside(
            String tenant, String sender, long sequence, boolean later, Predicate<String> scope, int limit)
            throws IOException {
        return inSearcher(searcher -> StoredChain.of(tenant, sender).beside(searcher, sequence, later, scope, limit));
    }

    @Override
    public List<Placed> drawn(String tenant, String sender, Predicate<String> scope, int most, RandomGenerator random)
            throws IOException {
        return inSearcher(searcher -> StoredChain.of(tenant, sender).drawn(searcher, scope, most, random));
    }

    @Override
    public Page names(String tenant, byte @Nullable [] after, int limit) throws IOException {
        return inSearcher(searcher -> StoreReports.names(searcher, tenant, after, limit));
    }

    @Override
    public Optional<Instant> newest(Instant before, Predicate<Envelope> which) throws IOException {
        return inSearcher(searcher -> NewestEnvelope.find(searcher, schemes, before, which, NewestEnvelope.BATCH));
    }

    @Override
    public Optional<Instant> newestArrival() throws IOException {
        return inSearcher(NewestEnvelope::arrival);
    }

    @Override
    public Map<String, Holdings> holdings() throws IOException {
        return inSearcher(StoreReports::holdings);
    }

    /** Ends running searches; commits, if it can. */
    @Override
    public synchronized void close() throws IOException {
        threads.shutdown();
        try {
            if (writer.isOpen()) {
                commitAll();
            }
        } finally {
            IOUtils.close(searchers, writer::rollback, directory);
        }
    }
}
