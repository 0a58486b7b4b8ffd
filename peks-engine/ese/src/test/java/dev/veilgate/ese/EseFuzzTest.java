package dev.veilgate.ese;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Decoders answer every input with a value whose encoding it is, or with a {@link MalformedEncodingException}. */
class EseFuzzTest {
    private static final int ROUNDS = 400;
    private static final TestSeed SEED = TestSeed.of(EseFuzzTest.class);
    private static final List<EseUnderTest<?, ?>> INSTANCES = EseUnderTest.all(SEED);

    private static List<EseUnderTest<?, ?>> instances() {
        return INSTANCES;
    }

    /** Decodes, and encodes what came of it. */
    @FunctionalInterface
    private interface Codec {
        byte[] again(byte[] bytes) throws MalformedEncodingException;
    }

    private static void fuzz(byte[] good, Codec codec) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("fuzz " + good.length);
        assertThat(codec.again(good.clone())).isEqualTo(good);
        for (int length : new int[] {0, 1, 2, good.length / 2, good.length - 1, good.length + 1, good.length + 64}) {
            assertThatThrownBy(() -> codec.again(Arrays.copyOf(good, length)))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = good.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                int at = round < 40 ? round % 5 : random.nextInt(bytes.length);
                bytes[at] = (byte) random.nextInt();
            }
            byte[] given = bytes.clone();
            try {
                assertThat(codec.again(bytes)).isEqualTo(given);
            } catch (MalformedEncodingException expected) {
                assertThat(expected.getMessage()).hasSizeLessThan(120).doesNotContain("word");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("instances")
    void publicKeys(EseUnderTest<?, ?> instance) throws MalformedEncodingException {
        fuzz(
                instance.keys().publicKey().encode(),
                bytes -> instance.publicKeys().decode(bytes).encode());
    }

    @ParameterizedTest
    @MethodSource("instances")
    void secretKeys(EseUnderTest<?, ?> instance) throws MalformedEncodingException {
        fuzz(
                instance.keys().secretKey().encode(),
                bytes -> instance.secretKeys().decode(bytes).encode());
    }

    @ParameterizedTest
    @MethodSource("instances")
    void ciphertexts(EseUnderTest<?, ?> instance) throws MalformedEncodingException {
        fuzz(
                instance.encrypt("some words").encode(),
                bytes -> instance.ese().decode(bytes).encode());
    }

    /** The length of the message is of two bytes, and limited. */
    @ParameterizedTest
    @MethodSource("instances")
    void lengthsOfMessagesAreLimited(EseUnderTest<?, ?> instance) {
        int encapsulation = instance.kem().encapsulationBytes();
        byte[] sent = instance.encrypt("w").encode();
        for (int length : new int[] {0, EncryptWithHash.MAX_MESSAGE_BYTES + 1, 0xffff}) {
            byte[] bytes = Arrays.copyOf(sent, 4 + encapsulation + length);
            bytes[2 + encapsulation] = (byte) (length >> 8);
            bytes[3 + encapsulation] = (byte) length;
            assertThatThrownBy(() -> instance.ese().decode(bytes))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessage("ciphertext.length: must be 1 to 4096");
        }
    }

    @Test
    void tags() throws MalformedEncodingException {
        byte[] tag = INSTANCES.getFirst().encrypt("word").tag().encode();
        assertThat(Tag.decode(tag).encode()).isEqualTo(tag);
        for (int length : new int[] {0, 31, 33}) {
            assertThatThrownBy(() -> Tag.decode(Arrays.copyOf(tag, length)))
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }
}
