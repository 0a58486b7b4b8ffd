package dev.veilgate.gateway.store;

import dev.veilgate.peks.RecordSet;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.BytesRef;

/** Reads the metadata of hits, of ascending documents. */
final class HitReader {
    private final BinaryDocValues ids;
    private final BinaryDocValues digests;
    private final SortedDocValues senders;
    private final NumericDocValues sequences;
    private final NumericDocValues detached;
    private final SortedNumericDocValues firsts;
    private final SortedNumericDocValues lasts;

    HitReader(LeafReader segment) throws IOException {
        this.ids = DocValues.getBinary(segment, EnvelopeDocuments.ID);
        this.digests = DocValues.getBinary(segment, EnvelopeDocuments.DIGEST);
        this.senders = DocValues.getSorted(segment, EnvelopeDocuments.SENDER);
        this.sequences = DocValues.getNumeric(segment, EnvelopeDocuments.SEQUENCE);
        this.detached = DocValues.getNumeric(segment, EnvelopeDocuments.DETACHED);
        this.firsts = DocValues.getSortedNumeric(segment, EnvelopeDocuments.FIRST);
        this.lasts = DocValues.getSortedNumeric(segment, EnvelopeDocuments.LAST);
    }

    SearchHit read(int document, RecordSet records) throws IOException {
        if (!ids.advanceExact(document)
                || !digests.advanceExact(document)
                || !senders.advanceExact(document)
                || !sequences.advanceExact(document)
                || !detached.advanceExact(document)
                || !firsts.advanceExact(document)
                || !lasts.advanceExact(document)) {
            throw new IOException("document " + document + " is no envelope");
        }
        return new SearchHit(
                EnvelopeKey.id(ids.binaryValue()),
                digest(digests.binaryValue()),
                senders.lookupOrd(senders.ordValue()).utf8ToString(),
                sequences.longValue(),
                Instant.ofEpochMilli(firsts.nextValue()),
                Instant.ofEpochMilli(lasts.nextValue()),
                detached.longValue() != 0,
                records);
    }

    private static String digest(BytesRef bytes) {
        return HexFormat.of().formatHex(bytes.bytes, bytes.offset, bytes.offset + bytes.length);
    }
}
