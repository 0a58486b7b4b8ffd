package dev.veilgate.abe.kem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.kem.ChosenCiphertextKem.Opening;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that has the transformation key, and its friends: what it reads, and what it can make a reader believe. */
public abstract class OutsourcedKemAttackTest<P, S, D, C> extends KemSuite<P, S, D, C> {
    private static final Attribute A = RandomPolicies.UNIVERSE.get(0);
    private static final Attribute B = RandomPolicies.UNIVERSE.get(1);
    private static final Policy ONE = new Policy.Leaf(A);
    private static final Policy BOTH = Policy.and(new Policy.Leaf(A), new Policy.Leaf(B));
    private static final AttributeSet ALL = AttributeSet.of(RandomPolicies.UNIVERSE);

    private ChosenCiphertextKem<P, S, D, C> checked;

    @BeforeEach
    void check() {
        checked = new ChosenCiphertextKem<>(kem, OutsourcedKemAttackTest::label);
    }

    private static byte[] label(Object descriptor) {
        return descriptor instanceof Policy policy ? policy.encode() : ((AttributeSet) descriptor).encode();
    }

    private CpaKem.Encapsulated<C> sent(Policy policy) {
        return kem.encapsulate(scheme.publicKey(), scheme.descriptor(policy, ALL), coins);
    }

    private OutsourcedKem.Blinded<S> blinded() {
        return kem.blind(scheme.key(BOTH, ALL, coins), coins);
    }

    @Test
    void blindedKeyAloneDoesNotDecrypt() {
        OutsourcedKem.Blinded<S> mine = blinded();
        CpaKem.Encapsulated<C> sent = sent(BOTH);
        Gt partial = kem.transform(mine.transformKey(), sent.ciphertext()).orElseThrow();
        for (int power : new int[] {-2, -1, 1, 2}) {
            assertThat(partial.power(Zr.of(power))).isNotEqualTo(sent.key());
        }
        assertThat(kem.recover(blinded().retrievalKey(), partial)).isNotEqualTo(sent.key());
    }

    /** The server knows many pairs (T, K): of all that it seals itself. */
    @Test
    void pairsOfTheServersOwnMakingDoNotHelp() {
        OutsourcedKem.Blinded<S> mine = blinded();
        CpaKem.Encapsulated<C> own = sent(BOTH);
        CpaKem.Encapsulated<C> sent = sent(BOTH);
        Gt ownPartial = kem.transform(mine.transformKey(), own.ciphertext()).orElseThrow();
        Gt partial = kem.transform(mine.transformKey(), sent.ciphertext()).orElseThrow();
        Gt inverse = ownPartial.power(Zr.of(-1));
        assertThat(own.key().times(partial).times(inverse)).isNotEqualTo(sent.key());
        assertThat(own.key().times(partial.times(inverse))).isNotEqualTo(sent.key());
        assertThat(partial.times(own.key())).isNotEqualTo(sent.key());
    }

    /** Blinding leaves the key's limits where they are, for the server with the owner's z too. */
    @Test
    void blindedKeysOpenNothingMore() {
        S a = scheme.key(BOTH, AttributeSet.of(List.of(A)), coins);
        OutsourcedKem.Blinded<S> mine = kem.blind(a, coins);
        D descriptor = scheme.descriptor(BOTH, AttributeSet.of(List.of(A)));
        C sent = kem.encapsulate(scheme.publicKey(), descriptor, coins).ciphertext();
        assertThat(kem.transform(mine.transformKey(), sent)).isEmpty();
    }

