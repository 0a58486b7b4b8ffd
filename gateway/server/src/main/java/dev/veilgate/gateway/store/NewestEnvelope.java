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
import java.util.function.Predicate;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Search for the newest stored envelope that is as somebody asks. Only arrivals that are newer than what was found
 * are read.
 */
final class NewestEnvelope {
    private static final Logger LOG = LoggerFactory.getLogger(NewestEnvelope.class);

    private record Candidate(int first, int own, long arrived) {}

    private NewestEnvelope() {}

    static Optional<Instant> find(
            IndexSearcher searcher, IndexSchemes schemes, Instant before, Predicate<Envelope> which)
            throws IOException {
        long found = Long.MIN_VALUE;
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves().reversed()) {
            for (Candidate each : candidates(leaf.reader(), found, before.toEpochMilli())) {
                if (is(which, new StoredDocuments(leaf.reader(), each.first, each.own), schemes)) {
                    found = each.arrived;
                    break;
                }
            }
        }
        return found == Long.MIN_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(found));
    }

    /** Envelopes of a segment between two times of arrival, newest first. */
    private static List<Candidate> candidates(LeafReader segment, long after, long before) throws IOException {
        Bits live = segment.getLiveDocs();
        SortedNumericDocValues arrivals = DocValues.getSortedNumeric(segment, EnvelopeDocuments.ARRIVED);
        NumericDocValues blocks = DocValues.getNumeric(segment, BlockFields.BLOCKS);
        List<Candidate> found = new ArrayList<>();
        for (int at = arrivals.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = arrivals.nextDoc()) {
            long arrived = arrivals.nextValue();
            if ((live == null || live.get(at)) && arrived > after && arrived < before && blocks.advanceExact(at)) {
                found.add(new Candidate(at - Math.toIntExact(blocks.longValue()), at, arrived));
            }
        }
        found.sort(Comparator.comparingLong(Candidate::arrived).reversed());
        return found;
    }

    /** Asks an envelope; passes over what cannot be read, which must not keep a gateway from starting. */
    private static boolean is(Predicate<Envelope> which, StoredDocuments documents, IndexSchemes schemes) {
        try {
            return which.test(documents.read(schemes).envelope());
        } catch (IOException e) {
            LOG.warn("a stored envelope is passed over: {}", e.getMessage());
            return false;
        }
    }
}
