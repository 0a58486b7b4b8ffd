package dev.veilgate.gateway.store;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.index.BlockFields;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.Filter;
import dev.veilgate.query.SearchRequest;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/**
 * An envelope as documents: first the pieces of a mail that came with it, then one for each block in storage form, and last its own. Ciphertext is in doc values, which Lucene does not
 * compress, and mail in stored fields of a document for each {@linkplain StoredContent#PIECE_BYTES piece}: writing and merging have one document in memory at a time, and would have all of a
 * doc value. Beside the fields of {@link BlockFields}:
 *
 * <pre>
 *   key                            indexed, of all its documents: {@link EnvelopeKey}
 *   tenant, sender                 indexed
 *   first, last, arrived           indexed for ranges, milliseconds
 *   sender, sequence, detached, id, digest, scope (of each block)        doc values
 *   bytes                          doc value: {@link CutEnvelope}
 *   content-bytes                  doc value: of a mail, whose pieces are before the blocks
 *   piece                          stored, of each piece
 *   content                        doc value: of a mail, as earlier versions stored it
 * </pre>
 */
final class EnvelopeDocuments {
    static final String KEY = "key";
    static final String TENANT = "tenant";
    static final String SENDER = "sender";
    static final String FIRST = "first";
    static final String LAST = "last";
    static final String ARRIVED = "arrived";
    static final String SEQUENCE = "sequence";
    static final String DETACHED = "detached";
    static final String ID = "id";
    static final String DIGEST = "digest";
    static final String SCOPE = "scope";
    static final String BYTES = "bytes";
    static final String CONTENT = "content";
    static final String CONTENT_BYTES = "content-bytes";
    static final String PIECE = "piece";

    private EnvelopeDocuments() {}

    static List<Document> of(Arrival arrival, IndexSchemes schemes) {
        Envelope envelope = arrival.envelope();
        BytesRef key = EnvelopeKey.of(envelope);
        CutEnvelope cut = CutEnvelope.of(arrival, schemes);
        List<Document> documents = new ArrayList<>();
        byte[] content = arrival.content();
        for (int at = 0; content != null && at < content.length; at += StoredContent.PIECE_BYTES) {
            Document document = new Document();
            document.add(new StringField(KEY, key, Field.Store.NO));
            int length = Math.min(StoredContent.PIECE_BYTES, content.length - at);
            document.add(new StoredField(PIECE, content, at, length));
            documents.add(document);
        }
        for (int place : cut.blocks()) {
            Document document = new Document();
            document.add(new StringField(KEY, key, Field.Store.NO));
            BlockFields.addBlock(
                    document,
                    envelope.tenant(),
                    BlockTarget.of(envelope.index().get(place)),
                    arrival.blocks().get(place).orElseThrow());
            documents.add(document);
        }
        Document own = own(arrival, cut);
        own.add(new StringField(KEY, key, Field.Store.NO));
        documents.add(own);
        return documents;
    }

    private static Document own(Arrival arrival, CutEnvelope cut) {
        Envelope envelope = arrival.envelope();
        Document own = new Document();
        BlockFields.addEnvelope(own, cut.blocks().size(), envelope.recordCount());
        own.add(new StringField(TENANT, envelope.tenant(), Field.Store.NO));
        own.add(new StringField(SENDER, envelope.sender(), Field.Store.NO));
        own.add(new SortedDocValuesField(SENDER, new BytesRef(envelope.sender())));
        own.add(new LongField(FIRST, envelope.first().toEpochMilli(), Field.Store.NO));
        own.add(new LongField(LAST, envelope.last().toEpochMilli(), Field.Store.NO));
        own.add(new LongField(ARRIVED, arrival.arrived().toEpochMilli(), Field.Store.NO));
        own.add(new NumericDocValuesField(SEQUENCE, envelope.sequence()));
        own.add(new NumericDocValuesField(DETACHED, envelope.detachedDigest().isPresent() ? 1 : 0));
        own.add(new BinaryDocValuesField(ID, new BytesRef(EnvelopeKey.bytes(envelope.id()))));
        own.add(new BinaryDocValuesField(DIGEST, new BytesRef(envelope.digest())));
        own.add(new BinaryDocValuesField(BYTES, new BytesRef(cut.bytes())));
        if (arrival.content() != null) {
            own.add(new NumericDocValuesField(CONTENT_BYTES, arrival.content().length));
        }
        envelope.index().stream()
                .map(IndexBlock::scope)
                .distinct()
                .forEach(scope -> own.add(new SortedSetDocValuesField(SCOPE, new BytesRef(scope))));
        return own;
    }

    /** The envelopes that a search looks at: admitted, and indexed for one of its scopes. Asks each envelope for its scopes. */
    static Query looked(SearchRequest request) {
        List<BytesRef> scopes = request.terms().stream()
                .flatMap(List::stream)
                .map(ScopedTrapdoor::scope)
                .distinct()
                .map(BytesRef::new)
                .toList();
        return new BooleanQuery.Builder()
                .add(admitted(request), Occur.FILTER)
                .add(SortedSetDocValuesField.newSlowSetQuery(SCOPE, scopes), Occur.FILTER)
                .build();
    }

    /** The envelopes of a search's tenant that its filter admits ({@link Filter#admits(Envelope)}). */
    static Query admitted(SearchRequest request) {
        BooleanQuery.Builder all = new BooleanQuery.Builder();
        all.add(new TermQuery(new Term(TENANT, request.tenant())), Occur.FILTER);
        Filter filter = request.filter();
        filter.from()
                .ifPresent(from ->
                        all.add(LongField.newRangeQuery(LAST, from.toEpochMilli(), Long.MAX_VALUE), Occur.FILTER));
        filter.to()
                .ifPresent(to ->
                        all.add(LongField.newRangeQuery(FIRST, Long.MIN_VALUE, to.toEpochMilli() - 1), Occur.FILTER));
        if (!filter.senders().isEmpty()) {
            List<BytesRef> senders =
                    filter.senders().stream().map(BytesRef::new).toList();
            all.add(new TermInSetQuery(SENDER, senders), Occur.FILTER);
        }
        return all.build();
    }
}
