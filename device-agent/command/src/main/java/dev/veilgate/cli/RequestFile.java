package dev.veilgate.cli;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.SearchRequest;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code veilgate trapdoor} writes. */
final class RequestFile {
    private RequestFile() {}

    static SearchRequest read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return SearchRequest.decode(in.readNBytes(SearchRequest.MAX_BYTES + 1));
        } catch (MalformedEncodingException e) {
            throw EnvelopeSource.refused(file.toString(), e);
        }
    }

    /** Epochs of its trapdoors. */
    static Set<String> epochs(SearchRequest request) {
        return trapdoors(request).map(ScopedTrapdoor::epoch).collect(Collectors.toSet());
    }

    /**
     * Whether a request was issued as former rules of keywords alone read the query, though its epochs have later
     * ones: it misses what these read otherwise. Told by how many trapdoors each term has.
     *
     * @param read the query, as all rules of its epochs read it
     */
    static boolean isOfFormerRules(SearchRequest request, QueryReadings read) {
        KeywordQuery former = read.readings().getLast().read().query();
        return !isFor(request, read.asked()) && isFor(request, former);
    }

    private static boolean isFor(SearchRequest request, KeywordQuery query) {
        long each = trapdoors(request)
                .map(trapdoor -> trapdoor.keyId() + " " + trapdoor.epoch())
                .distinct()
                .count();
        List<Long> expected =
                query.terms().stream().map(term -> each * term.size()).toList();
        List<Long> issued =
                request.terms().stream().map(term -> (long) term.size()).toList();
        return issued.equals(expected) && request.expression().equals(query.expression());
    }

    private static Stream<ScopedTrapdoor> trapdoors(SearchRequest request) {
        return request.terms().stream().flatMap(List::stream);
    }
}
