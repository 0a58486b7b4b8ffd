package dev.veilgate.gateway.store;

import dev.veilgate.index.AnswerCache;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
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

    private record Key(String tenant, UUID id) {
        static Key of(Arrival arrival) {
            return new Key(arrival.envelope().tenant(), arrival.envelope().id());
        }
    }

    private final Directory directory;
    private final IndexSchemes schemes;
    private final AnswerCache answers;
    private final int searchThreads;
    private final ExecutorService threads;
    /** Added, and not yet visible in the searcher. */
    private final Map<Key, Arrival> fresh = new ConcurrentHashMap<>();

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
                Key key = Key.of(arrival);
                if (!fresh.containsKey(key) && !isStored(key)) {
                    writer.addDocuments(EnvelopeDocuments.of(arrival, schemes));
                    remember(key, arrival);
                }
            }
            end = next;
            if (uncommittedBytes > MAX_UNCOMMITTED_BYTES) {
                commitAll();
            }
        });
    }

    private void remember(Key key, Arrival arrival) {
        fresh.put(key, arrival);
        uncommitted.add(arrival);
        uncommittedBytes += size(arrival);
    }

    private static long size(Arrival arrival) {
        byte[] content = arrival.content();
        return arrival.envelope().size() + (content == null ? 0 : content.length);
    }

    private boolean isStored(Key key) throws IOException {
        return inSearcher(searcher -> isStored(searcher, key));
    }

    private static boolean isStored(IndexSearcher searcher, Key key) throws IOException {
        return StoredDocuments.find(searcher, key.tenant, key.id).isPresent();
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
    public synchronized void delete(String tenant, List<UUID> ids) throws IOException {
        write(() -> {
            for (UUID id : ids) {
                writer.deleteDocuments(new Term(EnvelopeDocuments.KEY, EnvelopeDocuments.key(tenant, id)));
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
                    if (!isStored(committed, Key.of(arrival))) {
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

    @Override
    public Optional<byte[]> digest(String tenant, UUID id) throws IOException {
        Arrival arrival = fresh.get(new Key(tenant, id));
        if (arrival != null) {
            return Optional.of(arrival.envelope().digest());
        }
        return inSearcher(searcher -> {
            Optional<StoredDocuments> found = StoredDocuments.find(searcher, tenant, id);
            return found.isPresent() ? Optional.of(found.get().digest()) : Optional.empty();
        });
    }

    @Override
    public Optional<StoredEnvelope> find(String tenant, UUID id) throws IOException {
        Arrival arrival = fresh.get(new Key(tenant, id));
        if (arrival != null) {
            return Optional.of(new StoredEnvelope(arrival.envelope(), arrival.content(), arrival.arrived()));
        }
        return inSearcher(searcher -> {
            Optional<StoredDocuments> found = StoredDocuments.find(searcher, tenant, id);
            return found.isPresent() ? Optional.of(found.get().read(schemes)) : Optional.empty();
        });
    }

    @Override
    public SearchProgress search(PreparedSearch search, SearchSink sink, BooleanSupplier cancelled) throws IOException {
        return inSearcher(
                searcher -> new StoreSearch(searcher, search, answers, threads, searchThreads, sink, cancelled).run());
    }

    @Override
    public List<Expired> expired(String tenant, Instant before, Predicate<String> scope, int limit) throws IOException {
        return inSearcher(searcher -> StoreReports.expired(searcher, tenant, before, scope, limit));
    }

    @Override
    public List<Placed> beside(
            String tenant, String sender, long sequence, boolean later, Predicate<String> scope, int limit)
            throws IOException {
        return inSearcher(searcher -> StoredChain.of(tenant, sender).beside(searcher, sequence, later, scope, limit));
    }

    @Override
    public List<UUID> ids(String tenant, @Nullable UUID after, int limit) throws IOException {
        return inSearcher(searcher -> StoreReports.ids(searcher, tenant, after, limit));
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
