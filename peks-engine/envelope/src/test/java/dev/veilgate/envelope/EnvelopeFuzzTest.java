package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Any bytes give an envelope that keeps them, or a MalformedEncodingException; and only what was sealed opens or verifies. */
class EnvelopeFuzzTest {
    private static final TestSeed SEED = TestSeed.of(EnvelopeFuzzTest.class);
    private static final LossReport LOST = new LossReport("spool-full", 12, 3456, Samples.NOW, Samples.NOW);
    private static final byte[] SIGNED = Samples.sealer(Samples.SENDER, Samples.frozen("fuzz"))
            .seal(Samples.draft(3), ChainPosition.first())
            .bytes();
    private static final byte[] REPORT = Samples.sealer(Samples.SENDER, Samples.frozen("fuzz"))
            .seal(Samples.loss(LOST, LOST), ChainPosition.first())
            .bytes();

    private static final byte[] WITH_ORIGINS = Samples.sealer(Samples.SENDER, Samples.frozen("fuzz"))
            .seal(Samples.draftFrom("/var/log/app.log", "/var/log/app.log", "stdin"), ChainPosition.first())
            .bytes();

    private static boolean decodes(byte[] bytes) {
        try {
            Envelope envelope = Envelope.decode(bytes);
            assertThat(envelope.bytes()).isEqualTo(bytes);
            envelope.context();
            envelope.index();
            envelope.loss();
            assertThat(envelope.toString()).isNotEmpty();
            return true;
        } catch (MalformedEncodingException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return false;
        }
    }

    @Test
    void everyTruncationIsRefused() {
        for (byte[] whole : new byte[][] {SIGNED, REPORT, WITH_ORIGINS}) {
            for (int length = 0; length < whole.length; length += length < 400 ? 1 : 13) {
                assertThat(decodes(Arrays.copyOf(whole, length))).isFalse();
            }
            assertThat(decodes(Arrays.copyOf(whole, whole.length + 1))).isFalse();
        }
    }

    @Test
    void aFlippedBitIsRefusedOrDoesNotVerify() throws Exception {
        SplittableRandom random = SEED.random("flips");
        SenderPublicKey.Verifier verifier = new SenderPublicKey.Verifier(Samples.SENDER.publicKey());
        assertThat(Envelope.decode(SIGNED).signedBy(verifier)).isTrue();
        int decoded = 0;
        for (int i = 0; i < 1500; i++) {
            byte[] altered = SIGNED.clone();
            int at = random.nextInt(random.nextBoolean() ? 300 : altered.length);
            altered[at] ^= (byte) (1 << random.nextInt(8));
            if (decodes(altered)) {
                decoded++;
                assertThat(Envelope.decode(altered).signedBy(verifier))
                        .as("byte %d", at)
                        .isFalse();
            }
        }
        assertThat(decoded).isGreaterThan(300);
    }

    @Test
    void manyFlipsSplicesAndNoiseNeverDoAnythingElse() {
        SplittableRandom random = SEED.random("noise");
        for (int i = 0; i < 30_000; i++) {
            byte[] base = new byte[][] {REPORT, SIGNED, WITH_ORIGINS}[random.nextInt(3)];
            byte[] bytes = base.clone();
            int header = 260;
            switch (random.nextInt(4)) {
                case 0 -> {
                    for (int flips = random.nextInt(1, 6); flips > 0; flips--) {
                        bytes[random.nextInt(header)] = (byte) random.nextInt(256);
                    }
                }
                case 1 -> {
                    int from = random.nextInt(header);
                    int length = random.nextInt(32);
                    System.arraycopy(base, from, bytes, random.nextInt(header), length);
                }
                case 2 -> {
                    int cut = random.nextInt(header);
                    bytes = Arrays.copyOfRange(bytes, cut, bytes.length);
                }
                default -> {
                    bytes = Arrays.copyOf(bytes, random.nextInt(header));
                    random.nextBytes(bytes);
                }
            }
            decodes(bytes);
        }
    }

    /** What a dishonest sender may have sealed as attributes. */
    @Test
    void anyAttributesGiveANameARecordOrAreRefused() {
        SplittableRandom random = SEED.random("attributes");
        byte[] good = new CborWriter(64)
                .map(3)
                .integer(1)
                .array(2)
                .array(2)
                .text("/var/log/app.log")
                .integer(2)
                .array(2)
                .text("stdin")
                .integer(1)
                .integer(16)
                .array(2)
                .text("json")
                .text("plain")
                .integer(17)
                .bool(true)
                .toByteArray();
        int decoded = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] bytes = Arrays.copyOf(good, good.length + random.nextInt(8));
            for (int flips = random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(8) > 0 ? bytes.length : random.nextInt(bytes.length));
            try {
                SealedAttributes.Content content = SealedAttributes.decode(cut, 3);
                List<Origin> origins = content.origins();
                decoded++;
                assertThat(origins.isEmpty() || Origin.names(origins).size() == 3)
                        .isTrue();
                assertThat(content.formats().isEmpty() || content.formatsOf(3).size() == 3)
                        .isTrue();
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).contains("attributes");
            }
        }
        assertThat(decoded).isBetween(10_000, 29_000);
    }

    @Test
    void hugeClaimsAndDeepNestingCostNothing() throws Exception {
        CborWriter deep = new CborWriter(64);
        for (int i = 0; i < 1_000_000; i++) {
            deep.array(1);
        }
        byte[] nested = Surgery.on(REPORT).put(40, new byte[] {0}).close();
        byte[] tail = deep.integer(0).toByteArray();
        byte[] bytes = Arrays.copyOf(nested, nested.length - 1 + tail.length);
        System.arraycopy(tail, 0, bytes, nested.length - 1, tail.length);
        assertThatThrownBy(() -> Envelope.decode(bytes)).hasMessageContaining("deep");
        byte[] claims = {(byte) 0xba, 0x7f, -1, -1, -1};
        assertThatThrownBy(() -> Envelope.decode(claims)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> Envelope.decode(new byte[Envelope.MAX_BYTES + 1]))
                .hasMessageContaining("at most");
        byte[] many = Surgery.on(REPORT)
                .put(EnvelopeFormat.KEY_COUNT, Surgery.integer(257))
                .close();
        assertThatThrownBy(() -> Envelope.decode(many)).hasMessageContaining("count");
    }

    @Test
    void keysDecodeOrAreRefused() {
        SplittableRandom random = SEED.random("keys");
        byte[] sender = Samples.SENDER.publicKey().encode();
        byte[] signing = Samples.SENDER.encode();
        byte[] kem = Samples.TENANT.encode();
        for (int i = 0; i < 300; i++) {
            byte[] base = new byte[][] {sender, signing, kem}[i % 3];
            byte[] bytes = Arrays.copyOf(base, random.nextInt(base.length + 2));
            if (bytes.length > 0 && random.nextBoolean()) {
                bytes[random.nextInt(Math.min(bytes.length, 12))] ^= (byte) (1 << random.nextInt(8));
            }
            for (Decoder decoder : new Decoder[] {SenderPublicKey::decode, SigningKey::decode, KemSecretKey::decode}) {
                try {
                    assertThat(decoder.decode(bytes)).isNotNull();
                } catch (MalformedEncodingException e) {
                    assertThat(e.getMessage()).contains("key");
                }
            }
        }
    }

    private interface Decoder {
        Object decode(byte[] bytes) throws MalformedEncodingException;
    }
}
