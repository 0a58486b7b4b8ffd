package dev.veilgate.abe.cp.bsw07;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys satisfy the paper's equations; secrets are not shown; the authority's keys are decoded strictly. */
class Bsw07KeysTest {
    private static final CoinStream COINS = TestSeed.of(Bsw07KeysTest.class).coins("keys");
    private static final Bsw07 SCHEME = new Bsw07();
    private static final KeyPair<PublicKey, MasterKey> AUTHORITY = SCHEME.setup(COINS);
    private static final PublicKey PUBLIC = AUTHORITY.publicKey();
    private static final AttributeSet ALL = AttributeSet.of(RandomPolicies.UNIVERSE);

    /** e(D, h) / y = e(g1, g2)^r = e(D_u, g2) / e(H(u), D'_u) for every u. */
    private static Gt maskOf(SecretKey key) {
        SecretKey.Parts parts = key.parts();
        Gt mask = Gt.pairing(parts.d(), PUBLIC.h()).times(PUBLIC.y().power(Zr.of(-1)));
        parts.components()
                .forEach((u, component) -> assertThat(new PairingProduct()
                                .times(component.d(), G2.GENERATOR)
                                .over(Bsw07.hash(u), component.dPrime())
                                .value())
                        .as("component of %s", u)
                        .isEqualTo(mask));
        return mask;
    }

    @Test
    void keysAreOfThePapersForm() {
        Gt mask = maskOf(SCHEME.keyGen(AUTHORITY.masterKey(), ALL, COINS));
        assertThat(maskOf(SCHEME.keyGen(AUTHORITY.masterKey(), ALL, COINS))).isNotEqualTo(mask);
    }

    @Test
    void delegatedKeysAreOfTheSameFormWithRandomnessOfTheirOwn() {
        SecretKey parent = SCHEME.keyGen(AUTHORITY.masterKey(), ALL, COINS);
        List<Attribute> some = RandomPolicies.UNIVERSE.subList(1, 4);
        SecretKey child = SCHEME.delegate(PUBLIC, parent, AttributeSet.of(some), COINS);
        SecretKey grandchild = SCHEME.delegate(PUBLIC, child, AttributeSet.of(some.subList(0, 2)), COINS);
        assertThat(child.label()).isEqualTo(AttributeSet.of(some));
        assertThat(List.of(maskOf(parent), maskOf(child), maskOf(grandchild))).doesNotHaveDuplicates();
        for (Attribute u : some) {
            SecretKey.Component old = parent.parts().components().get(u);
            SecretKey.Component made = child.parts().components().get(u);
            assertThat(made.d()).isNotEqualTo(old.d());
            assertThat(made.dPrime()).isNotEqualTo(old.dPrime());
        }
    }

    @Test
    void masterKeyComesBackAndIsDecodedStrictly() throws MalformedEncodingException {
        MasterKey master = AUTHORITY.masterKey();
        byte[] bytes = master.encode();
        assertThat(SCHEME.decodeMasterKey(bytes)).isEqualTo(master).hasSameHashCodeAs(master);
        assertThat(SCHEME.setup(COINS).masterKey()).isNotEqualTo(master);
        byte[] zero = bytes.clone();
        Arrays.fill(zero, 1, 33, (byte) 0);
        byte[] order = bytes.clone();
        System.arraycopy(Zr.ORDER.toByteArray(), 0, order, 1, 32);
        byte[] identity = bytes.clone();
        Arrays.fill(identity, 33, 81, (byte) 0);
        identity[33] = (byte) 0xc0;
        byte[] version = bytes.clone();
        version[0] = 2;
        for (byte[] wrong : List.of(
                zero, order, identity, version, new byte[0], Arrays.copyOf(bytes, 80), Arrays.copyOf(bytes, 82))) {
            assertThatThrownBy(() -> SCHEME.decodeMasterKey(wrong)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void publicKeyOfPartsThatDoNotBelongTogetherIsRefused() {
        PublicKey wrong = new PublicKey(PUBLIC.h(), G1.random(COINS), PUBLIC.y());
        assertThatThrownBy(() -> SCHEME.decodePublicKey(SCHEME.encodePublicKey(wrong)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("f: an element with e(f, h) = e(g1, g2)");
    }

    @Test
    void destroyedKeysAreGoneAndNoneIsPrinted() {
        SecretKey key = SCHEME.keyGen(AUTHORITY.masterKey(), ALL, COINS);
        MasterKey master = SCHEME.setup(COINS).masterKey();
        assertThat(key).hasToString("SecretKey[hidden, " + ALL + "]").isNotEqualTo(null);
        assertThat(master).hasToString("MasterKey[hidden]");
        key.close();
        master.close();
        assertThatThrownBy(() -> SCHEME.encodeKey(key)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SCHEME.keyGen(master, ALL, COINS)).isInstanceOf(IllegalStateException.class);
    }
}
