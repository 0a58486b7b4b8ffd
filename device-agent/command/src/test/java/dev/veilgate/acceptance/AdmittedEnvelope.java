package dev.veilgate.acceptance;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.PreparedSearch;
import java.util.IdentityHashMap;
import java.util.Objects;

/** An envelope whose blocks were checked on arrival, once, as a gateway does, and are searched many times. */
final class AdmittedEnvelope {
    private final Envelope envelope;
    private final IdentityHashMap<IndexBlock, StoredBlock> blocks = new IdentityHashMap<>();

    private AdmittedEnvelope(Envelope envelope) {
        this.envelope = envelope;
    }

    /** Checks the blocks. */
    static AdmittedEnvelope of(Envelope envelope, IndexSchemes schemes) {
        AdmittedEnvelope admitted = new AdmittedEnvelope(envelope);
        try {
            for (IndexBlock block : envelope.index()) {
                admitted.blocks.put(block, schemes.byId(block.scheme()).admit(block, envelope.context(), key -> true));
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
        try {
            return search.matchAdmitted(envelope, block -> Objects.requireNonNull(blocks.get(block)));
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }
}
