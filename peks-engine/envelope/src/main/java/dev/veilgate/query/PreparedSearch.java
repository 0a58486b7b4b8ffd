package dev.veilgate.query;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * A search whose trapdoors are ready for many Tests: the gateway's work, which needs no secret. Immutable and safe for
 * use by several threads.
 *
 * <p>A block that passes can still lie about its keywords: whoever opens a hit extracts them again.
 */
public final class PreparedSearch {
    /**
     * A trapdoor and the term that it belongs to.
     *
     * @param term     index of the term
     * @param trapdoor ready for Test
     * @param key      names the trapdoor, for caches
     */
    public record Prepared(int term, PreparedTrapdoor trapdoor, Digest key) {}

    private final SearchRequest request;
    private final IndexSchemes schemes;
    private final Map<BlockTarget, List<Prepared>> byTarget;

    private PreparedSearch(SearchRequest request, IndexSchemes schemes, Map<BlockTarget, List<Prepared>> byTarget) {
        this.request = request;
        this.schemes = schemes;
        this.byTarget = byTarget;
    }

    /**
     * @throws MalformedEncodingException if a trapdoor is not one, or of a scheme or parameter set that is not served
     * here
     */
    public static PreparedSearch of(SearchRequest request, IndexSchemes schemes) throws MalformedEncodingException {
        Map<Digest, PreparedTrapdoor> ready = new HashMap<>();
        Map<BlockTarget, List<Prepared>> byTarget = new LinkedHashMap<>();
        for (int term = 0; term < request.terms().size(); term++) {
            for (ScopedTrapdoor trapdoor : request.terms().get(term)) {
                Digest key = Digest.of(trapdoor);
                PreparedTrapdoor prepared = ready.get(key);
                if (prepared == null) {
                    prepared = schemes.byId(trapdoor.scheme()).prepare(trapdoor);
                    ready.put(key, prepared);
                }
                byTarget.computeIfAbsent(BlockTarget.of(trapdoor), target -> new ArrayList<>())
                        .add(new Prepared(term, prepared, key));
            }
        }
        byTarget.replaceAll((target, list) -> List.copyOf(list));
        return new PreparedSearch(request, schemes, Map.copyOf(byTarget));
    }

    /** What was prepared. */
    public SearchRequest request() {
        return request;
    }

    /** Which trapdoors to test against which blocks. */
    public Map<BlockTarget, List<Prepared>> byTarget() {
        return byTarget;
    }

    /**
     * The scheme whose Test decides.
     *
     * @param target one of {@link #byTarget}
     */
    public IndexScheme scheme(BlockTarget target) {
        try {
            return schemes.byId(target.scheme());
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("the search has no trapdoor for that target", e);
        }
    }

    /**
     * The records of an envelope that the search finds.
     *
     * @param recordsOfTerm the records that a trapdoor of a term has matched; asked only where the answer can still
     * matter
     * @param recordCount   of the envelope: records beyond it, which only a block that lies names, are not found
     */
    public RecordSet evaluate(IntFunction<RecordSet> recordsOfTerm, int recordCount) {
        return request.expression().evaluate(recordsOfTerm).below(recordCount);
    }

    /**
     * The plain form of what stores do: the records of one envelope that the search finds, by Test of each of its
     * blocks.
     *
     * @param blocks the stored form of each block of its index, empty for schemes that are not known here: {@link
     * IndexAdmission}
     */
    public RecordSet match(Envelope envelope, List<Optional<StoredBlock>> blocks) {
        if (!envelope.tenant().equals(request.tenant()) || !request.filter().admits(envelope)) {
            return RecordSet.of();
        }
        RecordSet[] found = new RecordSet[request.terms().size()];
        Arrays.fill(found, RecordSet.of());
        for (int i = 0; i < blocks.size(); i++) {
            BlockTarget target = BlockTarget.of(envelope.index().get(i));
            List<Prepared> applying = byTarget.get(target);
            if (applying != null && blocks.get(i).isPresent()) {
                test(scheme(target), blocks.get(i).get(), applying, found);
            }
        }
        return evaluate(term -> found[term], envelope.recordCount());
    }

    private static void test(IndexScheme scheme, StoredBlock block, List<Prepared> applying, RecordSet[] found) {
        List<List<SlotMatch>> matches =
                scheme.matchTrapdoors(applying.stream().map(Prepared::trapdoor).toList(), block);
        for (int i = 0; i < matches.size(); i++) {
            int term = applying.get(i).term();
            for (SlotMatch match : matches.get(i)) {
                found[term] = found[term].union(match.records());
            }
        }
    }

    @Override
    public String toString() {
        return "PreparedSearch[" + request + "]";
    }
}
