package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeKeys;
import dev.veilgate.abe.AttributeTransformKey;
import dev.veilgate.abe.Label;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.TransformRequest.Place;
import dev.veilgate.random.TestSeed;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Requests and answers of a server's help, as strangers write them. */
class TransformRequestFuzzTest {
    private static final SplittableRandom RANDOM =
            TestSeed.of(TransformRequestFuzzTest.class).random("bytes");
    private static final Place PLACE = new Place(new UUID(1, 2), 3);

    private static AttributeTransformKey key() throws Exception {
        SecureRandom random = Samples.frozen("transform-key");
        AttributeKem kem = AttributeKems.byId("cp-bsw07");
        AttributeKeys keys = kem.setup(random);
        return kem.blind(
                        kem.keyGen(keys.masterKey(), keys.publicKey(), Label.attributes("role:auditor"), random),
                        random)
                .transformKey();
    }

    @Test
    void readsWhatItWrites() throws Exception {
        TransformRequest request = TransformRequest.of(key(), List.of(PLACE, new Place(UUID.randomUUID(), 0)));
        TransformRequest read = TransformRequest.decode(request.encode());
        assertThat(read).isEqualTo(request).hasSameHashCodeAs(request);
        assertThat(read.places()).isEqualTo(request.places());
        assertThat(WrapTransformer.of(read).mayFind()).isTrue();
        assertThat(request.toString()).doesNotContain("auditor");
    }

    @Test
    void damagedRequestsAreRefusedOrCanonical() throws Exception {
        byte[] valid = TransformRequest.of(key(), List.of(PLACE)).encode();
        for (int i = 0; i < 3000; i++) {
            byte[] bytes =
                    RANDOM.nextInt(4) == 0 ? Arrays.copyOf(valid, RANDOM.nextInt(valid.length + 9)) : valid.clone();
            if (bytes.length > 0) {
                bytes[RANDOM.nextInt(bytes.length)] ^= (byte) (1 << RANDOM.nextInt(8));
            }
            try {
                TransformRequest read = TransformRequest.decode(bytes);
                assertThat(read.encode()).isEqualTo(bytes);
                WrapTransformer.of(read);
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).doesNotContain("auditor");
            }
        }
    }

    @Test
    void damagedAnswersAreRefusedOrCanonical() {
        byte[] valid = TransformAnswer.encode(List.of(
                TransformAnswer.Refusal.LATER,
                new TransformAnswer.Transformed(new byte[TransformAnswer.ELEMENT_BYTES])));
        for (int i = 0; i < 3000; i++) {
            byte[] bytes =
                    RANDOM.nextInt(4) == 0 ? Arrays.copyOf(valid, RANDOM.nextInt(valid.length + 9)) : valid.clone();
            if (bytes.length > 0) {
                bytes[RANDOM.nextInt(Math.min(bytes.length, 40))] ^= (byte) (1 << RANDOM.nextInt(8));
            }
            try {
                assertThat(TransformAnswer.encode(TransformAnswer.decode(bytes)))
                        .isEqualTo(bytes);
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).contains(":");
            }
        }
    }

    @Test
    void limitsComeFirst() throws Exception {
        AttributeTransformKey key = key();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TransformRequest.of(key, Collections.nCopies(TransformRequest.MAX_WRAPS + 1, PLACE)));
        assertThatIllegalArgumentException().isThrownBy(() -> TransformRequest.of(key, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Place(new UUID(1, 2), 256));
        byte[] tooMany = written(key.encode(), 10_000);
        assertThatThrownBy(() -> TransformRequest.decode(tooMany)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> TransformRequest.decode(written(key.encode(), 0)))
                .isInstanceOf(MalformedEncodingException.class);
        byte[] large = written(new byte[TransformRequest.MAX_KEY_BYTES], 256);
        assertThat(large).hasSizeLessThanOrEqualTo(TransformRequest.MAX_BYTES);
        assertThatThrownBy(() -> WrapTransformer.of(TransformRequest.decode(large)))
                .isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> TransformRequest.decode(written(new byte[TransformRequest.MAX_KEY_BYTES + 1], 1)))
                .isInstanceOf(MalformedEncodingException.class);
    }

    /** A reader's own key, or its retrieval key, is never taken for what a server may have. */
    @Test
    void secretKeysAreNotTaken() throws Exception {
        SecureRandom random = Samples.frozen("secret");
        for (AttributeKem kem : AttributeKems.all()) {
            AttributeKeys keys = kem.setup(random);
            Label label = kem.keysHavePolicies() ? Label.policy("role:auditor") : Label.attributes("role:auditor");
            var secret = kem.keyGen(keys.masterKey(), keys.publicKey(), label, random);
            for (byte[] wrong : List.of(
                    secret.encode(), kem.blind(secret, random).retrievalKey().encode())) {
                TransformRequest request = TransformRequest.decode(written(wrong, 1));
                assertThatThrownBy(() -> WrapTransformer.of(request)).isInstanceOf(MalformedEncodingException.class);
            }
        }
    }

    private static byte[] written(byte[] key, int wraps) {
        CborWriter out = new CborWriter(key.length + 64)
                .array(4)
                .text("veilgate-transform")
                .integer(1)
                .bytes(key)
                .array(wraps);
        for (int i = 0; i < wraps; i++) {
            out.array(2).bytes(new byte[16]).integer(0);
        }
        return out.toByteArray();
    }
}
