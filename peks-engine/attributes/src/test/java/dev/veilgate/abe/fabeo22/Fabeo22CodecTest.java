package dev.veilgate.abe.fabeo22;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.random.CoinStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sizes, headers, and elements that no honest encoder writes. */
class Fabeo22CodecTest {
    /** On the curve over F_p, outside the subgroup: x = 4, as small as there is one. */
    private static final byte[] OUTSIDE_G1 = HexFormat.of().parseHex("80" + "00".repeat(46) + "04");

    private final CoinStream coins = CoinStream.ofSeed(new byte[32]);
    private final Fabeo22Cp cp = new Fabeo22Cp();
    private final Fabeo22Kp kp = new Fabeo22Kp();
    private final KeyPair<PublicKey, MasterKey> cpKeys = cp.setup(coins);
    private final KeyPair<PublicKey, MasterKey> kpKeys = kp.setup(coins);
    private final Policy policy;
    private final AttributeSet attributes;

    Fabeo22CodecTest() throws Exception {
        policy = Policy.parse("(a:x AND b:y) OR (a:x AND c:z)");
        attributes = AttributeSet.parse("a:x, b:y");
    }

    @Test
    void sizesAreThoseOfTheSpecification() {
        int leaves = 4;
        int uses = 2;
        assertThat(cp.encodePublicKey(cpKeys.publicKey())).hasSize(2 + 576).startsWith(1, 1);
        assertThat(kp.encodePublicKey(kpKeys.publicKey())).hasSize(2 + 576).startsWith(1, 2);
        assertThat(cpKeys.masterKey().encode()).hasSize(2 + 32).startsWith(1, 1);
        assertThat(cp.encodeKey(cp.keyGen(cpKeys.masterKey(), attributes, coins)))
                .hasSize(2 + attributes.encode().length + 48 + 2 * 48 + 96);
        assertThat(kp.encodeKey(kp.keyGen(kpKeys.masterKey(), policy, coins)))
                .hasSize(2 + policy.encode().length + leaves * 48 + uses * 96);
        assertThat(cp.encodeCiphertext(
                        cp.encapsulate(cpKeys.publicKey(), policy, coins).ciphertext()))
                .hasSize(2 + policy.encode().length + 96 + uses * 96 + leaves * 48);
        assertThat(kp.encodeCiphertext(
                        kp.encapsulate(kpKeys.publicKey(), attributes, coins).ciphertext()))
                .hasSize(2 + attributes.encode().length + 96 + 2 * 48);
    }

    /** Every element in turn: the identity, a point outside the subgroup, a coordinate that is too large, an uncompressed one. */
    @Test
    void elementsThatAreNoneAreRefused() {
        byte[] sent = cp.encodeCiphertext(
                cp.encapsulate(cpKeys.publicKey(), policy, coins).ciphertext());
        byte[] key = cp.encodeKey(cp.keyGen(cpKeys.masterKey(), attributes, coins));
        int ofSent = 2 + policy.encode().length;
        int ofKey = 2 + attributes.encode().length;
        assertThatCode(() -> cp.decodeCiphertext(sent)).doesNotThrowAnyException();
        for (int g2 = ofSent; g2 < ofSent + 3 * G2.BYTES; g2 += G2.BYTES) {
            refuses(cp::decodeCiphertext, sent, g2, G2.BYTES);
        }
        for (int g1 = ofSent + 3 * G2.BYTES; g1 < sent.length; g1 += G1.BYTES) {
            refuses(cp::decodeCiphertext, sent, g1, G1.BYTES);
        }
        for (int g1 = ofKey; g1 < key.length - G2.BYTES; g1 += G1.BYTES) {
            refuses(cp::decodeKey, key, g1, G1.BYTES);
        }
        refuses(cp::decodeKey, key, key.length - G2.BYTES, G2.BYTES);
    }

    private interface Decoder {
        Object decode(byte[] bytes) throws MalformedEncodingException;
    }

    private static void refuses(Decoder decoder, byte[] valid, int at, int length) {
        byte[] identity = new byte[length];
        identity[0] = (byte) 0xc0;
        byte[] tooLarge = new byte[length];
        Arrays.fill(tooLarge, (byte) 0xff);
        tooLarge[0] = (byte) 0x9f;
        byte[] outside = length == G1.BYTES ? OUTSIDE_G1 : identity;
        for (byte[] element : List.of(identity, tooLarge, outside, new byte[length])) {
            byte[] bytes = valid.clone();
            System.arraycopy(element, 0, bytes, at, length);
            assertThatThrownBy(() -> decoder.decode(bytes)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void masterKeysAreExponentsOtherThanZero() {
        byte[] key = cpKeys.masterKey().encode();
        byte[] zero = Arrays.copyOf(Arrays.copyOf(key, 2), key.length);
        byte[] large = key.clone();
        Arrays.fill(large, 2, large.length, (byte) 0xff);
        for (byte[] bytes : List.of(zero, large, Arrays.copyOf(key, 33), Arrays.copyOf(key, 35))) {
            assertThatThrownBy(() -> cp.decodeMasterKey(bytes)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void schemesAreNotMixed() {
        assertThatIllegalArgumentException().isThrownBy(() -> cp.encapsulate(kpKeys.publicKey(), policy, coins));
        assertThatIllegalArgumentException().isThrownBy(() -> kp.encapsulate(cpKeys.publicKey(), attributes, coins));
        assertThatIllegalArgumentException().isThrownBy(() -> cp.keyGen(kpKeys.masterKey(), attributes, coins));
        assertThatIllegalArgumentException().isThrownBy(() -> kp.keyGen(cpKeys.masterKey(), policy, coins));
        byte[] publicKey = cp.encodePublicKey(cpKeys.publicKey());
        assertThatThrownBy(() -> kp.decodePublicKey(publicKey))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("form");
    }

    @Test
    void destroyedKeysAreOfNoUse() {
        CpSecretKey cpKey = cp.keyGen(cpKeys.masterKey(), attributes, coins);
        KpSecretKey kpKey = kp.keyGen(kpKeys.masterKey(), policy, coins);
        var itself = cpKey;
        assertThat(cpKey).isEqualTo(itself).isNotEqualTo(cp.keyGen(cpKeys.masterKey(), attributes, coins));
        cpKey.close();
        kpKey.close();
        assertThatIllegalStateException().isThrownBy(() -> cp.encodeKey(cpKey));
        assertThatIllegalStateException().isThrownBy(() -> kp.encodeKey(kpKey));
        assertThat(cpKey.toString()).isEqualTo("CpSecretKey[hidden, a:x, b:y]");
    }

    /** Each use of an attribute in a ciphertext has an s' of its own: with one for both, the quotient of two leaves would lose its mask. */
    @Test
    void usesDoNotShareRandomness() {
        CpCiphertext sent = cp.encapsulate(cpKeys.publicKey(), policy, coins).ciphertext();
        assertThat(sent.ct2()).hasSize(2).doesNotHaveDuplicates();
        KpSecretKey key = kp.keyGen(kpKeys.masterKey(), policy, coins);
        assertThat(key.parts().sk2()).hasSize(2).doesNotHaveDuplicates();
    }
}
