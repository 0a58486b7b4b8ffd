package dev.veilgate.abe.kem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever bytes arrive: they are refused as {@link MalformedEncodingException} says, or are the one encoding of their value. */
public abstract class CpaKemFuzzTest<P, S, D, C> extends KemSuite<P, S, D, C> {
    private static final int ROUNDS = 150;

    private List<Target> targets;

    /** A decoder followed by its encoder. */
    private interface Codec {
        byte[] reencode(byte[] bytes) throws MalformedEncodingException;
    }

    private record Target(String name, Codec codec, byte[] valid) {}

    @BeforeEach
    void encode() {
        Policy policy = policies.ofDepth(2, 5);
        AttributeSet attributes = AttributeSet.of(RandomPolicies.UNIVERSE);
        targets = List.of(
                new Target(
                        "public key",
                        bytes -> kem.encodePublicKey(kem.decodePublicKey(bytes)),
                        kem.encodePublicKey(scheme.publicKey())),
                new Target(
                        "key",
                        bytes -> kem.encodeKey(kem.decodeKey(bytes)),
                        kem.encodeKey(scheme.key(policy, attributes, coins))),
                new Target(
                        "ciphertext",
                        bytes -> kem.encodeCiphertext(kem.decodeCiphertext(bytes)),
                        kem.encodeCiphertext(
                                kem.encapsulate(scheme.publicKey(), scheme.descriptor(policy, attributes), coins)
                                        .ciphertext())));
    }

    @Test
    void damagedBytesAreRefusedOrCanonical() {
        for (Target target : targets) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] bytes = damaged(target.valid());
                try {
                    assertThat(target.codec().reencode(bytes)).as(target.name()).isEqualTo(bytes);
                } catch (MalformedEncodingException e) {
                    assertThat(e).hasMessageContaining(":");
                }
            }
        }
    }

    private byte[] damaged(byte[] valid) {
        byte[] bytes = valid.clone();
        switch (random.nextInt(5)) {
            case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[random.nextInt(Math.min(bytes.length, 40))] = (byte) random.nextInt();
            case 2 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 3 -> {
                bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
            }
            default -> {
                int at = random.nextInt(bytes.length);
                Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(100)), (byte) random.nextInt());
            }
        }
        return bytes;
    }

    @Test
    void trailingAndMissingBytesAreRefused() {
        for (Target target : targets) {
            byte[] valid = target.valid();
            for (byte[] wrong : List.of(
                    Arrays.copyOf(valid, valid.length + 1), Arrays.copyOf(valid, valid.length - 1), new byte[0])) {
                assertThatThrownBy(() -> target.codec().reencode(wrong))
                        .as(target.name())
                        .isInstanceOf(MalformedEncodingException.class);
            }
        }
    }
}
