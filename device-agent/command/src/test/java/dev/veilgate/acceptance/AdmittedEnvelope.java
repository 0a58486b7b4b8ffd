package dev.veilgate.acceptance;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import java.util.List;
import java.util.Optional;

/** An envelope whose blocks were brought to their stored form, once, as a gateway does, and are searched many times. */
record AdmittedEnvelope(Envelope envelope, List<Optional<StoredBlock>> blocks) {
    static AdmittedEnvelope of(Envelope envelope, IndexSchemes schemes) {
        try {
            return new AdmittedEnvelope(envelope, IndexAdmission.trust(envelope, schemes));
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** The records that the search finds. */
    RecordSet find(PreparedSearch search) {
        return search.match(envelope, blocks);
    }
}
