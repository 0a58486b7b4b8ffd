package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a mail's attachments were read for its index stands in its header, and readers of before pass over it. */
class AttachmentReadingTest {
    private static final IndexRules RULES = IndexRules.of(2, new byte[] {1, 2, 3});

    private static byte[] mail(@Nullable AttachmentReading reading) {
        EnvelopeDraft draft = Samples.heartbeat(0).indexedBy(RULES);
        try (EnvelopeSealer sealer = Samples.sealer(Samples.SENDER, new SecureRandom())) {
            return sealer.sealDetached(
                            reading == null ? draft : draft.withAttachments(reading),
                            List.of(Posting.of(Keyword.text("word", "press"), 0)),
                            new byte[32],
                            new byte[32],
                            ChainPosition.first())
                    .bytes();
        }
    }

    private static byte[] bound(byte[] envelope) throws Exception {
        return Surgery.on(envelope).get(EnvelopeFormat.KEY_BOUND);
    }

    @ParameterizedTest
    @EnumSource
    void isWhatTheSenderSays(AttachmentReading reading) throws Exception {
        Envelope envelope = Envelope.decode(mail(reading));
        assertThat(envelope.attachmentReading()).contains(reading);
        assertThat(envelope.indexRules()).contains(RULES);
        assertThat(envelope.signedBy(Samples.SENDER.publicKey())).isTrue();
    }

    @Test
    void ofBeforeItWasSaidIsNotKnown() throws Exception {
        assertThat(Envelope.decode(mail(null)).attachmentReading()).isEmpty();
    }

    /** A known answer: bytes that no later version may write otherwise. */
    @Test
    void isKeyThreeOfWhatIsBound() throws Exception {
        String rules = "02" + "8202" + "50" + HexFormat.of().formatHex(RULES.profileId());
        assertThat(HexFormat.of().formatHex(bound(mail(null)))).isEqualTo("a1" + rules);
        assertThat(HexFormat.of().formatHex(bound(mail(AttachmentReading.WHOLE))))
                .isEqualTo("a2" + rules + "03" + "f5");
        assertThat(HexFormat.of().formatHex(bound(mail(AttachmentReading.CUT_SHORT))))
                .isEqualTo("a2" + rules + "03" + "f4");
    }

    /** As readers were before: of the keys of what is bound they know two, and pass the others over. */
    @ParameterizedTest
    @EnumSource
    void readersOfBeforePassItOver(AttachmentReading reading) throws Exception {
        CborReader in = new CborReader("envelope", bound(mail(reading)));
        int size = in.map("bound", 64);
        CborReader.MapKeys keys = in.mapKeys("bound");
        int known = 0;
        for (int i = 0; i < size; i++) {
            int key = keys.nextInt();
            known += key == 1 || key == 2 ? 1 : 0;
            in.rawItem("bound");
        }
        in.end();
        assertThat(known).isEqualTo(1);
    }

    @Test
    void whoeverChangesOrTakesItAwayBreaksTheSignature() throws Exception {
        byte[] whole = mail(AttachmentReading.WHOLE);
        for (byte[] other : List.of(bound(mail(null)), bound(mail(AttachmentReading.CUT_SHORT)))) {
            byte[] altered =
                    Surgery.on(whole).put(EnvelopeFormat.KEY_BOUND, other).close();
            assertThat(Envelope.decode(altered).signedBy(Samples.SENDER.publicKey()))
                    .isFalse();
        }
    }

    @Test
    void recordsHaveNone() throws Exception {
        byte[] lines;
        try (EnvelopeSealer sealer = Samples.sealer(Samples.SENDER, new SecureRandom())) {
            EnvelopeDraft draft = Samples.draft(2).withAttachments(AttachmentReading.WHOLE);
            assertThatThrownBy(() -> sealer.seal(draft, ChainPosition.first()))
                    .isInstanceOf(IllegalArgumentException.class);
            lines = sealer.seal(Samples.draft(2), ChainPosition.first()).bytes();
        }
        byte[] bound = new CborWriter(8).map(1).integer(3).bool(true).toByteArray();
        Surgery surgery = Surgery.on(lines).put(EnvelopeFormat.KEY_BOUND, bound);
        assertThatThrownBy(() -> Envelope.decode(surgery.close())).isInstanceOf(MalformedEncodingException.class);
    }
}
