package dev.veilgate.gateway.store;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the store uses Lucene: its writer, its searchers, and the journal's position in its commits. */
final class StoreIndex {
    private static final Logger LOG = LoggerFactory.getLogger(StoreIndex.class);
    private static final String POSITION = "position";
    private static final double WRITE_BUFFER_MB = 64;
    /** Answers are remembered by segment, and a merge forgets them: what is this large is not merged again. */
    private static final double MAX_SEGMENT_MB = 2048;

    private StoreIndex() {}

    static IndexWriter openWriter(Directory directory) throws IOException {
        TieredMergePolicy merges = new TieredMergePolicy();
        merges.setMaxMergedSegmentMB(MAX_SEGMENT_MB);
        merges.setNoCFSRatio(0);
        return new IndexWriter(
                directory,
                new IndexWriterConfig()
                        .setRAMBufferSizeMB(WRITE_BUFFER_MB)
                        .setCommitOnClose(false)
                        .setUseCompoundFile(false)
                        .setMergeScheduler(new Merges())
                        .setMergePolicy(merges));
    }

    /** A merge that fails has closed the writer, which the next write notices. */
    private static final class Merges extends ConcurrentMergeScheduler {
        @Override
        protected void handleMergeException(Throwable cause) {
            LOG.warn("merging segments of the store failed", cause);
        }
    }

    static SearcherManager searchers(IndexWriter writer) throws IOException {
        return new SearcherManager(writer, new Searchers());
    }

    /** Without Lucene's query cache: answers are remembered by trapdoor. */
    private static final class Searchers extends SearcherFactory {
        @Override
        public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous) {
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setQueryCache(null);
            return searcher;
        }
    }

    static void commit(IndexWriter writer, long position) throws IOException {
        writer.setLiveCommitData(Map.of(POSITION, Long.toString(position)).entrySet());
        writer.commit();
    }

    /** The position that the last commit carries; 0 before the first. */
    static long committedPosition(IndexWriter writer) {
        Iterable<Map.Entry<String, String>> data = writer.getLiveCommitData();
        if (data != null) {
            for (Map.Entry<String, String> entry : data) {
                if (entry.getKey().equals(POSITION)) {
                    return Long.parseLong(entry.getValue());
                }
            }
        }
        return 0;
    }
}
