package dev.veilgate.abe.kem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Server and reader together find what the reader finds alone, and nothing else. */
public abstract class OutsourcedKemLawsTest<P, S, D, C> extends KemSuite<P, S, D, C> {
    private static final int ROUNDS = 10;

    /** All that travels goes through its encoding. */
    @Test
    void findsExactlyWhatThePolicyAllows() throws MalformedEncodingException {
        int opened = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Policy policy = policies.ofDepth(round % 7, 8);
            AttributeSet attributes = policies.someAttributes(0.6);
            S key = scheme.key(policy, attributes, coins);
            OutsourcedKem.Blinded<S> blinded = kem.blind(key, coins);
            TransformKey<S> server = kem.decodeTransformKey(kem.encodeTransformKey(blinded.transformKey()));
            RetrievalKey reader = RetrievalKey.decode(blinded.retrievalKey().encode());
            CpaKem.Encapsulated<C> sent =
                    kem.encapsulate(scheme.publicKey(), scheme.descriptor(policy, attributes), coins);
            Optional<Gt> partial = kem.transform(server, kem.decodeCiphertext(kem.encodeCiphertext(sent.ciphertext())));
            assertThat(partial.isPresent())
                    .as("%s by %s", policy, attributes)
                    .isEqualTo(policy.isSatisfiedBy(attributes));
            if (partial.isPresent()) {
                Gt arrived = Gt.decode("partial", partial.get().encode());
                assertThat(kem.recover(reader, arrived)).isEqualTo(sent.key());
                opened++;
            }
        }
        assertThat(opened).as("opened of %s", ROUNDS).isBetween(2, ROUNDS - 1);
    }

    /** What the whole rests on: each pairing has exactly one element of the key. */
    @Test
    void keysRaisedToAPowerFindThatPower() {
        Policy policy = policies.ofDepth(3, 8);
        AttributeSet attributes = AttributeSet.of(RandomPolicies.UNIVERSE);
        S key = scheme.key(policy, attributes, coins);
        CpaKem.Encapsulated<C> sent = kem.encapsulate(scheme.publicKey(), scheme.descriptor(policy, attributes), coins);
        Zr x = Zr.random(coins);
        assertThat(kem.decapsulate(kem.raised(key, x), sent.ciphertext()))
                .contains(sent.key().power(x));
        assertThat(kem.encodeKey(kem.raised(kem.raised(key, x), x.inverse()))).isEqualTo(kem.encodeKey(key));
    }

    @Test
    void eachBlindingIsAnother() {
        S key = scheme.key(policies.ofDepth(1, 3), policies.someAttributes(0.5), coins);
        OutsourcedKem.Blinded<S> one = kem.blind(key, coins);
        OutsourcedKem.Blinded<S> two = kem.blind(key, coins);
        assertThat(kem.encodeTransformKey(one.transformKey())).isNotEqualTo(kem.encodeTransformKey(two.transformKey()));
        assertThat(one.retrievalKey()).isNotEqualTo(two.retrievalKey());
    }

    @Test
    void retrievalKeysAreEncodedCanonicallyAndForgotten() throws MalformedEncodingException {
        RetrievalKey key = kem.blind(scheme.key(policies.ofDepth(0, 1), policies.someAttributes(0.5), coins), coins)
                .retrievalKey();
        byte[] bytes = key.encode();
        assertThat(bytes).hasSize(34).startsWith(1, 'Z');
        RetrievalKey read = RetrievalKey.decode(bytes);
        assertThat(read).isEqualTo(key).hasSameHashCodeAs(key).hasToString("RetrievalKey[hidden]");
        read.close();
        assertThat(read).isNotEqualTo(key);
        assertThatThrownBy(read::encode).isInstanceOf(IllegalStateException.class);
    }
}
