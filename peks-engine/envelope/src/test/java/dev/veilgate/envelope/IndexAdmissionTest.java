package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.peks.ForgedIndexBlock;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.LyingSealer;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.query.IndexAdmission;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the way of an index into a store: verified under the keys of its tenant, or on trust. */
class IndexAdmissionTest {
    private static final IndexSchemes SCHEMES = IndexSchemes.load();
    private static final KeyPair[] PAIRS = {pair("first"), pair("second")};
    private static final IndexAdmission ADMISSION = IndexAdmission.of(List.of(key(0), key(1)), SCHEMES);

    private static KeyPair pair(String label) {
        return new NtruPeks(NtruParameters.N2048_Q29, Samples.frozen("admission/" + label)).keyGen();
    }

    private static IndexKey key(int which) {
        return new IndexKey("ntru-peks", "N2048_Q29", PAIRS[which].publicKey().encode());
    }

    private static IndexSealer sealer(int which) {
        return new NtruIndexSealer(PAIRS[which].publicKey(), Samples.frozen("coins/" + which));
    }

    private static Envelope envelope(IndexSealer... sealers) throws MalformedEncodingException {
        try (EnvelopeSealer sealer = new EnvelopeSealer(
                "acme",
                List.of(sealers),
                Samples.TENANT.publicKey(),
                null,
                Samples.CLOCK,
                Samples.frozen("envelope"))) {
            return Envelope.decode(
                    sealer.seal(Samples.draft(3), ChainPosition.first()).bytes());
        }
    }

    /** A block of a scheme that only a later version knows. */
    private static final class Tomorrow implements IndexSealer {
        @Override
        public KeyId keyId() {
            return KeyId.of(new byte[KeyId.BYTES]);
        }

        @Override
        public List<IndexBlock> seal(
                KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
            return List.of(
                    new IndexBlock("tomorrow", "P1", keyId(), domain.scope(), domain.epoch(), new byte[] {1, 2}));
        }
    }

    @Test
    void verifiesBlocksOfSeveralKeysAndSchemesInTheirOrder() throws Exception {
        Envelope envelope =
                envelope(sealer(1), new Tomorrow(), new LyingSealer(sealer(0), ForgedIndexBlock::unshifted));
        List<Optional<StoredBlock>> stored = ADMISSION.verify(envelope);
        List<Optional<StoredBlock>> trusted = IndexAdmission.trust(envelope, SCHEMES);
        assertThat(stored).hasSize(3);
        for (int i = 0; i < 3; i++) {
            IndexBlock block = envelope.index().get(i);
            assertThat(stored.get(i).isPresent())
                    .isEqualTo(trusted.get(i).isPresent())
                    .isEqualTo(i != 1);
            if (stored.get(i).isPresent()) {
                IndexBlock bare = new IndexBlock(
                        block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), new byte[0]);
                assertThat(SCHEMES.byId(block.scheme())
                                .restore(bare, stored.get(i).get()))
                        .isEqualTo(block);
            }
            assertThat(IndexAdmission.isOutdated(block, SCHEMES)).isEqualTo(i == 2);
        }
        assertThat(IndexAdmission.isOutdated(envelope, SCHEMES)).isTrue();
        assertThat(IndexAdmission.isOutdated(envelope(sealer(0)), SCHEMES)).isFalse();
    }

    @Test
    void refusesOneForgedBlockAmongOthers() throws Exception {
        Envelope envelope = envelope(sealer(0), new LyingSealer(sealer(1), ForgedIndexBlock::wronglyBound));
        assertThatThrownBy(() -> ADMISSION.verify(envelope))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("ntru-peks.binding");
        assertThat(IndexAdmission.trust(envelope, SCHEMES)).hasSize(2); // which is why nothing that arrives is trusted
    }

    @Test
    void refusesBlocksUnderKeysThatTheTenantDoesNotPublish() throws Exception {
        IndexAdmission first = IndexAdmission.of(List.of(key(0)), SCHEMES);
        Envelope second = envelope(sealer(1));
        assertThat(first.knowsKeyOf(second.index().getFirst())).isFalse();
        assertThat(ADMISSION.knowsKeyOf(second.index().getFirst())).isTrue();
        assertThatThrownBy(() -> first.verify(second))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("index-block.key-id");
    }

    /** An installation takes the default set only; a key of another one is not passed over in silence. */
    @Test
    void namesKeysByWhichNothingCanBeVerified() {
        IndexKey small =
                new IndexKey("ntru-peks", "N512_Q24", Samples.INDEX.publicKey().encode());
        IndexKey tomorrow = new IndexKey("tomorrow", "P1", new byte[] {1});
        IndexAdmission admission = IndexAdmission.of(List.of(key(0), small, tomorrow), SCHEMES);
        assertThat(admission.unusableKeys()).hasSize(1);
        assertThat(admission.unusableKeys().getFirst()).startsWith("ntru-peks N512_Q24: ");
        assertThat(ADMISSION.unusableKeys()).isEmpty();
    }
}