    /** Two readers, or the server and a reader, even under one z. */
    @Test
    void blindedKeysOfTwoDoNotAddUp() {
        S first = scheme.key(
                Policy.and(new Policy.Leaf(A), new Policy.Leaf(RandomPolicies.UNIVERSE.get(2))),
                AttributeSet.of(List.of(A)),
                coins);
        S second = scheme.key(
                Policy.and(new Policy.Leaf(B), new Policy.Leaf(RandomPolicies.UNIVERSE.get(3))),
                AttributeSet.of(List.of(B)),
                coins);
        CpaKem.Encapsulated<C> sent =
                kem.encapsulate(scheme.publicKey(), scheme.descriptor(BOTH, AttributeSet.of(List.of(A, B))), coins);
        Zr z = Zr.random(coins);
        S firstBlinded = kem.raised(first, z.inverse());
        for (S other : List.of(second, kem.raised(second, z.inverse()), kem.raised(second, Zr.random(coins)))) {
            for (S pooled : scheme.pooled(firstBlinded, other)) {
                Gt found = kem.decapsulate(pooled, sent.ciphertext()).orElseThrow();
                assertThat(List.of(found, found.power(z))).doesNotContain(sent.key());
            }
        }
    }

    @Test
    void transformKeyIsNoKeyAndTheOtherWayRound() {
        S key = scheme.key(ONE, ALL, coins);
        OutsourcedKem.Blinded<S> mine = kem.blind(key, coins);
        byte[] bytes = kem.encodeTransformKey(mine.transformKey());
        assertThatThrownBy(() -> kem.decodeKey(bytes)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> kem.decodeTransformKey(kem.encodeKey(key)))
                .isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> RetrievalKey.decode(bytes)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> kem.decodeTransformKey(mine.retrievalKey().encode()))
                .isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void damagedKeysAreRefusedOrCanonical() {
        OutsourcedKem.Blinded<S> mine = kem.blind(scheme.key(BOTH, ALL, coins), coins);
        byte[] transformKey = kem.encodeTransformKey(mine.transformKey());
        byte[] retrievalKey = mine.retrievalKey().encode();
        for (int i = 0; i < 60; i++) {
            byte[] bytes = damaged(transformKey);
            try {
                assertThat(kem.encodeTransformKey(kem.decodeTransformKey(bytes)))
                        .isEqualTo(bytes);
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageContaining(":");
            }
            byte[] other = damaged(retrievalKey);
            try {
                assertThat(RetrievalKey.decode(other).encode()).isEqualTo(other);
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageContaining(":");
            }
        }
        byte[] zero = Arrays.copyOf(Arrays.copyOf(retrievalKey, 2), 34);
        byte[] order = zero.clone();
        System.arraycopy(Zr.ORDER.toByteArray(), 0, order, 2, 32);
        for (byte[] wrong :
                List.of(zero, order, new byte[0], Arrays.copyOf(retrievalKey, 33), Arrays.copyOf(retrievalKey, 35))) {
            assertThatThrownBy(() -> RetrievalKey.decode(wrong)).isInstanceOf(MalformedEncodingException.class);
        }
        for (byte[] wrong : List.of(
                Arrays.copyOf(transformKey, 2),
                Arrays.copyOf(transformKey, 1),
                Arrays.copyOf(transformKey, transformKey.length - 1),
                Arrays.copyOf(transformKey, transformKey.length + 1))) {
            assertThatThrownBy(() -> kem.decodeTransformKey(wrong)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    private byte[] damaged(byte[] valid) {
        byte[] bytes = valid.clone();
        switch (random.nextInt(3)) {
            case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            default -> bytes[random.nextInt(Math.min(bytes.length, 30))] = (byte) random.nextInt();
        }
        return bytes;
    }

    /** T of order n would give T^z, so z mod n, to whoever sees whether the reader goes on: -1 of order 2, a root of unity of order 3. */
    @Test
    void answersOfSmallOrderAreRefused() {
        BigInteger p = new BigInteger(
                "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16);
        BigInteger third = BigInteger.TWO.modPow(p.subtract(BigInteger.ONE).divide(BigInteger.valueOf(3)), p);
        assertThat(third).isNotEqualTo(BigInteger.ONE);
        for (BigInteger small : List.of(p.subtract(BigInteger.ONE), third, BigInteger.ONE, BigInteger.ZERO)) {
            byte[] number = small.toByteArray();
            byte[] answer = new byte[Gt.BYTES];
            System.arraycopy(number, 0, answer, 48 - number.length, number.length);
            assertThatThrownBy(() -> Gt.decode("partial", answer))
                    .as("order of %s", small)
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void wrongAnswersAreRefusedByTheCheck() throws MalformedEncodingException {
        OutsourcedKem.Blinded<S> mine = blinded();
        D descriptor = scheme.descriptor(BOTH, ALL);
        SecureRandom source = new KnownRandom((byte) 1);
        ChosenCiphertextKem.Encapsulated sent = checked.encapsulate(scheme.publicKey(), descriptor, source);
        C other = sent(BOTH).ciphertext();
        Gt right = kem.transform(mine.transformKey(), checked.inner(sent.ciphertext()))
                .orElseThrow();
        Gt wrong = kem.transform(mine.transformKey(), other).orElseThrow();
        assertThat(opened(mine, right, sent.ciphertext()))
                .isInstanceOfSatisfying(
                        Opening.Secret.class,
                        secret -> assertThat(secret.bytes()).isEqualTo(sent.secret()));
        for (Gt answer : List.of(wrong, right.times(wrong), right.power(Zr.of(2)), right.power(Zr.of(-1)))) {
            assertThat(opened(mine, answer, sent.ciphertext())).isInstanceOf(Opening.Refused.class);
        }
    }

    private Opening opened(OutsourcedKem.Blinded<S> mine, Gt answer, byte[] ciphertext)
            throws MalformedEncodingException {
        return checked.open(scheme.publicKey(), kem.recover(mine.retrievalKey(), answer), ciphertext);
    }

    /**
     * The server knows T' and K' = T'^z of its own and seals m so that K' unmasks it: all of ct comes out the same. Were it accepted, a guess of any
     * K' for any T' could be tried on the reader, who would say whether K' = T'^z.
     */
    @Test
    void readerDoesNotSayWhetherAGuessOfHisPowerIsRight() throws Exception {
        OutsourcedKem.Blinded<S> mine = blinded();
        CpaKem.Encapsulated<C> own = sent(BOTH);
        Gt answer = kem.transform(mine.transformKey(), own.ciphertext()).orElseThrow();
        assertThat(kem.recover(mine.retrievalKey(), answer)).isEqualTo(own.key());

        byte[] m = new byte[32];
        Arrays.fill(m, (byte) 7);
        byte[] ciphertext = checked.encapsulate(
                        scheme.publicKey(), scheme.descriptor(BOTH, ALL), new KnownRandom((byte) 7))
                .ciphertext();
        byte[] ct = Arrays.copyOfRange(ciphertext, 32, ciphertext.length);
        byte[] pk = hash(3, kem.id().getBytes(StandardCharsets.US_ASCII), kem.encodePublicKey(scheme.publicKey()));
        byte[] pad = hash(1, pk, own.key().encode(), ct);
        byte[] forged = ciphertext.clone();
        for (int i = 0; i < 32; i++) {
            forged[i] = (byte) (m[i] ^ pad[i]);
        }
        assertThat(opened(mine, answer, forged)).isInstanceOf(Opening.Refused.class);
    }

    /** As docs/spec/abe-kem.md says it. */
    private static byte[] hash(int use, byte[]... parts) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        sha.update("veilgate/abe/fo/1".getBytes(StandardCharsets.US_ASCII));
        sha.update((byte) use);
        for (byte[] part : parts) {
            sha.update(ByteBuffer.allocate(4).putInt(part.length).array());
            sha.update(part);
        }
        return sha.digest();
    }

    /** Gives the same byte always: an attacker chooses his m. */
    private static final class KnownRandom extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte value;

        KnownRandom(byte value) {
            this.value = value;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, value);
        }
    }
}
