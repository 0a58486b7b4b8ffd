package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By which rules the keywords of an envelope were made, and rules that a tenant has given up. */
class IndexRulesTest {
    private static final IndexRules SECOND = IndexRules.of(2, new byte[] {1, 2, 3});

    private static Envelope sealed(@Nullable IndexRules rules) throws Exception {
        EnvelopeDraft draft = Samples.draft(2);
        return sealed(rules == null ? draft : draft.indexedBy(rules));
    }

    private static Envelope sealed(EnvelopeDraft draft) throws Exception {
        try (EnvelopeSealer sealer = Samples.sealer(Samples.SENDER, new SecureRandom())) {
            return Envelope.decode(sealer.seal(draft, ChainPosition.first()).bytes());
        }
    }

    @Test
    void standInTheSignedHeader() throws Exception {
        Envelope envelope = sealed(SECOND);
        assertThat(envelope.indexRules()).contains(SECOND);
        assertThat(envelope.signedBy(Samples.SENDER.publicKey())).isTrue();
        assertThat(Samples.OPENER.open(envelope)).hasSize(2);

        byte[] bytes = envelope.bytes();
        byte[] other = Surgery.on(bytes).put(15, bound(2, new byte[16], 2)).close();
        Envelope altered = Envelope.decode(other);
        assertThat(altered.signedBy(Samples.SENDER.publicKey())).isFalse();
        assertThatThrownBy(() -> Samples.OPENER.open(altered)).isInstanceOf(UnopenableEnvelopeException.class);
    }

    /** A gateway makes an envelope one of other rules, or of none, to have it searched for otherwise. */
    @Test
    void whoeverTakesThemAwayOrAddsThemBreaksTheSignatureAndTheOpening() throws Exception {
        byte[] none = Surgery.on(sealed((IndexRules) null).bytes()).get(15);
        byte[] without = sealed((IndexRules) null).bytes();
        List<byte[]> altered = List.of(
                none == null
                        ? Surgery.on(sealed(SECOND).bytes()).remove(15).close()
                        : Surgery.on(sealed(SECOND).bytes()).put(15, none).close(),
                Surgery.on(without).put(15, bound(2, SECOND.profileId(), 2)).close(),
                Surgery.on(without).put(15, bound(0, new byte[0], 1)).close(),
                Surgery.on(sealed(SECOND).bytes())
                        .put(15, bound(1, SECOND.profileId(), 2))
                        .close());
        for (byte[] each : altered) {
            Envelope envelope = Envelope.decode(each);
            assertThat(envelope.signedBy(Samples.SENDER.publicKey())).isFalse();
            assertThatThrownBy(() -> Samples.OPENER.open(envelope)).isInstanceOf(UnopenableEnvelopeException.class);
        }
    }

    @Test
    void areThereOnlyIfTheSenderSaysThem() throws Exception {
        assertThat(sealed((IndexRules) null).indexRules()).isEmpty();
        assertThat(sealed(IndexRules.OF_CALLER).indexRules()).contains(IndexRules.OF_CALLER);
        assertThat(sealed(Samples.heartbeat(60).indexedBy(SECOND)).indexRules()).isEmpty();
        try (EnvelopeSealer sealer = Samples.sealer(Samples.SENDER, new SecureRandom())) {
            Envelope mail = Envelope.decode(sealer.sealDetached(
                            Samples.heartbeat(0).indexedBy(SECOND),
                            List.of(Posting.of(Keyword.text("word", "press"), 0)),
                            new byte[32],
                            new byte[32],
                            ChainPosition.first())
                    .bytes());
            assertThat(mail.indexRules()).contains(SECOND);
        }
    }

