package dev.veilgate.abe.ks.zxa14;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.pairing.PairingCodecFuzzTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Besides what every scheme's decoders are given: searchers' keys, and every point of a block and of a token. */
class Zxa14FuzzTest extends PairingCodecFuzzTest {
    private static final TestSeed SEED = TestSeed.of(Zxa14FuzzTest.class);
    private static final Zxa14UnderTest SCHEME = Zxa14UnderTest.of(new ReplayableRandom(SEED.coins("keys")));

    @Override
    protected PairingSchemeUnderTest scheme() {
        return SCHEME;
    }

    @Test
    void searchersKeys() throws MalformedEncodingException {
        byte[] good = SCHEME.key().encode();
        SplittableRandom random = SEED.random("searchers");
        assertThat(SecretKey.decode(good).encode()).isEqualTo(good);
        for (int length : new int[] {0, 1, 3, good.length / 2, good.length - 1, good.length + 1}) {
            assertThatThrownBy(() -> SecretKey.decode(Arrays.copyOf(good, length)))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        for (int round = 0; round < 300; round++) {
            byte[] bytes = good.clone();
            bytes[round < 60 ? round : random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(SecretKey.decode(bytes).encode()).isEqualTo(bytes);
            } catch (MalformedEncodingException expected) {
                assertThat(expected).hasMessageContaining(":");
            }
        }
    }

    /** Off the curve and off the group, by their x, and the identity: at every place of a slot where a point is. */
    @Test
    void noPointOfASlotIsTakenUnchecked() throws MalformedEncodingException {
        IndexBlock block = SCHEME.block(1, 1, new ReplayableRandom(SEED.coins("points")));
        int at = 5;
        for (int size : new int[] {48, 96, 96, 96, 48, 96, 48, 96, 48}) {
            for (byte[] point : hostile(size)) {
                byte[] payload = block.payload();
                System.arraycopy(point, 0, payload, at, size);
                assertThatThrownBy(() -> SCHEME.admit(block, payload))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageStartingWith("cp-zxa14.");
            }
            at += size;
        }
        assertThat(at).isEqualTo(5 + SCHEME.shareBytes());
    }

    @Test
    void noPointOfATokenIsTakenUnchecked() throws MalformedEncodingException {
        byte[] good = SCHEME.trapdoor(DOMAIN, word(1)).bytes();
        assertThat(good).hasSize(197 + 2 * 146);
        for (int[] place : new int[][] {{3, 48}, {51, 96}, {147, 48}, {199, 48}, {247, 96}, {345, 48}, {393, 96}}) {
            for (byte[] point : hostile(place[1])) {
                byte[] token = good.clone();
                System.arraycopy(point, 0, token, place[0], place[1]);
                assertThatThrownBy(() -> Token.decode(token))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageStartingWith("token.");
            }
        }
    }

    private static byte[][] hostile(int size) {
        byte[] identity = size == 48 ? G1.IDENTITY.encode() : G2.IDENTITY.encode();
        byte[] uncompressed = size == 48 ? G1.GENERATOR.encode() : G2.GENERATOR.encode();
        uncompressed[0] &= 0x7f;
        byte[] aboveP = new byte[size];
        Arrays.fill(aboveP, (byte) 0xff);
        aboveP[0] = (byte) 0x9f;
        byte[][] hostile = new byte[15][];
        hostile[0] = identity;
        hostile[1] = uncompressed;
        hostile[2] = aboveP;
        for (int x = 3;
                x < hostile.length;
                x++) { // on the curve about half of the time, in the group never but for 2^-76
            hostile[x] = new byte[size];
            hostile[x][0] = (byte) 0x80;
            hostile[x][size - 1] = (byte) x;
        }
        return hostile;
    }

    @Test
    void leavesOfATokenAscendAndAreThePolicys() {
        byte[] good = SCHEME.trapdoor(DOMAIN, word(1)).bytes();
        for (int[] change : new int[][] {
            {1, 2}, {2, 1}, {2, 0}, {196, 0}, {196, 1}, {196, 3}, {198, 1}, {198, 3}, {344, 0}, {344, 3}, {343, 1}
        }) {
            byte[] token = good.clone();
            token[change[0]] = (byte) change[1];
            assertThatThrownBy(() -> Token.decode(token))
                    .as("byte %d = %d", change[0], change[1])
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageStartingWith("token.");
        }
    }

    @Test
    void leavesOfABlockAreAtMostFourHundred() throws MalformedEncodingException {
        IndexBlock block = SCHEME.block(1, 1, new ReplayableRandom(SEED.coins("leaves")));
        for (int leaves : new int[] {0, 1, 2, 4, 400, 401, 65535}) {
            byte[] payload = block.payload();
            payload[3] = (byte) (leaves >> 8);
            payload[4] = (byte) leaves;
            assertThatThrownBy(() -> SCHEME.admit(block, payload)).isInstanceOf(MalformedEncodingException.class);
        }
    }
}
