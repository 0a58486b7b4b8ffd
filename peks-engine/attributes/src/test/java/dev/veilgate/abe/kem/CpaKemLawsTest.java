package dev.veilgate.abe.kem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every scheme does for everybody: cryptography agrees with plain logic, and encodings are canonical. */
public abstract class CpaKemLawsTest<P, S, D, C> extends KemSuite<P, S, D, C> {
    private static final int ROUNDS = 14;

    @Test
    void opensExactlyWhatThePolicyAllows() throws MalformedEncodingException {
        int opened = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Policy policy = policies.ofDepth(round % 7, 12);
            AttributeSet attributes = policies.someAttributes(0.6);
            S key = scheme.key(policy, attributes, coins);
            CpaKem.Encapsulated<C> sent =
                    kem.encapsulate(scheme.publicKey(), scheme.descriptor(policy, attributes), coins);
            Optional<Gt> got = kem.decapsulate(
                    kem.decodeKey(kem.encodeKey(key)), kem.decodeCiphertext(kem.encodeCiphertext(sent.ciphertext())));
            if (policy.isSatisfiedBy(attributes)) {
                assertThat(got).as("%s by %s", policy, attributes).contains(sent.key());
                opened++;
            } else {
                assertThat(got).as("%s by %s", policy, attributes).isEmpty();
            }
        }
        assertThat(opened).as("opened of %s", ROUNDS).isBetween(2, ROUNDS - 2);
    }

    @Test
    void encodingsAreCanonicalAndSayWhomTheyAreFor() throws MalformedEncodingException {
        Policy policy = policies.ofDepth(3, 8);
        AttributeSet attributes = policies.someAttributes(0.5);
        D descriptor = scheme.descriptor(policy, attributes);
        byte[] publicKey = kem.encodePublicKey(scheme.publicKey());
        assertThat(kem.encodePublicKey(kem.decodePublicKey(publicKey))).isEqualTo(publicKey);
        byte[] key = kem.encodeKey(scheme.key(policy, attributes, coins));
        assertThat(kem.encodeKey(kem.decodeKey(key))).isEqualTo(key);
        C sent = kem.encapsulate(scheme.publicKey(), descriptor, coins).ciphertext();
        byte[] ciphertext = kem.encodeCiphertext(sent);
        C read = kem.decodeCiphertext(ciphertext);
        assertThat(kem.encodeCiphertext(read)).isEqualTo(ciphertext);
        assertThat(kem.descriptor(read)).isEqualTo(descriptor);
    }

    /** On this hangs security against chosen ciphertexts. */
    @Test
    void sameCoinsMakeTheSameCiphertextAndOthersAnother() {
        Policy policy = policies.ofDepth(2, 6);
        D descriptor = scheme.descriptor(policy, policies.someAttributes(0.5));
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        CpaKem.Encapsulated<C> first = kem.encapsulate(scheme.publicKey(), descriptor, CoinStream.ofSeed(seed));
        CpaKem.Encapsulated<C> same = kem.encapsulate(scheme.publicKey(), descriptor, CoinStream.ofSeed(seed));
        CpaKem.Encapsulated<C> other = kem.encapsulate(scheme.publicKey(), descriptor, coins);
        assertThat(kem.encodeCiphertext(same.ciphertext())).isEqualTo(kem.encodeCiphertext(first.ciphertext()));
        assertThat(same.key()).isEqualTo(first.key());
        assertThat(kem.encodeCiphertext(other.ciphertext())).isNotEqualTo(kem.encodeCiphertext(first.ciphertext()));
        assertThat(other.key()).isNotEqualTo(first.key());
    }

    @Test
    void ciphertextsOfAnotherAuthorityGiveAnotherKey() {
        Policy policy = new Policy.Leaf(RandomPolicies.UNIVERSE.getFirst());
        AttributeSet attributes = AttributeSet.of(RandomPolicies.UNIVERSE);
        CpaKem.Encapsulated<C> sent =
                kem.encapsulate(scheme.foreignPublicKey(), scheme.descriptor(policy, attributes), coins);
        assertThat(kem.decapsulate(scheme.key(policy, attributes, coins), sent.ciphertext()))
                .get()
                .isNotEqualTo(sent.key());
    }
}