    private static byte[] bound(int rules, byte[] id, int items) {
        CborWriter out = new CborWriter(64).map(1).integer(2).array(items);
        if (items > 0) {
            out.integer(rules);
        }
        return items > 1 ? out.bytes(id).toByteArray() : out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"0, 16, 2", "1, 0, 1", "2, 15, 2", "2, 17, 2", "0, 0, 0", "-1, 16, 2"})
    void otherFormsAreMalformed(int rules, int idBytes, int items) throws Exception {
        Surgery surgery = Surgery.on(sealed(SECOND).bytes()).put(15, bound(rules, new byte[idBytes], items));
        assertThatThrownBy(() -> Envelope.decode(surgery.close())).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void ofAnEnvelopeWithoutRecordsAreMalformed() throws Exception {
        Surgery surgery = Surgery.on(sealed(Samples.heartbeat(60)).bytes()).put(15, bound(2, new byte[16], 2));
        assertThatThrownBy(() -> Envelope.decode(surgery.close())).isInstanceOf(MalformedEncodingException.class);
    }

    private static NextProfile onlyFrom(String epoch, String from) {
        Instant begin = Instant.parse(from);
        Epoch first = new Epoch(epoch, begin, begin.plusSeconds(86_400));
        return new NextProfile(new byte[] {2}, first, first);
    }

    /** The sample is of epoch 2026-11, its records of the 21st. */
    @ParameterizedTest
    @CsvSource({
        "2026-11,    2026-11-01T00:00:00Z, true",
        "2026-10,    2026-10-01T00:00:00Z, true",
        "2026-12,    2026-12-01T00:00:00Z, false",
        "2026-11,    2026-11-22T00:00:00Z, true", // by its index alone
        "2026-12,    2026-11-21T00:00:00Z, true", // by its time alone
        "2026,       2026-11-22T00:00:00Z, false",
    })
    void ofBeforeAreRefusedFromAnEpochOn(String epoch, String from, boolean isRefused) throws Exception {
        NextProfile next = onlyFrom(epoch, from);
        IndexRules first = IndexRules.of(1, new byte[] {1});
        for (Envelope old : List.of(sealed((IndexRules) null), sealed(first))) {
            assertThat(next.refusalOf(old).isPresent()).isEqualTo(isRefused);
        }
        assertThat(next.refusalOf(sealed(SECOND))).isEmpty();
        assertThat(next.refusalOf(sealed(Samples.heartbeat(60)))).isEmpty();
        assertThat(new NextProfile(new byte[] {2}, next.from(), null).refusalOf(sealed(first)))
                .isEmpty();
    }

    @Test
    void ofLaterProfilesAreUsedFromOneEpochOnAndAloneFromALaterOne() {
        List<Epoch> epochs = PublicBundleTest.content(5).epochs();
        NextProfile next = new NextProfile(new byte[] {2}, epochs.get(0), epochs.get(1));
        for (String epoch : List.of("2026-10", "2026-11", "2026-12", "2027-01")) {
            assertThat(next.isUsedIn(epoch)).isEqualTo(epoch.compareTo("2026-11") >= 0);
            assertThat(next.isAloneIn(epoch)).isEqualTo(epoch.compareTo("2026-12") >= 0);
        }
        assertThatThrownBy(() -> new NextProfile(new byte[] {2}, epochs.get(1), epochs.get(0)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofLaterProfilesTravelInTheBundle(boolean isAlone) throws Exception {
        PublicBundleContent of = PublicBundleTest.content(5);
        NextProfile next = new NextProfile(
                new byte[] {9, 9}, of.epochs().getFirst(), isAlone ? of.epochs().getLast() : null);
        SigningKey authority = SigningKey.generate("acme", new SecureRandom());
        byte[] bytes = PublicBundle.sign(PublicBundleTest.with(of, of.mailSigners(), next), authority);
        PublicBundle bundle = PublicBundle.verify(bytes, authority.publicKey().fingerprint(), of.notBefore());
        assertThat(bundle.nextProfile()).isEqualTo(Optional.of(next));
        assertThat(bundle.extractorProfile()).as("for software of before").containsExactly(7, 7);
    }
}
