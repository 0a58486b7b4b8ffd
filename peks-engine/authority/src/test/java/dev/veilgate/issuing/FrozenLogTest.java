package dev.veilgate.issuing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.files.Frozen;
import dev.veilgate.testing.FrozenSet;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

/** Copies of an issuing log, and proofs of both kinds from one, that an earlier version handed out verify. */
class FrozenLogTest {
    @Test
    void aWholeLogVerifies() throws Exception {
        FrozenSet set = Frozen.WRAPS.getLast();
        LogVerifier verifier = new LogVerifier(Frozen.authority(set));
        verifier.read(new ByteArrayInputStream(set.bytes("log.vgl")));
        assertThat(verifier.findings()).isEmpty();
        assertThat(verifier.entries()).isEqualTo(2); // the rotation, and the bundle behind it
    }

    @Test
    void theProofOfAnEntryHoldsForItsAuthorityAlone() throws Exception {
        InclusionProof proof = InclusionProof.decode(Frozen.SECOND.bytes("log-entry.vgp"));
        assertThat(proof.entry().number()).isEqualTo(3);
        assertThat(proof.holds(Frozen.authority(Frozen.SECOND))).isTrue();
        assertThat(proof.holds(Frozen.authority(Frozen.FIRST))).isFalse();
    }

    @Test
    void theProofThatTheLogWasOnlyAddedToBeginsAtTheHeadThatWasKept() throws Exception {
        ConsistencyProof proof = ConsistencyProof.decode(Frozen.SECOND.bytes("log-since-head.vgp"));
        assertThat(proof.older()).isEqualTo(SignedTreeHead.decode(Frozen.SECOND.bytes("log-head.vgh")));
        assertThat(proof.holds(Frozen.authority(Frozen.SECOND))).isTrue();
        assertThat(proof.holds(Frozen.authority(Frozen.FIRST))).isFalse();
    }
}
