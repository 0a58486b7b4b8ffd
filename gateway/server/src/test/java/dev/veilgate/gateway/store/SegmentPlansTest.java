package dev.veilgate.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.index.BlockFields;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SegmentPlansTest {
    private static final int ENVELOPES = 1_000;
    private static final long MEGABYTE = 1 << 20;

    private final SegmentPlans plans = new SegmentPlans();
    private ByteBuffersDirectory directory;
    private DirectoryReader reader;
    private IndexSearcher searcher;
    private LeafReaderContext segment;

    @BeforeEach
    void fill() throws Exception {
        directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
            for (int i = 0; i < ENVELOPES; i++) {
                Document envelope = new Document();
                BlockFields.addEnvelope(envelope, 0, 1);
                envelope.add(new StringField(EnvelopeDocuments.SENDER, "press-" + i % 10, Field.Store.NO));
                envelope.add(new LongField(EnvelopeDocuments.FIRST, i, Field.Store.NO));
                writer.addDocument(envelope);
            }
            writer.forceMerge(1);
        }
        reader = DirectoryReader.open(directory);
        searcher = new IndexSearcher(reader);
        segment = reader.leaves().getFirst();
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        directory.close();
    }

    private SegmentPlan plan(Query filter) throws Exception {
        Weight weight = searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1);
        return plans.of(segment, weight);
    }

    @Test
    void keepsThePlanOfAFilter() throws Exception {
        SegmentPlan first = plan(LongField.newRangeQuery(EnvelopeDocuments.FIRST, 100, 699));
        assertThat(first.envelopes()).isEqualTo(600);
        assertThat(first.ranges()).extracting(SegmentPlan.Range::envelopes).containsExactly(256, 256, 88);
        assertThat(plan(LongField.newRangeQuery(EnvelopeDocuments.FIRST, 100, 699)))
                .isSameAs(first);
        assertThat(plan(LongField.newRangeQuery(EnvelopeDocuments.FIRST, 100, 698))
                        .envelopes())
                .isEqualTo(599);
    }

    @Test
    void keepsWhatIsAskedWithinABoundOfBytes() throws Exception {
        for (int i = 0; i < 40_000; i++) {
            Query filter = LongField.newRangeQuery(EnvelopeDocuments.FIRST, 1, ENVELOPES + i);
            assertThat(plan(filter).envelopes()).isEqualTo(ENVELOPES - 1);
        }
        assertThat(plans.bytes()).isBetween(MEGABYTE, 8 * MEGABYTE);
    }

    @Test
    void keepsNoPlanOfAFilterOfManyNames() throws Exception {
        List<BytesRef> senders = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            senders.add(new BytesRef(
                    i < 10 ? "press-" + i : "unknown " + Integer.toHexString(i).repeat(30)));
        }
        assertThat(plan(new TermInSetQuery(EnvelopeDocuments.SENDER, senders)).envelopes())
                .isEqualTo(ENVELOPES);
        assertThat(plans.bytes()).isZero();
    }
}
