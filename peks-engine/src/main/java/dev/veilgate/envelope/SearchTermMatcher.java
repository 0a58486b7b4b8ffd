package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Test of a term against envelopes: the gateway's work, which needs no secret. Trapdoors are prepared once. Immutable and safe for use by several
 * threads.
 *
 * <p>A block that passes can still lie about its keywords: whoever opens a hit extracts them again.
 */
public final class SearchTermMatcher {
    /** Trapdoors that apply to the same blocks, by the place of their list. */
    private record Target(String scheme, String parameters, KeyId keyId, String scope, String epoch) {
        static Target of(ScopedTrapdoor t) {
            return new Target(t.scheme(), t.parameters(), t.keyId(), t.scope(), t.epoch());
        }

        static Target of(IndexBlock b) {
            return new Target(b.scheme(), b.parameters(), b.keyId(), b.scope(), b.epoch());
        }
    }

    private record Prepared(List<PreparedTrapdoor> trapdoors, List<Integer> lists) {}

    private final SearchTerm term;
    private final IndexSchemes schemes;
    private final Predicate<KeyId> knownKey;
    private final Map<Target, Prepared> prepared = new HashMap<>();

    /**
     * @param knownKey public keys that are served; blocks of others are refused
     * @throws MalformedEncodingException if a trapdoor is not one, or of a scheme or parameter set that is not served here
     */
    public SearchTermMatcher(SearchTerm term, IndexSchemes schemes, Predicate<KeyId> knownKey)
            throws MalformedEncodingException {
        this.term = term;
        this.schemes = schemes;
        this.knownKey = knownKey;
        for (int list = 0; list < term.allOf().size(); list++) {
            for (ScopedTrapdoor trapdoor : term.allOf().get(list)) {
                Prepared at = prepared.computeIfAbsent(
                        Target.of(trapdoor), target -> new Prepared(new ArrayList<>(), new ArrayList<>()));
                at.trapdoors.add(schemes.byId(trapdoor.scheme()).prepare(trapdoor));
                at.lists.add(list);
            }
        }
    }

    /**
     * The records of an envelope that the term finds.
     *
     * @throws MalformedEncodingException for a block that must be refused on arrival
     */
    public RecordSet match(Envelope envelope) throws MalformedEncodingException {
        if (!envelope.tenant().equals(term.tenant())) {
            return RecordSet.of();
        }
        BitSet[] found = new BitSet[term.allOf().size()];
        Map<Target, List<IndexBlock>> blocks = new LinkedHashMap<>();
        for (IndexBlock block : envelope.index()) {
            blocks.computeIfAbsent(Target.of(block), target -> new ArrayList<>())
                    .add(block);
        }
        for (var entry : blocks.entrySet()) {
            Prepared trapdoors = prepared.get(entry.getKey());
            if (trapdoors != null) {
                test(envelope, entry.getValue(), trapdoors, found);
            }
        }
        BitSet all = new BitSet();
        for (int list = 0; list < found.length; list++) {
            if (found[list] == null) {
                return RecordSet.of();
            }
            if (list == 0) {
                all.or(found[0]);
            } else {
                all.and(found[list]);
            }
        }
        return RecordSet.of(
                all.stream().filter(ordinal -> ordinal < envelope.recordCount()).toArray());
    }

    private void test(Envelope envelope, List<IndexBlock> blocks, Prepared trapdoors, BitSet[] found)
            throws MalformedEncodingException {
        for (IndexBlock block : blocks) {
            IndexScheme scheme = schemes.byId(block.scheme());
            StoredBlock stored = scheme.admit(block, envelope.context(), knownKey);
            List<List<SlotMatch>> matches = scheme.matchTrapdoors(trapdoors.trapdoors, stored);
            for (int i = 0; i < matches.size(); i++) {
                for (SlotMatch match : matches.get(i)) {
                    int list = trapdoors.lists.get(i);
                    if (found[list] == null) {
                        found[list] = new BitSet();
                    }
                    match.records().ordinals().forEach(found[list]::set);
                }
            }
        }
    }
}
