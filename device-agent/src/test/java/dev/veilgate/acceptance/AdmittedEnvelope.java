package dev.veilgate.acceptance;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.PreparedSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An envelope whose blocks were checked on arrival, once, as a gateway does, and are searched many times. */
final class AdmittedEnvelope {
    private final Envelope envelope;
    private final Map<BlockTarget, List<StoredBlock>> blocks = new HashMap<>();

    private AdmittedEnvelope(Envelope envelope) {
        this.envelope = envelope;
    }

    /** Checks the blocks. */
    static AdmittedEnvelope of(Envelope envelope, IndexSchemes schemes) {
        AdmittedEnvelope admitted = new AdmittedEnvelope(envelope);
        try {
            for (IndexBlock block : envelope.index()) {
                StoredBlock stored = schemes.byId(block.scheme()).admit(block, envelope.context(), key -> true);
                admitted.blocks
                        .computeIfAbsent(BlockTarget.of(block), target -> new ArrayList<>())
                        .add(stored);
            }
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
        return admitted;
    }

    Envelope envelope() {
        return envelope;
    }

    /** The records that the search finds. */
    RecordSet find(PreparedSearch search) {
        if (!envelope.tenant().equals(search.request().tenant())
                || !search.request().filter().admits(envelope)) {
            return RecordSet.of();
        }
        RecordSet[] found = new RecordSet[search.request().terms().size()];
        Arrays.fill(found, RecordSet.of());
        search.byTarget().forEach((target, applying) -> {
            IndexScheme scheme = search.scheme(target);
            for (StoredBlock block : blocks.getOrDefault(target, List.of())) {
                for (PreparedSearch.Prepared each : applying) {
                    for (SlotMatch match : scheme.match(each.trapdoor(), block)) {
                        found[each.term()] = found[each.term()].union(match.records());
                    }
                }
            }
        });
        return search.evaluate(term -> found[term], envelope.recordCount());
    }
}
