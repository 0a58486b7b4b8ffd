package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.lattice.ntru.NtruIndexScheme;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 23, 24, 255, 256})
    void recordsComeOutByteForByteAndInOrder(int count) throws Exception {
        EnvelopeDraft draft = Samples.draft(count);
        SealedEnvelope sealed = Samples.sealer(Samples.SENDER, RANDOM).seal(draft, ChainPosition.first());
        Envelope envelope = Envelope.decode(sealed.bytes());
        assertThat(envelope.bytes()).isEqualTo(sealed.bytes());
        assertThat(Samples.OPENER.open(envelope))
                .usingElementComparator(java.util.Arrays::compare)
                .containsExactlyElementsOf(draft.records());
        assertThat(Samples.OPENER.openRecord(envelope, count - 1))
                .isEqualTo(draft.records().getLast());
        assertThat(envelope.recordCount()).isEqualTo(count);
        assertThat(envelope.id()).isEqualTo(sealed.id());
        assertThat(envelope.sealed()).isEqualTo(Samples.NOW);
        assertThat(envelope.tenant()).isEqualTo("acme");
        assertThat(envelope.sender()).isEqualTo("press-4");
        assertThat(envelope.first()).isEqualTo(draft.first());
        assertThat(envelope.last()).isEqualTo(draft.last());
        assertThat(envelope.mediaType()).isEqualTo("text/plain");
        assertThat(envelope.heartbeatSeconds()).isEqualTo(600);
        assertThat(envelope.sequence()).isEqualTo(1);
        assertThat(envelope.previousDigest()).isEqualTo(new byte[32]);
        assertThat(sealed.next()).isEqualTo(new ChainPosition(2, envelope.digest()));
        assertThat(envelope.signedBy(Samples.SENDER.publicKey())).isTrue();
    }

    @Test
    void emptyAndBinaryRecordsAreKept() throws Exception {
        List<byte[]> records = List.of(new byte[0], new byte[] {0, -1, '\r', '\n'}, new byte[70_000]);
        EnvelopeDraft draft = new EnvelopeDraft(
                "s", "e", Samples.NOW, Samples.NOW, "application/octet-stream", records, List.of(), List.of(), 0);
        SealedEnvelope sealed = Samples.sealer(null, RANDOM).seal(draft, ChainPosition.first());
        assertThat(Samples.OPENER.open(Envelope.decode(sealed.bytes())))
                .usingElementComparator(java.util.Arrays::compare)
                .containsExactlyElementsOf(records);
    }

    @Test
    void anUnregisteredSenderHasNoNameNoPlaceAndNoSignature() throws Exception {
        SealedEnvelope sealed = Samples.sealer(null, RANDOM).seal(Samples.draft(3), ChainPosition.first());
        Envelope envelope = Envelope.decode(sealed.bytes());
        assertThat(envelope.sender()).isEmpty();
        assertThat(envelope.sequence()).isZero();
        assertThat(sealed.sequence()).isZero();
        assertThat(envelope.signedBy(Samples.SENDER.publicKey())).isFalse();
    }

    @Test
    void heartbeatsAndLossReportsHaveNoRecordsAndNoKeys() throws Exception {
        LossReport lost = new LossReport("spool-full", 12, 3456, Samples.NOW.minusSeconds(9), Samples.NOW);
        EnvelopeSealer sealer = Samples.sealer(Samples.SENDER, RANDOM);
        Envelope beat = Envelope.decode(
                sealer.seal(Samples.heartbeat(60), ChainPosition.first()).bytes());
        Envelope loss = Envelope.decode(
                sealer.seal(Samples.loss(lost, lost), ChainPosition.first()).bytes());
        assertThat(beat.recordCount()).isZero();
        assertThat(beat.heartbeatSeconds()).isEqualTo(60);
        assertThat(beat.index()).isEmpty();
        assertThat(Samples.OPENER.open(beat)).isEmpty();
        assertThat(beat.bytes().length).isLessThan(3600);
        assertThat(loss.loss()).containsExactly(lost, lost);
        assertThat(loss.signedBy(Samples.SENDER.publicKey())).isTrue();
    }

    @Test
    void timesGrowToWholeMillisecondsAndNeverShrink() throws Exception {
        Instant first = Instant.parse("2026-11-21T11:00:00.000999Z");
        Instant last = Instant.parse("2026-11-21T11:00:01.000001Z");
        EnvelopeDraft forth =
                new EnvelopeDraft("s", "e", first, last, "text/plain", Samples.lines(1), List.of(), List.of(), 0);
        EnvelopeDraft back =
                new EnvelopeDraft("s", "e", last, first, "text/plain", Samples.lines(1), List.of(), List.of(), 0);
        for (EnvelopeDraft draft : List.of(forth, back)) {
            Envelope envelope = Envelope.decode(Samples.sealer(null, RANDOM)
                    .seal(draft, ChainPosition.first())
                    .bytes());
            assertThat(envelope.first()).isEqualTo("2026-11-21T11:00:00Z");
            assertThat(envelope.last()).isEqualTo("2026-11-21T11:00:01.001Z");
        }
    }

    @Test
    void keywordsAreFoundByTrapdoors(@TempDir Path folder) throws Exception {
        Envelope envelope = Envelope.decode(Samples.sealer(Samples.SENDER, RANDOM)
                .seal(Samples.draft(40), ChainPosition.first())
                .bytes());
        IndexScheme scheme = NtruIndexScheme.accepting(List.of(NtruParameters.N512_Q24));
        ScopedTrapdoor trapdoor;
        try (var store = FileTrapdoorStore.open(folder)) {
            trapdoor = new NtruPeks(NtruParameters.N512_Q24, RANDOM)
                    .trapdoor(
                            Samples.INDEX.secretKey(),
                            new KeywordDomain("acme", "plant-7", "2026-11"),
                            Keyword.text("word", "press"),
                            store);
        }
        IndexBlock block = envelope.index().getFirst();
        var stored = scheme.storedForm(block, envelope.context());
        assertThat(scheme.match(scheme.prepare(trapdoor), stored))
                .singleElement()
                .satisfies(match -> assertThat(match.records()).isEqualTo(RecordSet.of(39)));
    }

    @Test
    void payloadsAndTheirHeadersLieInTheBytesWhereItSays() throws Exception {
        List<Posting> postings = IntStream.range(0, 200)
                .mapToObj(i -> Posting.of(Keyword.text("word", "w" + i), 0))
                .toList();
        Envelope envelope = Envelope.decode(Samples.sealer(null, RANDOM)
                .sealDetached(
                        Samples.heartbeat(0),
                        List.of("plant-7", "x", "a scope of ä longer name"),
                        postings,
                        new byte[32],
                        new byte[32],
                        ChainPosition.first(),
                        null)
                .bytes());
        assertThat(envelope.index()).hasSizeGreaterThan(3);
        byte[] bytes = envelope.bytes();
        for (int i = 0; i < envelope.index().size(); i++) {
            IndexBlock block = envelope.index().get(i);
            int from = envelope.payloadOffset(i);
            assertThat(Arrays.copyOfRange(bytes, from, from + block.payload().length))
                    .isEqualTo(block.payload());
            assertThat(Arrays.copyOfRange(bytes, from - block.header().length, from))
                    .isEqualTo(block.header());
        }
    }

    @Test
    void aContentElsewhereHasAnIndexAndItsKeyButNoRecords() throws Exception {
        byte[] digest = Hashes.sha256(new byte[] {1});
        byte[] key = Hashes.sha256(new byte[] {2});
        List<Posting> postings = List.of(Posting.of(Keyword.text("subject", "press"), 0));
        SealedEnvelope sealed = Samples.sealer(null, RANDOM)
                .sealDetached(Samples.heartbeat(0), postings, digest, key, ChainPosition.first());
        Envelope envelope = Envelope.decode(sealed.bytes());
        assertThat(envelope.recordCount()).isEqualTo(1);
        assertThat(envelope.index()).hasSize(1);
        assertThat(envelope.detachedDigest()).hasValue(digest);
        assertThat(Samples.OPENER.open(envelope)).isEmpty();
        assertThat(Samples.OPENER.detachedKey(envelope)).isEqualTo(key);
    }

    @Test
    void whatIsTooLargeIsRefusedWhenSealed() {
        EnvelopeDraft draft = new EnvelopeDraft(
                "s",
                "e",
                Samples.NOW,
                Samples.NOW,
                "text/plain",
                List.of(new byte[9 << 20], new byte[8 << 20]),
                List.of(),
                List.of(),
                0);
        assertThatThrownBy(() -> Samples.sealer(null, RANDOM).seal(draft, ChainPosition.first()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("split");
        assertThatThrownBy(() -> Samples.draft(257)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherTenantsKeyOpensNothingAndTheErrorNamesTheKeyThatIsNeeded() throws Exception {
        Envelope envelope = Envelope.decode(Samples.sealer(null, RANDOM)
                .seal(Samples.draft(1), ChainPosition.first())
                .bytes());
        EnvelopeOpener other = new EnvelopeOpener(List.of(KemSecretKey.generate(RANDOM)));
        assertThatThrownBy(() -> other.open(envelope))
                .isInstanceOf(UnopenableEnvelopeException.class)
                .hasMessageContaining(Samples.TENANT.publicKey().id().toString());
    }

    @Test
    void overheadIsAFewKilobytesAnEnvelopeAndNineteenBytesARecord() {
        EnvelopeSealer sealer = Samples.sealerWithoutIndex(Samples.SENDER, RANDOM);
        int one = sealer.seal(Samples.draft(1), ChainPosition.first()).bytes().length;
        int many = sealer.seal(Samples.draft(256), ChainPosition.first()).bytes().length;
        int plain = Samples.lines(256).stream().mapToInt(line -> line.length).sum();
        assertThat(one).isLessThan(5_000);
        assertThat(many - plain - 256 * 19).isLessThan(4_900);
    }
}
