package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.milagro.amcl.BLS381.BIG;
import org.apache.milagro.amcl.BLS381.ECP;
import org.apache.milagro.amcl.BLS381.ECP2;
import org.apache.milagro.amcl.BLS381.FP12;
import org.apache.milagro.amcl.BLS381.ROM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scheme that native code is compared with is the scheme, over the same groups. */
class PlainBsw07Test {
    private static final int COORDINATE_BYTES = 48;

    private final CoinStream coins = CoinStream.fresh(new SecureRandom());
    private final PlainBsw07.Authority authority = PlainBsw07.setup(coins);

    private static List<Attribute> attributes(int n) {
        return IntStream.range(0, n).mapToObj(AttributeWork::attribute).toList();
    }

    private PlainBsw07.SecretKey key(List<Attribute> attributes) {
        return PlainBsw07.keyGen(authority.masterKey(), attributes, coins);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void decryptsWithAllAttributesAndOthers(int n) {
        PlainBsw07.Encapsulated encapsulated = PlainBsw07.encapsulate(authority.publicKey(), attributes(n), coins);
        assertThat(encapsulated.key().isunity()).isFalse();
        for (int own : List.of(n, n + 2)) {
            FP12 decrypted = PlainBsw07.decapsulate(key(attributes(own)), encapsulated.ciphertext())
                    .orElseThrow();
            assertThat(decrypted.equals(encapsulated.key())).isTrue();
        }
    }

    @Test
    void doesNotDecryptWithoutOneAttribute() {
        PlainBsw07.Encapsulated encapsulated = PlainBsw07.encapsulate(authority.publicKey(), attributes(3), coins);
        assertThat(PlainBsw07.decapsulate(key(attributes(2)), encapsulated.ciphertext()))
                .isEmpty();
    }

    /** The check of attributes sees nothing, for the missing component is there, of another key; the equations do. */
    @Test
    void doesNotDecryptWithAnotherReadersComponent() {
        List<Attribute> all = attributes(3);
        PlainBsw07.Encapsulated encapsulated = PlainBsw07.encapsulate(authority.publicKey(), all, coins);
        PlainBsw07.SecretKey one = key(attributes(2));
        Map<Attribute, PlainBsw07.Component> together = new HashMap<>(one.components());
        together.put(all.get(2), key(all).components().get(all.get(2)));
        FP12 decrypted = PlainBsw07.decapsulate(new PlainBsw07.SecretKey(one.d(), together), encapsulated.ciphertext())
                .orElseThrow();
        assertThat(decrypted.equals(encapsulated.key())).isFalse();
    }

    @Test
    void hashesIntoTheGroup() {
        ECP point = PlainBsw07.hash(AttributeWork.attribute(7));
        assertThat(point.is_infinity()).isFalse();
        assertThat(point.mul(new BIG(ROM.CURVE_Order)).is_infinity()).isTrue();
        assertThat(point.equals(PlainBsw07.hash(AttributeWork.attribute(7)))).isTrue();
        assertThat(point.equals(PlainBsw07.hash(AttributeWork.attribute(8)))).isFalse();
    }

    /** x coordinates of multiples of both generators. */
    @Test
    void hasTheGroupsOfTheNativeLibrary() {
        for (int k : new int[] {1, 2, 1_000_003}) {
            byte[] ofPlain = new byte[1 + COORDINATE_BYTES];
            ECP.generator().mul(new BIG(k)).toBytes(ofPlain, true);
            byte[] ofNative = G1.GENERATOR.times(Zr.of(k)).encode();
            ofNative[0] &= 0x1f; // without the bits that say how it is encoded
            assertThat(Arrays.copyOfRange(ofPlain, 1, ofPlain.length)).isEqualTo(ofNative);

            byte[] twist = new byte[4 * COORDINATE_BYTES];
            ECP2.generator().mul(new BIG(k)).toBytes(twist);
            byte[] ofNativeTwist = G2.GENERATOR.times(Zr.of(k)).encode();
            ofNativeTwist[0] &= 0x1f;
            byte[] imaginary = Arrays.copyOfRange(twist, COORDINATE_BYTES, 2 * COORDINATE_BYTES);
            byte[] real = Arrays.copyOfRange(twist, 0, COORDINATE_BYTES);
            assertThat(imaginary).isEqualTo(Arrays.copyOfRange(ofNativeTwist, 0, COORDINATE_BYTES));
            assertThat(real).isEqualTo(Arrays.copyOfRange(ofNativeTwist, COORDINATE_BYTES, G2.BYTES));
        }
    }
}
