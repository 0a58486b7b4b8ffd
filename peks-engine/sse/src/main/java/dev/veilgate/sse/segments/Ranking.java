package dev.veilgate.sse.segments;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The best of the documents that answer, by BM25 with k1 = 1.2 and b = 0.75 over the words that are asked for:
 *
 * <pre>
 *   score = sum over words of  ln(1 + (N - df + 0.5) / (df + 0.5)) tf (k1 + 1) / (tf + k1 (1 - b + b length / average))
 * </pre>
 *
 * <p>N, df and the average length are those that are stored: what is dead and not merged counts. A length is the least
 * of its class.
 *
 * <p>Source: S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.
 */
@Secret
final class Ranking {
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    private final List<SegmentReader> readers;
    private final List<byte[]> terms = new ArrayList<>();
    private final double[] weights;
    private final double averageLength;

    Ranking(List<SegmentReader> readers, List<Keyword> words) throws IOException {
        this.readers = readers;
        new LinkedHashSet<>(words).forEach(word -> terms.add(WordBytes.of(word)));
        long documents = 0;
        long length = 0;
        for (SegmentReader reader : readers) {
            documents += reader.entry().layout().documents();
            length += reader.entry().layout().totalLength();
        }
        averageLength = documents == 0 ? 1 : Math.max(1, (double) length / documents);
        weights = new double[terms.size()];
        for (int i = 0; i < weights.length; i++) {
            long df = 0;
            for (SegmentReader reader : readers) {
                Postings postings = reader.find(terms.get(i));
                df += postings == null ? 0 : postings.count();
            }
            weights[i] = Math.log(1 + (documents - df + 0.5) / (df + 0.5));
        }
    }

    /** A document by the number of its segment and its own. */
    record Place(int segment, int number, double score) {}

    /**
     * The best, best first; of equal ones the last in the order of segments and numbers.
     *
     * @param matches by segment
     */
    List<Place> best(List<BitSet> matches, int most) throws IOException {
        Comparator<Place> worseFirst = Comparator.comparingDouble(Place::score)
                .thenComparingInt(Place::segment)
                .thenComparingInt(Place::number);
        if (most < 1) {
            return List.of();
        }
        PriorityQueue<Place> best = new PriorityQueue<>(worseFirst);
        for (int segment = 0; segment < readers.size(); segment++) {
            BitSet found = matches.get(segment);
            if (found.isEmpty()) {
                continue;
            }
            double[] scores = scores(readers.get(segment), found);
            int rank = 0;
            for (int number = found.nextSetBit(0); number >= 0; number = found.nextSetBit(number + 1)) {
                Place place = new Place(segment, number, scores[rank++]);
                if (best.size() < most) {
                    best.add(place);
                } else if (worseFirst.compare(place, best.peek()) > 0) {
                    best.remove();
                    best.add(place);
                }
            }
        }
        List<Place> sorted = new ArrayList<>(best);
        sorted.sort(worseFirst.reversed());
        return sorted;
    }

    /** Scores of the matches of a segment, in their order. */
    private double[] scores(SegmentReader reader, BitSet found) throws IOException {
        double[] scores = new double[found.cardinality()];
        for (int i = 0; i < weights.length; i++) {
            Postings postings = reader.find(terms.get(i));
            if (postings == null) {
                continue;
            }
            int rank = 0;
            int at = found.nextSetBit(0);
            for (int j = 0; j < postings.count() && at >= 0; j++) {
                int number = postings.number(j);
                while (at >= 0 && at < number) {
                    at = found.nextSetBit(at + 1);
                    rank++;
                }
                if (at == number) {
                    double tf = postings.tf(j);
                    double norm = 1 - B + B * LengthClass.least(postings.lengthClass(j)) / averageLength;
                    scores[rank] += weights[i] * tf * (K1 + 1) / (tf + K1 * norm);
                }
            }
        }
        return scores;
    }
}
