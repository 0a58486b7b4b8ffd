package dev.veilgate.peks.pairing;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decoders answer every input with a value whose encoding it is, or with a {@link MalformedEncodingException}. */
public abstract class PairingCodecFuzzTest {
    private static final int ROUNDS = 400;

    private PairingSchemeUnderTest scheme;
    private SplittableRandom random;
    private TestSeed seed;

    /** The scheme under test. */
    protected abstract PairingSchemeUnderTest scheme();

    @BeforeEach
    void prepare() {
        scheme = scheme();
        seed = TestSeed.of(getClass());
        random = seed.random("fuzz");
    }

    /** Decodes, and encodes what came of it. */
    @FunctionalInterface
    private interface Codec {
        byte[] again(byte[] bytes) throws MalformedEncodingException;
    }

    private void fuzz(byte[] good, Codec codec) throws MalformedEncodingException {
        assertThat(codec.again(good)).isEqualTo(good);
        for (int length : new int[] {0, 1, good.length / 2, good.length - 1, good.length + 1}) {
            assertThatThrownBy(() -> codec.again(Arrays.copyOf(good, length)))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = good.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                int at = round < 40 ? round % 5 : random.nextInt(bytes.length);
                bytes[Math.min(at, bytes.length - 1)] = (byte) random.nextInt();
            }
            try {
                assertThat(codec.again(bytes)).isEqualTo(bytes);
            } catch (MalformedEncodingException expected) {
                assertThat(expected).hasMessageNotContaining("w1");
            }
        }
    }

    @Test
    void publicKeys() throws MalformedEncodingException {
        byte[] key = scheme.publicKey();
        fuzz(key, bytes -> {
            KeyId id = scheme.scheme()
                    .sealer(bytes, new ReplayableRandom(seed.coins("none")))
                    .keyId();
            assertThat(id).isEqualTo(KeyId.ofPublicKey(bytes)); // of what it would encode as
            return bytes;
        });
    }

    @Test
    void secretKeys() throws MalformedEncodingException {
        fuzz(scheme.secretKey(), scheme::recodedSecretKey);
    }

    @Test
    void trapdoors() throws MalformedEncodingException {
        ScopedTrapdoor good = scheme.trapdoor(DOMAIN, word(1));
        fuzz(good.bytes(), bytes -> {
            scheme.scheme()
                    .prepare(new ScopedTrapdoor(
                            good.scheme(), good.parameters(), good.keyId(), good.scope(), good.epoch(), bytes));
            return bytes;
        });
    }

    @Test
    void payloads() throws MalformedEncodingException {
        IndexBlock block = scheme.oneKeywordPerBlock(new ReplayableRandom(seed.coins("block")))
                .seal(DOMAIN, PairingSchemeUnderTest.CONTEXT, 9, PairingSchemeUnderTest.postings(1, 9))
                .getFirst();
        IndexBlock bare = new IndexBlock(
                block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), new byte[0]);
        fuzz(
                block.payload(),
                bytes -> scheme.scheme()
                        .restore(bare, scheme.admit(block, bytes))
                        .payload());
    }
}
