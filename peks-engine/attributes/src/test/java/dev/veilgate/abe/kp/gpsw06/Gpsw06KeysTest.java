package dev.veilgate.abe.kp.gpsw06;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.kem.CpaKem.Encapsulated;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys satisfy the paper's equations; each leaf has its own share and mask; secrets are not shown; the authority's keys are decoded strictly. */
class Gpsw06KeysTest {
    private static final CoinStream COINS = TestSeed.of(Gpsw06KeysTest.class).coins("keys");
    private static final Gpsw06 SCHEME = new Gpsw06();
    private static final KeyPair<PublicKey, MasterKey> AUTHORITY = SCHEME.setup(COINS);
    private static final Attribute A = RandomPolicies.UNIVERSE.get(0);
    private static final Attribute B = RandomPolicies.UNIVERSE.get(1);
    private static final Policy BOTH = Policy.and(new Policy.Leaf(A), new Policy.Leaf(B));

    /** e(g1, g2)^lambda_i = e(D_i, g2) / e(H(rho(i)), R_i). */
    private static List<Gt> shares(SecretKey key) {
        List<SecretKey.Leaf> leaves = key.parts().leaves();
        return IntStream.range(0, leaves.size())
                .mapToObj(i -> new PairingProduct()
                        .times(leaves.get(i).d(), G2.GENERATOR)
                        .over(
                                Gpsw06.hash(key.label().leaves().get(i)),
                                leaves.get(i).r())
                        .value())
                .toList();
    }

    @Test
    void leavesHaveTheSharesOfThePaper() {
        Gt y = AUTHORITY.publicKey().y();
        List<Gt> and = shares(SCHEME.keyGen(AUTHORITY.masterKey(), BOTH, COINS));
        assertThat(and.get(0).times(and.get(1))).isEqualTo(y);
        assertThat(and).doesNotContain(y).doesNotHaveDuplicates();
        assertThat(shares(SCHEME.keyGen(AUTHORITY.masterKey(), BOTH, COINS))).doesNotContainAnyElementsOf(and);
        Policy or = Policy.or(new Policy.Leaf(A), new Policy.Leaf(B));
        assertThat(shares(SCHEME.keyGen(AUTHORITY.masterKey(), or, COINS))).containsExactly(y, y);
    }

    /** The same attribute twice: were r_i shared, the quotient of both D_i would show lambda_1 - lambda_2. */
    @Test
    void leavesOfOneAttributeHaveMasksOfTheirOwn() {
        Policy twice = Policy.and(new Policy.Leaf(A), Policy.or(new Policy.Leaf(B), new Policy.Leaf(A)));
        List<SecretKey.Leaf> leaves =
                SCHEME.keyGen(AUTHORITY.masterKey(), twice, COINS).parts().leaves();
        assertThat(leaves.stream().map(SecretKey.Leaf::r)).doesNotHaveDuplicates();
    }

    /** What a sender wrote under one attribute does not serve as another's. */
    @Test
    void elementsOfACiphertextCannotBeRenamed() {
        SecretKey key = SCHEME.keyGen(AUTHORITY.masterKey(), BOTH, COINS);
        Encapsulated<Ciphertext> sent = SCHEME.encapsulate(AUTHORITY.publicKey(), AttributeSet.of(List.of(A)), COINS);
        Ciphertext c = sent.ciphertext();
        Ciphertext renamed = new Ciphertext(c.e0(), new TreeMap<>(Map.of(A, c.e().get(A), B, c.e().get(A))));
        assertThat(SCHEME.decapsulate(key, c)).isEmpty();
        assertThat(SCHEME.decapsulate(key, renamed)).get().isNotEqualTo(sent.key());
    }

    @Test
    void masterKeyComesBackAndIsDecodedStrictly() throws MalformedEncodingException {
        MasterKey master = AUTHORITY.masterKey();
        byte[] bytes = master.encode();
        assertThat(SCHEME.decodeMasterKey(bytes)).isEqualTo(master).hasSameHashCodeAs(master);
        assertThat(SCHEME.setup(COINS).masterKey()).isNotEqualTo(master);
        byte[] zero = new byte[33];
        zero[0] = 1;
        byte[] order = zero.clone();
        System.arraycopy(Zr.ORDER.toByteArray(), 0, order, 1, 32);
        byte[] version = bytes.clone();
        version[0] = 2;
        for (byte[] wrong :
                List.of(zero, order, version, new byte[0], Arrays.copyOf(bytes, 32), Arrays.copyOf(bytes, 34))) {
            assertThatThrownBy(() -> SCHEME.decodeMasterKey(wrong)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void destroyedKeysAreGoneAndNoneIsPrinted() {
        SecretKey key = SCHEME.keyGen(AUTHORITY.masterKey(), BOTH, COINS);
        MasterKey master = SCHEME.setup(COINS).masterKey();
        assertThat(key).hasToString("SecretKey[hidden, " + BOTH + "]");
        assertThat(master).hasToString("MasterKey[hidden]");
        key.close();
        master.close();
        assertThatThrownBy(() -> SCHEME.encodeKey(key)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SCHEME.keyGen(master, BOTH, COINS)).isInstanceOf(IllegalStateException.class);
    }
}
