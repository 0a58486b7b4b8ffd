package dev.veilgate.abe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes of strangers at the door: read as the one encoding of something, or refused as {@link MalformedEncodingException} says. */
class AttributeFormatFuzzTest {
    private static final SplittableRandom RANDOM =
            TestSeed.of(AttributeFormatFuzzTest.class).random("bytes");
    private static final int ROUNDS = 60;

    static List<AttributeKem> all() {
        return AttributeKems.all();
    }

    /** A decoder followed by its encoder; what has none returns its input. */
    private interface Codec {
        byte[] reencode(byte[] bytes) throws MalformedEncodingException;
    }

    @ParameterizedTest
    @MethodSource("all")
    void whateverArrivesIsCanonicalOrRefused(AttributeKem kem) throws Exception {
        AttributeKeys keys = AuthoritiesUnderTest.of(kem);
        String policy = "a:x AND b >= 2147483648";
        String attributes = "a:x, c:z";
        fuzz(
                keys.publicKey().encode(),
                bytes -> AttributePublicKey.decode(bytes).encode());
        fuzz(
                keys.masterKey().encode(),
                bytes -> AttributeMasterKey.decode(bytes).encode());
        fuzz(
                AuthoritiesUnderTest.key(kem, policy, attributes).encode(),
                bytes -> AttributeSecretKey.decode(bytes).encode());
        fuzz(AuthoritiesUnderTest.sent(kem, policy, attributes).ciphertext(), bytes -> {
            assertThat(kem.labelOf(bytes)).isNotNull();
            return bytes;
        });
        fuzz(Label.policy(policy).encode(), bytes -> Label.decode(bytes).encode());
        fuzz(Label.attributes(attributes).encode(), bytes -> Label.decode(bytes).encode());
    }

    private static void fuzz(byte[] valid, Codec codec) throws MalformedEncodingException {
        assertThat(codec.reencode(valid)).isEqualTo(valid);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = damaged(valid);
            try {
                assertThat(codec.reencode(bytes)).isEqualTo(bytes);
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageContaining(":");
            }
        }
    }

    private static byte[] damaged(byte[] valid) {
        byte[] bytes = valid.clone();
        switch (RANDOM.nextInt(4)) {
            case 0 -> bytes[RANDOM.nextInt(Math.min(bytes.length, 60))] ^= (byte) (1 << RANDOM.nextInt(8));
            case 1 -> bytes[RANDOM.nextInt(bytes.length)] = (byte) RANDOM.nextInt();
            case 2 -> bytes = Arrays.copyOf(bytes, RANDOM.nextInt(bytes.length + 2));
            default -> {
                bytes = new byte[RANDOM.nextInt(100)];
                RANDOM.nextBytes(bytes);
            }
        }
        return bytes;
    }
}
