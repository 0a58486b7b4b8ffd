package dev.veilgate.gateway.store;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.index.BlockFields;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Search for the newest stored envelope that is as somebody asks. Only arrivals that are newer than what was found are
 * read, and no more of their places are in memory at once than a batch has, however many are stored.
 */
final class NewestEnvelope {
    /** Places of envelopes in memory at once: a few megabytes. */
    static final int BATCH = 1 << 16;

    private static final Logger LOG = LoggerFactory.getLogger(NewestEnvelope.class);

    /** The place of an envelope in a segment; the greater one arrived later. */
    private record Place(long arrived, int document) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return Comparator.comparingLong(Place::arrived)
                    .thenComparingInt(Place::document)
                    .compare(this, other);
        }
    }

    private NewestEnvelope() {}

    /** The time of the newest arrival in segments, those that were deleted since included; empty if there is none. */
    static Optional<Instant> arrival(IndexSearcher searcher) throws IOException {
        long newest = Long.MIN_VALUE;
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            newest = Math.max(newest, latest(leaf.reader()));
        }
        return newest == Long.MIN_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(newest));
    }

    private static long latest(LeafReader segment) throws IOException {
        PointValues arrivals = segment.getPointValues(EnvelopeDocuments.ARRIVED);
        return arrivals == null || arrivals.size() == 0
                ? Long.MIN_VALUE
                : LongPoint.decodeDimension(arrivals.getMaxPackedValue(), 0);
    }

    static Optional<Instant> find(
            IndexSearcher searcher, IndexSchemes schemes, Instant before, Predicate<Envelope> which, int batch)
            throws IOException {
        long found = Long.MIN_VALUE;
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves().reversed()) {
            if (latest(leaf.reader()) > found) {
                found = find(leaf.reader(), schemes, found, before.toEpochMilli(), which, batch);
            }
        }
        return found == Long.MIN_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(found));
    }

    private static long find(
            LeafReader segment, IndexSchemes schemes, long after, long before, Predicate<Envelope> which, int batch)
            throws IOException {
        List<Place> places = newest(segment, after, new Place(before, 0), batch);
        while (!places.isEmpty()) {
            for (Place each : places) {
                NumericDocValues blocks = DocValues.getNumeric(segment, BlockFields.BLOCKS);
                if (blocks.advanceExact(each.document)) {
                    if (is(which, new StoredDocuments(segment, each.document), schemes)) {
                        return each.arrived;
                    }
                }
            }
            places = newest(segment, after, places.getLast(), batch);
        }
        return after;
    }

    /** The newest envelopes of a segment that arrived after a time and lie before a place, newest first. */
    private static List<Place> newest(LeafReader segment, long after, Place before, int batch) throws IOException {
        Bits live = segment.getLiveDocs();
        SortedNumericDocValues arrivals = DocValues.getSortedNumeric(segment, EnvelopeDocuments.ARRIVED);
        PriorityQueue<Place> newest = new PriorityQueue<>();
        for (int at = arrivals.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = arrivals.nextDoc()) {
            long arrived = arrivals.nextValue();
            boolean isLive = live == null || live.get(at);
            boolean isNew = newest.size() < batch || arrived >= newest.element().arrived;
            if (isLive && arrived > after && isNew) {
                Place place = new Place(arrived, at);
                if (place.compareTo(before) < 0) {
                    newest.add(place);
                }
                if (newest.size() > batch) {
                    newest.remove();
                }
            }
        }
        List<Place> sorted = new ArrayList<>(newest);
        sorted.sort(Comparator.reverseOrder());
        return sorted;
    }

    /** Asks an envelope; passes over what cannot be read, which must not keep a gateway from starting. */
    private static boolean is(Predicate<Envelope> which, StoredDocuments documents, IndexSchemes schemes) {
        try {
            return which.test(documents.envelope(schemes));
        } catch (IOException e) {
            LOG.warn("a stored envelope is passed over: {}", e.getMessage());
            return false;
        }
    }
}
